// Element types and shapes, with MindSpore's names and numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

using ShapeVector = std::vector<int64_t>;

namespace mindspore {

// The numbers are MindSpore's; what can be an element type of a tensor is listed, and what a
// program may compare with. (custom_aot_extra.h, which is copied beside sources, has its own list.)
enum TypeId : int {
  kTypeUnknown = 0,
  kMetaTypeNone = 7,
  kObjectTypeNumber = 11,
  kObjectTypeString = 12,
  kObjectTypeList = 13,
  kObjectTypeTuple = 14,
  kObjectTypeTensorType = 17,
  kNumberTypeBegin = 29,
  kNumberTypeBool,
  kNumberTypeInt,
  kNumberTypeInt8,
  kNumberTypeInt16,
  kNumberTypeInt32,
  kNumberTypeInt64,
  kNumberTypeUInt,
  kNumberTypeUInt8,
  kNumberTypeUInt16,
  kNumberTypeUInt32,
  kNumberTypeUInt64,
  kNumberTypeFloat,
  kNumberTypeFloat16,
  kNumberTypeFloat32,
  kNumberTypeFloat64,
  kNumberTypeBFloat16,
  kNumberTypeFloat8E4M3FN,
  kNumberTypeFloat8E5M2,
  kNumberTypeHiFloat8,
  kNumberTypeDouble,
  kNumberTypeComplex,
  kNumberTypeComplex64,
  kNumberTypeComplex128,
  kNumberTypeInt4,
  kNumberTypeGLUInt,
  kNumberTypeEnd,
};

}  // namespace mindspore

namespace ms {

using TypeId = mindspore::TypeId;

}  // namespace ms
