// What a kernel of func_type="aot" may ask for beside its tensors: attributes, workspace, data of
// its own. Our own statement of the interface that MindSpore calls custom_aot_extra.h: the order of
// the virtual functions and of the members is what libraries are compiled against, so it stays.
//
//   extern "C" int F(int nparam, void** params, int* ndims, int64_t** shapes, const char** dtypes,
//                    void* stream, void* extra);       // returns 0; extra is an AotExtra*
//   extern "C" int FInit(int* ndims, int64_t** shapes, const char** dtypes, AotExtra* extra);
//   extern "C" std::vector<int64_t> FInferShape(int* ndims, int64_t** shapes, AotExtra* extra);
//   extern "C" TypeId FInferType(std::vector<TypeId> inputs, AotExtra* extra);
//
// Several outputs: a vector of vectors, a vector of TypeId. Compile with
// -std=c++17 -D_GLIBCXX_USE_CXX11_ABI=0, as MindSpore is: std::string is part of the interface.
#ifndef MS_EXT_CUSTOM_AOT_EXTRA_H
#define MS_EXT_CUSTOM_AOT_EXTRA_H

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

// Element types, with MindSpore's numbers.
enum TypeId : int {
  kTypeUnknown = 0,
  kNumberTypeBool = 30,
  kNumberTypeInt8 = 32,
  kNumberTypeInt16 = 33,
  kNumberTypeInt32 = 34,
  kNumberTypeInt64 = 35,
  kNumberTypeUInt8 = 37,
  kNumberTypeUInt16 = 38,
  kNumberTypeUInt32 = 39,
  kNumberTypeUInt64 = 40,
  kNumberTypeFloat16 = 42,
  kNumberTypeFloat32 = 43,
  kNumberTypeFloat64 = 44,
  kNumberTypeBFloat16 = 45,
  kNumberTypeComplex64 = 51,
  kNumberTypeComplex128 = 52,
};

// What Init computes once and every call reads: derive from it, give it to SetKernelData.
class AotKernelData {
 public:
  virtual ~AotKernelData() = default;
};

class AotExtra {
 public:
  virtual ~AotExtra() = default;
  virtual bool HasAttr(std::string name) = 0;

  // The attribute `name`; T: bool, int64_t, float, std::string, vectors of int64_t or float, and
  // vectors of those vectors. An exception if there is none, or one of another type.
  template <typename T>
  T Attr(std::string name) {
    if constexpr (std::is_same_v<T, bool>) return GetAttrBool(name);
    else if constexpr (std::is_same_v<T, std::string>) return GetAttrStr(name);
    else if constexpr (std::is_integral_v<T>) return static_cast<T>(GetAttrInt(name));
    else if constexpr (std::is_floating_point_v<T>) return static_cast<T>(GetAttrFloat(name));
    else if constexpr (std::is_same_v<T, std::vector<int64_t>>) return GetAttrIntVec(name);
    else if constexpr (std::is_same_v<T, std::vector<float>>) return GetAttrFloatVec(name);
    else if constexpr (std::is_same_v<T, std::vector<std::vector<int64_t>>>)
      return GetAttrInt2DVec(name);
    else if constexpr (std::is_same_v<T, std::vector<std::vector<float>>>)
      return GetAttrFloat2DVec(name);
    else static_assert(!sizeof(T), "no attribute has this type");
  }

  // Bytes of scratch memory, one number per block: they come after the outputs in `params`.
  void SetWorkSpace(const std::vector<size_t>& sizes) { workspace_ = sizes; }
  const std::vector<size_t>& WorkSpace() const { return workspace_; }

  // The data belongs to the AotExtra from now on, and is deleted with it.
  void SetKernelData(AotKernelData* data) { kernel_data_ = data; }
  AotKernelData* KernelData() const { return kernel_data_; }
  void DestructKernelData() {
    delete kernel_data_;
    kernel_data_ = nullptr;
  }

 private:
  virtual bool GetAttrBool(std::string name) = 0;
  virtual int64_t GetAttrInt(std::string name) = 0;
  virtual float GetAttrFloat(std::string name) = 0;
  virtual std::string GetAttrStr(std::string name) = 0;
  virtual std::vector<int64_t> GetAttrIntVec(std::string name) = 0;
  virtual std::vector<float> GetAttrFloatVec(std::string name) = 0;
  virtual std::vector<std::vector<int64_t>> GetAttrInt2DVec(std::string name) = 0;
  virtual std::vector<std::vector<float>> GetAttrFloat2DVec(std::string name) = 0;

  std::vector<size_t> workspace_;
  AotKernelData* kernel_data_ = nullptr;
};

#endif
