// SPDX-License-Identifier: MIT
#include "kernel/indexing/saved_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace kuiper_infer {
namespace {

/// An index of the numbers at even places of `numbers`.
template <class T>
ConstArrayView EverySecond(const std::vector<T>& numbers, RuntimeDataType type) {
  return {numbers.data(), TensorSpec(type, {static_cast<int64_t>(numbers.size()) / 2}, {2})};
}

/// Saves rows of a counted array, overwrites them, and expects that restoring brings all of them back.
void Check(const ConstArrayView& index, const std::vector<int64_t>& overwritten) {
  const kernel::ChosenRows rows{2, 5, 3 * sizeof(float), ElementCount(index.spec.shape)};
  std::vector<float> array(2 * 5 * 3);
  std::iota(array.begin(), array.end(), 1.0F);
  const std::vector<float> former = array;
  std::vector<int64_t> saved(static_cast<std::size_t>(kernel::SavedRowsBytes(rows)) / sizeof(int64_t) + 1);
  auto* const bytes = reinterpret_cast<std::byte*>(saved.data());
  kernel::SaveRows(rows, index, array.data(), bytes);
  for (std::size_t block = 0; block < 2; ++block) {
    for (const int64_t row : overwritten) {
      std::fill_n(array.begin() + static_cast<std::ptrdiff_t>(block * 15) + row * 3, 3, -1.0F);
    }
  }
  ASSERT_NE(array, former);
  kernel::RestoreRows(rows, bytes, array.data());
  EXPECT_EQ(array, former);
}

TEST(SavedRowsTest, AllChosenRowsComeBack) {
  const std::vector<int64_t> longs = {3, 99, 0, 99};
  Check(EverySecond(longs, RuntimeDataType::kTypeInt64), {3, 0});
  const std::vector<int32_t> ints = {4, 99, 1, 99, 2, 99};
  Check(EverySecond(ints, RuntimeDataType::kTypeInt32), {4, 1, 2});
}

TEST(SavedRowsTest, NegativeNumbersCountFromTheEndAndRowsMayRepeat) {
  const std::vector<int64_t> numbers = {-1, 99, 2, 99, -1, 99, -5, 99};
  Check(EverySecond(numbers, RuntimeDataType::kTypeInt64), {4, 2, 0});
}

TEST(SavedRowsTest, NumbersOutOfRangeAreLeftOut) {
  const std::vector<int64_t> numbers = {5, 0, -6, 0, 1, 0, INT64_MAX, 0, INT64_MIN, 0};
  Check(EverySecond(numbers, RuntimeDataType::kTypeInt64), {1});
}

TEST(SavedRowsTest, RowsThatFollowEachOther) {
  const TensorSpec spec(RuntimeDataType::kTypeInt32, {2, 5, 3});
  const kernel::ChosenRows rows = kernel::ChooseRows(spec, 1, 2);
  EXPECT_EQ(rows.outer, 2);
  EXPECT_EQ(rows.extent, 5);
  EXPECT_EQ(rows.row_bytes, 12);
  std::vector<int32_t> array(2 * 5 * 3);
  std::iota(array.begin(), array.end(), 1);
  const std::vector<int32_t> former = array;
  std::vector<int64_t> saved(static_cast<std::size_t>(kernel::SavedRowsBytes(rows)) / sizeof(int64_t) + 1);
  auto* const bytes = reinterpret_cast<std::byte*>(saved.data());
  kernel::SaveRows(rows, 3, array.data(), bytes);
  std::fill_n(array.begin() + 9, 6, -1);
  std::fill_n(array.begin() + 24, 6, -1);
  kernel::RestoreRows(rows, bytes, array.data());
  EXPECT_EQ(array, former);
}

}  // namespace
}  // namespace kuiper_infer
