// What is thrown, and how it travels: an exception in C++, a Failure on the bridge, an error in
// Python. `Error` keeps which class of Python error it is; pybind11 raises it as that.
#pragma once

#include <pybind11/pybind11.h>

#include <new>
#include <stdexcept>
#include <string>

#include "ms_extension/bridge.h"

namespace py = pybind11;

// One copy for each operator's library, even where two libraries have the same class names.
#if defined(__GNUC__)
#define MS_EXT_OWN __attribute__((visibility("hidden")))
#define MS_EXT_RARE __attribute__((noinline, cold))
#else
#define MS_EXT_OWN
#define MS_EXT_RARE
#endif

namespace ms_ext {

inline PyObject* python_class_of(int kind) {
  switch (kind) {
    case VALUE: return PyExc_ValueError;
    case TYPE: return PyExc_TypeError;
    case INDEX: return PyExc_IndexError;
    case MEMORY: return PyExc_MemoryError;
    case NOT_IMPLEMENTED: return PyExc_NotImplementedError;
    case ATTRIBUTE: return PyExc_AttributeError;
    case KEY: return PyExc_KeyError;
    case OVERFLOW_: return PyExc_OverflowError;
    case ZERO_DIVISION: return PyExc_ZeroDivisionError;
    case ASSERTION: return PyExc_AssertionError;
    case NAME: return PyExc_NameError;
    case OS: return PyExc_OSError;
    case IMPORT: return PyExc_ImportError;
  }
  return PyExc_RuntimeError;
}

class MS_EXT_OWN Error : public py::builtin_exception {
 public:
  Error(int kind, const std::string& text) : py::builtin_exception(text), kind_(kind) {}
  void set_error() const override { PyErr_SetString(python_class_of(kind_), what()); }
  int kind() const { return kind_; }

 private:
  int kind_;
};

[[noreturn]] MS_EXT_RARE inline void raise(int kind, const std::string& text) {
  throw Error(kind, text);
}

// What the engine refused. RAISED: Python's error indicator is set already.
[[noreturn]] MS_EXT_RARE inline void throw_failure(Failure* failure) {
  if (failure->kind == RAISED && PyErr_Occurred()) {
    std::free(failure->text);
    throw py::error_already_set();
  }
  std::string text = failure->text ? failure->text : "";
  std::free(failure->text);
  throw Error(failure->kind == RAISED ? RUNTIME : failure->kind, text);
}

// A Python error that C++ code let through, perhaps on a thread that has no GIL.
MS_EXT_RARE inline void note_python_error(py::error_already_set& error, Failure* failure) {
  PyGILState_STATE state = PyGILState_Ensure();
  int kind = RUNTIME;
  for (int each = VALUE; each < RAISED; ++each)
    if (error.matches(python_class_of(each))) kind = each;
  PyObject* text = PyObject_Str(error.value().ptr());
  const char* words = text ? PyUnicode_AsUTF8(text) : nullptr;
  failure->set(kind, words ? words : error.what());
  PyErr_Clear();
  Py_XDECREF(text);
  PyGILState_Release(state);
}

// In a catch (...): the exception that is under way becomes a Failure.
MS_EXT_RARE inline void note_exception(Failure* failure) noexcept {
  try {
    throw;
  } catch (const Error& error) {
    failure->set(error.kind(), error.what());
  } catch (py::error_already_set& error) {
    note_python_error(error, failure);
  } catch (const std::bad_alloc& error) {
    failure->set(MEMORY, error.what());
  } catch (const py::value_error& error) {
    failure->set(VALUE, error.what());
  } catch (const py::type_error& error) {
    failure->set(TYPE, error.what());
  } catch (const py::index_error& error) {
    failure->set(INDEX, error.what());
  } catch (const py::key_error& error) {
    failure->set(KEY, error.what());
  } catch (const std::out_of_range& error) {
    failure->set(INDEX, error.what());
  } catch (const std::logic_error& error) {  // invalid_argument, domain_error, length_error
    failure->set(VALUE, error.what());
  } catch (const std::overflow_error& error) {
    failure->set(OVERFLOW_, error.what());
  } catch (const std::range_error& error) {
    failure->set(VALUE, error.what());
  } catch (const std::exception& error) {
    failure->set(RUNTIME, error.what());
  } catch (...) {
    failure->set(RUNTIME, "A C++ operator threw something that is no std::exception.");
  }
}

}  // namespace ms_ext
