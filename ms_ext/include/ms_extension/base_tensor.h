// mindspore::tensor::Tensor, which older operators know as BaseTensor: an ms::Tensor behind a
// std::shared_ptr. And what AutogradContext::saved_data holds: MakeValue(3), GetValue<int64_t>(v).
#pragma once

#include "ms_extension/tensor.h"

namespace mindspore {

namespace tensor {

class Tensor final : public Value {
 public:
  Tensor(TypeId data_type, const ShapeVector& shape) : it_(data_type, shape) {}
  explicit Tensor(const ms::Tensor& it) : it_(it) {}

  TypeId data_type() const { return it_.data_type(); }
  const ShapeVector& shape() const { return it_.shape(); }
  const ShapeVector& shape_c() const { return it_.shape(); }
  int DataDim() const { return it_.value()->axes; }
  size_t DataSize() const { return it_.numel(); }
  size_t Size() const;
  void* data_c() const { return it_.GetDataPtr(); }
  std::vector<int64_t> stride() const { return it_.stride(); }
  size_t storage_offset() const { return static_cast<size_t>(it_.storage_offset()); }
  bool is_contiguous() const { return it_.is_contiguous(); }
  const ms::Tensor& extension() const { return it_; }  // the same, for PyboostRunner and the like

 private:
  ms::Tensor it_;
};

using BaseTensor = Tensor;
using BaseTensorPtr = TensorPtr;
using TensorPtrList = std::vector<TensorPtr>;
using BaseTensorPtrList = TensorPtrList;

}  // namespace tensor

template <typename T>
class Immediate final : public Value {
 public:
  explicit Immediate(T given) : value(std::move(given)) {}
  const T value;
};

// A number, text or vector as a Value; whole numbers of all sizes are kept as they are.
template <typename T>
ValuePtr MakeValue(const T& value) {
  return std::make_shared<Immediate<T>>(value);
}
inline ValuePtr MakeValue(const char* text) { return MakeValue(std::string(text)); }
inline ValuePtr MakeValue(int value) { return MakeValue(static_cast<int64_t>(value)); }

template <typename T>
T GetValue(const ValuePtr& value) {
  MS_EXCEPTION_IF_NULL(value);
  auto* found = dynamic_cast<const Immediate<T>*>(value.get());
  if (!found) MS_EXCEPTION(TypeError) << "Cannot get the value: another type was saved.";
  return found->value;
}

}  // namespace mindspore
