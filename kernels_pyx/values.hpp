// Values and their bytes: made, shared, cast, copied from any strides. Called by operators' libraries
// through the table of ms_extension/bridge.h.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
#include <string>

#include "lanes.hpp"

namespace lanes {

using ms_ext::Buffer;

inline int size_of(int type) noexcept {
  switch (type) {
    case 30: case 32: case 37: return 1;      // bool, int8, uint8
    case 33: case 42: case 45: return 2;      // int16, float16, bfloat16
    case 34: case 43: return 4;               // int32, float32
    case 35: case 44: return 8;               // int64, float64
  }
  return 0;
}

void forget(PyObject* object) noexcept;        // extension.pyx: drops a reference, at once or later

inline void release_buffer(Buffer* buffer) noexcept {
  if (!buffer || --buffer->references) return;
  if (buffer->owner) forget(buffer->owner);
  else std::free(buffer->data.load());
  delete buffer;
}

inline void release_call(Call* call) noexcept {
  if (!call || --call->references) return;
  let_go_of_promises(call);
  for (Call* needed : call->needs) release_call(needed);
  if (call->code) forget(call->code);
  std::free(call->failure.text);
  delete call;
}

inline void release_value(Value* value) noexcept {
  if (!value || --value->references) return;
  release_buffer(value->buffer);
  release_value(value->target.load());
  release_call(static_cast<Call*>(value->call));
  if (value->tensor) forget(value->tensor);
  delete value;
}

inline void belongs_to(Value* value, Call* call) noexcept {
  if (!call || value->call) return;
  ++call->references;
  value->call = call;
}

inline void set_shape(Value* value, int axes, const int64_t* shape) noexcept {
  int64_t step = 1;
  value->axes = axes;
  for (int i = axes - 1; i >= 0; --i) {
    value->shape[i] = shape[i];
    value->stride[i] = step;
    step *= shape[i];
  }
}

// A tensor without bytes yet.
inline Value* make(int type, int axes, const int64_t* shape) {
  Value* value = new Value;
  value->type = type;
  set_shape(value, axes, shape);
  value->buffer = new Buffer;
  value->buffer->size = value->elements() * size_of(type);
  belongs_to(value, current.at_once ? nullptr : current.call);
  return value;
}

// Another tensor on the same bytes.
inline Value* view_of(const Value* base) {
  Value* value = new Value;
  value->type = base->type;
  value->axes = base->axes;
  value->offset = base->offset;
  value->buffer = base->buffer;
  ++base->buffer->references;
  for (int i = 0; i < base->axes; ++i) {
    value->shape[i] = base->shape[i];
    value->stride[i] = base->stride[i];
  }
  belongs_to(value, static_cast<Call*>(base->call));
  return value;
}

inline bool allocate(Buffer* buffer) noexcept {
  if (buffer->data.load()) return true;
  size_t size = (buffer->size + 63) / 64 * 64;
  void* made = std::aligned_alloc(64, size ? size : 64);
  if (!made) return false;
  char* nobody = nullptr;
  if (!buffer->data.compare_exchange_strong(nobody, static_cast<char*>(made))) std::free(made);
  return true;
}

inline char* place_of(Value* value) noexcept {
  return value->buffer->data.load() + value->offset * size_of(value->type);
}

inline std::mutex filling;  // two stages may look at one promise; seldom

inline bool is_known(Value* value) noexcept {
  return __atomic_load_n(&value->type, __ATOMIC_ACQUIRE) != 0;
}

// Become what the promise turned out to be; nothing is waited for.
inline bool fill_in(Value* value) {
  std::lock_guard<std::mutex> lock(filling);
  if (value->type != 0) return true;
  Value* target = value->target.load();
  while (target && !is_known(target)) target = target->target.load();
  if (!target) return false;
  set_shape(value, target->axes, target->shape);
  for (int i = 0; i < target->axes; ++i) value->stride[i] = target->stride[i];
  value->offset = target->offset;
  value->buffer = target->buffer;
  ++value->buffer->references;
  belongs_to(value, static_cast<Call*>(target->call));
  __atomic_store_n(&value->type, target->type, __ATOMIC_RELEASE);  // the last: it says all is there
  return true;
}

// In a FrontendTask: its result number `index`.
inline bool give(int index, Value* value, Failure* failure) noexcept {
  Call* call = current.call;
  if (!call || index >= call->outputs) {
    failure->set(ms_ext::RUNTIME, "a result was given outside of the FrontendTask of a call");
    return false;
  }
  ++value->references;
  if (current.results) current.results[index] = value;
  else call->promises[index]->target = value;
  return true;
}

// elements ---------------------------------------------------------------------------------------

inline float half_to_float(uint16_t bits) noexcept {
  uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31, mantissa = bits & 1023;
  uint32_t made;
  if (exponent == 31) made = sign | 0x7F800000u | mantissa << 13;
  else if (exponent) made = sign | (exponent + 112) << 23 | mantissa << 13;
  else return (sign ? -1.0f : 1.0f) * std::ldexp(static_cast<float>(mantissa), -24);
  float number;
  std::memcpy(&number, &made, 4);
  return number;
}

inline uint16_t float_to_half(float number) noexcept {
  uint32_t bits;
  std::memcpy(&bits, &number, 4);
  uint32_t sign = bits >> 16 & 0x8000u;
  float size = std::fabs(number);
  if (!(size == size)) return sign | 0x7E00u;
  if (size >= 65520.0f) return sign | 0x7C00u;
  if (size < 6.103515625e-05f)
    return sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(size, 24)));
  std::memcpy(&bits, &size, 4);
  bits += 0xFFFu + (bits >> 13 & 1);
  return sign | static_cast<uint16_t>((bits >> 13) - (112u << 10));
}

