// AclnnOpRunner, LAUNCH_ACLNN_FUNC, MS_DISPATCH_ACLNN and CustomLaunchAclnn: functions of the device
// library in two phases, the workspace in DeviceTask, the launch in LaunchTask.
#pragma once

#include "ms_extension/base_tensor.h"
#include "ms_extension/library.h"

namespace ms_ext {

// In DeviceTask: phase one now, phase two in LaunchTask.
inline void launch_aclnn(const Arguments& arguments) {
  auto prepared = std::make_shared<Object>(ask(arguments));
  dispatch(LAUNCH, work_of([prepared] {
             ask(Arguments("aclnn_launch", *prepared));
             *prepared = Object();
           }));
}

template <typename... Args>
void launch_aclnn(const char* api, const Args&... args) {
  launch_aclnn(Arguments("aclnn_prepare", api, args...));
}

// From outside of the stages, or from FrontendTask: DeviceTask first.
template <typename... Args>
void dispatch_aclnn(const char* api, const Args&... args) {
  dispatch(DEVICE, work_of([api, args...] { launch_aclnn(api, args...); }));
}

}  // namespace ms_ext

namespace ms::pynative {

class AclnnOpRunner final : public PyboostRunner {
 public:
  using AclnnLaunchFunc = std::function<void(mindspore::device::DeviceContext*, size_t)>;
  using PyboostRunner::PyboostRunner;

  void SetLaunchFunc(const AclnnLaunchFunc& func) { launch_func_ = func; }
  void LaunchKernel() override {}

 protected:
  void _DispatchLaunchTask() override {
    MS_EXCEPTION_IF_NULL(launch_func_);
    launch_func_(_device_context_, _stream_id_);
  }

  AclnnLaunchFunc launch_func_{nullptr};
};

}  // namespace ms::pynative

// LAUNCH_ACLNN runs in DeviceTask; the other two give or make something that does.
#define LAUNCH_ACLNN(aclnn_api, device_context, stream_id, ...) \
  ((void)(device_context), (void)(stream_id), ::ms_ext::launch_aclnn(#aclnn_api, __VA_ARGS__))

#define LAUNCH_ACLNN_FUNC(aclnn_api, ...)                                                     \
  [](const auto&... given) {                                                                  \
    return [=](::mindspore::device::DeviceContext*, size_t) {                                 \
      ::ms_ext::launch_aclnn(#aclnn_api, given...);                                           \
    };                                                                                        \
  }(__VA_ARGS__)

#define MS_DISPATCH_ACLNN(aclnn_api, ...) ::ms_ext::dispatch_aclnn(#aclnn_api, __VA_ARGS__)

namespace mindspore::custom {

// The inputs, then the outputs, are the function's arguments.
inline void CustomLaunchAclnn(const std::string& aclnn_api, const ValuePtrList& inputs,
                              const tensor::TensorPtrList& outputs) {
  std::vector<ms::Tensor> tensors;
  for (const ValuePtr& each : inputs) tensors.push_back(ms::Tensor(each));
  for (const tensor::TensorPtr& each : outputs) tensors.push_back(each->extension());
  for (const ms::Tensor& each : tensors) each.make_contiguous();
  ms_ext::dispatch_aclnn(ms_ext::interned(aclnn_api), tensors);
}

}  // namespace mindspore::custom
