// What a C++ operator may ask of a tensor beside its bytes: `Bridge::operate`. Views answer at once;
// what computes is a task of its own, in DeviceTask (memory) and LaunchTask (values).
#pragma once

#include "values.hpp"

namespace lanes {

// extension.pyx: Bridge::dispatch
bool bridge_dispatch(int stage, const char* name, Task task, Failure* failure) noexcept;

// The error texts are MindSpore's where it has one.
struct Refused {
  int kind;
  std::string text;
};

// An operation on its way through DeviceTask and LaunchTask.
struct Operation {
  const char* name;
  Value* output;
  std::vector<Value*> inputs;
  std::function<void(Operation&)> work;

  ~Operation() {
    release_value(output);
    for (Value* input : inputs) release_value(input);
  }
};

using Shared = std::shared_ptr<Operation>;  // each task's context is one of these, on the heap

inline bool run_operation(void* context, Failure* failure) {
  Operation& it = **static_cast<Shared*>(context);
  try {
    it.work(it);
    return true;
  } catch (const Refused& refused) {
    failure->set(refused.kind, refused.text.c_str());
  } catch (const std::exception& error) {
    failure->set(ms_ext::RUNTIME, error.what());
  }
  return false;
}

inline void drop_operation(void* context) { delete static_cast<Shared*>(context); }

inline bool begin_operation(void* context, Failure* failure) {
  Shared& it = *static_cast<Shared*>(context);
  bool memory = allocate(it->output->buffer);
  for (Value* input : it->inputs) memory = memory && allocate(input->buffer);
  if (!memory) {
    failure->set(ms_ext::MEMORY, "there is no memory for a tensor of a C++ operator");
    return false;
  }
  Task task{new Shared(it), run_operation, drop_operation};
  return bridge_dispatch(ms_ext::LAUNCH, it->name, task, failure);
}

// Have `work` fill `output` from the inputs.
inline Value* later(const char* name, Value* output, std::vector<Value*> inputs,
                    std::function<void(Operation&)> work, Failure* failure) {
  ++output->references;
  for (Value* input : inputs) ++input->references;
  auto* it = new Shared(new Operation{name, output, std::move(inputs), std::move(work)});
  Task task{it, begin_operation, drop_operation};
  if (bridge_dispatch(ms_ext::DEVICE, name, task, failure)) return output;
  release_value(output);
  return nullptr;
}

inline void copying(Operation& it) { copy(it.output, it.inputs[0]); }

inline int axis_in(const Value* x, int64_t dim) {
  int64_t axis = dim < 0 ? dim + x->axes : dim;
  if (axis < 0 || axis >= x->axes)
    throw Refused{ms_ext::VALUE, "Dimension out of range (expected to be in range of [" +
                                     std::to_string(-x->axes) + ", " + std::to_string(x->axes) +
                                     "), but got " + std::to_string(dim) + ")"};
  return static_cast<int>(axis);
}

inline std::string listed(const int64_t* sizes, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i ? ", " : "") + std::to_string(sizes[i]);
  return text + "}";
}

inline Value* contiguous(Value* x, Failure* failure) {
  if (x->contiguous()) return view_of(x);
  return later("contiguous", make(x->type, x->axes, x->shape), {x}, copying, failure);
}

inline Value* reshape(Value* x, const int64_t* sizes, int axes, Failure* failure) {
  int64_t shape[ms_ext::MOST_AXES], known = 1, total = x->elements();
  int open = -1;
  std::string refusal = "proposed_shape '[const vector]" + listed(sizes, axes) +
                        "' is invalid for input of size " + std::to_string(total);
  if (axes > ms_ext::MOST_AXES) throw Refused{ms_ext::VALUE, refusal};
  for (int i = 0; i < axes; ++i) {
    shape[i] = sizes[i];
    if (sizes[i] == -1 && open < 0) open = i;
    else if (sizes[i] < 0) throw Refused{ms_ext::VALUE, refusal};
    else known *= sizes[i];
  }
  if (open >= 0 && known > 0) shape[open] = total / known;
  if (open >= 0 ? known == 0 || total % known : known != total)
    throw Refused{ms_ext::VALUE, refusal};
  if (!x->contiguous())
    return later("reshape", make(x->type, axes, shape), {x},
                 [](Operation& it) {
                   Value straight = {};  // the output's bytes under the input's shape
                   straight.type = it.output->type;
                   straight.buffer = it.output->buffer;
                   set_shape(&straight, it.inputs[0]->axes, it.inputs[0]->shape);
                   copy(&straight, it.inputs[0]);
                 },
                 failure);
  Value* view = view_of(x);
  set_shape(view, axes, shape);
  return view;
}

