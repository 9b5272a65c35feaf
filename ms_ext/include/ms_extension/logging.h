// MS_LOG(WARNING) << ..., MS_EXCEPTION(ValueError) << ..., MS_EXCEPTION_IF_NULL and their like.
// As in MindSpore the names after MS_EXCEPTION are those of namespace mindspore.
#pragma once

#include <cstdlib>
#include <sstream>
#include <type_traits>
#include <vector>

#include "ms_extension/connect.h"

namespace mindspore {

enum ExceptionType {
  NoExceptionType = 0,
  UnknownError,
  ArgumentError,
  NotSupportError,
  NotExistsError,
  DeviceProcessError,
  AbortedError,
  IndexError,
  ValueError,
  TypeError,
  ShapeError,
  KeyError,
  AttributeError,
  NameError,
  AssertionError,
  BaseException,
  KeyboardInterrupt,
  Exception,
  StopIteration,
  OverflowError,
  ZeroDivisionError,
  EnvironmentError,
  IOError,
  OSError,
  ImportError,
  MemoryError,
  UnboundLocalError,
  RuntimeError,
  NotImplementedError,
  IndentationError,
  RuntimeWarning,
};

enum MsLogLevel : int { kDebug = 0, kInfo, kWarning, kError, kException };

}  // namespace mindspore

namespace ms_ext {

// A line in the making; vectors are written as MindSpore does.
class Line {
 public:
  template <typename T>
  Line& operator<<(const T& part) {
    if constexpr (std::is_enum_v<T>) text_ << static_cast<std::underlying_type_t<T>>(part);
    else text_ << part;
    return *this;
  }
  template <typename T>
  Line& operator<<(const std::vector<T>& parts) {
    text_ << "[const vector]{";
    for (size_t i = 0; i < parts.size(); ++i) *this << (i ? ", " : "") << T(parts[i]);
    text_ << "}";
    return *this;
  }
  Line& operator<<(std::ostream& (*manipulator)(std::ostream&)) {
    manipulator(text_);
    return *this;
  }
  std::string str() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

inline int kind_of(mindspore::ExceptionType type) {
  switch (type) {
    case mindspore::IndexError: return INDEX;
    case mindspore::ValueError: return VALUE;
    case mindspore::TypeError: return TYPE;
    case mindspore::KeyError: return KEY;
    case mindspore::AttributeError: return ATTRIBUTE;
    case mindspore::MemoryError: return MEMORY;
    case mindspore::NotImplementedError: return NOT_IMPLEMENTED;
    case mindspore::OverflowError: return OVERFLOW_;
    case mindspore::ZeroDivisionError: return ZERO_DIVISION;
    case mindspore::AssertionError: return ASSERTION;
    case mindspore::NameError: return NAME;
    case mindspore::OSError: case mindspore::IOError: return OS;
    case mindspore::ImportError: return IMPORT;
    default: return RUNTIME;
  }
}

// `Thrower{type} ^ Line() << ...`: << binds closer than ^, so the whole line is there to throw.
struct Thrower {
  mindspore::ExceptionType type;

  [[noreturn]] MS_EXT_RARE void operator^(const Line& line) const {
    raise(kind_of(type), line.str());
  }
};

// GLOG_v says from where on lines are shown, as in Python.
inline bool is_shown(int level) {
  static const char* asked = std::getenv("GLOG_v");
  return level >= (asked && *asked >= '0' && *asked <= '4' ? *asked - '0' : mindspore::kWarning);
}

struct Logger {
  int level;

  MS_EXT_RARE void operator<(const Line& line) const {
    bridge()->log(level, line.str().c_str());
  }
};

}  // namespace ms_ext

#define MS_EXT_LOG(level) \
  !::ms_ext::is_shown(level) ? void(0) : ::ms_ext::Logger{level} < ::ms_ext::Line()
#define MS_EXT_LOG_DEBUG MS_EXT_LOG(::mindspore::kDebug)
#define MS_EXT_LOG_INFO MS_EXT_LOG(::mindspore::kInfo)
#define MS_EXT_LOG_WARNING MS_EXT_LOG(::mindspore::kWarning)
#define MS_EXT_LOG_ERROR MS_EXT_LOG(::mindspore::kError)
#define MS_EXT_LOG_EXCEPTION MS_EXCEPTION(::mindspore::NoExceptionType)
#define MS_EXT_LOG_INTERNAL_EXCEPTION MS_EXCEPTION(::mindspore::NoExceptionType)

#define MS_LOG(level) MS_EXT_LOG_##level
#define MS_EXCEPTION(type) ::ms_ext::Thrower{type} ^ ::ms_ext::Line()
#define MS_INTERNAL_EXCEPTION(type) MS_EXCEPTION(type)

#define MS_EXCEPTION_IF_NULL(ptr)                                             \
  do {                                                                        \
    if ((ptr) == nullptr) {                                                   \
      MS_LOG(EXCEPTION) << "The pointer[" << #ptr << "] is null.";            \
    }                                                                         \
  } while (0)

#define MS_EXCEPTION_IF_CHECK_FAIL(condition, error_info)                     \
  do {                                                                        \
    if (!(condition)) {                                                       \
      MS_LOG(EXCEPTION) << "Failure info [" << (error_info) << "].";          \
    }                                                                         \
  } while (0)

#define MS_EXCEPTION_IF_ZERO(name, value)                                     \
  do {                                                                        \
    if ((value) == 0) {                                                       \
      MS_LOG(EXCEPTION) << "The " << (name) << " is zero.";                   \
    }                                                                         \
  } while (0)

#define MS_ERROR_IF_NULL_W_RET_VAL(ptr, val)                                  \
  do {                                                                        \
    if ((ptr) == nullptr) {                                                   \
      MS_LOG(ERROR) << ": The pointer[" << #ptr << "] is null.";              \
      return val;                                                             \
    }                                                                         \
  } while (0)
#define MS_ERROR_IF_NULL(ptr) MS_ERROR_IF_NULL_W_RET_VAL(ptr, false)

#ifdef DEBUG
#include <cassert>
#define MS_ASSERT(f) assert(f)
#else
#define MS_ASSERT(f) ((void)0)
#endif
