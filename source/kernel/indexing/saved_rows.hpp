// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// Rows that index numbers choose along one axis of a row-major array. The array has `outer` blocks of `extent` rows of
/// `row_bytes` bytes; `count` rows of each block are chosen.
struct ChosenRows {
  int64_t outer = 0;
  int64_t extent = 0;
  int64_t row_bytes = 0;
  int64_t count = 0;
};

/// `count` rows along an axis of an array that is row-major.
ChosenRows ChooseRows(const TensorSpec& array, int64_t axis, int64_t count);

/// The bytes of a copy of the rows and their numbers.
int64_t SavedRowsBytes(const ChosenRows& rows);

/// Copies the rows of `array` that `index` chooses, with their numbers, to `saved`, which is aligned to 8 bytes.
/// `index` is a vector of `rows.count` numbers of int64 or int32. Numbers from -extent to -1 count from the end;
/// numbers out of range are left out.
void SaveRows(const ChosenRows& rows, const ConstArrayView& index, const void* array, std::byte* saved);
/// SaveRows for the rows from number `first` on, which are all in range.
void SaveRows(const ChosenRows& rows, int64_t first, const void* array, std::byte* saved);

/// Writes the rows that SaveRows has copied back to their places.
void RestoreRows(const ChosenRows& rows, const std::byte* saved, void* array);

}  // namespace kuiper_infer::kernel
