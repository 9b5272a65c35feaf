// ms::Tensor: a reference to a Value of the engine. Its methods ask the Value or the bridge; those
// that compute give a new tensor at once, whose elements come in their turn.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>

#include "ms_extension/accessor.h"

namespace mindspore {

// What MindSpore passes about: tensors, and what AutogradContext::saved_data keeps.
class Value {
 public:
  virtual ~Value() = default;
};
using ValuePtr = std::shared_ptr<Value>;
using ValuePtrList = std::vector<ValuePtr>;

namespace tensor {
class Tensor;
using TensorPtr = std::shared_ptr<Tensor>;
}  // namespace tensor

}  // namespace mindspore

namespace ms {

class Tensor {
 public:
  Tensor() = default;                                            // undefined
  Tensor(TypeId type_id, const ShapeVector& shape);              // elements not set
  explicit Tensor(const mindspore::ValuePtr& value);
  explicit Tensor(ms_ext::Handle value) : value_(std::move(value)) {}
  Tensor(const Tensor& other)
      : value_(other.value_), format_(other.format_), need_contiguous_(other.need_contiguous_) {}
  Tensor(Tensor&& other) noexcept
      : value_(std::move(other.value_)),
        shape_(other.shape_.exchange(nullptr)),
        shown_(other.shown_.exchange(nullptr)),
        format_(other.format_),
        need_contiguous_(other.need_contiguous_) {}
  Tensor& operator=(const Tensor& other) {
    if (this != &other) *this = Tensor(other);
    return *this;
  }
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor() {
    if (shape_.load() || shown_.load()) forget_copies();
  }

  bool is_defined() const { return value_.get() != nullptr; }
  TypeId data_type() const { return static_cast<TypeId>(value()->type); }
  std::string format() const { return format_; }
  void set_format(const std::string& format) const { format_ = ms_ext::interned(format); }
  const ShapeVector& shape() const;
  size_t numel() const { return static_cast<size_t>(value()->elements()); }
  std::vector<int64_t> stride() const {
    ms_ext::Value* it = value();
    return {it->stride, it->stride + it->axes};
  }
  int64_t storage_offset() const { return value()->offset; }
  bool is_contiguous() const { return value()->contiguous(); }
  void SetNeedContiguous(bool flag) const {
    value();
    need_contiguous_ = flag;
  }
  bool need_contiguous() const {
    value();
    return need_contiguous_;
  }

  // Where the elements are; the offset is counted in. Valid as long as the tensor is.
  void* GetDataPtr() const;
  template <typename T>
  T* data_ptr() const {
    return static_cast<T*>(GetDataPtr());
  }
  template <typename T, size_t N>
  TensorAccessor<T, N> accessor() const {
    ms_ext::Value* it = value();
    if (it->axes != static_cast<int>(N)) refuse_accessor(N);
    return {data_ptr<T>(), it->shape, it->stride};
  }

  Tensor cast(TypeId dtype) const { return operate("cast", {dtype}); }
  std::vector<Tensor> chunk(int64_t chunks, int64_t dim = 0) const;
  Tensor contiguous() const { return operate("contiguous", {}); }
  Tensor flatten(int64_t start_dim = 0, int64_t end_dim = -1) const {
    return operate("flatten", {start_dim, end_dim});
  }
  Tensor index_select(int64_t dim, const Tensor& index) const {
    return operate("index_select", {dim}, &index);
  }
  Tensor reshape(const std::vector<int64_t>& shape) const { return operate("reshape", shape); }
  Tensor repeat(const std::vector<int64_t>& repeats) const { return operate("repeat", repeats); }
  Tensor repeat_interleave(const Tensor& repeats, const std::optional<int64_t>& dim = std::nullopt,
                           const std::optional<int64_t>& output_size = std::nullopt) const;
  Tensor repeat_interleave(int64_t repeats, const std::optional<int64_t>& dim = std::nullopt,
                           const std::optional<int64_t>& output_size = std::nullopt) const;

  // For the framework itself.
  const mindspore::ValuePtr& stub_node() const;
  const mindspore::tensor::TensorPtr& tensor() const;
  void ConvertStubNodeToTensor() const { value(); }
  void AssignTensor(const Tensor& src) const { operate("assign", {}, &src); }

  // The engine's side of it, with dtype and shape known; `handle` as it is, perhaps undefined.
  ms_ext::Value* value() const { return ms_ext::definite(value_.get()); }
  const ms_ext::Handle& handle() const { return value_; }
  void make_contiguous() const {
    if (need_contiguous_ && !value()->contiguous()) value_ = contiguous().value_;
  }
  Tensor operate(const char* what, const std::vector<int64_t>& numbers,
                 const Tensor* other = nullptr) const;

 private:
  // This tensor as MindSpore's older C++ knows it.
  struct Shown {
    mindspore::tensor::TensorPtr tensor;
    mindspore::ValuePtr value;
  };

  const Shown& shown() const;
  void forget_copies();
  [[noreturn]] void refuse_accessor(size_t axes) const;

  mutable ms_ext::Handle value_;
  mutable std::atomic<const ShapeVector*> shape_{nullptr};  // made when somebody asks for it
  mutable std::atomic<const Shown*> shown_{nullptr};
  mutable const char* format_ = "DefaultFormat";
  mutable bool need_contiguous_ = true;
};

}  // namespace ms
