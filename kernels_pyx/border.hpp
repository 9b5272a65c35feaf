// Over the border: kernels of other people's libraries are called here, and nothing that they throw
// comes further. Cython declares what is in namespace `border`.
#pragma once

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "custom_aot_extra.h"

namespace border {

using Kernel = int (*)(int, void**, int*, int64_t**, const char**, void*, void*);
using Init = int (*)(int*, int64_t**, const char**, AotExtra*);
using Shape = std::vector<int64_t>;
using Shapes = std::vector<Shape>;
using Types = std::vector<TypeId>;

inline const char* const KINDS[] = {"bool", "int", "float", "str", "list of int", "list of float",
                                    "list of lists of int", "list of lists of float"};

// One attribute: `kind` is an index of KINDS and says which member holds it.
struct Attribute {
  int kind = 0;
  int64_t integer = 0;
  float real = 0;
  std::string text;
  std::vector<int64_t> integers;
  std::vector<float> reals;
  std::vector<std::vector<int64_t>> integer_rows;
  std::vector<std::vector<float>> real_rows;
};

class Extra : public AotExtra {
 public:
  ~Extra() override { DestructKernelData(); }
  bool HasAttr(std::string name) override { return attributes.count(name) > 0; }

  std::map<std::string, Attribute> attributes;

 private:
  // The attribute if it is of that kind; the text of the exception reaches the learner.
  const Attribute& of_kind(const std::string& name, int kind, int also) {
    auto found = attributes.find(name);
    if (found == attributes.end()) {
      std::string known;
      for (auto& each : attributes) known += (known.empty() ? "'" : ", '") + each.first + "'";
      throw std::runtime_error("there is no attribute '" + name + "'; there " +
                               (known.empty() ? "are none at all" : "is " + known));
    }
    if (found->second.kind != kind && found->second.kind != also)
      throw std::runtime_error("attribute '" + name + "' is a " + KINDS[found->second.kind] +
                               ", asked for as " + KINDS[kind]);
    return found->second;
  }

  bool GetAttrBool(std::string name) override { return of_kind(name, 0, 0).integer != 0; }
  int64_t GetAttrInt(std::string name) override { return of_kind(name, 1, 0).integer; }
  float GetAttrFloat(std::string name) override {
    const Attribute& found = of_kind(name, 2, 1);
    return found.kind == 1 ? static_cast<float>(found.integer) : found.real;
  }
  std::string GetAttrStr(std::string name) override { return of_kind(name, 3, 3).text; }
  std::vector<int64_t> GetAttrIntVec(std::string name) override {
    return of_kind(name, 4, 4).integers;
  }
  std::vector<float> GetAttrFloatVec(std::string name) override { return of_kind(name, 5, 5).reals; }
  std::vector<std::vector<int64_t>> GetAttrInt2DVec(std::string name) override {
    return of_kind(name, 6, 6).integer_rows;
  }
  std::vector<std::vector<float>> GetAttrFloat2DVec(std::string name) override {
    return of_kind(name, 7, 7).real_rows;
  }
};

// What happened inside: 0 it came back, 1 it threw, and `text` (malloc'd) says what.
struct Outcome {
  int code = 0;
  char* text = nullptr;
};

inline char* copied(const char* text) {
  char* made = static_cast<char*>(std::malloc(std::strlen(text) + 1));
  return made ? std::strcpy(made, text) : nullptr;
}

template <typename Work>
inline Outcome guarded(Work work) noexcept {
  Outcome outcome;
  try {
    outcome.code = work();
  } catch (const std::exception& error) {
    outcome.text = copied(error.what());
  } catch (const std::string& text) {
    outcome.text = copied(text.c_str());
  } catch (const char* text) {
    outcome.text = copied(text);
  } catch (...) {
    outcome.text = copied("something that is no std::exception was thrown");
  }
  return outcome;
}

inline Outcome call(Kernel kernel, int count, void** params, int* ndims, int64_t** shapes,
                    const char** dtypes, void* extra) noexcept {
  return guarded([&] { return kernel(count, params, ndims, shapes, dtypes, nullptr, extra); });
}

inline Outcome init(Init function, int* ndims, int64_t** shapes, const char** dtypes,
                    Extra* extra) noexcept {
  return guarded([&] { return function(ndims, shapes, dtypes, extra); });
}

// A function returns a vector of sizes or a vector of vectors, into the same 24 bytes. The bytes
// tell: three ascending sizes above 2^21 are no shape, there are not so many elements; they are the
// begin, end and capacity of a vector.
union Returned {
  Shape flat;
  Shapes nested;
  Returned() {}
  ~Returned() {}

  bool is_nested() const {
    if (flat.empty() || flat.size() % 3) return false;
    bool pointers = false;
    for (size_t i = 0; i < flat.size(); i += 3) {
      int64_t begin = flat[i], end = flat[i + 1], capacity = flat[i + 2];
      if (!begin && !end && !capacity) continue;
      if (begin >> 21 <= 0 || end < begin || capacity < end || (end - begin) % 8) return false;
      pointers = true;
    }
    return pointers;
  }
};

inline Outcome infer_shape(void* function, int* ndims, int64_t** shapes, Extra* extra,
                           Shapes* found, bool* several) noexcept {
  return guarded([&] {
    Returned returned;
    auto asked = reinterpret_cast<Shape (*)(int*, int64_t**, AotExtra*)>(function);
    new (&returned.flat) Shape(asked(ndims, shapes, extra));
    *several = returned.is_nested();
    if (*several) {
      *found = std::move(returned.nested);
      returned.nested.~Shapes();
    } else {
      found->push_back(std::move(returned.flat));
      returned.flat.~Shape();
    }
    return 0;
  });
}

inline Outcome infer_type(void* function, const std::vector<int>& inputs, bool several, Extra* extra,
                          std::vector<int>* found) noexcept {
  return guarded([&] {
    Types types;
    for (int id : inputs) types.push_back(static_cast<TypeId>(id));
    Types results;
    if (several)
      results = reinterpret_cast<Types (*)(Types, AotExtra*)>(function)(types, extra);
    else
      results.push_back(reinterpret_cast<TypeId (*)(Types, AotExtra*)>(function)(types, extra));
    for (TypeId id : results) found->push_back(id);
    return 0;
  });
}

inline double seconds() noexcept {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace border
