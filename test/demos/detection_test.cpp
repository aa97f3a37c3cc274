// SPDX-License-Identifier: MIT
#include "detection.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "utils/error_text.hpp"

namespace demos {
namespace {

using kuiper_infer::ErrorCode;
using kuiper_infer::ErrorText;
using kuiper_infer::NdArray;
using kuiper_infer::Shape;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Each row holds one candidate's numbers.
using Rows = std::vector<std::vector<float>>;

/// Returns (1, candidates, numbers).
NdArray RowsFirst(const Rows& rows) {
  const auto count = static_cast<int64_t>(rows.front().size());
  NdArray array(kuiper_infer::RuntimeDataType::kTypeFloat32, {1, static_cast<int64_t>(rows.size()), count});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy(rows[i].begin(), rows[i].end(), array.data<float>() + static_cast<int64_t>(i) * count);
  }
  return array;
}

/// Returns (1, numbers, candidates), with more candidates of score 0 so that there are more candidates than numbers.
NdArray NumbersFirst(Rows rows) {
  rows.resize(std::max(rows.size(), rows.front().size() + 1), std::vector<float>(rows.front().size()));
  const NdArray array = RowsFirst(rows);
  const Shape& shape = array.shape();
  return array.AsStrided({1, shape[2], shape[1]}, {shape[1] * shape[2], 1, shape[2]}).Clone();
}

void ExpectBox(const Detection& box, int64_t label, float score, float left, float top, float width, float height) {
  EXPECT_EQ(box.label, label);
  EXPECT_FLOAT_EQ(box.score, score);
  EXPECT_FLOAT_EQ(box.left, left);
  EXPECT_FLOAT_EQ(box.top, top);
  EXPECT_FLOAT_EQ(box.width, width);
  EXPECT_FLOAT_EQ(box.height, height);
}

TEST(DetectionTest, DecodesNumbersByCandidates) {
  const NdArray output = NumbersFirst(
      {{10, 20, 4, 6, 0.1F, 0.7F, 0.2F}, {30, 40, 8, 2, 0.24F, 0.1F, 0.2F}, {50, 60, 20, 30, 0.25F, 0.25F, 0}});
  ASSERT_EQ(output.shape(), (Shape{1, 7, 8}));
  const std::vector<Detection> found = DecodeDetections(output, 0.25F);
  ASSERT_EQ(found.size(), 2);
  ExpectBox(found[0], 1, 0.7F, 8, 17, 4, 6);
  ExpectBox(found[1], 0, 0.25F, 40, 45, 20, 30);
}

TEST(DetectionTest, DecodesCandidatesByNumbersWithObjectness) {
  Rows rows(8, std::vector<float>(7));
  rows[2] = {10, 20, 4, 6, 0.5F, 0.1F, 0.8F};
  rows[3] = {10, 20, 4, 6, 0.5F, 0.1F, 0.4F};  // 0.2: a class' score counts as much as the object's
  rows[5] = {10, 20, 4, 6, 0.2F, 1.0F, 1.0F};
  const NdArray output = RowsFirst(rows);
  ASSERT_EQ(output.shape(), (Shape{1, 8, 7}));
  const std::vector<Detection> found = DecodeDetections(output, 0.25F);
  ASSERT_EQ(found.size(), 1);
  ExpectBox(found[0], 1, 0.4F, 8, 17, 4, 6);
}

TEST(DetectionTest, ReadsViewsAndOtherElementTypes) {
  const Rows rows(9, {10, 20, 4, 6, 0.5F, 0.5F});
  const NdArray array = RowsFirst(rows);
  const NdArray turned = array.AsStrided({1, 6, 9}, {54, 1, 6});  // not contiguous
  EXPECT_EQ(DecodeDetections(turned, 0.25F).size(), 9);
  EXPECT_EQ(DecodeDetections(turned.To(kuiper_infer::RuntimeDataType::kTypeFloat16), 0.25F).size(), 9);
}

TEST(DetectionTest, LeavesOutWhatIsNotFiniteOrHasNoArea) {
  EXPECT_THAT(DecodeDetections(NumbersFirst({{kNan, 20, 4, 6, 0.9F},
                                             {10, kInfinity, 4, 6, 0.9F},
                                             {10, 20, 0, 6, 0.9F},
                                             {10, 20, 4, -6, 0.9F},
                                             {10, 20, 4, 6, kNan},
                                             {10, 20, 4, 6, kInfinity},
                                             {3e38F, 20, 3e38F, 6, 0.9F}}),
                               0),
              IsEmpty());
  EXPECT_THAT(DecodeDetections(RowsFirst(Rows(7, {10, 20, 4, 6, kNan, 0.9F})), 0.25F), IsEmpty());
}

TEST(DetectionTest, CoefficientsOfMasksAreNoClasses) {
  const auto make = [](const Shape& shape) { return NdArray(kuiper_infer::RuntimeDataType::kTypeFloat32, shape); };
  EXPECT_EQ(MaskCoefficients({make({1, 116, 2100}), make({1, 32, 80, 80}), make({1, 112, 2100})}), 32);
  EXPECT_EQ(MaskCoefficients({make({1, 6300, 117}), make({1, 32, 80, 80})}), 32);
  EXPECT_EQ(MaskCoefficients({make({1, 84, 2100}), make({1, 144, 40, 40}), make({1, 144, 20, 20})}), 0);  // raw maps
  EXPECT_EQ(MaskCoefficients({make({1, 84, 2100}), make({1, 80, 2100})}), 0);
  EXPECT_EQ(MaskCoefficients({make({1, 1000})}), 0);
  EXPECT_EQ(MaskCoefficients({}), 0);

  const NdArray output = NumbersFirst({{10, 20, 4, 6, 0.1F, 0.7F, 50, -3}});
  const std::vector<Detection> found = DecodeDetections(output, 0.25F, 2);
  ASSERT_EQ(found.size(), 1);
  ExpectBox(found[0], 1, 0.7F, 8, 17, 4, 6);
  ErrorText(ErrorCode::kShape, [&] { DecodeDetections(output, 0.25F, 4); });
}

TEST(DetectionTest, RefusesOtherOutputs) {
  for (const Shape& shape : {Shape{1, 1000}, Shape{2, 9, 100}, Shape{1, 4, 100}, Shape{1, 100, 5}, Shape{1, 0, 0},
                             Shape{1, 3, 16, 16}, Shape{}}) {
    const NdArray output(kuiper_infer::RuntimeDataType::kTypeFloat32, shape);
    const std::string text = ErrorText(ErrorCode::kShape, [&] { DecodeDetections(output, 0.25F); });
    EXPECT_THAT(text, HasSubstr(kuiper_infer::ShapeString(shape)));
    EXPECT_THAT(text, HasSubstr("(1, 4 + classes, candidates) or (1, candidates, 5 + classes) is expected"));
  }
}

TEST(DetectionTest, OverlapIsIntersectionOverUnion) {
  const Detection box{0, 1, 0, 0, 10, 10};
  EXPECT_FLOAT_EQ(Overlap(box, box), 1);
  EXPECT_FLOAT_EQ(Overlap(box, {0, 1, 5, 0, 10, 10}), 50.0F / 150);
  EXPECT_FLOAT_EQ(Overlap(box, {0, 1, 2, 2, 5, 5}), 0.25F);
  EXPECT_FLOAT_EQ(Overlap(box, {0, 1, 10, 0, 10, 10}), 0);
  EXPECT_FLOAT_EQ(Overlap(box, {0, 1, 20, 20, 10, 10}), 0);
}

TEST(DetectionTest, SuppressesWithinAClassOnly) {
  const std::vector<Detection> kept = SuppressByClass({{0, 0.5F, 0, 0, 10, 10},
                                                       {0, 0.9F, 1, 0, 10, 10},     // better than the first
                                                       {1, 0.6F, 1, 0, 10, 10},     // another class
                                                       {0, 0.7F, 30, 30, 10, 10},   // elsewhere
                                                       {0, 0.4F, 35, 30, 10, 10}},  // a third: allowed
                                                      0.45F);
  ASSERT_EQ(kept.size(), 4);
  ExpectBox(kept[0], 0, 0.9F, 1, 0, 10, 10);
  ExpectBox(kept[1], 0, 0.7F, 30, 30, 10, 10);
  ExpectBox(kept[2], 1, 0.6F, 1, 0, 10, 10);
  ExpectBox(kept[3], 0, 0.4F, 35, 30, 10, 10);
  EXPECT_THAT(SuppressByClass({}, 0.45F), IsEmpty());
}

TEST(DetectionTest, ASuppressedBoxSuppressesNothing) {
  // A chain: the middle one overlaps both ends, the ends do not overlap.
  const std::vector<Detection> kept =
      SuppressByClass({{0, 0.9F, 0, 0, 10, 10}, {0, 0.8F, 4, 0, 10, 10}, {0, 0.7F, 8, 0, 10, 10}}, 0.3F);
  ASSERT_EQ(kept.size(), 2);
  EXPECT_FLOAT_EQ(kept[1].left, 8);
}

TEST(DetectionTest, MapsBackThroughALetterbox) {
  const kuiper_infer::Image picture(100, 200, 3);
  const kuiper_infer::Letterboxed frame = Letterbox(picture, 320, 320);
  ASSERT_DOUBLE_EQ(frame.scale, 1.6);
  ASSERT_EQ(frame.top, 80);
  const std::vector<Detection> mapped = MapToPicture({{2, 0.5F, 16, 96, 32, 64},
                                                      {3, 0.4F, -16, 64, 352, 192},  // larger than the picture
                                                      {4, 0.3F, 10, 10, 100, 60}},   // in the grey above it
                                                     frame, 100, 200);
  ASSERT_EQ(mapped.size(), 2);
  ExpectBox(mapped[0], 2, 0.5F, 10, 10, 20, 40);
  ExpectBox(mapped[1], 3, 0.4F, 0, 0, 200, 100);
}

}  // namespace
}  // namespace demos
