// What the methods of ms::Tensor do, as far as it is more than a line.
#pragma once

#include "ms_extension/base_tensor.h"
#include "ms_extension/dispatch.h"

namespace ms_ext {

inline Value* made(int type, const ShapeVector& shape) {
  if (shape.size() > MOST_AXES)
    raise(VALUE, "A tensor has at most 8 axes, but " + std::to_string(shape.size()) +
                     " were asked for.");
  for (int64_t size : shape)
    if (size < 0)
      raise(VALUE, "The size " + std::to_string(size) + " of a tensor's axis is negative.");
  return bridge()->make(type, static_cast<int>(shape.size()), shape.data());
}

inline int bytes_of_type(int type) {
  using namespace mindspore;
  switch (type) {
    case kNumberTypeBool: case kNumberTypeInt8: case kNumberTypeUInt8: return 1;
    case kNumberTypeInt16: case kNumberTypeUInt16: return 2;
    case kNumberTypeFloat16: case kNumberTypeBFloat16: return 2;
    case kNumberTypeInt32: case kNumberTypeUInt32: case kNumberTypeFloat32: return 4;
    case kNumberTypeComplex128: return 16;
  }
  return 8;
}

}  // namespace ms_ext

namespace ms {

inline Tensor::Tensor(TypeId type_id, const ShapeVector& shape)
    : value_(ms_ext::made(type_id, shape)) {}

inline Tensor::Tensor(const mindspore::ValuePtr& value) {
  if (!value) return;
  auto* tensor = dynamic_cast<mindspore::tensor::Tensor*>(value.get());
  if (!tensor) MS_EXCEPTION(mindspore::TypeError) << "This Value is not a Tensor.";
  *this = tensor->extension();
}

inline Tensor& Tensor::operator=(Tensor&& other) noexcept {
  if (this == &other) return *this;
  forget_copies();
  value_ = std::move(other.value_);
  shape_ = other.shape_.exchange(nullptr);
  shown_ = other.shown_.exchange(nullptr);
  format_ = other.format_;
  need_contiguous_ = other.need_contiguous_;
  return *this;
}

inline void Tensor::forget_copies() {
  delete shape_.exchange(nullptr);
  delete shown_.exchange(nullptr);
}

// Threads of one operator may ask at the same time: the first copy stays.
inline const ShapeVector& Tensor::shape() const {
  const ShapeVector* known = shape_.load(std::memory_order_acquire);
  if (known) return *known;
  ms_ext::Value* it = value();
  auto* made = new ShapeVector(it->shape, it->shape + it->axes);
  if (shape_.compare_exchange_strong(known, made)) return *made;
  delete made;
  return *known;
}

inline const Tensor::Shown& Tensor::shown() const {
  const Shown* known = shown_.load(std::memory_order_acquire);
  if (known) return *known;
  value();
  auto tensor = std::make_shared<mindspore::tensor::Tensor>(*this);
  auto* made = new Shown{tensor, tensor};
  if (shown_.compare_exchange_strong(known, made)) return *made;
  delete made;
  return *known;
}

inline const mindspore::ValuePtr& Tensor::stub_node() const { return shown().value; }
inline const mindspore::tensor::TensorPtr& Tensor::tensor() const { return shown().tensor; }

inline void* Tensor::GetDataPtr() const {
  ms_ext::Failure failure;
  char* place = ms_ext::bridge()->data(value(), &failure);
  if (!place) ms_ext::throw_failure(&failure);
  return place;
}

inline Tensor Tensor::operate(const char* what, const std::vector<int64_t>& numbers,
                              const Tensor* other) const {
  ms_ext::Failure failure;
  ms_ext::Value* inputs[2] = {value(), other ? other->value() : nullptr};
  ms_ext::Value* made = ms_ext::bridge()->operate(what, inputs, other ? 2 : 1, numbers.data(),
                                                  static_cast<int>(numbers.size()), &failure);
  if (failure) ms_ext::throw_failure(&failure);
  return Tensor(ms_ext::Handle(made));
}

inline std::vector<Tensor> Tensor::chunk(int64_t chunks, int64_t dim) const {
  std::vector<Tensor> parts;
  for (int64_t which = 0; which == 0 || which < chunks; ++which) {
    Tensor part = operate("chunk", {chunks, dim, which});
    if (!part.is_defined()) break;
    parts.push_back(std::move(part));
  }
  return parts;
}

inline Tensor Tensor::repeat_interleave(int64_t repeats, const std::optional<int64_t>& dim,
                                        const std::optional<int64_t>& output_size) const {
  Tensor made = operate("repeat_interleave", {repeats, dim.has_value(), dim.value_or(0)});
  int64_t axis = !dim ? 0 : *dim < 0 ? *dim + made.value()->axes : *dim;
  if (output_size && made.shape()[axis] != *output_size)
    MS_EXCEPTION(mindspore::ValueError) << "For 'repeat_interleave', 'output_size' is "
                                        << *output_size << ", but there are "
                                        << made.shape()[axis] << " elements.";
  return made;
}

// counts [2, 0, 3] are the indices [0, 0, 2, 2, 2], which are known once counts are computed. How
// many they are has to be known before: from output_size, or by waiting where no stage is held up.
inline Tensor Tensor::repeat_interleave(const Tensor& repeats, const std::optional<int64_t>& dim,
                                        const std::optional<int64_t>& output_size) const {
  Tensor counts = repeats.cast(mindspore::kNumberTypeInt64).contiguous();
  Tensor x = dim ? *this : flatten();
  int64_t axis = dim.value_or(0);
  int64_t places = x.shape().at(axis < 0 ? axis + x.shape().size() : axis);
  if (counts.shape().size() > 1 || (counts.numel() != 1 && int64_t(counts.numel()) != places))
    MS_EXCEPTION(mindspore::ValueError) << "For 'repeat_interleave', 'repeats' must have one count "
                                        << "for each of the " << places
                                        << " elements of the axis, but its shape is "
                                        << counts.shape() << ".";
  if (counts.numel() == 1) counts = counts.repeat({places});
  Tensor index(mindspore::kNumberTypeInt64, {output_size ? *output_size : ms_ext::sum_of(counts)});
  DispatchKernel([counts, index] { ms_ext::spread(counts, index); });
  return x.index_select(axis, index);
}

inline void Tensor::refuse_accessor(size_t axes) const {
  ms_ext::raise(ms_ext::RUNTIME,
                "TensorAccessor error: The tensor's shape or stride does not match the specified "
                "dimension N. Expected dimension: " + std::to_string(axes) +
                    ", but got shape size: " + std::to_string(value()->axes) +
                    " and stride size: " + std::to_string(value()->axes) + ".");
}

}  // namespace ms

inline size_t mindspore::tensor::Tensor::Size() const {
  return it_.numel() * ms_ext::bytes_of_type(it_.data_type());
}
