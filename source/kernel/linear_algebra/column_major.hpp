// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

// Arrays are row-major, and LAPACK's matrices are column-major. These functions are the way from one to the other. A
// column-major matrix is also the transposed matrix in row-major order. If a routine can work on the transposed matrix,
// nothing is copied.

/// Copies a row-major matrix whose rows are `from_pitch` elements apart to a column-major one whose columns are
/// `to_pitch` elements apart.
template <class T>
void ToColumns(int64_t rows, int64_t columns, const T* from, int64_t from_pitch, T* to, int64_t to_pitch);
template <class T>
void ToColumns(int64_t rows, int64_t columns, const T* from, T* to) {
  ToColumns(rows, columns, from, columns, to, rows);
}

/// Copies a column-major matrix whose columns are `pitch` elements apart to a row-major one without gaps.
template <class T>
void ToRows(int64_t rows, int64_t columns, const T* from, int64_t pitch, T* to);
template <class T>
void ToRows(int64_t rows, int64_t columns, const T* from, T* to) {
  ToRows(rows, columns, from, rows, to);
}

/// Sets the elements of a row-major matrix below (or above) its diagonal to zero.
template <class T>
void ClearBelowDiagonal(int64_t rows, int64_t columns, T* a);
template <class T>
void ClearAboveDiagonal(int64_t rows, int64_t columns, T* a);

/// Ones on the diagonal of a row-major matrix, zeros elsewhere.
template <class T>
void FillIdentity(int64_t rows, int64_t columns, T* a);

/// Whether no element is NaN or infinite.
template <class T>
bool AllFinite(int64_t count, const T* a);

/// Parts of scratch memory, one behind the other, each aligned as the memory is. If that is null, it only counts.
class ScratchParts {
 public:
  explicit ScratchParts(std::byte* memory) : memory_(memory) {}

  /// The next part, of `count` elements; null without memory.
  template <class T>
  T* Take(int64_t count) {
    T* part = memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + bytes_);
    bytes_ += AlignedBytes(count * static_cast<int64_t>(sizeof(T)));
    return part;
  }
  int64_t bytes() const { return bytes_; }

 private:
  std::byte* memory_;
  int64_t bytes_ = 0;
};

}  // namespace kuiper_infer::kernel
