// What an operator in C++ may use of ms_extension/api.h; the same source builds for MindSpore 2.10.
#include "ms_extension/api.h"

using ms::Tensor;

// A kernel of float32 given as a lambda: out[i] = f(i).
template <typename F>
class Elementwise : public ms::pynative::PyboostRunner {
 public:
  Elementwise(const std::string& name, F f) : PyboostRunner(name), f_(f) {}
  void LaunchKernel() override {
    for (size_t i = 0; i < outputs()[0].numel(); ++i) f_(*this, i);
  }
  const float* in(size_t which) { return static_cast<const float*>(inputs()[which].GetDataPtr()); }
  float* out(size_t which) { return static_cast<float*>(outputs()[which].GetDataPtr()); }

 private:
  F f_;
};

template <typename F>
void elementwise(const std::string& name, const std::vector<Tensor>& inputs,
                 const std::vector<Tensor>& outputs, F f) {
  std::make_shared<Elementwise<F>>(name, f)->Run(inputs, outputs);
}

Tensor like(const Tensor& x) { return Tensor(x.data_type(), x.shape()); }

// Calls with one, two, no results -----------------------------------------------------------------

class Add3 : public ms::pynative::PyboostRunner {
 public:
  using PyboostRunner::PyboostRunner;
  size_t CalcWorkspace() override { return inputs()[0].numel() * sizeof(float); }
  void LaunchKernel() override {
    float* sum = static_cast<float*>(workspace_ptr());
    const float *x = inputs()[0].data_ptr<float>(), *y = inputs()[1].data_ptr<float>();
    for (size_t i = 0; i < inputs()[0].numel(); ++i) sum[i] = x[i] + y[i];
    const float* z = inputs()[2].data_ptr<float>();
    float* out = outputs()[0].data_ptr<float>();
    for (size_t i = 0; i < inputs()[0].numel(); ++i) out[i] = sum[i] + z[i];
  }
  static Tensor Eval(const Tensor& x, const Tensor& y, const Tensor& z) {
    auto out = like(x);
    std::make_shared<Add3>("Add3")->Run({x, y, z}, {out});
    return out;
  }
};

py::object add3(const Tensor& x, const Tensor& y, const Tensor& z) {
  return ms::pynative::PyboostRunner::Call<1>(Add3::Eval, x, y, z);
}

std::vector<Tensor> two_eval(const Tensor& x) {
  auto twice = like(x), square = like(x);
  elementwise("Two", {x}, {twice, square}, [](auto& it, size_t i) {
    it.out(0)[i] = 2 * it.in(0)[i];
    it.out(1)[i] = it.in(0)[i] * it.in(0)[i];
  });
  return {twice, square};
}

py::object two(const Tensor& x) { return ms::pynative::PyboostRunner::Call<2>(two_eval, x); }
py::object three_of_two(const Tensor& x) { return ms::pynative::PyboostRunner::Call<3>(two_eval, x); }
py::object named_two(const Tensor& x) {
  return ms::pynative::PyboostRunner::Call<2>(std::string("NamedTwo"), two_eval, x);
}

class Swap : public ms::pynative::PyboostRunner {
 public:
  using PyboostRunner::PyboostRunner;
  void LaunchKernel() override {
    int32_t *x = inputs()[0].data_ptr<int32_t>(), *y = inputs()[1].data_ptr<int32_t>();
    for (size_t i = 0; i < inputs()[0].numel(); ++i) std::swap(x[i], y[i]);
  }
};

py::object swap(const Tensor& x, const Tensor& y) {
  return ms::pynative::PyboostRunner::Call<0>(
      [](const Tensor& x, const Tensor& y) { std::make_shared<Swap>("Swap")->Run({x, y}, {}); }, x, y);
}

// Arguments that are no tensors, or perhaps none, or several ---------------------------------------

Tensor scale_eval(const Tensor& x, double factor, const std::vector<int64_t>& shape,
                  const std::optional<Tensor>& bias) {
  auto out = like(x);
  std::vector<Tensor> inputs{x};
  if (bias) inputs.push_back(*bias);
  bool biased = bias.has_value();
  elementwise("Scale", inputs, {out}, [factor, biased](auto& it, size_t i) {
    it.out(0)[i] = it.in(0)[i] * static_cast<float>(factor) + (biased ? it.in(1)[i] : 0);
  });
  return shape.empty() ? out : out.reshape(shape);
}

