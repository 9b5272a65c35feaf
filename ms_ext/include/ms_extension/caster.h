// Tensors on their way between Python and C++. None is an undefined ms::Tensor, but no TensorPtr
// (that takes a std::optional); nothing else is taken for a tensor: pybind11 refuses numbers and
// arrays.
#pragma once

#include <pybind11/stl.h>

#include "ms_extension/tensor_methods.h"

namespace ms_ext {

// False: this is no tensor.
inline bool take_tensor(PyObject* object, ms::Tensor* into) {
  if (object == Py_None) {
    *into = ms::Tensor();
    return true;
  }
  const Bridge* table = bridge();
  if (!table->is_tensor(object)) return false;
  Failure failure;
  Value* value = table->from_python(object, &failure);
  if (!value) throw_failure(&failure);
  *into = ms::Tensor(Handle(value));
  return true;
}

inline PyObject* python_of(const ms::Tensor& tensor) {
  Value* value = tensor.handle().get();
  if (!value) {
    Py_INCREF(Py_None);
    return Py_None;
  }
  Failure failure;
  PyObject* made = bridge()->to_python(value, &failure);
  if (!made) throw_failure(&failure);
  return made;
}

}  // namespace ms_ext

namespace pybind11::detail {

template <>
struct type_caster<ms::Tensor> {
  PYBIND11_TYPE_CASTER(ms::Tensor, const_name("Tensor"));

  bool load(handle source, bool) { return ms_ext::take_tensor(source.ptr(), &value); }
  static handle cast(const ms::Tensor& source, return_value_policy, handle) {
    return ms_ext::python_of(source);
  }
};

template <>
struct type_caster<mindspore::tensor::TensorPtr> {
  PYBIND11_TYPE_CASTER(mindspore::tensor::TensorPtr, const_name("Tensor"));

  bool load(handle source, bool) {
    ms::Tensor tensor;
    if (source.is_none() || !ms_ext::take_tensor(source.ptr(), &tensor)) return false;
    value = std::make_shared<mindspore::tensor::Tensor>(tensor);
    return true;
  }
  static handle cast(const mindspore::tensor::TensorPtr& source, return_value_policy, handle) {
    return ms_ext::python_of(source ? source->extension() : ms::Tensor());
  }
};

}  // namespace pybind11::detail
