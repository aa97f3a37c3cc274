// SPDX-License-Identifier: MIT
#include "shape/reshape.hpp"

#include <random>

#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

constexpr RuntimeDataType kType = RuntimeDataType::kTypeFloat32;

TEST(ResolveShape, InfersAndCopiesExtents) {
  EXPECT_EQ(ResolveShape({2, 3, 4}, {2, -1}), (Shape{2, 12}));
  EXPECT_EQ(ResolveShape({2, 3, 4}, {0, -1}), (Shape{2, 12}));
  EXPECT_EQ(ResolveShape({2, 3, 4}, {0, 0, 2, 2}), (Shape{2, 3, 2, 2}));
  EXPECT_EQ(ResolveShape({}, {}), Shape{});
  EXPECT_EQ(ResolveShape({1, 1}, {}), Shape{});
  EXPECT_EQ(ResolveShape({0, 3}, {3, 0}), (Shape{3, 0}));
  EXPECT_EQ(ResolveShape({0, 3}, {-1, 3}), (Shape{0, 3}));
  // Of two open extents of a dynamic model, the first one keeps the input's extent.
  EXPECT_EQ(ResolveShape({2, 3, 4}, {-1, 3, -1}), (Shape{2, 3, 4}));
}

TEST(ResolveShape, NamesBothShapesInErrors) {
  const std::vector<std::pair<Shape, Shape>> broken = {{{2, 3}, {4}},
                                                       {{2, 3}, {4, -1}},
                                                       {{2, 3}, {-2, 3}},
                                                       {{2}, {1, 0}},
                                                       {{0, 3}, {0, -1}},
                                                       {{2}, {1, 1, -1, -1, -1}},
                                                       {{2, 3}, {INT64_MAX, INT64_MAX}}};
  for (const auto& [from, to] : broken) {
    try {
      ResolveShape(from, to);
      ADD_FAILURE() << ShapeString(from) << " " << ShapeString(to);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kShape);
    }
  }
  try {
    ResolveShape({2, 3}, {4});
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("(2,3)"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("(4)"), std::string::npos) << error.what();
  }
}

/// Returns the offset of the index-th element in row-major order.
int64_t OffsetOf(const Shape& shape, const Strides& strides, int64_t index) {
  int64_t offset = 0;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    offset += index % shape[axis] * strides[axis];
    index /= shape[axis];
  }
  return offset;
}

TEST(ReshapeStrides, ReadsTheSameElementsInTheSameOrder) {
  std::mt19937 generator(3);
  int views = 0;
  int copies = 0;
  for (int i = 0; i < 2000; ++i) {
    // The array is permuted and partly sliced, and gets a random factorisation of its size as shape.
    const int64_t rank = static_cast<int64_t>(generator() % 5);
    Shape storage;
    for (int64_t axis = 0; axis < rank; ++axis) storage.push_back(1 + static_cast<int64_t>(generator() % 4));
    Strides strides = RowMajorStrides(storage);
    Shape shape = storage;
    for (int64_t axis = 0; axis < rank; ++axis) {
      const auto other = static_cast<std::size_t>(generator() % static_cast<uint32_t>(rank));
      if (generator() % 3 == 0) {
        std::swap(shape[axis], shape[other]);
        std::swap(strides[axis], strides[other]);
      }
      if (generator() % 4 == 0 && shape[axis] > 1) --shape[axis];
      if (generator() % 8 == 0 && shape[axis] == 1) strides[axis] = 0;
    }
    int64_t count = ElementCount(shape);
    Shape target;
    for (int64_t rest = count; rest > 1;) {
      int64_t factor = 1 + static_cast<int64_t>(generator() % static_cast<uint32_t>(rest));
      while (rest % factor != 0) ++factor;
      target.push_back(factor);
      rest /= factor;
      if (target.size() > 6) break;
    }
    if (ElementCount(target) != count) continue;
    SCOPED_TRACE(ShapeString(shape) + " with strides " + ShapeString(strides) + " to " + ShapeString(target));
    const auto found = ReshapeStrides(TensorSpec(kType, shape, strides), target);
    (found ? views : copies) += 1;
    if (!found) continue;
    for (int64_t k = 0; k < count; ++k) ASSERT_EQ(OffsetOf(target, *found, k), OffsetOf(shape, strides, k));
  }
  EXPECT_GT(views, 100);
  EXPECT_GT(copies, 100);
}

TEST(ReshapeStrides, FindsViewsWhereTheyExist) {
  // The last two of three axes are swapped. The first axis can be split; the other two must stay as they are.
  const TensorSpec swapped(kType, {4, 3, 5}, {15, 1, 3});
  EXPECT_EQ(*ReshapeStrides(swapped, {2, 2, 3, 5}), (Strides{30, 15, 1, 3}));
  EXPECT_FALSE(ReshapeStrides(swapped, {4, 15}).has_value());
  // In a slice of columns, rows are not adjacent.
  const TensorSpec columns(kType, {4, 6}, {10, 1});
  EXPECT_EQ(*ReshapeStrides(columns, {2, 2, 3, 2}), (Strides{20, 10, 2, 1}));
  EXPECT_FALSE(ReshapeStrides(columns, {24}).has_value());
}

TEST(FlattenShape, MergesARange) {
  EXPECT_EQ(FlattenShape({2, 3, 4}, 1, 2), (Shape{2, 12}));
  EXPECT_EQ(FlattenShape({2, 3, 4}, 1, 1), (Shape{2, 3, 4}));
  EXPECT_EQ(FlattenShape({}, 0, 0), (Shape{1}));
  EXPECT_THROW(FlattenShape({2, 3, 4}, 2, 1), Error);
}

}  // namespace
}  // namespace kuiper_infer