py::object scale(const Tensor& x, double factor, const std::vector<int64_t>& shape,
                 const std::optional<Tensor>& bias) {
  return ms::pynative::PyboostRunner::Call<1>(scale_eval, x, factor, shape, bias);
}

Tensor sum_eval(const std::vector<Tensor>& all) {
  auto out = like(all.at(0));
  elementwise("Sum", all, {out}, [](auto& it, size_t i) {
    it.out(0)[i] = 0;
    for (size_t which = 0; which < it.inputs().size(); ++which) it.out(0)[i] += it.in(which)[i];
  });
  return out;
}

py::object sum(const std::vector<Tensor>& all) {
  return ms::pynative::PyboostRunner::Call<1>(sum_eval, all);
}

// What a tensor says of itself ---------------------------------------------------------------------

py::tuple meta(const Tensor& x) {
  return py::make_tuple(static_cast<int>(x.data_type()), x.shape(), x.numel(), x.stride(),
                        x.storage_offset(), x.is_contiguous(), x.format(), x.need_contiguous());
}

bool is_defined(const Tensor& x) { return x.is_defined(); }

py::object from_undefined(int what) {
  Tensor x;
  switch (what) {
    case 0: return py::cast(x.shape());
    case 1: return py::cast(static_cast<int>(x.data_type()));
    case 2: return py::cast(x.numel());
    case 3: return py::cast(x.is_contiguous());
    case 4: x.SetNeedContiguous(false); break;
    case 5: x.GetDataPtr(); break;
    case 6: return py::cast(x.cast(ms::TypeId::kNumberTypeInt32).is_defined());
  }
  return py::none();
}

std::map<std::string, int> type_ids() {
  return {{"bool", ms::TypeId::kNumberTypeBool}, {"int8", ms::TypeId::kNumberTypeInt8},
          {"int16", ms::TypeId::kNumberTypeInt16}, {"int32", mindspore::kNumberTypeInt32},
          {"int64", mindspore::TypeId::kNumberTypeInt64}, {"uint8", mindspore::kNumberTypeUInt8},
          {"uint16", mindspore::kNumberTypeUInt16}, {"uint32", mindspore::kNumberTypeUInt32},
          {"uint64", mindspore::kNumberTypeUInt64}, {"float16", mindspore::kNumberTypeFloat16},
          {"float32", mindspore::kNumberTypeFloat32}, {"float64", mindspore::kNumberTypeFloat64},
          {"bfloat16", mindspore::kNumberTypeBFloat16},
          {"complex64", mindspore::kNumberTypeComplex64},
          {"complex128", mindspore::kNumberTypeComplex128}, {"end", mindspore::kNumberTypeEnd}};
}

// In FrontendTask: is an input contiguous there, and was asked to be?
Tensor seen_eval(const Tensor& x) {
  std::vector<int64_t> seen{x.is_contiguous(), x.need_contiguous(), x.storage_offset()};
  return ms::tensor(seen);
}

py::object seen(const Tensor& x, bool need) {
  x.SetNeedContiguous(need);
  return ms::pynative::PyboostRunner::Call<1>(seen_eval, x);
}

// Elements ---------------------------------------------------------------------------------------

std::vector<Tensor> accessed_eval(const Tensor& x) {
  auto sum = Tensor(x.data_type(), {});
  ms::TensorAllocate(sum);
  ms::DispatchKernel([x, sum] {
    auto a = x.accessor<float, 2>();
    float total = 0;
    for (int64_t i = 0; i < x.shape()[0]; ++i)
      for (int64_t j = 0; j < x.shape()[1]; ++j) total = 10 * total + (i % 2 ? a[i][j] : a(i, j));
    *sum.data_ptr<float>() = total;
  });
  return {sum};
}

py::object accessed(const Tensor& x) {
  x.SetNeedContiguous(false);
  return ms::pynative::PyboostRunner::Call<1>(accessed_eval, x);
}

void wrong_rank(const Tensor& x) { x.accessor<float, 2>(); }
float at(const Tensor& x, int64_t i, int64_t j) { return x.accessor<float, 2>()[i][j]; }

Tensor made_eval(int which, int type) {
  auto dtype = static_cast<ms::TypeId>(type);
  switch (which) {
    case 0: return ms::tensor(int64_t(100), dtype);
    case 1: return ms::tensor(3.14, dtype);
    case 2: return ms::tensor(std::vector<double>{1.9, -2.9}, dtype);
    case 3: return ms::tensor(std::vector<int64_t>{1, -2, 300}, dtype);
    case 4: return ms::ones({2, 2}, dtype);
    case 5: return ms::zeros({2, 3}, dtype);
    case 6: return ms::tensor(int64_t(7));
    case 7: return ms::tensor(2.5);
    case 8: return ms::ones({2});
  }
  return Tensor();
}

