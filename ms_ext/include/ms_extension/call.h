// PyTask: the arguments are copied into work for FrontendTask, promises go back to Python at once.
#pragma once

#include "ms_extension/caster.h"

namespace ms_ext {

// The Values of all tensors among a call's arguments.
class Operands {
 public:
  void add(Value* value) {
    if (count_ < FEW) few_[count_] = value;
    else if (count_ == FEW) many_.assign(few_, few_ + FEW);
    if (count_ >= FEW) many_.push_back(value);
    ++count_;
  }
  Value** data() { return count_ > FEW ? many_.data() : few_; }
  int count() const { return static_cast<int>(count_); }

 private:
  static constexpr size_t FEW = 8;
  Value* few_[FEW];
  std::vector<Value*> many_;
  size_t count_ = 0;
};

inline py::object call(const char* name, Work* work, Operands& operands, int outputs) {
  Failure failure;
  work->name = name;
  PyObject* results = bridge()->call(name, task_of(work), operands.data(), operands.count(),
                                     outputs, &failure);
  if (!results) {
    bridge()->raise(&failure);
    throw py::error_already_set();
  }
  return py::reinterpret_steal<py::object>(results);
}

inline void promise(int index, const ms::Tensor& result) {
  Failure failure;
  if (!bridge()->promise(index, result.value(), &failure)) throw_failure(&failure);
}

}  // namespace ms_ext

namespace ms::inner {

// What a mangled C++ name says.
std::string GetFunctionName(const char* name);

template <typename... Args>
void ConvertStubNodeToTensor(const Args&... args) {
  auto convert = [](const Tensor& tensor) { tensor.make_contiguous(); };
  (ms_ext::each_tensor(args, convert), ...);
}

// The results of an operator with so many outputs.
template <int OUT_NUM>
void SetPromise(const char* op_name, const Tensor& output) {
  static_assert(OUT_NUM == 1, "an operator with several outputs returns std::vector<ms::Tensor>");
  ms_ext::promise(0, output);
}
template <int OUT_NUM>
void SetPromise(const char* op_name, const std::vector<Tensor>& outputs) {
  if (outputs.size() != OUT_NUM)
    MS_LOG(EXCEPTION) << "For op " << op_name << ", the output size should be equal to " << OUT_NUM
                      << ", but got " << outputs.size();
  for (int i = 0; i < OUT_NUM; ++i) ms_ext::promise(i, outputs[i]);
}

template <int OUT_NUM, typename Func, typename... Args>
py::object Call(const char* op_name, Func func, const Args&... args) {
  ms_ext::Operands operands;
  auto collect = [&operands](const Tensor& tensor) { operands.add(tensor.handle().get()); };
  (ms_ext::each_tensor(args, collect), ...);
  ms_ext::Work* work = ms_ext::work_of([op_name, func, args...] {
    ConvertStubNodeToTensor(args...);
    if constexpr (OUT_NUM == 0) func(args...);
    else SetPromise<OUT_NUM>(op_name, func(args...));
    (void)op_name;
  });
  return ms_ext::call(op_name, work, operands, OUT_NUM);
}

}  // namespace ms::inner

#if defined(__GNUC__)
#include <cxxabi.h>
#endif

namespace ms::inner {

inline std::string GetFunctionName(const char* name) {
#if defined(__GNUC__)
  int status = -1;
  char* found = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string readable = status == 0 ? found : name;
  std::free(found);
  return readable;
#else
  return name;
#endif
}

}  // namespace ms::inner
