// Function: an operator together with its gradient.
//
//   struct Mul : Function<Mul> {
//     static TensorPtr Forward(AutogradContext* ctx, const TensorPtr& x, const TensorPtr& y);
//     static TensorPtrList Backward(AutogradContext* ctx, TensorPtrList douts);
//   };
//   Mul::Apply(x, y);
//
// Apply runs Forward and enters it on the tape. Backward gives a gradient for each argument of
// Forward, null where there is none. What Backward computes by another Function is on the tape of
// an outer gradient; second order through plain C++ code is refused by the engine.
#pragma once

#include <unordered_map>

#include "ms_extension/factories.h"
#include "ms_extension/runner.h"

namespace ms_ext {
struct FunctionNode;
}

namespace mindspore::pynative::autograd {

using tensor::BaseTensor;
using tensor::BaseTensorPtr;
using tensor::BaseTensorPtrList;
using tensor::TensorPtr;
using tensor::TensorPtrList;

struct AutogradContext {
  // For Backward. Null pointers keep their places.
  void SaveForBackward(const TensorPtrList& to_save) { saved_ = to_save; }
  const TensorPtrList GetSavedTensors() const { return saved_; }
  // Forward wrote into these arguments.
  void MarkDirty(const TensorPtrList& inputs) { dirty_ = inputs; }
  // No gradient goes through these results.
  void MarkNonDifferentiable(const TensorPtrList& outputs) { constant_ = outputs; }
  // False: the dout of a result that nobody used is null, not zeros.
  void SetMaterializeGrads(bool value) { materialize_ = value; }
  // Whether the gradient of the tensor argument with this number is asked for.
  bool NeedsInputGrad(size_t tensor_index) const;
  bool NeedGrad(const TensorPtr& tensor);

  std::unordered_map<std::string, ValuePtr> saved_data;

 private:
  friend struct ms_ext::FunctionNode;

  TensorPtrList saved_, dirty_, constant_;
  std::vector<bool> needed_;
  bool materialize_ = true;
};

inline TensorPtrList ToTensorList(const TensorPtr& tensor) { return {tensor}; }
inline TensorPtrList ToTensorList(const TensorPtrList& tensors) { return tensors; }

template <typename X, typename... Args>
using forward_t = decltype(X::Forward(nullptr, std::declval<Args>()...));

template <class T>
struct Function {
  template <typename X = T, typename... Args>
  static auto Apply(Args&&... args)
      -> std::enable_if_t<std::is_same_v<X, T>, forward_t<X, Args...>>;
};

}  // namespace mindspore::pynative::autograd

// MindSpore's older releases have them here.
namespace mindspore::autograd {

using namespace pynative::autograd;  // NOLINT: the names are the interface

}  // namespace mindspore::autograd

namespace ms_ext {

using mindspore::tensor::TensorPtr;
using mindspore::tensor::TensorPtrList;

// Forward's own calls are no part of the gradient.
MS_EXT_OWN inline thread_local int forwards = 0;

struct Depth {
  Depth() { ++forwards; }
  ~Depth() { --forwards; }
};

// With the GIL, whoever has it: recording asks Python's tensors.
class WithGil {
 public:
  WithGil() : state_(PyGILState_Ensure()) {}
  ~WithGil() { PyGILState_Release(state_); }
  WithGil(const WithGil&) = delete;

 private:
  PyGILState_STATE state_;
};

inline bool is_watched(const TensorPtr& tensor) {
  if (!tensor || forwards > 1) return false;
  WithGil gil;
  return bridge()->watched(tensor->extension().handle().get());
}

// What the tape keeps of one Apply.
struct FunctionNode {
  mindspore::pynative::autograd::AutogradContext context;
  TensorPtrList (*backward)(mindspore::pynative::autograd::AutogradContext*, TensorPtrList);
  const char* name;
  std::vector<bool> is_tensor;  // for each argument of Forward
  TensorPtrList inputs;         // the tensors among them; forgotten when it is recorded
  struct Result {
    int type;
    ShapeVector shape;
    bool constant;
  };
  std::vector<Result> results;
  std::vector<bool> is_saved;   // for each place of SaveForBackward; the tape keeps the tensors

