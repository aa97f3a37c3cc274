// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer {

/// A row-major array to which elements are appended along one axis without copying what is there. The memory has room
/// for more elements than the array has, so its views have gaps unless the axis is the first one.
class GrowingArray {
 public:
  GrowingArray() = default;
  /// An array of extent 0 along `axis`. The extent that `spec` has there does not count.
  GrowingArray(TensorSpec spec, int64_t axis);

  int64_t axis() const { return axis_; }
  /// The extent along the axis.
  int64_t length() const { return length_; }
  /// The extent for which there is memory.
  int64_t capacity() const { return capacity_; }
  /// Bytes of the memory.
  int64_t bytes() const { return buffer_.defined() ? ByteCount(buffer_.type(), buffer_.shape()) : 0; }
  /// Type and shape with the present length, row-major.
  TensorSpec spec() const;

  /// Provides memory for `length` elements along the axis, at least twice as much as before if there is not enough.
  /// Throws Error(kResource) and changes nothing if there is no memory.
  void Reserve(int64_t length);
  /// Sets the length, which must not exceed the capacity. Elements beyond the former length are those that were written
  /// to View, or unspecified.
  void SetLength(int64_t length) { length_ = length; }
  /// The elements from `first` to `last` along the axis, which may lie beyond the length. Invalid after Reserve.
  NdArray View(int64_t first, int64_t last) const;
  /// The present elements.
  NdArray View() const { return View(0, length_); }
  /// Sets the elements to those of `array`, which has the type and, along all other axes, the extents of spec().
  void Assign(const NdArray& array);
  /// A copy with memory of its own.
  GrowingArray Clone() const;

 private:
  TensorSpec spec_;  ///< with extent 0 along the axis
  int64_t axis_ = 0;
  int64_t length_ = 0;
  int64_t capacity_ = 0;
  NdArray buffer_;
};

}  // namespace kuiper_infer
