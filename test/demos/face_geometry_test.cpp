// SPDX-License-Identifier: MIT
#include "face_geometry.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace demos {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

void ExpectBox(const Box& box, float left, float top, float right, float bottom) {
  EXPECT_FLOAT_EQ(box.left, left);
  EXPECT_FLOAT_EQ(box.top, top);
  EXPECT_FLOAT_EQ(box.right, right);
  EXPECT_FLOAT_EQ(box.bottom, bottom);
}

TEST(FaceGeometryTest, ShiftsSidesByPartsOfTheSize) {
  const Box box{10, 20, 30, 60, 0.5F};
  ExpectBox(Shifted(box, {0.1F, -0.1F, 0.5F, 0.25F}, 0), 12, 16, 40, 70);
  ExpectBox(Shifted(box, {1, 1, 0, 0}, 1), 31, 61, 30, 60);
  EXPECT_EQ(Shifted(box, {}, 0).score, 0.5F);
}

TEST(FaceGeometryTest, MakesSquaresAroundTheMiddle) {
  ExpectBox(Square({10, 20, 30, 60, 0}), 0, 20, 40, 60);
  ExpectBox(Square({0, 0, 8, 4, 0}), 0, -2, 8, 6);
}

TEST(FaceGeometryTest, SuppressesBoxesThatOverlapABetterOne) {
  // The first two boxes share 90 of 110 pixels, the third lies in the second, and the fourth overlaps none.
  const std::vector<Box> boxes{{0, 0, 10, 10, 0.8F}, {1, 0, 11, 10, 0.9F}, {2, 2, 6, 6, 0.7F}, {20, 20, 30, 30, 0.6F}};
  EXPECT_THAT(Suppress(boxes, 0.7F, Overlap::kUnion), ElementsAre(1, 2, 3));
  EXPECT_THAT(Suppress(boxes, 0.85F, Overlap::kUnion), ElementsAre(1, 0, 2, 3));
  EXPECT_THAT(Suppress(boxes, 0.7F, Overlap::kSmaller), ElementsAre(1, 3));
  EXPECT_THAT(Suppress({}, 0.7F, Overlap::kUnion), IsEmpty());
}

TEST(FaceGeometryTest, KeepsTheOrderOfEqualScores) {
  const std::vector<Box> boxes{{0, 0, 1, 1, 0.5F}, {5, 5, 6, 6, 0.5F}, {9, 9, 10, 10, 0.9F}};
  EXPECT_THAT(Suppress(boxes, 0.5F, Overlap::kUnion), ElementsAre(2, 0, 1));
}

void ExpectArea(const PixelArea& area, int64_t left, int64_t top, int64_t width, int64_t height) {
  EXPECT_EQ(area.left, left);
  EXPECT_EQ(area.top, top);
  EXPECT_EQ(area.width, width);
  EXPECT_EQ(area.height, height);
}

TEST(FaceGeometryTest, CutsBoxesAtThePicturesBorder) {
  ExpectArea(InPicture({1, 1, 12, 12, 0}, 100, 50), 0, 0, 12, 12);
  ExpectArea(InPicture({5.9F, 7.2F, 20.9F, 30.1F, 0}, 100, 50), 4, 6, 16, 24);
  ExpectArea(InPicture({-20, -3, 400, 300, 0}, 100, 50), 0, 0, 100, 50);
}

TEST(FaceGeometryTest, FindsNoPixelsOutsideThePicture) {
  EXPECT_LE(InPicture({101, 1, 120, 12, 0}, 100, 50).width, 0);
  EXPECT_LE(InPicture({-30, -30, -10, -10, 0}, 100, 50).width, 0);
  EXPECT_LE(InPicture({1, 60, 12, 80, 0}, 100, 50).height, 0);
}

TEST(FaceGeometryTest, StaysInThePictureWhateverTheNumbers) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> numbers{-infinity, -1e30F, -1,    0,        0.5F,         1, 50, 99.9F,
                                   100,       101,    1e30F, infinity, std::nanf("")};
  for (const float first : numbers) {
    for (const float second : numbers) {
      const PixelArea area = InPicture({first, first, second, second, 0}, 100, 50);
      EXPECT_GE(area.left, 0);
      EXPECT_GE(area.top, 0);
      EXPECT_LE(area.left + area.width, 100);
      EXPECT_LE(area.top + area.height, 50);
    }
  }
}

TEST(FaceGeometryTest, ScalesUntilTheWindowCoversThePicture) {
  const std::vector<double> scales = PyramidScales(512, 400, 20);
  ASSERT_EQ(scales.size(), 9U);
  EXPECT_DOUBLE_EQ(scales.front(), 0.6);
  EXPECT_DOUBLE_EQ(scales[1], 0.6 * 0.709);
  EXPECT_GE(400 * scales.back(), 12);
  EXPECT_LT(400 * scales.back() * 0.709, 12);
  EXPECT_EQ(PyramidScales(20, 20, 20).size(), 1U);
  EXPECT_THAT(PyramidScales(19, 500, 20), IsEmpty());
}

}  // namespace
}  // namespace demos
