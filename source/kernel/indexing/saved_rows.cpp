// SPDX-License-Identifier: MIT
#include "kernel/indexing/saved_rows.hpp"

#include <cstring>
#include <numeric>

namespace kuiper_infer::kernel {
namespace {

constexpr int64_t kLeftOut = -1;

int64_t NumberAt(const ConstArrayView& index, int64_t i) {
  const int64_t place = index.spec.shape.empty() ? 0 : i * index.spec.strides.front();
  return index.type() == RuntimeDataType::kTypeInt32 ? index.as<int32_t>()[place] : index.as<int64_t>()[place];
}

/// Calls visit(row, copy) for all chosen rows: the number of the row in the array, and that of its copy.
template <class Visit>
void ForEachRow(const ChosenRows& rows, const int64_t* numbers, const Visit& visit) {
  for (int64_t block = 0; block < rows.outer; ++block) {
    for (int64_t i = 0; i < rows.count; ++i) {
      if (numbers[i] != kLeftOut) visit(block * rows.extent + numbers[i], block * rows.count + i);
    }
  }
}

/// Copies rows of `array` to `saved`, behind their numbers, which are there already.
void CopyRows(const ChosenRows& rows, const void* array, std::byte* saved) {
  const auto* from = static_cast<const std::byte*>(array);
  std::byte* to = saved + rows.count * sizeof(int64_t);
  ForEachRow(rows, reinterpret_cast<const int64_t*>(saved), [&](int64_t row, int64_t copy) {
    std::memcpy(to + copy * rows.row_bytes, from + row * rows.row_bytes, static_cast<std::size_t>(rows.row_bytes));
  });
}

}  // namespace

ChosenRows ChooseRows(const TensorSpec& array, int64_t axis, int64_t count) {
  const auto place = array.shape.begin() + axis;
  return {ElementCount({array.shape.begin(), place}), *place, ByteCount(array.type, {place + 1, array.shape.end()}),
          count};
}

int64_t SavedRowsBytes(const ChosenRows& rows) {
  return rows.count * (static_cast<int64_t>(sizeof(int64_t)) + rows.outer * rows.row_bytes);
}

void SaveRows(const ChosenRows& rows, const ConstArrayView& index, const void* array, std::byte* saved) {
  auto* numbers = reinterpret_cast<int64_t*>(saved);
  for (int64_t i = 0; i < rows.count; ++i) {
    const int64_t number = NumberAt(index, i);
    const int64_t row = number < 0 ? number + rows.extent : number;
    numbers[i] = row >= 0 && row < rows.extent ? row : kLeftOut;
  }
  CopyRows(rows, array, saved);
}

void SaveRows(const ChosenRows& rows, int64_t first, const void* array, std::byte* saved) {
  std::iota(reinterpret_cast<int64_t*>(saved), reinterpret_cast<int64_t*>(saved) + rows.count, first);
  CopyRows(rows, array, saved);
}

void RestoreRows(const ChosenRows& rows, const std::byte* saved, void* array) {
  const auto* numbers = reinterpret_cast<const int64_t*>(saved);
  const std::byte* from = saved + rows.count * sizeof(int64_t);
  auto* to = static_cast<std::byte*>(array);
  ForEachRow(rows, numbers, [&](int64_t row, int64_t copy) {
    std::memcpy(to + row * rows.row_bytes, from + copy * rows.row_bytes, static_cast<std::size_t>(rows.row_bytes));
  });
}

}  // namespace kuiper_infer::kernel
