// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// Calls body(index) for all indices of a shape in row-major order.
template <class Body>
void ForEachIndex(const Shape& shape, const Body& body) {
  std::vector<int64_t> index(shape.size(), 0);
  for (int64_t i = 0; i < ElementCount(shape); ++i) {
    body(index);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
}

/// Returns the offset of an index tuple from the array's first element, in elements.
inline int64_t OffsetOf(const std::vector<int64_t>& index, const Strides& strides) {
  return std::inner_product(index.begin(), index.end(), strides.begin(), int64_t{0});
}

/// The layouts that an array may have.
enum class Layout {
  kRowMajor,  ///< without gaps
  kAny,       ///< axes in any order in memory, with gaps, some of them reversed
  kRepeated,  ///< like kAny, but some axes have stride 0: only for arrays that are read
};

/// An array of generated layout: its strides, and memory whose margins and gaps hold a sentinel.
template <class T>
class StridedArray {
 public:
  StridedArray(const Shape& shape, Layout layout, std::mt19937& generator)
      : shape_(shape), strides_(RowMajorStrides(shape)) {
    if (layout != Layout::kRowMajor) Scatter(layout, generator);
    int64_t below = 0;
    int64_t above = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const int64_t reach = std::max<int64_t>(shape[axis] - 1, 0) * strides_[axis];
      (reach < 0 ? below : above) += reach;
    }
    first_ = kMargin - below;
    // A sentinel of bytes 0xA5, which is a number in every type; bool has only 0 and 1.
    memory_.assign(static_cast<std::size_t>(first_ + above + 1 + kMargin), Sentinel());
  }

  const Shape& shape() const { return shape_; }
  const Strides& strides() const { return strides_; }
  T* data() { return Elements() + first_; }
  const T* data() const { return reinterpret_cast<const T*>(memory_.data()) + first_; }
  T& At(const std::vector<int64_t>& index) { return data()[OffsetOf(index, strides_)]; }
  const T& At(const std::vector<int64_t>& index) const { return data()[OffsetOf(index, strides_)]; }

  /// Sets every element, in row-major order of the indices.
  template <class Draw>
  void Fill(const Draw& draw) {
    ForEachIndex(shape_, [&](const auto& index) { At(index) = draw(); });
  }

  /// The number of elements in its memory, and each of these elements.
  int64_t memory_size() const { return static_cast<int64_t>(memory_.size()); }
  const T& memory(int64_t i) const { return reinterpret_cast<const T*>(memory_.data())[i]; }

 private:
  /// Has as many bytes as T. std::vector<bool> would have no array of bools.
  struct alignas(T) Cell {
    std::byte bytes[sizeof(T)];
  };
  static constexpr int64_t kMargin = 5;

  static Cell Sentinel() {
    Cell cell;
    std::fill(std::begin(cell.bytes), std::end(cell.bytes), std::is_same_v<T, bool> ? std::byte{1} : std::byte{0xA5});
    return cell;
  }
  T* Elements() { return reinterpret_cast<T*>(memory_.data()); }

  void Scatter(Layout layout, std::mt19937& generator) {
    std::vector<std::size_t> order(shape_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (generator() % 2 == 0) std::shuffle(order.begin(), order.end(), generator);
    int64_t stride = generator() % 3 == 0 ? 2 : 1;
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::size_t axis = order[i];
      if (layout == Layout::kRepeated && generator() % 4 == 0) {
        strides_[axis] = 0;
        continue;
      }
      strides_[axis] = generator() % 5 == 0 ? -stride : stride;
      stride = stride * std::max<int64_t>(shape_[axis], 1) + (generator() % 3 == 0 ? 3 : 0);
    }
  }

  Shape shape_;
  Strides strides_;
  int64_t first_ = 0;
  std::vector<Cell> memory_;
};

/// Returns a shape of up to five axes whose extents lie around vector widths and whose last axis is the longest.
/// Sometimes an axis is empty.
inline Shape RandomShape(std::mt19937& generator) {
  constexpr int64_t kLong[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65};
  Shape shape(generator() % 6);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const bool last = axis + 1 == shape.size();
    shape[axis] = generator() % 40 == 0 ? 0 : (last ? kLong[generator() % 13] : kLong[generator() % 5]);
    if (shape.size() == 5 && !last) shape[axis] = std::min<int64_t>(shape[axis], 3);
  }
  return shape;
}

}  // namespace kuiper_infer
