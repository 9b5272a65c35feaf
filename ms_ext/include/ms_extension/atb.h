// AtbOpRunner and RunAtbOp: an operation made from a Param, found again by the Param's hash.
//
//   template <> struct atb::HashOpParam<atb::infer::SoftmaxParam> {
//     void operator()(const atb::infer::SoftmaxParam& param) const { add_param_to_buf("axes", param.axes); }
//   };
//   ms::pynative::RunAtbOp("Softmax", param, {x}, {y});
//
// The Params have the fields that the operations here read.
#pragma once

#include "ms_extension/library.h"

namespace atb {

template <typename T>
using SVector = std::vector<T>;

namespace infer {

enum ActivationType : int {
  ACTIVATION_UNDEFINED = 0,
  ACTIVATION_RELU,
  ACTIVATION_GELU,
  ACTIVATION_FAST_GELU,
  ACTIVATION_SWISH,
  ACTIVATION_LOG,
  ACTIVATION_SWIGLU_FORWARD,
  ACTIVATION_SWIGLU_BACKWARD,
  ACTIVATION_SIGMOID,
  ACTIVATION_FASTER_GELU_FORWARD,
};

struct ActivationParam {
  enum GeluMode : int { TANH_MODE = 0, NONE_MODE };

  ActivationType activationType = ACTIVATION_UNDEFINED;
  float scale = 1.0f;
  int32_t dim = -1;
  GeluMode geluMode = TANH_MODE;
};

struct RmsNormParam {
  enum RmsNormType : int { RMS_NORM_UNDEFINED = 0, RMS_NORM_NORM, RMS_NORM_PRENORM, RMS_NORM_POSTNORM };
  struct NormParam {
    float epsilon = 1e-5f;
    bool rstd = false;
  };
  struct PreNormParam {
    float epsilon = 1e-5f;
  };

  RmsNormType layerType = RMS_NORM_UNDEFINED;
  NormParam normParam;
  PreNormParam preNormParam;
};

struct RopeParam {
  int32_t rotaryCoeff = 4;
  int32_t cosFormat = 0;
};

struct SoftmaxParam {
  SVector<int64_t> axes;
};

struct LinearParam {
  bool transposeA = false;
  bool transposeB = true;
  bool hasBias = true;
};

struct SelfAttentionParam {
  enum MaskType : int { MASK_TYPE_UNDEFINED = 0, MASK_TYPE_NORM };

  int32_t headNum = 0;
  int32_t kvHeadNum = 0;
  float qkScale = 1.0f;
  MaskType maskType = MASK_TYPE_UNDEFINED;
  uint32_t isTriuMask = 0;
};

}  // namespace infer

// What is to be hashed: names and values, one behind the other.
MS_EXT_OWN inline thread_local std::string hash_buffer;

inline void add_param_to_buf(const std::string& text) { hash_buffer.append(text.c_str(), text.size() + 1); }

template <typename T>
void add_param_to_buf(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>,
                "add_param_to_buf takes numbers, texts and vectors; of another object add the fields");
  hash_buffer.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <typename T>
void add_param_to_buf(const std::vector<T>& values) {
  add_param_to_buf(values.size());
  for (const T& value : values) add_param_to_buf(value);
}

template <typename T>
void add_param_to_buf(const std::string& name, const T& value) {
  add_param_to_buf(name);
  add_param_to_buf(value);
}

template <typename T>
struct HashOpParam {
  void operator()(const T&) const {
    MS_EXCEPTION(mindspore::NotImplementedError)
        << "The atb::HashOpParam<" << ms::inner::GetFunctionName(typeid(T).name())
        << "> is not defined.";
  }
};

template <typename T>
uint64_t computeHash(const T& param) {
  hash_buffer.clear();
  HashOpParam<T>{}(param);
  uint64_t hash = 14695981039346656037ull;  // FNV-1a
  for (unsigned char byte : hash_buffer) hash = (hash ^ byte) * 1099511628211ull;
  return hash;
}

}  // namespace atb

namespace ms_ext {

inline void add_fields(Arguments& to, const atb::infer::ActivationParam& param) {
  for (auto& [name, value] : {std::pair<const char*, int>{"activationType", param.activationType},
                              {"dim", param.dim}, {"geluMode", param.geluMode}}) {
    to.add(name);
    to.add(value);
  }
  to.add("scale");
  to.add(param.scale);
}
inline void add_fields(Arguments& to, const atb::infer::RmsNormParam& param) {
  to.add("layerType");
  to.add(param.layerType);
  to.add("normParam.epsilon");
  to.add(param.normParam.epsilon);
  to.add("normParam.rstd");
  to.add(param.normParam.rstd);
  to.add("preNormParam.epsilon");
  to.add(param.preNormParam.epsilon);
}
inline void add_fields(Arguments& to, const atb::infer::RopeParam& param) {
  to.add("rotaryCoeff");
  to.add(param.rotaryCoeff);
  to.add("cosFormat");
  to.add(param.cosFormat);
}
inline void add_fields(Arguments& to, const atb::infer::SoftmaxParam& param) {
  to.add("axes");
  to.add(param.axes);
}
inline void add_fields(Arguments& to, const atb::infer::LinearParam& param) {
  to.add("transposeA");
  to.add(param.transposeA);
  to.add("transposeB");
  to.add(param.transposeB);
  to.add("hasBias");
  to.add(param.hasBias);
}
inline void add_fields(Arguments& to, const atb::infer::SelfAttentionParam& param) {
  for (auto& [name, value] :
       {std::pair<const char*, int>{"headNum", param.headNum}, {"kvHeadNum", param.kvHeadNum},
        {"maskType", param.maskType}, {"isTriuMask", static_cast<int>(param.isTriuMask)}}) {
    to.add(name);
    to.add(value);
  }
  to.add("qkScale");
  to.add(param.qkScale);
}

}  // namespace ms_ext

namespace ms::pynative {

class AtbOpRunner : public ms_ext::LibraryRunner {
 public:
  using LibraryRunner::LibraryRunner;

  template <typename ParamType>
  void Init(const ParamType& param) {
    std::string type = inner::GetFunctionName(typeid(ParamType).name());
    ms_ext::Arguments arguments("atb_init", op_name(), type.substr(type.rfind(':') + 1),
                                atb::computeHash(param));
    ms_ext::add_fields(arguments, param);
    call_ = ms_ext::ask(arguments);
  }

 protected:
  void _Run() override {
    for (const Tensor& input : inputs()) input.make_contiguous();
    PyboostRunner::_Run();
  }
};

template <typename ParamType>
void RunAtbOp(const std::string& op_name, const ParamType& param, const std::vector<Tensor>& inputs,
              const std::vector<Tensor>& outputs) {
  auto runner = std::make_shared<AtbOpRunner>(op_name);
  runner->Init(param);
  runner->Run(inputs, outputs);
}

}  // namespace ms::pynative