  void add(const TensorPtr& tensor) {
    is_tensor.push_back(tensor != nullptr);
    if (!tensor) return;
    tensor->extension().value();
    inputs.push_back(tensor);
    context.needed_.push_back(is_watched(tensor));
  }
  template <typename Other>
  void add(const Other&) {
    is_tensor.push_back(false);
  }

  static bool run_backward(void* context, Value** given, int many, Value** gradients, int count,
                           Failure* failure) noexcept;
  static void drop(void* context) noexcept { delete static_cast<FunctionNode*>(context); }

  TensorPtrList douts(Value*** next);
  TensorPtrList saved(Value*** next) const;
  void take(const TensorPtrList& found, Value** gradients, int count);
  bool is_needed() const;
  void separate(TensorPtr* output) const;
  void check_dirty(const TensorPtrList& outputs) const;
  void mark(const TensorPtrList& outputs) const;
  static void record(std::unique_ptr<FunctionNode> node, TensorPtrList* outputs);
};

inline bool FunctionNode::is_needed() const {
  for (bool each : context.needed_)
    if (each) return true;
  return false;
}

// Made of constants alone, a result is one: a second derivative through it is zero, not unknown.
inline void FunctionNode::mark(const TensorPtrList& outputs) const {
  for (const TensorPtr& input : inputs)
    if (!input->extension().value()->constant) return;
  for (const TensorPtr& output : outputs)
    if (output) output->extension().value()->constant = true;
}

inline bool is_among(const TensorPtr& tensor, const TensorPtrList& list) {
  for (const TensorPtr& each : list)
    if (each && each->extension().handle().get() == tensor->extension().handle().get()) return true;
  return false;
}

// A result that is an argument becomes a tensor of its own, on the same bytes; unless Forward wrote
// into it: then that is what the argument is from now on.
inline void FunctionNode::separate(TensorPtr* output) const {
  const ms::Tensor& it = (*output)->extension();
  if (is_among(*output, inputs) && !is_among(*output, context.dirty_))
    *output = std::make_shared<mindspore::tensor::Tensor>(it.reshape(it.shape()));
}

inline void FunctionNode::check_dirty(const TensorPtrList& outputs) const {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (context.needed_[i] && is_among(inputs[i], context.dirty_) && !is_among(inputs[i], outputs))
      raise(RUNTIME, std::string(name) + ": Forward wrote into an argument whose gradient is being "
                     "taken (MarkDirty), but does not return it. Return it too.");
}

inline void FunctionNode::record(std::unique_ptr<FunctionNode> node, TensorPtrList* outputs) {
  std::vector<Value*> inputs, differentiable, saved;
  node->check_dirty(*outputs);
  for (TensorPtr& output : *outputs) {
    if (!output) raise(VALUE, std::string(node->name) + ": Forward returned a null tensor.");
    bool constant = is_among(output, node->context.constant_);
    node->separate(&output);
    node->results.push_back({output->data_type(), output->shape(), constant});
    if (!constant) differentiable.push_back(output->extension().value());
  }
  for (const TensorPtr& input : node->inputs) inputs.push_back(input->extension().value());
  for (const TensorPtr& each : node->context.saved_) {
    node->is_saved.push_back(each != nullptr);
    if (each) saved.push_back(each->extension().value());
  }
  if (differentiable.empty()) return;
  TensorPtrList alive[] = {std::move(node->inputs), std::move(node->context.saved_)};
  WithGil gil;
  Failure failure;
  FunctionNode* kept = node.release();
  if (!bridge()->record(kept->name, inputs.data(), static_cast<int>(inputs.size()),
                        differentiable.data(), static_cast<int>(differentiable.size()),
                        saved.data(), static_cast<int>(saved.size()), run_backward, drop, kept,
                        &failure))
    throw_failure(&failure);
}

inline TensorPtr share(Value* value) {
  ++value->references;
  if (!bridge()->watched(value)) value->constant = true;
  return std::make_shared<mindspore::tensor::Tensor>(ms::Tensor(Handle(value)));
}

// The dout of each result; a constant's is not on the tape.
inline TensorPtrList FunctionNode::douts(Value*** next) {
  TensorPtrList list;
  for (const Result& result : results) {
    auto type = static_cast<mindspore::TypeId>(result.type);
    if (!result.constant) list.push_back(share(*(*next)++));
    else if (!context.materialize_) list.push_back(nullptr);
    else list.push_back(ms::zeros(result.shape, type).tensor());
  }
  return list;
}

inline TensorPtrList FunctionNode::saved(Value*** next) const {
  TensorPtrList list;
  for (bool each : is_saved) list.push_back(each ? share(*(*next)++) : nullptr);
  return list;
}

inline bool FunctionNode::run_backward(void* context, Value** given, int, Value** gradients,
                                       int count, Failure* failure) noexcept {
  FunctionNode* node = static_cast<FunctionNode*>(context);
  int outer = std::exchange(forwards, 0);
  bool fine = true;
  try {
    TensorPtrList douts = node->douts(&given);
    node->context.saved_ = node->saved(&given);
    node->take(node->backward(&node->context, std::move(douts)), gradients, count);
  } catch (...) {
    note_exception(failure);
    fine = false;
  }
  node->context.saved_.clear();
  forwards = outer;
  return fine;
}

inline void FunctionNode::take(const TensorPtrList& found, Value** gradients, int count) {
  if (found.size() != is_tensor.size())
    MS_LOG(EXCEPTION) << name << " returned an incorrect number of gradients (expected "
                      << is_tensor.size() << ", got " << found.size() << ")";
  int next = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!is_tensor[i] && found[i])
      MS_LOG(EXCEPTION) << name << " returned a gradient that is defined at position " << i + 1
                        << ", but the corresponding forward input was not a Tensor";
    if (!is_tensor[i] || next >= count) continue;
    if (found[i]) {
      gradients[next] = found[i]->extension().value();
      ++gradients[next]->references;
    }
    ++next;
  }
}

}  // namespace ms_ext

