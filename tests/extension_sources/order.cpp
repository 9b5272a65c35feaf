// Operators whose order beside others is tested: one that computes, one that writes into its operand,
// each as slow as it is told to be; and a stage that fails.
#include <chrono>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ms_extension/api.h"

using ms::Tensor;
using ms::pynative::PyboostRunner;

static void take(int64_t microseconds) {
  if (microseconds) std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

class Add : public PyboostRunner {
 public:
  Add(int64_t slow, int64_t fails) : PyboostRunner("Add"), slow_(slow), fails_(fails) {}
  size_t CalcWorkspace() override {
    if (fails_ == 2) throw std::runtime_error("device boom");
    return 0;
  }
  void LaunchKernel() override {
    take(slow_);
    if (fails_ == 3) throw std::runtime_error("launch boom");
    const float *x = inputs()[0].data_ptr<float>(), *y = inputs()[1].data_ptr<float>();
    float* out = outputs()[0].data_ptr<float>();
    for (size_t i = 0; i < outputs()[0].numel(); ++i) out[i] = x[i] + y[i];
  }

 private:
  int64_t slow_, fails_;
};

py::object add(const Tensor& x, const Tensor& y, int64_t slow, int64_t fails) {
  return PyboostRunner::Call<1>(
      [slow, fails](const Tensor& x, const Tensor& y) {
        if (fails == 1) throw std::runtime_error("front boom");
        if (fails == 4) throw std::invalid_argument("invalid boom");
        Tensor out(x.data_type(), x.shape());
        std::make_shared<Add>(slow, fails)->Run({x, y}, {out});
        return out;
      },
      x, y);
}

// x[i] += 1, for every element of x itself.
class Grow : public PyboostRunner {
 public:
  explicit Grow(int64_t slow) : PyboostRunner("Grow"), slow_(slow) {}
  void LaunchKernel() override {
    take(slow_);
    float* x = inputs()[0].data_ptr<float>();
    for (size_t i = 0; i < inputs()[0].numel(); ++i) x[i] += 1;
  }

 private:
  int64_t slow_;
};

py::object grow(const Tensor& x, int64_t slow) {
  return PyboostRunner::Call<0>([slow](const Tensor& x) { std::make_shared<Grow>(slow)->Run({x}, {}); }, x);
}

// Where a call comes by, and on which thread.
static std::mutex trace_mutex;
static std::vector<std::pair<std::string, std::string>> trace;

static void mark(const char* place) {
  std::ostringstream thread;
  thread << std::this_thread::get_id();
  std::lock_guard<std::mutex> lock(trace_mutex);
  trace.emplace_back(place, thread.str());
}

class Traced : public PyboostRunner {
 public:
  using PyboostRunner::PyboostRunner;
  size_t CalcWorkspace() override {
    mark("CalcWorkspace");
    return 16;
  }
  void ProcessWithWorkspace() override { mark("ProcessWithWorkspace"); }
  void LaunchKernel() override {
    take(3000);
    mark("LaunchKernel");
    for (size_t i = 0; i < outputs()[0].numel(); ++i)
      outputs()[0].data_ptr<float>()[i] = inputs()[0].data_ptr<float>()[i];
  }
};

py::object traced(const Tensor& x) {
  mark("PyTask.begin");
  py::object result = PyboostRunner::Call<1>(
      [](const Tensor& x) {
        mark("Frontend.begin");
        Tensor out(x.data_type(), x.shape());
        std::make_shared<Traced>("Traced")->Run({x}, {out});
        mark("Frontend.end");
        return out;
      },
      x);
  mark("PyTask.end");
  return result;
}

// [(place, thread)] since the last time.
std::vector<std::pair<std::string, std::string>> taken() {
  std::lock_guard<std::mutex> lock(trace_mutex);
  return std::exchange(trace, {});
}

PYBIND11_MODULE(MS_EXTENSION_NAME, m) {
  m.def("add", &add, py::arg("x"), py::arg("y"), py::arg("slow") = 0, py::arg("fails") = 0);
  m.def("traced", &traced);
  m.def("taken", &taken);
  m.def("grow", &grow, py::arg("x"), py::arg("slow") = 0);
}
