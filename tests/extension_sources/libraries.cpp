// Operators on the device's libraries: aclnn in its three ways, ATB, Fourier transforms.
#include "ms_extension/api.h"

namespace atb {
template <>
struct HashOpParam<atb::infer::SoftmaxParam> {
  void operator()(const atb::infer::SoftmaxParam& param) const {
    add_param_to_buf("axes", param.axes);
  }
};
template <>
struct HashOpParam<atb::infer::RmsNormParam> {
  void operator()(const atb::infer::RmsNormParam& param) const {
    add_param_to_buf("layerType", param.layerType);
    add_param_to_buf("epsilon", param.normParam.epsilon);
  }
};
template <>
struct HashOpParam<atb::infer::SelfAttentionParam> {
  void operator()(const atb::infer::SelfAttentionParam& param) const {
    add_param_to_buf("headNum", param.headNum);
    add_param_to_buf("qkScale", param.qkScale);
    add_param_to_buf("isTriuMask", param.isTriuMask);
  }
};
}  // namespace atb

using ms::pynative::PyboostRunner;

ms::Tensor argmin(const ms::Tensor& x, int64_t dim, bool keep_dim) {
  ShapeVector shape = x.shape();
  if (dim < 0) dim += shape.size();
  if (keep_dim) shape[dim] = 1;
  else shape.erase(shape.begin() + dim);
  ms::Tensor out(ms::TypeId::kNumberTypeInt64, shape);
  auto runner = std::make_shared<ms::pynative::AclnnOpRunner>("ArgMin");
  runner->SetLaunchFunc(LAUNCH_ACLNN_FUNC(aclnnArgMin, x, dim, keep_dim, out));
  runner->Run({x}, {out});
  return out;
}

ms::Tensor not_set(const ms::Tensor& x) {
  ms::Tensor out(x.data_type(), x.shape());
  std::make_shared<ms::pynative::AclnnOpRunner>("NotSet")->Run({x}, {out});
  return out;
}

ms::Tensor cast(const ms::Tensor& x, int64_t type) {
  auto id = static_cast<ms::TypeId>(type);
  ms::Tensor out(id, x.shape());
  ms::TensorToDevice(x);
  ms::TensorAllocate(out);
  MS_DISPATCH_ACLNN(aclnnCast, x, id, out);
  return out;
}

ms::Tensor matmul(const ms::Tensor& x, const ms::Tensor& y) {
  ms::Tensor out(x.data_type(), {x.shape()[0], y.shape()[1]});
  auto runner = std::make_shared<ms::pynative::AclnnOpRunner>("Matmul");
  int8_t cube_math_type = 0;
  runner->SetLaunchFunc(LAUNCH_ACLNN_FUNC(aclnnMatmul, x, y, out, cube_math_type));
  runner->Run({x, y}, {out});
  return out;
}

ms::Tensor reduce_sum(const ms::Tensor& x, const std::vector<int64_t>& dims) {
  ms::Tensor out(x.data_type(), {x.shape()[1]});
  MS_DISPATCH_ACLNN(aclnnReduceSum, x, dims, false, x.data_type(), out);
  return out;
}

ms::Tensor softmax(const ms::Tensor& x, int64_t axis) {
  ms::Tensor out(x.data_type(), x.shape());
  atb::infer::SoftmaxParam param;
  param.axes.push_back(axis);
  ms::pynative::RunAtbOp("Softmax", param, {x}, {out});
  return out;
}

ms::Tensor rms_norm(const ms::Tensor& x, const ms::Tensor& gamma) {
  ms::Tensor out(x.data_type(), x.shape());
  atb::infer::RmsNormParam param;
  param.layerType = atb::infer::RmsNormParam::RMS_NORM_NORM;
  param.normParam.epsilon = 1e-6f;
  ms::pynative::RunAtbOp("RmsNorm", param, {x, gamma}, {out});
  return out;
}

