// Operators with a gradient of their own; the same source builds for MindSpore 2.10.
#include "ms_extension/api.h"
#include "include/pynative/backward/function.h"

namespace mindspore::pynative::autograd {

using tensor::BaseTensor;
using tensor::BaseTensorPtr;

// out = x * y, of float32 and one shape: plain C++, on the stages.
class Multiply : public ms::pynative::PyboostRunner {
 public:
  using PyboostRunner::PyboostRunner;
  void LaunchKernel() override {
    const float *x = inputs()[0].data_ptr<float>(), *y = inputs()[1].data_ptr<float>();
    for (size_t i = 0; i < outputs()[0].numel(); ++i) outputs()[0].data_ptr<float>()[i] = x[i] * y[i];
  }
};

BaseTensorPtr multiplied(const BaseTensorPtr& x, const BaseTensorPtr& y) {
  auto out = std::make_shared<BaseTensor>(x->data_type(), x->shape());
  std::make_shared<Multiply>("Multiply")->Run({ms::Tensor(x), ms::Tensor(y)}, {ms::Tensor(out)});
  return out;
}

// Right to first order: Backward is plain C++.
struct Mul : public Function<Mul> {
  static TensorPtr Forward(AutogradContext* ctx, const TensorPtr& x, const TensorPtr& y) {
    bool of_x = ctx->NeedGrad(x), of_y = ctx->NeedGrad(y);
    if (of_x || of_y) ctx->SaveForBackward({of_x ? y : nullptr, of_y ? x : nullptr});
    return multiplied(x, y);
  }
  static TensorPtrList Backward(AutogradContext* ctx, TensorPtrList douts) {
    auto saved = ctx->GetSavedTensors();
    TensorPtr dx, dy;
    if (ctx->NeedsInputGrad(0)) dx = multiplied(douts[0], saved[0]);
    if (ctx->NeedsInputGrad(1)) dy = multiplied(douts[0], saved[1]);
    return {dx, dy};
  }
};

// Right to every order: Backward calls Apply.
struct SmoothMul : public Function<SmoothMul> {
  static TensorPtr Forward(AutogradContext* ctx, const TensorPtr& x, const TensorPtr& y) {
    ctx->SaveForBackward({x, y});
    return multiplied(x, y);
  }
  static TensorPtrList Backward(AutogradContext* ctx, TensorPtrList douts) {
    auto saved = ctx->GetSavedTensors();
    return {Apply(douts[0], saved[1]), Apply(douts[0], saved[0])};
  }
};

// exp saves its own result; its gradient is dout * out.
struct Exp : public Function<Exp> {
  static TensorPtr Forward(AutogradContext* ctx, const TensorPtr& x) {
    auto out = std::make_shared<BaseTensor>(x->data_type(), x->shape());
    ms::Tensor in(x), result(out);
    ms::DispatchKernel([in, result] {
      for (size_t i = 0; i < in.numel(); ++i)
        result.data_ptr<float>()[i] = std::exp(in.data_ptr<float>()[i]);
    });
    ctx->SaveForBackward({out});
    return out;
  }
  static TensorPtrList Backward(AutogradContext* ctx, TensorPtrList douts) {
    return {SmoothMul::Apply(douts[0], ctx->GetSavedTensors()[0])};
  }
};

// Two results, a number among the arguments, data of other types.
struct Both : public Function<Both> {
  static TensorPtrList Forward(AutogradContext* ctx, const TensorPtr& x, int64_t which,
                               const TensorPtr& y) {
    ctx->SaveForBackward({x, y});
    ctx->saved_data["which"] = MakeValue<int64_t>(which);
    auto product = multiplied(x, y), square = multiplied(x, x);
    if (which == 1) ctx->MarkNonDifferentiable({square});
    if (which == 2) ctx->SetMaterializeGrads(false);
    return {product, square};
  }
  static TensorPtrList Backward(AutogradContext* ctx, TensorPtrList douts) {
    auto saved = ctx->GetSavedTensors();
    int64_t which = GetValue<int64_t>(ctx->saved_data["which"]);
    seen = {static_cast<int64_t>(douts.size()), douts[0] != nullptr, douts[1] != nullptr,
            ctx->NeedsInputGrad(0), ctx->NeedsInputGrad(1), which};
    auto x = saved[0], y = saved[1];
    if (which == 3) return {multiplied(douts[0], y)};
    if (which == 4) return {multiplied(douts[0], y), y, multiplied(douts[0], x)};
    if (which == 5) return {multiplied(douts[0], y), nullptr, nullptr, nullptr};
    if (which == 6) return {nullptr, nullptr, multiplied(douts[0], x)};
    if (which == 7) throw std::invalid_argument("backward boom");
    if (which == 8) return {y, nullptr, std::make_shared<BaseTensor>(kNumberTypeFloat32, ShapeVector{5})};
    return {douts[0] ? multiplied(douts[0], y) : nullptr, nullptr,
            douts[0] ? multiplied(douts[0], x) : nullptr};
  }
  static inline std::vector<int64_t> seen;
};

// Doubles x where it is; the gradient says so.
struct Double : public Function<Double> {
  static TensorPtr Forward(AutogradContext* ctx, const TensorPtr& x) {
    ms::Tensor in(x);
    ms::DispatchKernel([in] {
      for (size_t i = 0; i < in.numel(); ++i) in.data_ptr<float>()[i] *= 2;
    });
    ctx->MarkDirty({x});
    return x;
  }
  static TensorPtrList Backward(AutogradContext*, TensorPtrList douts) {
    auto two = ms::tensor(std::vector<double>(douts[0]->DataSize(), 2.0), kNumberTypeFloat32);
    return {multiplied(douts[0], two.reshape(douts[0]->shape()).tensor())};
  }
};

// A Function that only hands its argument on.
struct Same : public Function<Same> {
  static TensorPtr Forward(AutogradContext*, const TensorPtr& x) { return x; }
  static TensorPtrList Backward(AutogradContext*, TensorPtrList douts) { return {douts[0]}; }
};

TensorPtr mul(const TensorPtr& x, const TensorPtr& y) { return Mul::Apply(x, y); }
TensorPtr smooth_mul(const TensorPtr& x, const TensorPtr& y) { return SmoothMul::Apply(x, y); }
TensorPtr exp(const TensorPtr& x) { return Exp::Apply(x); }
TensorPtr twice(const TensorPtr& x) { return Double::Apply(x); }
TensorPtr same(const TensorPtr& x) { return Same::Apply(x); }
TensorPtr cube(const TensorPtr& x) { return Mul::Apply(Mul::Apply(x, x), x); }
TensorPtrList both(const TensorPtr& x, int64_t which, const TensorPtr& y) {
  return Both::Apply(x, which, y);
}
std::vector<int64_t> seen() { return Both::seen; }

// An operator without a gradient.
ms::Tensor plain_eval(const ms::Tensor& x) {
  auto out = ms::Tensor(x.data_type(), x.shape());
  std::make_shared<Multiply>("Plain")->Run({x, x}, {out});
  return out;
}
py::object plain(const ms::Tensor& x) {
  return ms::pynative::PyboostRunner::Call<1>(plain_eval, x);
}

// A Function inside of an operator's FrontendTask.
ms::Tensor staged_eval(const ms::Tensor& x, const ms::Tensor& y) {
  return ms::Tensor(Mul::Apply(x.tensor(), y.tensor()));
}
py::object staged(const ms::Tensor& x, const ms::Tensor& y) {
  return ms::pynative::PyboostRunner::Call<1>(staged_eval, x, y);
}

}  // namespace mindspore::pynative::autograd

PYBIND11_MODULE(MS_EXTENSION_NAME, m) {
  namespace here = mindspore::pynative::autograd;
  m.def("mul", &here::mul);
  m.def("smooth_mul", &here::smooth_mul);
  m.def("exp", &here::exp);
  m.def("twice", &here::twice);
  m.def("same", &here::same);
  m.def("cube", &here::cube);
  m.def("both", &here::both);
  m.def("seen", &here::seen);
  m.def("plain", &here::plain);
  m.def("staged", &here::staged);
}
