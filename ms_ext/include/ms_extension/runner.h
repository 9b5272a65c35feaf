// PyboostRunner: an operator on its way through the stages. The functions' names and their order
// are MindSpore's, so that its subclasses do here what they do there.
#pragma once

#include "ms_extension/call.h"

namespace ms::pynative {

class PyboostRunner : public std::enable_shared_from_this<PyboostRunner> {
 public:
  explicit PyboostRunner(const std::string& op_name)
      : _op_name_(op_name), name_(ms_ext::interned(op_name)) {}
  virtual ~PyboostRunner() = default;

  // PyTask. `func` is called in FrontendTask with copies of `args`; OUT_NUM 0: it returns nothing.
  template <int OUT_NUM, typename FuncType, typename... Args>
  static py::object Call(FuncType func, Args&&... args) {
    static const char* const name =
        ms_ext::interned(inner::GetFunctionName(typeid(FuncType).name()));
    return inner::Call<OUT_NUM>(name, func, args...);
  }
  template <int OUT_NUM, typename FuncType, typename... Args>
  static py::object Call(const std::string& op_name, FuncType func, Args&&... args) {
    return inner::Call<OUT_NUM>(ms_ext::interned(op_name), func, args...);
  }

  // In FrontendTask.
  void Run(const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs) {
    _inputs_ = inputs;
    _outputs_ = outputs;
    _Run();
  }

  // In DeviceTask; the workspace lives until LaunchKernel is over.
  virtual size_t CalcWorkspace() { return 0; }
  virtual void ProcessWithWorkspace() {}
  // In LaunchTask.
  virtual void LaunchKernel() = 0;

  const std::string& op_name() const { return _op_name_; }
  const std::vector<Tensor>& inputs() const { return _inputs_; }
  const std::vector<Tensor>& outputs() const { return _outputs_; }
  uint32_t stream_id() const { return static_cast<uint32_t>(_stream_id_); }
  void* stream() { return _stream_; }
  void* workspace_ptr() { return _workspace_ptr_; }

 protected:
  virtual void _Run();
  virtual void _PrepareStream() {}         // the CPU has no streams: 0 and null
  virtual void _PrepareDeviceAddress() {}  // a tensor knows where it is
  virtual void _MallocDeviceAddress();
  virtual void _MallocWorkspace();
  virtual void _DispatchLaunchTask();

  std::string _op_name_;
  std::vector<Tensor> _inputs_;
  std::vector<Tensor> _outputs_;
  size_t _stream_id_{0};
  void* _stream_{nullptr};
  mindspore::device::DeviceContext* _device_context_{GetCurrentDeviceContext()};
  void* _workspace_ptr_{nullptr};

 private:
  struct Step;

  void device_task();
  void launch_task();

  const char* name_;
  ms_ext::Handle workspace_;
};

// One of its tasks; it keeps the runner.
struct PyboostRunner::Step final : ms_ext::Work {
  std::shared_ptr<PyboostRunner> runner;
  void (PyboostRunner::*step)();

  Step(std::shared_ptr<PyboostRunner> whose, void (PyboostRunner::*which)())
      : runner(std::move(whose)), step(which) {
    name = runner->name_;
  }
  void run() override { (*runner.*step)(); }
};

inline void PyboostRunner::_Run() {
  _PrepareStream();
  _PrepareDeviceAddress();
  auto self = weak_from_this().lock();
  if (!self)
    MS_LOG(EXCEPTION) << "The PyboostRunner '" << _op_name_
                      << "' must be made by std::make_shared: it has to live until its "
                      << "LaunchTask is over.";
  ms_ext::dispatch(ms_ext::DEVICE, new Step(std::move(self), &PyboostRunner::device_task));
}

inline void PyboostRunner::device_task() {
  _MallocDeviceAddress();
  _MallocWorkspace();
  ProcessWithWorkspace();
  _DispatchLaunchTask();
}

inline void PyboostRunner::_MallocDeviceAddress() {
  for (const Tensor& output : _outputs_)
    if (output.is_defined()) output.GetDataPtr();
}

inline void PyboostRunner::_MallocWorkspace() {
  size_t size = CalcWorkspace();
  if (size == 0) return;
  Tensor bytes(mindspore::kNumberTypeUInt8, {static_cast<int64_t>(size)});
  _workspace_ptr_ = bytes.GetDataPtr();
  workspace_ = bytes.handle();
}

inline void PyboostRunner::_DispatchLaunchTask() {
  ms_ext::dispatch(ms_ext::LAUNCH, new Step(shared_from_this(), &PyboostRunner::launch_task));
}

inline void PyboostRunner::launch_task() {
  LaunchKernel();
  _workspace_ptr_ = nullptr;
  workspace_ = ms_ext::Handle();
}

// m.def("name", PYBOOST_CALLER(OUT_NUM, function)): arguments by position, each converted to what
// the function takes.
template <int OUT_NUM, typename Ret, typename... Args, size_t... I>
py::object PyboostArgsCaller(Ret (*func)(Args...), const char* name, const py::args& args,
                             std::index_sequence<I...>) {
  return inner::Call<OUT_NUM>(name, func, args[I].template cast<std::decay_t<Args>>()...);
}

template <int OUT_NUM, typename Ret, typename... Args>
py::object PyboostArgsCaller(Ret (*func)(Args...), const char* name, const py::args& args) {
  if (args.size() != sizeof...(Args))
    MS_LOG(EXCEPTION) << "Argument count mismatch: expected " << sizeof...(Args) << ", got "
                      << args.size();
  return PyboostArgsCaller<OUT_NUM>(func, name, args, std::index_sequence_for<Args...>());
}

#define PYBOOST_CALLER_WITH_NAME(OUT_NUM, FUNC, NAME)                           \
  ([](const py::args& args) -> py::object {                                     \
    static const char* const name = ::ms_ext::interned(NAME);                   \
    return ::ms::pynative::PyboostArgsCaller<OUT_NUM>(FUNC, name, args);        \
  })
#define PYBOOST_CALLER(OUT_NUM, FUNC) PYBOOST_CALLER_WITH_NAME(OUT_NUM, FUNC, #FUNC)

}  // namespace ms::pynative
