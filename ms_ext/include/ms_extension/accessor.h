// a[i][j] and a(i, j) on a tensor's elements, whatever its strides.
#pragma once

#include "ms_extension/logging.h"
#include "ms_extension/types.h"

namespace ms_ext {

[[noreturn]] MS_EXT_RARE inline void refuse_index(size_t index, int64_t size, bool last) {
  MS_LOG(EXCEPTION) << "Failure info [Index " << index << " is out of bounds for "
                    << (last ? "a tensor with size " : "dimension with size ") << size << ".].";
}

}  // namespace ms_ext

namespace ms {

// The sizes and strides of the axes that are left, N of them; they belong to a tensor's Value.
// [] is checked against the size of its axis, () is not.
template <typename T, size_t N>
class TensorAccessor {
 public:
  TensorAccessor(T* data, const int64_t* shape, const int64_t* stride)
      : data_(data), shape_(shape), stride_(stride) {}

  template <typename... Indices>
  T& operator()(Indices... indices) const {
    static_assert(sizeof...(Indices) == N, "one index for each axis");
    int64_t offset = 0;
    int axis = 0;
    ((offset += static_cast<int64_t>(indices) * stride_[axis++]), ...);
    return data_[offset];
  }

  decltype(auto) operator[](size_t index) const {
    if (index >= static_cast<size_t>(shape_[0])) ms_ext::refuse_index(index, shape_[0], N == 1);
    T* place = data_ + static_cast<int64_t>(index) * stride_[0];
    if constexpr (N == 1) return static_cast<T&>(*place);
    else return TensorAccessor<T, N - 1>(place, shape_ + 1, stride_ + 1);
  }

  T* data_ptr() const { return data_; }
  bool is_contiguous() const {
    for (size_t i = 0; i + 1 < N; ++i)
      if (stride_[i] != shape_[i + 1] * stride_[i + 1]) return false;
    return true;
  }

 private:
  T* data_;
  const int64_t* shape_;
  const int64_t* stride_;
};

}  // namespace ms
