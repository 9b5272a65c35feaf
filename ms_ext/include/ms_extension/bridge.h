// What passes between an operator's library and the engine: plain data and one table of functions,
// so that any C++ library and any ABI flag will do. The engine's side is kernels_pyx/extension.pyx.
//
//   Buffer   bytes, perhaps not allocated yet
//   Value    a tensor: dtype, shape, strides on a Buffer; or the promise of one
//   Task     something to do in a stage
//   Failure  what was thrown, on its way to the learner
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

typedef struct _object PyObject;

namespace ms_ext {

constexpr int BRIDGE_VERSION = 1;
constexpr int MOST_AXES = 8;

// What is raised in Python; the order is that of KINDS in extension.pyx.
enum Kind : int {
  RUNTIME, VALUE, TYPE, INDEX, MEMORY, NOT_IMPLEMENTED, ATTRIBUTE, KEY, OVERFLOW_, ZERO_DIVISION,
  ASSERTION, NAME, OS, IMPORT, RAISED  // RAISED: Python's error indicator is set already
};

struct Failure {
  int kind = -1;
  char* text = nullptr;  // malloc'd

  explicit operator bool() const { return kind >= 0; }
  void set(int which, const char* words) {
    kind = which;
    text = static_cast<char*>(std::malloc(std::strlen(words) + 1));
    if (text) std::strcpy(text, words);
  }
};

// Bytes. `data` is null until they are needed; `owner` is the Python object that they belong to, or
// null: they were allocated here and are freed with the Buffer.
struct Buffer {
  std::atomic<long> references{1};
  std::atomic<char*> data{nullptr};
  size_t size = 0;
  PyObject* owner = nullptr;
};

// A tensor. Strides and offset count elements. `type` is a TypeId, 0: nothing is known yet, it is
// the promise of a call's result; `target` is what that turned out to be.
struct Value {
  std::atomic<long> references{1};
  std::atomic<Value*> target{nullptr};
  Buffer* buffer = nullptr;
  void* call = nullptr;         // the call whose promise this is (engine's side)
  PyObject* tensor = nullptr;   // the Python tensor it came from, or was recorded as; owned
  bool constant = false;        // no gradient comes through it: made of constants alone
  int type = 0, axes = 0;
  int64_t shape[MOST_AXES] = {}, stride[MOST_AXES] = {};
  int64_t offset = 0;

  int64_t elements() const {
    int64_t product = 1;
    for (int i = 0; i < axes; ++i) product *= shape[i];
    return product;
  }
  bool contiguous() const {
    int64_t step = 1;
    for (int i = axes - 1; i >= 0; --i) {
      if (shape[i] != 1 && stride[i] != step && elements() != 0) return false;
      step *= shape[i];
    }
    return true;
  }
};

enum Stage : int { FRONTEND, DEVICE, LAUNCH };

// Something to do in a stage. `run` says false if it failed; `drop` frees `context`, always once.
struct Task {
  void* context;
  bool (*run)(void* context, Failure* failure);
  void (*drop)(void* context);
};

// An argument of a Python function: `kind` says which member holds it.
struct Argument {
  enum : int { NONE, TENSOR, INT, REAL, BOOL, TEXT, INTS, OBJECT } kind = NONE;
  Value* value = nullptr;
  int64_t integer = 0;
  double real = 0;
  const char* text = nullptr;
  const int64_t* integers = nullptr;
  size_t count = 0;
  PyObject* object = nullptr;
};

// A Function's Backward: gradients (null: zero) of `count` inputs. `given` are the douts, then what
// was saved, as it is on the tape now.
using backward_t = bool (*)(void* context, Value** given, int many, Value** gradients, int count,
                            Failure* failure);

// The engine's functions. Those that may fail fill a Failure and return null or false. `gil`: only
// with the GIL; the others from any thread.
struct Bridge {
  int version;

  // values
  Value* (*make)(int type, int axes, const int64_t* shape);
  void (*release_value)(Value* value);                  // drops a reference
  Value* (*settled)(Value* value, Failure* failure);    // borrowed; waits for what it is, not for elements
  char* (*data)(Value* value, Failure* failure);        // allocates if nobody did
  Value* (*operate)(const char* what, Value* const* inputs, int count, const int64_t* numbers,
                    int many, Failure* failure);        // cast, contiguous, reshape ...

  // Python (gil)
  bool (*is_tensor)(PyObject* object);
  Value* (*from_python)(PyObject* tensor, Failure* failure);
  PyObject* (*to_python)(Value* value, Failure* failure);          // waits for nothing
  void (*raise)(Failure* failure);                                 // sets Python's error
  bool (*watched)(Value* value);                                   // is its gradient being taken?
  bool (*record)(const char* name, Value** inputs, int count, Value** outputs, int many,
                 Value** saved, int kept, backward_t backward, void (*drop)(void* context),
                 void* context, Failure* failure);

  // calls and stages
  PyObject* (*call)(const char* name, Task frontend, Value** inputs, int count, int outputs,
                    Failure* failure);                             // gil; outputs 0: None
  bool (*promise)(int index, Value* value, Failure* failure);      // in FrontendTask: result `index`
  bool (*dispatch)(int stage, const char* name, Task task, Failure* failure);  // name: lives for ever
  bool (*wait)(Failure* failure);                                  // until nothing is in flight
  void (*log)(int level, const char* text);
  PyObject* (*python)(const char* module, const char* function, const Argument* arguments,
                      int count, Failure* failure);                // takes the GIL; new reference
};

}  // namespace ms_ext