inline Value* flatten(Value* x, const int64_t* numbers, Failure* failure) {
  if (x->axes == 0) {
    int64_t one = 1;
    return reshape(x, &one, 1, failure);
  }
  int begin = axis_in(x, numbers[0]), end = axis_in(x, numbers[1]), axes = 0;
  int64_t shape[ms_ext::MOST_AXES];
  if (begin > end)
    throw Refused{ms_ext::VALUE, "For 'flatten', 'start_dim' cannot come after 'end_dim'."};
  for (int i = 0; i < x->axes; ++i) {
    if (i <= begin || i > end) shape[axes++] = x->shape[i];
    else shape[axes - 1] *= x->shape[i];
  }
  return reshape(x, shape, axes, failure);
}

// One of the parts that `chunk` gives: numbers are (parts, axis, which part); null after the last.
inline Value* chunk(Value* x, const int64_t* numbers) {
  int axis = axis_in(x, numbers[1]);
  if (numbers[0] <= 0)
    throw Refused{ms_ext::VALUE, "For 'Chunk', chunks should be greater equal than 1, but got " +
                                     std::to_string(numbers[0])};
  int64_t size = x->shape[axis], part = (size + numbers[0] - 1) / numbers[0];
  int64_t begin = numbers[2] * part;
  if (numbers[2] && begin >= size) return nullptr;
  Value* view = view_of(x);
  view->shape[axis] = std::min(part, size - begin);
  view->offset += begin * x->stride[axis];
  return view;
}

// output[..., i, ...] = x[..., of[i], ...] along an axis.
inline void gather(Value* output, Value* x, int axis, const std::vector<int64_t>& of) {
  Value one = {}, from = {};
  for (size_t i = 0; i < of.size(); ++i) {
    if (of[i] < 0 || of[i] >= x->shape[axis])
      throw Refused{ms_ext::INDEX, "index " + std::to_string(of[i]) + " is outside axis " +
                                       std::to_string(axis) + " of size " +
                                       std::to_string(x->shape[axis])};
    for (Value* each : {&one, &from}) {
      Value* whole = each == &one ? output : x;
      each->type = whole->type;
      each->axes = whole->axes;
      each->buffer = whole->buffer;
      std::copy(whole->shape, whole->shape + whole->axes, each->shape);
      std::copy(whole->stride, whole->stride + whole->axes, each->stride);
      each->shape[axis] = 1;
      each->offset = whole->offset + (each == &one ? int64_t(i) : of[i]) * whole->stride[axis];
    }
    copy(&one, &from);
  }
}

inline std::vector<int64_t> wholes(Value* value) {
  std::vector<int64_t> found(value->elements());
  Value flat = {};
  Buffer bytes;
  bytes.data = reinterpret_cast<char*>(found.data());
  flat.type = 35;
  flat.buffer = &bytes;
  set_shape(&flat, value->axes, value->shape);
  copy(&flat, value);
  return found;
}

inline Value* index_select(Value* x, Value* index, int64_t dim, Failure* failure) {
  int axis = axis_in(x, dim);
  if (index->axes != 1 || !integral(index->type))
    throw Refused{ms_ext::VALUE, "For 'index_select', 'index' must be 1-D and of whole numbers."};
  int64_t shape[ms_ext::MOST_AXES];
  std::copy(x->shape, x->shape + x->axes, shape);
  shape[axis] = index->shape[0];
  return later("index_select", make(x->type, x->axes, shape), {x, index},
               [axis](Operation& it) {
                 gather(it.output, it.inputs[0], axis, wholes(it.inputs[1]));
               },
               failure);
}

// Each element `counts[i]` times (one count: for all); the size of the axis must be known.
inline Value* repeat_interleave(Value* x, int64_t count, int64_t has_dim, int64_t dim,
                                Failure* failure) {
  if (count < 0)
    throw Refused{ms_ext::VALUE, "For 'repeat_interleave', 'repeats' must not be negative."};
  int64_t all = -1;
  Value* flat = has_dim ? view_of(x) : reshape(x, &all, 1, failure);
  if (!flat) return nullptr;
  int axis = has_dim ? axis_in(flat, dim) : 0;
  int64_t shape[ms_ext::MOST_AXES];
  std::copy(flat->shape, flat->shape + flat->axes, shape);
  shape[axis] *= count;
  Value* made = later("repeat_interleave", make(flat->type, flat->axes, shape), {flat},
                      [axis, count](Operation& it) {
                        std::vector<int64_t> of(it.output->shape[axis]);
                        for (size_t i = 0; i < of.size(); ++i) of[i] = i / count;
                        gather(it.output, it.inputs[0], axis, of);
                      },
                      failure);
  release_value(flat);
  return made;
}

