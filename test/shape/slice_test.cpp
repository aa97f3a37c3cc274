// SPDX-License-Identifier: MIT
#include "shape/slice.hpp"

#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

StridedView Whole(const Shape& shape) { return StridedView(TensorSpec(RuntimeDataType::kTypeFloat32, shape)); }

/// Returns the offsets of a view of rank one.
std::vector<int64_t> Positions(const StridedView& view) {
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < view.shape[0]; ++i) positions.push_back(view.offset + i * view.strides[0]);
  return positions;
}

/// Slices like Python, element by element.
std::vector<int64_t> PythonSlice(int64_t extent, std::optional<int64_t> start, std::optional<int64_t> end,
                                 int64_t step) {
  const auto place = [&](int64_t bound) { return bound < 0 ? bound + extent : bound; };
  std::vector<int64_t> positions;
  const int64_t first = start ? place(*start) : (step > 0 ? 0 : extent - 1);
  const int64_t last = end ? place(*end) : (step > 0 ? extent : -1);
  if (step > 0) {
    int64_t i = first;
    while (i < 0) ++i;  // Python clips the start before it steps
    for (; i < last && i < extent; i += step) positions.push_back(i);
  } else {
    int64_t i = first;
    while (i > extent - 1) --i;
    for (; i > last && i >= 0; i += step) positions.push_back(i);
  }
  return positions;
}

TEST(SliceAxis, EqualsPythonForAllBounds) {
  for (int64_t extent = 0; extent <= 5; ++extent) {
    for (int64_t step : {-7, -2, -1, 1, 2, 3, 9}) {
      for (int64_t start = -8; start <= 8; ++start) {
        for (int64_t end = -8; end <= 8; ++end) {
          // 8 stands for an absent bound.
          const auto first = start == 8 ? std::nullopt : std::optional<int64_t>(start);
          const auto last = end == 8 ? std::nullopt : std::optional<int64_t>(end);
          EXPECT_EQ(Positions(SliceAxis(Whole({extent}), 0, first, last, step)), PythonSlice(extent, first, last, step))
              << extent << ": " << start << ":" << end << ":" << step;
        }
      }
    }
  }
}

TEST(SliceAxis, HugeBoundsAndStepsDoNotOverflow) {
  EXPECT_EQ(Positions(SliceAxis(Whole({3}), 0, INT64_MIN, INT64_MAX, INT64_MAX)), (std::vector<int64_t>{0}));
  EXPECT_EQ(Positions(SliceAxis(Whole({3}), 0, INT64_MAX, INT64_MIN, -1)), (std::vector<int64_t>{2, 1, 0}));
  EXPECT_THROW(SliceAxis(Whole({3}), 0, 0, 3, 0), Error);
  EXPECT_THROW(SliceAxis(Whole({3}), 0, 0, 3, INT64_MIN), Error);
}

TEST(SelectAxis, DropsTheAxis) {
  const StridedView view = SelectAxis(Whole({2, 3, 4}), 1, -1);
  EXPECT_EQ(view.shape, (Shape{2, 4}));
  EXPECT_EQ(view.strides, (Strides{12, 1}));
  EXPECT_EQ(view.offset, 8);
  EXPECT_THROW(SelectAxis(Whole({2, 3}), 1, 3), Error);
  EXPECT_THROW(SelectAxis(Whole({2, 3}), 1, -4), Error);
  EXPECT_THROW(SelectAxis(Whole({0}), 0, 0), Error);
}

TEST(PermuteAxes, RefusesWhatIsNoPermutation) {
  EXPECT_EQ(PermuteAxes(Whole({2, 3, 4}), {2, 0, 1}).strides, (Strides{1, 12, 4}));
  EXPECT_THROW(PermuteAxes(Whole({2, 3}), {0, 0}), Error);
  EXPECT_THROW(PermuteAxes(Whole({2, 3}), {0}), Error);
  EXPECT_THROW(PermuteAxes(Whole({2, 3}), {0, 2}), Error);
  EXPECT_THROW(PermuteAxes(Whole({2, 3}), {}), Error);
}

TEST(TakeDiagonal, ReachesFromCornerToCorner) {
  const auto at = [](int64_t offset) { return TakeDiagonal(Whole({3, 4}), offset, 0, 1); };
  EXPECT_EQ(Positions(at(0)), (std::vector<int64_t>{0, 5, 10}));
  EXPECT_EQ(Positions(at(2)), (std::vector<int64_t>{2, 7}));
  EXPECT_EQ(Positions(at(-1)), (std::vector<int64_t>{4, 9}));
  EXPECT_TRUE(Positions(at(4)).empty());
  EXPECT_TRUE(Positions(at(INT64_MAX)).empty());
  EXPECT_TRUE(Positions(at(INT64_MIN)).empty());
  EXPECT_THROW(TakeDiagonal(Whole({3, 4}), 0, 1, 1), Error);
}

TEST(UnfoldAxis, OverlappingWindows) {
  const StridedView view = UnfoldAxis(Whole({2, 7}), 1, 3, 2);
  EXPECT_EQ(view.shape, (Shape{2, 3, 3}));
  EXPECT_EQ(view.strides, (Strides{7, 2, 1}));
  EXPECT_THROW(UnfoldAxis(Whole({2}), 0, 3, 1), Error);
  EXPECT_THROW(UnfoldAxis(Whole({2}), 0, 1, 0), Error);
}

TEST(DropAxis, NeedsExtentOne) {
  EXPECT_EQ(DropAxis(Whole({2, 1}), 1).shape, (Shape{2}));
  EXPECT_THROW(DropAxis(Whole({2, 1}), 0), Error);
}

}  // namespace
}  // namespace kuiper_infer
