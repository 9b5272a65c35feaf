// mindspore::runtime::ProfilerRecorder, which operators put around parts of their code. It does
// nothing: the engine times the stages itself (viz.timeline shows them).
#pragma once

#include <cstdint>
#include <string>

namespace mindspore::runtime {

enum class ProfilerModule {
  kDefault, kGraphExecutorPy, kRuntime, kPynative, kKernel, kPython, kCapture, kOther
};

enum class ProfilerEvent {
  kDefault, kKernelInfer, kKernelResize, kKernelInferAndResize, kKernelLaunch, kKernelUpdate,
  kKernelPrepareData, kGraphLaunch, kInputProcess, kOutputProcess, kWaitTaskFinish, kPreLaunch,
  kPostLaunch, kSendOutput, kMemoryAlloc, kMemoryFree, kCopyData, kStreamSync, kRunOp,
  kPyNativeFrontendTask, kPyNativeDeviceTask, kPyNativeLaunchTask, kPyBoostInferOutput,
  kPyBoostInferByOpDef, kPyBoostCreateOutputTensor, kPyBoostDeviceTask, kPyBoostMallocInput,
  kPyBoostMallocOutput, kPyBoostLaunchAclnn
};

class ProfilerRecorder {
 public:
  ProfilerRecorder(ProfilerModule, ProfilerEvent, const std::string&, bool = false, bool = false,
                   uint64_t = UINT64_MAX) {}
  ~ProfilerRecorder() {}  // a named recorder is not an unused variable
};

}  // namespace mindspore::runtime
