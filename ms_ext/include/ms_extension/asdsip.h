// AsdSipFFTOpRunner and RunAsdSipFFTOp: Fourier transforms by plans, which are kept. A tensor holds no
// complex numbers here: two floats, real and imaginary part, are its last axis.
#pragma once

#include "ms_extension/library.h"

namespace ms::pynative {

enum asdFftType { ASCEND_FFT_C2C = 0x10, ASCEND_FFT_C2R = 0x11, ASCEND_FFT_R2C = 0x12 };
enum asdFftDirection { ASCEND_FFT_FORWARD = 0x10, ASCEND_FFT_BACKWARD = 0x11 };
enum asdFft1dDimType { ASCEND_FFT_HORIZONTAL = 0x10, ASCEND_FFT_VERTICAL = 0x11 };

struct FFTParam {
  int64_t fftXSize = 0;
  int64_t fftYSize = 0;  // 0: of one axis
  asdFftType fftType = ASCEND_FFT_C2C;
  asdFftDirection direction = ASCEND_FFT_FORWARD;
  int64_t batchSize = 0;
  asdFft1dDimType dimType = ASCEND_FFT_HORIZONTAL;
};

class AsdSipFFTOpRunner : public ms_ext::LibraryRunner {
 public:
  explicit AsdSipFFTOpRunner(std::string op_name) : LibraryRunner(op_name) {}

  void Init(const FFTParam& param) {
    call_ = ms_ext::ask(ms_ext::Arguments("fft_init", op_name(), param.fftXSize, param.fftYSize,
                                          param.fftType, param.direction, param.batchSize,
                                          param.dimType));
  }
  static void SetCacheSize(size_t capacity) {
    ms_ext::ask(ms_ext::Arguments("set_fft_cache_size", capacity));
  }

 protected:
  void _Run() override {
    for (const Tensor& input : inputs()) input.make_contiguous();
    PyboostRunner::_Run();
  }
};

inline void RunAsdSipFFTOp(const std::string& op_name, const FFTParam& fft_param,
                           const ms::Tensor& input, const ms::Tensor& output) {
  auto runner = std::make_shared<AsdSipFFTOpRunner>(op_name);
  runner->Init(fft_param);
  runner->Run({input}, {output});
}

}  // namespace ms::pynative