py::object made(int which, int type) {
  return ms::pynative::PyboostRunner::Call<1>(made_eval, which, type);
}

// Methods ----------------------------------------------------------------------------------------

Tensor method_eval(const Tensor& x, const std::string& name, const std::vector<int64_t>& numbers,
                   const std::optional<Tensor>& other) {
  if (name == "cast") return x.cast(static_cast<ms::TypeId>(numbers[0]));
  if (name == "contiguous") return x.contiguous();
  if (name == "flatten") return numbers.empty() ? x.flatten() : x.flatten(numbers[0], numbers[1]);
  if (name == "reshape") return x.reshape(numbers);
  if (name == "repeat") return x.repeat(numbers);
  if (name == "chunk") return x.chunk(numbers[0], numbers[1]).at(numbers[2]);
  if (name == "index_select") return x.index_select(numbers[0], *other);
  if (name == "AssignTensor") {
    x.AssignTensor(*other);
    return x.contiguous();
  }
  if (name != "repeat_interleave") MS_LOG(EXCEPTION) << "no method " << name << " " << numbers;
  std::optional<int64_t> dim, size;
  if (numbers.size() > 1) dim = numbers[1];
  if (numbers.size() > 2) size = numbers[2];
  if (!other) return x.repeat_interleave(numbers[0], dim, size);
  return x.repeat_interleave(*other, dim, size);
}

py::object method(const Tensor& x, const std::string& name, const std::vector<int64_t>& numbers,
                  const std::optional<Tensor>& other) {
  return ms::pynative::PyboostRunner::Call<1>(method_eval, x, name, numbers, other);
}

// The same in the function that Python calls, outside of the stages.
Tensor method_here(const Tensor& x, const std::string& name, const std::vector<int64_t>& numbers,
                   const std::optional<Tensor>& other) {
  return method_eval(x, name, numbers, other);
}

Tensor add3_here(const Tensor& x, const Tensor& y, const Tensor& z) { return Add3::Eval(x, y, z); }

// The older names of a tensor ----------------------------------------------------------------------

py::tuple base_tensor(const mindspore::tensor::TensorPtr& x) {
  return py::make_tuple(static_cast<int>(x->data_type()), x->shape(), x->DataSize(), x->stride(),
                        x->storage_offset(), x->is_contiguous(), x->Size(), x->DataDim());
}
bool is_null(const mindspore::tensor::TensorPtr& x) { return x == nullptr; }
mindspore::tensor::TensorPtr back_and_forth(const mindspore::tensor::TensorPtr& x) {
  return Tensor(x).tensor();
}

// Operators without a class ------------------------------------------------------------------------

Tensor v2_eval(const Tensor& x, const std::optional<Tensor>& y) {
  auto out = like(x);
  ms::TensorToDevice(x, 3, y);
  ms::TensorAllocate(out);
  ms::DispatchKernel([x, y, out] {
    for (size_t i = 0; i < x.numel(); ++i)
      out.data_ptr<float>()[i] = x.data_ptr<float>()[i] + (y ? y->data_ptr<float>()[i] : 1);
  });
  MS_EXCEPTION_IF_NULL(ms::GetCurrentDeviceContext());
  return out;
}

py::object v2(const Tensor& x, const std::optional<Tensor>& y) {
  return ms::pynative::PyboostRunner::Call<1>(v2_eval, x, y);
}

// Errors -----------------------------------------------------------------------------------------

