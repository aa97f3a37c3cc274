// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kuiper_infer/utils/shape.hpp"
#include "utils/rounding.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {

/// A loop over N arrays of one shape, each with its own strides. Neighbouring axes are merged if all arrays allow it.
/// The last axis is a row, which the body of the loop processes. A loop is made once and run many times.
template <std::size_t N>
class RowLoop {
 public:
  using Offsets = std::array<int64_t, N>;

  RowLoop(const Shape& shape, const std::array<Strides, N>& strides) {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      Axis axis{shape[i], {}};
      for (std::size_t k = 0; k < N; ++k) axis.strides[k] = strides[k][i];
      if (shape[i] == 1) continue;
      if (!axes_.empty() && Merges(axes_.back(), axis)) {
        axis.extent *= axes_.back().extent;
        axes_.back() = axis;
      } else {
        axes_.push_back(axis);
      }
    }
    if (!axes_.empty()) {
      row_ = axes_.back();
      axes_.pop_back();
    }
    for (const Axis& axis : axes_) rows_ *= axis.extent;
  }

  int64_t row_length() const { return row_.extent; }
  /// The distance between neighbours of a row, for each array.
  const Offsets& strides() const { return row_.strides; }

  /// Calls body(offsets, count) for all rows in row-major order, on the caller's thread.
  template <class Body>
  void ForEachInOrder(const Body& body) const {
    if (row_.extent == 0) return;
    for (int64_t row = 0; row < rows_; ++row) body(Locate(row), row_.extent);
  }

  /// Calls body(offsets, count) for pieces of rows, in parallel if there is enough work (`cost` operations per
  /// element). The offsets are those of the piece's first elements, counted from each array's first element. If there
  /// are too few rows for several pieces a thread, long rows are cut.
  template <class Body>
  void ForEach(int64_t cost, const Body& body) const {
    if (rows_ * row_.extent == 0) return;
    constexpr int64_t kPieces = 4;  // for each thread
    const int64_t wanted = MaxThreads() > 1 ? DivideUp(kPieces * MaxThreads(), rows_) : 1;
    const int64_t parts = std::clamp<int64_t>(row_.extent / GrainFor(cost), 1, wanted);
    ParallelFor(rows_ * parts, GrainFor(cost * row_.extent / parts), [&](int64_t first, int64_t last) {
      for (int64_t piece = first; piece < last; ++piece) {
        const int64_t begin = row_.extent * (piece % parts) / parts;
        Offsets offsets = Locate(piece / parts);
        for (std::size_t k = 0; k < N; ++k) offsets[k] += begin * row_.strides[k];
        body(offsets, row_.extent * (piece % parts + 1) / parts - begin);
      }
    });
  }

 private:
  struct Axis {
    int64_t extent = 1;
    Offsets strides{};
  };

  static bool Merges(const Axis& outer, const Axis& inner) {
    for (std::size_t k = 0; k < N; ++k) {
      if (outer.strides[k] != inner.strides[k] * inner.extent) return false;
    }
    return true;
  }

  Offsets Locate(int64_t row) const {
    Offsets offsets{};
    for (std::size_t i = axes_.size(); i-- > 0;) {
      const int64_t position = row % axes_[i].extent;
      row /= axes_[i].extent;
      for (std::size_t k = 0; k < N; ++k) offsets[k] += position * axes_[i].strides[k];
    }
    return offsets;
  }

  std::vector<Axis> axes_;
  Axis row_;
  int64_t rows_ = 1;
};

}  // namespace kuiper_infer