inline float brain_to_float(uint16_t bits) noexcept {
  uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float number;
  std::memcpy(&number, &wide, 4);
  return number;
}

inline uint16_t float_to_brain(float number) noexcept {
  uint32_t bits;
  std::memcpy(&bits, &number, 4);
  if (number != number) return bits >> 16 | 0x40u;
  return (bits + 0x7FFFu + (bits >> 16 & 1)) >> 16;
}

inline bool integral(int type) noexcept { return type < 42; }

inline int64_t whole_at(const char* at, int type) noexcept {
  switch (type) {
    case 30: return *at != 0;
    case 32: return *reinterpret_cast<const int8_t*>(at);
    case 37: return *reinterpret_cast<const uint8_t*>(at);
    case 33: return *reinterpret_cast<const int16_t*>(at);
    case 34: return *reinterpret_cast<const int32_t*>(at);
  }
  return *reinterpret_cast<const int64_t*>(at);
}

inline double real_at(const char* at, int type) noexcept {
  switch (type) {
    case 42: return half_to_float(*reinterpret_cast<const uint16_t*>(at));
    case 43: return *reinterpret_cast<const float*>(at);
    case 44: return *reinterpret_cast<const double*>(at);
    case 45: return brain_to_float(*reinterpret_cast<const uint16_t*>(at));
  }
  return static_cast<double>(whole_at(at, type));
}

// A real number cut to a whole one, as x86-64 does: what does not fit is the smallest number.
inline int64_t cut(double number) noexcept {
  if (!(number > -9.3e18 && number < 9.2233720368547758e18))
    return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(number);
}

inline void put_whole(char* at, int type, int64_t number) noexcept {
  switch (type) {
    case 30: *at = number != 0; break;
    case 32: case 37: *at = static_cast<char>(number); break;
    case 33: *reinterpret_cast<int16_t*>(at) = static_cast<int16_t>(number); break;
    case 34: *reinterpret_cast<int32_t*>(at) = static_cast<int32_t>(number); break;
    default: *reinterpret_cast<int64_t*>(at) = number;
  }
}

inline void put_real(char* at, int type, double number) noexcept {
  switch (type) {
    case 30: *at = number != 0; break;
    case 42: *reinterpret_cast<uint16_t*>(at) = float_to_half(static_cast<float>(number)); break;
    case 43: *reinterpret_cast<float*>(at) = static_cast<float>(number); break;
    case 44: *reinterpret_cast<double*>(at) = number; break;
    case 45: *reinterpret_cast<uint16_t*>(at) = float_to_brain(static_cast<float>(number)); break;
    default: put_whole(at, type, cut(number));
  }
}

inline void put(char* at, int type, const char* from, int source) noexcept {
  if (type == source) std::memcpy(at, from, size_of(type));
  else if (integral(source) && integral(type)) put_whole(at, type, whole_at(from, source));
  else put_real(at, type, real_at(from, source));
}

// target[i] = source[i] for every index i, cast if the dtypes differ; both have bytes.
inline void copy(Value* target, Value* source) noexcept {
  char *to = place_of(target), *from = place_of(source);
  int64_t count = target->elements(), index[ms_ext::MOST_AXES] = {};
  int size_to = size_of(target->type), size_from = size_of(source->type);
  if (target->type == source->type && target->contiguous() && source->contiguous()) {
    std::memmove(to, from, count * size_to);
    return;
  }
  for (int64_t done = 0; done < count; ++done) {
    put(to, target->type, from, source->type);
    for (int axis = target->axes - 1; axis >= 0; --axis) {
      to += target->stride[axis] * size_to;
      from += source->stride[axis] * size_from;
      if (++index[axis] < target->shape[axis]) break;
      to -= index[axis] * target->stride[axis] * size_to;
      from -= index[axis] * source->stride[axis] * size_from;
      index[axis] = 0;
    }
  }
}

}  // namespace lanes