void raise_kind(int kind) {
  const std::vector<int64_t> shape{2, 3};
  switch (kind) {
    case 0: throw std::runtime_error("runtime boom");
    case 1: throw std::invalid_argument("invalid boom");
    case 2: throw std::out_of_range("range boom");
    case 3: throw std::bad_alloc();
    case 4: MS_LOG(EXCEPTION) << "log boom " << 3 << ' ' << 1.5;
    case 5: MS_EXCEPTION(mindspore::TypeError) << "type boom";
    case 6: MS_EXCEPTION(mindspore::ValueError) << "value boom";
    case 7: MS_EXCEPTION(mindspore::IndexError) << "index boom";
    case 8: MS_EXCEPTION(mindspore::KeyError) << "key boom";
    case 9: MS_EXCEPTION(mindspore::RuntimeError) << "exception boom";
    case 10: MS_EXCEPTION(mindspore::AttributeError) << "attribute boom";
    case 11: MS_EXCEPTION(mindspore::NotImplementedError) << "missing boom";
    case 12: {
      const int* pointer = nullptr;
      MS_EXCEPTION_IF_NULL(pointer);
      break;
    }
    case 13: MS_EXCEPTION_IF_CHECK_FAIL(kind < 0, "kind is " + std::to_string(kind)); break;
    case 14: MS_EXCEPTION_IF_ZERO("divisor", 0 * kind); break;
    case 15: throw py::value_error("py value boom");
    case 16: MS_EXCEPTION(mindspore::OverflowError) << "overflow boom";
    case 17: MS_EXCEPTION(mindspore::ZeroDivisionError) << "zero boom";
    case 18: MS_EXCEPTION(mindspore::NameError) << "name boom";
    case 19: throw std::domain_error("domain boom");
    case 20: MS_LOG(EXCEPTION) << shape;
  }
  MS_LOG(DEBUG) << "nothing was thrown for " << kind;
}

Tensor raise_eval(const Tensor& x, int kind, const std::string& stage) {
  if (stage == "frontend") raise_kind(kind);
  auto out = like(x);
  if (stage == "launch") ms::DispatchKernel([kind] { raise_kind(kind); });
  return out;
}

py::object raise_in(const Tensor& x, int kind, const std::string& stage) {
  if (stage == "python") raise_kind(kind);
  return ms::pynative::PyboostRunner::Call<1>(raise_eval, x, kind, stage);
}

py::object not_shared(const Tensor& x) {
  return ms::pynative::PyboostRunner::Call<1>(
      [](const Tensor& x) {
        auto out = like(x);
        Add3 runner("NotShared");
        runner.Run({x, x, x}, {out});
        return out;
      },
      x);
}

py::object returns_undefined(const Tensor& x) {
  return ms::pynative::PyboostRunner::Call<1>([](const Tensor&) { return Tensor(); }, x);
}

void say(const std::string& text) {
  mindspore::runtime::ProfilerRecorder profiler(mindspore::runtime::ProfilerModule::kPynative,
                                                mindspore::runtime::ProfilerEvent::kRunOp, "say");
  MS_LOG(WARNING) << text << ' ' << 2;
  MS_LOG(INFO) << "info " << text;
  MS_LOG(DEBUG) << "debug " << text;
  MS_LOG(ERROR) << "error " << text;
}

PYBIND11_MODULE(MS_EXTENSION_NAME, m) {
  m.def("add3", &add3, "x+y+z", pybind11::arg("x"), pybind11::arg("y"), pybind11::arg("z"));
  m.def("add3_caller", PYBOOST_CALLER(1, Add3::Eval));
  m.def("two_caller", PYBOOST_CALLER_WITH_NAME(2, two_eval, "TwoCaller"));
  m.def("scale_caller", PYBOOST_CALLER(1, scale_eval));
  m.def("two", &two);
  m.def("three_of_two", &three_of_two);
  m.def("named_two", &named_two);
  m.def("swap", &swap);
  m.def("scale", &scale, py::arg("x"), py::arg("factor") = 2.0,
        py::arg("shape") = std::vector<int64_t>{}, py::arg("bias") = py::none());
  m.def("sum", &sum);
  m.def("meta", &meta);
  m.def("is_defined", &is_defined);
  m.def("from_undefined", &from_undefined);
  m.def("type_ids", &type_ids);
  m.def("seen", &seen, py::arg("x"), py::arg("need") = true);
  m.def("accessed", &accessed);
  m.def("wrong_rank", &wrong_rank);
  m.def("at", &at);
  m.def("made", &made, py::arg("which"), py::arg("type") = 0);
  m.def("method", &method, py::arg("x"), py::arg("name"),
        py::arg("numbers") = std::vector<int64_t>{}, py::arg("other") = py::none());
  m.def("method_here", &method_here, py::arg("x"), py::arg("name"),
        py::arg("numbers") = std::vector<int64_t>{}, py::arg("other") = py::none());
  m.def("add3_here", &add3_here);
  m.def("base_tensor", &base_tensor);
  m.def("is_null", &is_null);
  m.def("back_and_forth", &back_and_forth);
  m.def("v2", &v2, py::arg("x"), py::arg("y") = py::none());
  m.def("raise_in", &raise_in);
  m.def("not_shared", &not_shared);
  m.def("returns_undefined", &returns_undefined);
  m.def("say", &say);
}