namespace mindspore::pynative::autograd {

inline bool AutogradContext::NeedsInputGrad(size_t tensor_index) const {
  if (tensor_index >= needed_.size())
    MS_EXCEPTION(IndexError) << "NeedsInputGrad(" << tensor_index << "): Forward has "
                             << needed_.size() << " tensor arguments.";
  return needed_[tensor_index];
}

inline bool AutogradContext::NeedGrad(const TensorPtr& tensor) {
  return ms_ext::is_watched(tensor);
}

template <class T>
template <typename X, typename... Args>
auto Function<T>::Apply(Args&&... args)
    -> std::enable_if_t<std::is_same_v<X, T>, forward_t<X, Args...>> {
  static const char* const name = ms_ext::interned(
      "Function[" + ms::inner::GetFunctionName(typeid(T).name()) + "]");
  auto node = std::make_unique<ms_ext::FunctionNode>();
  node->name = name;
  node->backward = [](AutogradContext* context, TensorPtrList douts) -> TensorPtrList {
    return T::Backward(context, std::move(douts));
  };
  ms_ext::Depth forward;
  (node->add(args), ...);
  auto output = T::Forward(&node->context, std::forward<Args>(args)...);
  TensorPtrList outputs = ToTensorList(output);
  MS_EXCEPTION_IF_CHECK_FAIL(!outputs.empty(), "The output list must not be empty.");
  if (node->is_needed()) ms_ext::FunctionNode::record(std::move(node), &outputs);
  else node->mark(outputs);
  if constexpr (std::is_same_v<decltype(output), TensorPtrList>) return outputs;
  else return outputs[0];
}

}  // namespace mindspore::pynative::autograd
