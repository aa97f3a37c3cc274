// SPDX-License-Identifier: MIT
#include "data/growing_array.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "data/memory_budget.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

constexpr int64_t kRows = 3;

/// Appends elements along axis 1 of an array of kRows rows, each the next of its row's numbers.
class Series {
 public:
  explicit Series(int64_t window)
      : array_(TensorSpec(RuntimeDataType::kTypeInt64, {kRows, 0}), 1, window), window_(window) {}

  void Append(int64_t count) {
    const int64_t length = array_.length();
    array_.Reserve(length + count);
    const NdArray added = array_.View(length, length + count);
    for (int64_t row = 0; row < kRows; ++row) {
      for (int64_t i = 0; i < count; ++i) {
        added.data<int64_t>()[row * added.strides()[0] + i] = 1000 * row + total_ + i;
      }
    }
    array_.SetLength(length + count);
    total_ += count;
  }

  void ExpectLastElements() const {
    const int64_t length = window_ > 0 ? std::min(window_, total_) : total_;
    ASSERT_EQ(array_.length(), length);
    const NdArray view = array_.View();
    for (int64_t row = 0; row < kRows; ++row) {
      for (int64_t i = 0; i < length; ++i) {
        ASSERT_EQ(view.data<int64_t>()[row * view.strides()[0] + i], 1000 * row + total_ - length + i)
            << row << " " << i;
      }
    }
  }

  GrowingArray& array() { return array_; }

 private:
  GrowingArray array_;
  int64_t window_ = 0;
  int64_t total_ = 0;
};

TEST(GrowingArrayTest, AWindowKeepsTheLastElements) {
  for (const int64_t window : {1, 2, 7, 64}) {
    for (const std::vector<int64_t>& counts : {std::vector<int64_t>{1}, {3}, {100}, {0, 1, 50, 2}, {1000, 1, 1}}) {
      Series series(window);
      for (std::size_t i = 0; i < 300; ++i) {
        series.Append(counts[i % counts.size()]);
        ASSERT_NO_FATAL_FAILURE(series.ExpectLastElements());
      }
      EXPECT_TRUE(series.array().dropped());
    }
  }
}

TEST(GrowingArrayTest, WithoutAWindowAllElementsAreKept) {
  Series series(0);
  for (int i = 0; i < 200; ++i) series.Append(1 + i % 3);
  series.ExpectLastElements();
  EXPECT_FALSE(series.array().dropped());
}

TEST(GrowingArrayTest, MemoryIsTakenOnceAndUsedAgain) {
  Series series(64);
  for (int i = 0; i < 200; ++i) series.Append(1);
  const GrowingArray& array = series.array();
  const int64_t capacity = array.capacity();
  EXPECT_LE(capacity, 4 * 65);
  int moves = 0;
  int allocations = 0;
  const void* buffer = array.View(-array.first(), 0).raw();
  for (int i = 0; i < 10'000; ++i) {
    const int64_t first = array.first();
    series.Append(1);
    moves += array.first() < first ? 1 : 0;
    allocations += array.View(-array.first(), 0).raw() != buffer ? 1 : 0;
  }
  EXPECT_EQ(allocations, 0);
  EXPECT_GT(moves, 0);
  EXPECT_LE(moves * 64, 10'000) << "each element is moved at most once on average";
  EXPECT_EQ(array.capacity(), capacity);
}

TEST(GrowingArrayTest, TheMemoryOfALongInputIsGivenBack) {
  Series series(8);
  series.Append(10'000);
  EXPECT_GE(series.array().capacity(), 10'000);
  for (int i = 0; i < 20; ++i) series.Append(1);
  EXPECT_LE(series.array().capacity(), 4 * 9);
  series.ExpectLastElements();
}

TEST(GrowingArrayTest, WithoutMemoryForLessMemoryTheElementsStay) {
  Series series(8);
  series.Append(10'000);
  const BudgetScope budget(std::make_shared<MemoryBudget>(1));
  for (int i = 0; i < 20; ++i) series.Append(1);
  EXPECT_GE(series.array().capacity(), 10'000);
  series.ExpectLastElements();
}

TEST(GrowingArrayTest, ACloneHasTheWindow) {
  Series series(5);
  for (int i = 0; i < 12; ++i) series.Append(1);
  GrowingArray clone = series.array().Clone();
  EXPECT_TRUE(clone.dropped());
  EXPECT_EQ(clone.length(), 5);
  EXPECT_EQ(clone.View().data<int64_t>()[0], 7);
  clone.Reserve(9);
  clone.SetLength(9);
  EXPECT_EQ(clone.length(), 5);
  EXPECT_EQ(clone.View().data<int64_t>()[0], 11);
}

TEST(GrowingArrayTest, OfAssignedElementsTheLastAreKept) {
  NdArray values(RuntimeDataType::kTypeInt64, {kRows, 6});
  std::iota(values.data<int64_t>(), values.data<int64_t>() + values.size(), 0);
  GrowingArray array(values.spec(), 1, 4);
  array.Assign(values);
  EXPECT_EQ(array.length(), 4);
  EXPECT_TRUE(array.dropped());
  const NdArray rows = array.View().Contiguous();
  EXPECT_EQ(std::vector<int64_t>(rows.data<int64_t>(), rows.data<int64_t>() + 12),
            (std::vector<int64_t>{2, 3, 4, 5, 8, 9, 10, 11, 14, 15, 16, 17}));
}

TEST(GrowingArrayTest, MoreElementsThanCanBeCountedAreRefused) {
  for (const int64_t window : {0, 4}) {
    GrowingArray array(TensorSpec(RuntimeDataType::kTypeInt8, {0, 0}), 1, window);
    array.Reserve(INT64_MAX / 8);
    EXPECT_THROW(array.Reserve(INT64_MAX / 8 + 1), Error);
    EXPECT_EQ(array.length(), 0);
    EXPECT_EQ(array.capacity(), INT64_MAX / 8);
  }
}

}  // namespace
}  // namespace kuiper_infer