inline Value* repeat(Value* x, const int64_t* counts, int axes, Failure* failure) {
  if (axes < x->axes || axes > ms_ext::MOST_AXES)
    throw Refused{ms_ext::VALUE, "For 'repeat', there must be a count for each axis, got " +
                                     listed(counts, axes)};
  int64_t shape[ms_ext::MOST_AXES];
  Value* made = view_of(x);  // leading axes of size 1
  for (int i = axes - 1, from = x->axes - 1; i >= 0; --i, --from) {
    made->shape[i] = from >= 0 ? x->shape[from] : 1;
    made->stride[i] = from >= 0 ? x->stride[from] : 0;
    shape[i] = made->shape[i] * counts[i];
    if (counts[i] < 0)
      throw Refused{ms_ext::VALUE, "For 'repeat', no count may be negative: " + listed(counts, axes)};
  }
  made->axes = axes;
  Value* output = later("repeat", make(x->type, axes, shape), {made},
                        [](Operation& it) {
                          Value *to = it.output, *from = it.inputs[0];
                          int64_t index[ms_ext::MOST_AXES] = {}, count = to->elements();
                          for (int64_t done = 0; done < count; ++done) {
                            int64_t at = 0;
                            for (int i = 0; i < to->axes; ++i)
                              at += index[i] % from->shape[i] * from->stride[i];
                            put(place_of(to) + done * size_of(to->type), to->type,
                                place_of(from) + at * size_of(from->type), from->type);
                            for (int i = to->axes - 1; i >= 0 && ++index[i] == to->shape[i]; --i)
                              index[i] = 0;
                          }
                        },
                        failure);
  release_value(made);
  return output;
}

// A cast of what has its elements already, done before it is answered.
inline Value* cast_now(int type, Value* x, Failure* failure) {
  Value* made = make(type, x->axes, x->shape);
  if (allocate(made->buffer) && allocate(x->buffer)) {
    copy(made, x);
    return made;
  }
  failure->set(ms_ext::MEMORY, "there is no memory for a tensor of a C++ operator");
  release_value(made);
  return nullptr;
}

inline Value* filled(const int64_t* numbers, int many, Failure* failure) {
  double number;
  std::memcpy(&number, &numbers[1], 8);
  return later("fill", make(static_cast<int>(numbers[0]), many - 2, numbers + 2), {},
               [number](Operation& it) {
                 char* at = place_of(it.output);
                 int size = size_of(it.output->type);
                 for (int64_t i = 0; i < it.output->elements(); ++i)
                   put_real(at + i * size, it.output->type, number);
               },
               failure);
}

inline Value* assign(Value* target, Value* source, Failure* failure) {
  bool same = target->axes == source->axes &&
              std::equal(target->shape, target->shape + target->axes, source->shape);
  if (!same)
    throw Refused{ms_ext::VALUE, "For 'AssignTensor', the shapes differ: " +
                                     listed(target->shape, target->axes) + " and " +
                                     listed(source->shape, source->axes)};
  return later("assign", view_of(target), {source}, copying, failure);
}

inline Value* operate(const char* what, Value* const* inputs, int count, const int64_t* numbers,
                      int many, Failure* failure) noexcept {
  std::string name(what);
  Value* x = count ? inputs[0] : nullptr;
  try {
    if (name == "cast")
      return later("cast", make(static_cast<int>(numbers[0]), x->axes, x->shape), {x}, copying,
                   failure);
    if (name == "cast_now") return cast_now(static_cast<int>(numbers[0]), x, failure);
    if (name == "contiguous") return contiguous(x, failure);
    if (name == "reshape") return reshape(x, numbers, many, failure);
    if (name == "flatten") return flatten(x, numbers, failure);
    if (name == "chunk") return chunk(x, numbers);
    if (name == "index_select") return index_select(x, inputs[1], numbers[0], failure);
    if (name == "repeat") return repeat(x, numbers, many, failure);
    if (name == "repeat_interleave")
      return repeat_interleave(x, numbers[0], numbers[1], numbers[2], failure);
    if (name == "fill") return filled(numbers, many, failure);
    if (name == "assign") return assign(x, inputs[1], failure);
    throw Refused{ms_ext::RUNTIME, "there is no operation '" + name + "' on tensors"};
  } catch (const Refused& refused) {
    failure->set(refused.kind, refused.text.c_str());
  } catch (const std::exception& error) {
    failure->set(ms_ext::RUNTIME, error.what());
  }
  return nullptr;
}

}  // namespace lanes
