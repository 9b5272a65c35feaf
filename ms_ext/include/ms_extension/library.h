// How the runners of aclnn.h, atb.h and asdsip.h call the device's libraries, which are Python:
// ms_ext.engine.libraries.bridged. Arguments are collected, handed over, and kept until it answers.
#pragma once

#include <deque>
#include <tuple>

#include "ms_extension/runner.h"

namespace ms_ext {

// An object of Python that C++ holds; it may be dropped on any thread.
class Object {
 public:
  Object() = default;
  explicit Object(PyObject* taken_over) : object_(taken_over) {}
  Object(Object&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Object() {
    if (!object_ || !Py_IsInitialized()) return;
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(object_);
    PyGILState_Release(state);
  }
  PyObject* get() const { return object_; }

  int64_t integer() const {
    PyGILState_STATE state = PyGILState_Ensure();
    int64_t found = PyLong_AsLongLong(object_);
    if (PyErr_Occurred()) PyErr_Clear();
    PyGILState_Release(state);
    return found;
  }

 private:
  PyObject* object_ = nullptr;
};

// NumPy's name of an element type, as a kernel takes it.
inline const char* name_of(mindspore::TypeId type) {
  switch (type) {
    case mindspore::kNumberTypeBool: return "bool";
    case mindspore::kNumberTypeInt8: return "int8";
    case mindspore::kNumberTypeInt16: return "int16";
    case mindspore::kNumberTypeInt32: return "int32";
    case mindspore::kNumberTypeInt64: return "int64";
    case mindspore::kNumberTypeUInt8: return "uint8";
    case mindspore::kNumberTypeFloat16: return "float16";
    case mindspore::kNumberTypeFloat32: return "float32";
    case mindspore::kNumberTypeFloat64: return "float64";
    case mindspore::kNumberTypeBFloat16: return "bfloat16";
    default: return "no dtype of a tensor";
  }
}

// What a function of the library is called with.
class Arguments {
 public:
  template <typename... Args>
  explicit Arguments(const Args&... args) {
    (add(args), ...);
  }

  void add(const ms::Tensor& tensor) {
    Argument& made = next(tensor.is_defined() ? Argument::TENSOR : Argument::NONE);
    if (!tensor.is_defined()) return;
    tensors_.push_back(tensor);
    made.value = tensor.value();
  }
  void add(const mindspore::tensor::TensorPtr& tensor) {
    add(tensor ? ms::Tensor(mindspore::ValuePtr(tensor)) : ms::Tensor());
  }
  void add(const mindspore::ValuePtr& value) { add(value ? ms::Tensor(value) : ms::Tensor()); }
  void add(std::nullopt_t) { next(Argument::NONE); }
  void add(std::nullptr_t) { next(Argument::NONE); }
  void add(const Object& object) { next(Argument::OBJECT).object = object.get(); }
  void add(mindspore::TypeId type) { next(Argument::TEXT).text = name_of(type); }
  void add(const char* text) { add(std::string(text)); }
  void add(const std::string& text) {
    texts_.push_back(text);
    next(Argument::TEXT).text = texts_.back().c_str();
  }
  template <typename T>
  void add(const std::optional<T>& value) {
    if (value) add(*value);
    else next(Argument::NONE);
  }
  template <typename T>
  void add(const std::vector<T>& values) {
    if constexpr (std::is_integral_v<T>) {
      integers_.emplace_back(values.begin(), values.end());
      Argument& made = next(Argument::INTS);
      made.integers = integers_.back().data();
      made.count = values.size();
    } else {  // a list of tensors: one argument each
      for (const T& value : values) add(value);
    }
  }
  template <typename T>
  std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>> add(T value) {
    if constexpr (std::is_floating_point_v<T>) next(Argument::REAL).real = value;
    else if constexpr (std::is_same_v<T, bool>) next(Argument::BOOL).integer = value;
    else next(Argument::INT).integer = static_cast<int64_t>(value);
  }

  const Argument* data() const { return list_.data(); }
  int count() const { return static_cast<int>(list_.size()); }

 private:
  Argument& next(decltype(Argument::kind) kind) {
    list_.emplace_back();
    list_.back().kind = kind;
    return list_.back();
  }

  std::vector<Argument> list_;
  std::deque<std::string> texts_;
  std::deque<std::vector<int64_t>> integers_;
  std::deque<ms::Tensor> tensors_;
};

// Call a function of the library; what it raises is thrown here.
inline Object ask(const Arguments& arguments) {
  Failure failure;
  PyObject* found = bridge()->python("ms_ext.engine.libraries.bridged", "ask", arguments.data(),
                                     arguments.count(), &failure);
  if (!found) throw_failure(&failure);
  return Object(found);
}

// A runner whose library keeps its part of the call in an object of Python, `call_`.
class LibraryRunner : public ms::pynative::PyboostRunner {
 public:
  using PyboostRunner::PyboostRunner;

  size_t CalcWorkspace() override {
    if (!call_.get())
      MS_LOG(EXCEPTION) << "For '" << op_name() << "', Init comes before Run.";
    Arguments arguments("workspace_of", call_, inputs().size());
    arguments.add(inputs());
    arguments.add(outputs());
    size_ = ask(arguments).integer();
    return static_cast<size_t>(size_);
  }
  void ProcessWithWorkspace() override {
    ask(Arguments("use_workspace", call_, reinterpret_cast<int64_t>(workspace_ptr()), size_));
  }
  void LaunchKernel() override {
    ask(Arguments("launch", call_));
    call_ = Object();
  }

 protected:
  Object call_;

 private:
  int64_t size_ = 0;
};

}  // namespace ms_ext