ms::Tensor attention(const ms::Tensor& q, const ms::Tensor& k, const ms::Tensor& v, int64_t heads) {
  ms::Tensor out(q.data_type(), q.shape());
  atb::infer::SelfAttentionParam param;
  param.headNum = heads;
  param.qkScale = 0.5f;
  param.isTriuMask = 1;
  ms::pynative::RunAtbOp("SelfAttention", param, {q, k, v}, {out});
  return out;
}

ms::Tensor no_hash(const ms::Tensor& x) {
  ms::Tensor out(x.data_type(), x.shape());
  ms::pynative::RunAtbOp("Rope", atb::infer::RopeParam(), {x}, {out});
  return out;
}

ms::Tensor wrong_shape(const ms::Tensor& x) {
  ms::Tensor out(x.data_type(), {1});
  atb::infer::SoftmaxParam param;
  param.axes = {-1};
  ms::pynative::RunAtbOp("Softmax", param, {x}, {out});
  return out;
}

// Pairs of floats: [batch, n, 2] or [batch, n, m, 2].
ms::Tensor fft(const ms::Tensor& x, const std::string& op_name, bool backward) {
  ms::Tensor out(x.data_type(), x.shape());
  ms::pynative::FFTParam param;
  const ShapeVector& shape = x.shape();
  param.batchSize = shape[0];
  param.fftXSize = shape[1];
  param.fftYSize = shape.size() == 4 ? shape[2] : 0;
  if (backward) param.direction = ms::pynative::asdFftDirection::ASCEND_FFT_BACKWARD;
  ms::pynative::RunAsdSipFFTOp(op_name, param, x, out);
  return out;
}

void set_cache_size(int64_t size) { ms::pynative::AsdSipFFTOpRunner::SetCacheSize(size); }

namespace mindspore::pynative::autograd {

class CustomMul : public Function<CustomMul> {
 public:
  static BaseTensorPtr Forward(AutogradContext* ctx, const BaseTensorPtr& x, const BaseTensorPtr& y) {
    auto output = std::make_shared<BaseTensor>(x->data_type(), x->shape());
    custom::CustomLaunchAclnn("aclnnMul", {x, y}, {output});
    ctx->SaveForBackward({y, x});
    return output;
  }

  static BaseTensorPtrList Backward(AutogradContext* ctx, BaseTensorPtrList grad_outputs) {
    auto saved = ctx->GetSavedTensors();
    auto dout = grad_outputs[0];
    auto dx = std::make_shared<BaseTensor>(dout->data_type(), dout->shape());
    auto dy = std::make_shared<BaseTensor>(dout->data_type(), dout->shape());
    custom::CustomLaunchAclnn("aclnnMul", {dout, saved[0]}, {dx});
    custom::CustomLaunchAclnn("aclnnMul", {dout, saved[1]}, {dy});
    return {dx, dy};
  }
};

BaseTensorPtr run_custom_mul(const BaseTensorPtr& x, const BaseTensorPtr& y) {
  return CustomMul::Apply(x, y);
}

}  // namespace mindspore::pynative::autograd

PYBIND11_MODULE(MS_EXTENSION_NAME, m) {
  m.def("argmin", PYBOOST_CALLER(1, argmin));
  m.def("not_set", PYBOOST_CALLER(1, not_set));
  m.def("cast", PYBOOST_CALLER(1, cast));
  m.def("matmul", PYBOOST_CALLER(1, matmul));
  m.def("reduce_sum", PYBOOST_CALLER(1, reduce_sum));
  m.def("softmax", PYBOOST_CALLER(1, softmax));
  m.def("rms_norm", PYBOOST_CALLER(1, rms_norm));
  m.def("attention", PYBOOST_CALLER(1, attention));
  m.def("no_hash", PYBOOST_CALLER(1, no_hash));
  m.def("wrong_shape", PYBOOST_CALLER(1, wrong_shape));
  m.def("fft", PYBOOST_CALLER(1, fft));
  m.def("set_cache_size", &set_cache_size);
  m.def("mul", &mindspore::pynative::autograd::run_custom_mul);
}
