// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// An array that kernels read: memory that the caller keeps alive, with type, extents and strides. Strides count
/// elements and may be zero (a broadcast axis) or negative (a reversed axis).
struct ConstArrayView {
  const void* data = nullptr;
  TensorSpec spec;

  template <class T>
  const T* as() const {
    return static_cast<const T*>(data);
  }
  RuntimeDataType type() const { return spec.type; }
  const Shape& shape() const { return spec.shape; }
  const Strides& strides() const { return spec.strides; }
  int64_t rank() const { return spec.rank(); }
  int64_t size() const { return spec.size(); }
};

/// An array that kernels write.
struct ArrayView {
  void* data = nullptr;
  TensorSpec spec;

  template <class T>
  T* as() const {
    return static_cast<T*>(data);
  }
  operator ConstArrayView() const { return {data, spec}; }  // NOLINT: reading is always allowed
  RuntimeDataType type() const { return spec.type; }
  const Shape& shape() const { return spec.shape; }
  const Strides& strides() const { return spec.strides; }
  int64_t rank() const { return spec.rank(); }
  int64_t size() const { return spec.size(); }
};

}  // namespace kuiper_infer
