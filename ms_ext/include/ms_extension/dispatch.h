// Operators without a class: ms::TensorToDevice, ms::TensorAllocate, ms::DispatchKernel.
#pragma once

#include "ms_extension/tensor.h"

namespace mindspore::device {

// The CPU has nothing that a thread must be bound to.
struct DeviceResManager {
  bool BindDeviceToCurrentThread(bool) const { return true; }
};
struct DeviceContext {
  DeviceResManager* device_res_manager_ = nullptr;
};

}  // namespace mindspore::device

namespace ms {

inline mindspore::device::DeviceContext* GetCurrentDeviceContext() {
  static mindspore::device::DeviceResManager manager;
  static mindspore::device::DeviceContext cpu{&manager};
  return &cpu;
}

}  // namespace ms

namespace ms_ext {

// Each tensor among the arguments, whichever way it stands there.
template <typename Visit>
void each_tensor(const ms::Tensor& tensor, Visit&& visit) {
  if (tensor.is_defined()) visit(tensor);
}
template <typename Visit>
void each_tensor(const std::optional<ms::Tensor>& tensor, Visit&& visit) {
  if (tensor && tensor->is_defined()) visit(*tensor);
}
template <typename Other, typename Visit>
void each_tensor(const Other&, Visit&&) {}
template <typename T, typename Visit>
void each_tensor(const std::vector<T>& tensors, Visit&& visit) {
  if constexpr (std::is_class_v<T>)
    for (const T& tensor : tensors) each_tensor(tensor, visit);
}

inline void allocate(const std::vector<ms::Tensor>& tensors) {
  if (tensors.empty()) return;
  dispatch(DEVICE, work_of([tensors] {
             for (const ms::Tensor& tensor : tensors) tensor.GetDataPtr();
           }));
}

}  // namespace ms_ext

namespace ms {

// The CPU is where tensors are: what is left to do is to have them definite.
template <typename... Args>
void TensorToDevice(const Args&... args) {
  auto settle = [](const Tensor& tensor) { tensor.value(); };
  (ms_ext::each_tensor(args, settle), ...);
}

// In DeviceTask the outputs get their bytes.
template <typename... Args>
void TensorAllocate(const Args&... args) {
  std::vector<Tensor> tensors;
  auto collect = [&tensors](const Tensor& tensor) { tensors.push_back(tensor); };
  (ms_ext::each_tensor(args, collect), ...);
  ms_ext::allocate(tensors);
}

// `kernel` runs in LaunchTask; it is handed on in DeviceTask, as every operator is.
template <typename Func>
void DispatchKernel(Func&& kernel) {
  auto shared = std::make_shared<std::decay_t<Func>>(std::forward<Func>(kernel));
  ms_ext::dispatch(ms_ext::DEVICE, ms_ext::work_of([shared] {
                     ms_ext::dispatch(ms_ext::LAUNCH, ms_ext::work_of([shared] { (*shared)(); }));
                   }));
}

}  // namespace ms

namespace ms_ext {

inline int64_t sum_of(const ms::Tensor& counts) {
  if (in_a_stage)
    raise(RUNTIME, "For 'repeat_interleave' with counts in a tensor, 'output_size' must be given "
                   "inside an operator: how many elements there will be is not known before "
                   "LaunchTask.");
  wait_for_all();
  const int64_t* count = counts.data_ptr<int64_t>();
  int64_t sum = 0;
  for (size_t i = 0; i < counts.numel(); ++i) sum += count[i];
  return sum;
}

// index = [0] * counts[0] + [1] * counts[1] + ...
inline void spread(const ms::Tensor& counts, const ms::Tensor& index) {
  const int64_t* count = counts.data_ptr<int64_t>();
  int64_t *place = index.data_ptr<int64_t>(), left = static_cast<int64_t>(index.numel());
  for (int64_t i = 0; i < static_cast<int64_t>(counts.numel()); ++i) {
    left -= count[i];
    if (count[i] < 0 || left < 0) break;
    for (int64_t j = 0; j < count[i]; ++j) *place++ = i;
  }
  if (left != 0)
    raise(VALUE, "For 'repeat_interleave', the counts do not add up to 'output_size', or one is "
                 "negative.");
}

}  // namespace ms_ext
