// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer {

/// A row-major array to which elements are appended along one axis without copying what is there. The memory has room
/// for more elements than the array has, so its views have gaps unless the axis is the first one.
///
/// An array with a window keeps only its last elements. Those before them stay in the memory, whose part in use moves
/// towards its end, until the memory is used up; then the elements that are kept are moved to its front. The memory has
/// at most four times the elements of the longest Reserve.
class GrowingArray {
 public:
  GrowingArray() = default;
  /// An array of extent 0 along `axis`. The extent that `spec` has there does not count. `window`: the most elements
  /// that the array keeps along the axis; 0: all.
  GrowingArray(TensorSpec spec, int64_t axis, int64_t window = 0);

  int64_t axis() const { return axis_; }
  /// The extent along the axis.
  int64_t length() const { return length_; }
  /// Whether elements were dropped because of the window.
  bool dropped() const { return dropped_; }
  void set_dropped(bool dropped) { dropped_ = dropped; }
  /// The place of the first element in the memory.
  int64_t first() const { return first_; }
  /// The extent for which there is memory.
  int64_t capacity() const { return capacity_; }
  /// Bytes of the memory.
  int64_t bytes() const { return buffer_.defined() ? ByteCount(buffer_.type(), buffer_.shape()) : 0; }
  /// Type and shape with the present length, row-major.
  TensorSpec spec() const;
  /// Type and shape with extent 0 along the axis.
  const TensorSpec& empty_spec() const { return spec_; }

  /// Provides memory for `length` elements along the axis, at least twice as much as before if there is not enough.
  /// Throws Error(kResource) and changes nothing if there is no memory.
  void Reserve(int64_t length);
  /// Sets the length, for which Reserve has provided memory. Elements beyond the former length are those that were
  /// written to View, or unspecified. If the length exceeds the window, the first elements are dropped; views of the
  /// others stay valid.
  void SetLength(int64_t length);
  /// The elements from `first` to `last` along the axis, which may lie beyond the length. Invalid after Reserve.
  NdArray View(int64_t first, int64_t last) const;
  /// The address and the strides of such a view, after Reserve.
  void* At(int64_t first) const;
  const Strides& strides() const { return buffer_.strides(); }
  /// The present elements.
  NdArray View() const { return View(0, length_); }
  /// Sets the elements to those of `array`, or the last of them if there is a window. `array` has the type and, along
  /// all other axes, the extents of spec().
  void Assign(const NdArray& array);
  /// A copy with memory of its own.
  GrowingArray Clone() const;

 private:
  void MoveToNew(int64_t capacity);

  TensorSpec spec_;  ///< with extent 0 along the axis
  int64_t axis_ = 0;
  int64_t window_ = 0;
  bool dropped_ = false;
  int64_t first_ = 0;
  int64_t length_ = 0;
  int64_t capacity_ = 0;
  NdArray buffer_;
};

}  // namespace kuiper_infer
