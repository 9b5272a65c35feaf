// The way to the engine: its table of functions, a pointer to a tensor, and work for a stage.
#pragma once

#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>

#include "ms_extension/errors.h"

namespace ms_ext {

MS_EXT_OWN inline const Bridge* known_bridge = nullptr;

// With the GIL: the first call of a library is made by Python.
MS_EXT_OWN MS_EXT_RARE inline const Bridge* find_bridge() {
  py::object module = py::module_::import("ms_ext.engine.stages.cpp_calls");
  py::object capsule = module.attr("bridge");
  void* found = PyCapsule_GetPointer(capsule.ptr(), "ms_ext.bridge");
  if (!found) throw py::error_already_set();
  const Bridge* table = static_cast<const Bridge*>(found);
  if (table->version != BRIDGE_VERSION)
    raise(IMPORT, "This library was built for version " + std::to_string(BRIDGE_VERSION) +
                      " of the interface of C++ operators, but the engine has version " +
                      std::to_string(table->version) + ". Build it again.");
  known_bridge = table;
  return table;
}

MS_EXT_OWN inline const Bridge* bridge() { return known_bridge ? known_bridge : find_bridge(); }

// A reference to a Value.
class Handle {
 public:
  Handle() = default;
  explicit Handle(Value* taken_over) : value_(taken_over) {}
  Handle(const Handle& other) : value_(other.value_) {
    if (value_) value_->references.fetch_add(1, std::memory_order_relaxed);
  }
  Handle(Handle&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  Handle& operator=(Handle other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Handle() {
    if (value_) bridge()->release_value(value_);
  }
  Value* get() const { return value_; }

 private:
  Value* value_ = nullptr;
};

MS_EXT_RARE inline Value* settle(Value* value) {
  if (!value) raise(RUNTIME, "Failure info [The Tensor is not defined].");
  Failure failure;
  if (!bridge()->settled(value, &failure)) throw_failure(&failure);
  return value;
}

// The Value with its dtype and shape known; waits for the FrontendTask that gives them.
inline Value* definite(Value* value) {
#if defined(__GNUC__)
  if (value && __atomic_load_n(&value->type, __ATOMIC_ACQUIRE)) return value;
#endif
  return settle(value);
}

// Text that lives as long as the process, as the names of calls and tasks must.
MS_EXT_OWN inline const char* interned(const std::string& text) {
  static std::mutex mutex;
  static auto* texts = new std::unordered_set<std::string>;
  std::lock_guard<std::mutex> lock(mutex);
  return texts->insert(text).first->c_str();
}

// The operator whose code this thread runs; its tasks are named after it.
MS_EXT_OWN inline thread_local const char* operator_name = "operator";
MS_EXT_OWN inline thread_local bool in_a_stage = false;

// Something to do in a stage.
struct Work {
  const char* name = operator_name;

  virtual ~Work() = default;
  virtual void run() = 0;
};

inline bool run_work(void* context, Failure* failure) noexcept {
  Work* work = static_cast<Work*>(context);
  const char* outer = std::exchange(operator_name, work->name);
  bool staged = std::exchange(in_a_stage, true);
  bool fine = true;
  try {
    work->run();
  } catch (...) {
    note_exception(failure);
    fine = false;
  }
  operator_name = outer;
  in_a_stage = staged;
  return fine;
}

inline void drop_work(void* context) noexcept { delete static_cast<Work*>(context); }

inline Task task_of(Work* work) { return Task{work, run_work, drop_work}; }

inline void wait_for_all() {
  Failure failure;
  if (!bridge()->wait(&failure)) throw_failure(&failure);
}

// Put work on its way to a stage; it is done when this returns where all stages are one, or where
// no PyboostRunner::Call is under way.
inline void dispatch(int stage, Work* work) {
  Failure failure;
  if (!bridge()->dispatch(stage, work->name, task_of(work), &failure)) throw_failure(&failure);
}

template <typename Body>
struct BodyWork final : Work {
  Body body;

  explicit BodyWork(Body&& given) : body(std::move(given)) {}
  void run() override { body(); }
};

template <typename Body>
Work* work_of(Body body) {
  return new BodyWork<Body>(std::move(body));
}

}  // namespace ms_ext
