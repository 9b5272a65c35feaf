// ms::tensor, ms::ones, ms::zeros: tensors with given elements.
#pragma once

#include "ms_extension/tensor_methods.h"

namespace ms_ext {

// The elements are set when this returns, in whatever stage it is called.
template <typename T>
ms::Tensor tensor_of(mindspore::TypeId own, const T* elements, const ShapeVector& shape,
                     mindspore::TypeId asked) {
  ms::Tensor made(own, shape);
  size_t bytes = made.numel() * sizeof(T);
  if (bytes) std::memcpy(made.GetDataPtr(), elements, bytes);
  if (asked != own) made = made.operate("cast_now", {asked});
  made.value()->constant = true;
  return made;
}

inline ms::Tensor filled(double number, const ShapeVector& shape, mindspore::TypeId dtype) {
  std::vector<int64_t> numbers{dtype, 0};
  std::memcpy(&numbers[1], &number, sizeof number);
  numbers.insert(numbers.end(), shape.begin(), shape.end());
  Failure failure;
  Value* made = bridge()->operate("fill", nullptr, 0, numbers.data(),
                                  static_cast<int>(numbers.size()), &failure);
  if (!made) throw_failure(&failure);
  made->constant = true;
  return ms::Tensor(Handle(made));
}

}  // namespace ms_ext

namespace ms {

inline Tensor tensor(int64_t value, TypeId dtype = TypeId::kNumberTypeInt64) {
  return ms_ext::tensor_of(TypeId::kNumberTypeInt64, &value, {}, dtype);
}
inline Tensor tensor(const std::vector<int64_t>& value, TypeId dtype = TypeId::kNumberTypeInt64) {
  return ms_ext::tensor_of(TypeId::kNumberTypeInt64, value.data(),
                           {static_cast<int64_t>(value.size())}, dtype);
}
inline Tensor tensor(double value, TypeId dtype = TypeId::kNumberTypeFloat64) {
  return ms_ext::tensor_of(TypeId::kNumberTypeFloat64, &value, {}, dtype);
}
inline Tensor tensor(const std::vector<double>& value, TypeId dtype = TypeId::kNumberTypeFloat64) {
  return ms_ext::tensor_of(TypeId::kNumberTypeFloat64, value.data(),
                           {static_cast<int64_t>(value.size())}, dtype);
}
inline Tensor ones(const ShapeVector& shape, TypeId dtype = TypeId::kNumberTypeFloat32) {
  return ms_ext::filled(1, shape, dtype);
}
inline Tensor zeros(const ShapeVector& shape, TypeId dtype = TypeId::kNumberTypeFloat32) {
  return ms_ext::filled(0, shape, dtype);
}

}  // namespace ms
