// SPDX-License-Identifier: MIT
#include "shape/einsum.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ParseEinsum, ReadsOperandsAndOutput) {
  const EinsumLabels labels = ParseEinsum("ij, jk -> ik", {2, 2});
  EXPECT_THAT(labels.operands, ElementsAre("ij", "jk"));
  EXPECT_EQ(labels.output, "ik");
  EXPECT_EQ(ParseEinsum("ij->", {2}).output, "");
}

TEST(ParseEinsum, ImplicitOutputHasSingleLabelsSorted) {
  EXPECT_EQ(ParseEinsum("kij", {3}).output, "ijk");
  EXPECT_EQ(ParseEinsum("ji,kj", {2, 2}).output, "ik");
  EXPECT_EQ(ParseEinsum("ii", {2}).output, "");
  EXPECT_EQ(ParseEinsum("bA", {2}).output, "Ab");
  EXPECT_EQ(ParseEinsum("...ba", {4}).output, "01ab");
}

TEST(ParseEinsum, EllipsesAlignAtTheRight) {
  const EinsumLabels labels = ParseEinsum("...ij,j...->...i", {4, 2});
  EXPECT_THAT(labels.operands, ElementsAre("01ij", "j1"));
  EXPECT_EQ(labels.output, "01i");
}

TEST(ParseEinsum, RefusesMalformedEquations) {
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [] { ParseEinsum("i1->i", {2}); }), HasSubstr("found '1'"));
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [] { ParseEinsum("i......", {2}); }), HasSubstr("found '.'"));
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [] { ParseEinsum("ij,jk->ik", {2}); }),
              HasSubstr("has 2 operands, found 1"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [] { ParseEinsum("ijk->i", {2}); }), HasSubstr("has rank 2, expected 3"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [] { ParseEinsum("ij->i", {3}); }), HasSubstr("has rank 3, expected 2"));
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [] { ParseEinsum("...->...", {11}); }), HasSubstr("has rank 11"));
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [] { ParseEinsum("ij->iz", {2}); }), HasSubstr("'z' is in no operand"));
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [] { ParseEinsum("ij->ii", {2}); }), HasSubstr("'i' is repeated"));
}

TEST(NormalizeEinsum, TakesDiagonalsAndDropsBroadcastAxes) {
  const RuntimeDataType type = RuntimeDataType::kTypeFloat32;
  std::vector<LabelledSpec> operands{{TensorSpec(type, {3, 3, 1}), "iij"}, {TensorSpec(type, {5, 1}), "jk"}};
  NormalizeEinsum(operands);
  EXPECT_EQ(operands[0].labels, "i");
  EXPECT_EQ(operands[0].spec.shape, Shape{3});
  EXPECT_EQ(operands[0].spec.strides, Strides{4});
  EXPECT_EQ(operands[1].labels, "jk");
  EXPECT_EQ(operands[1].spec.shape, (Shape{5, 1}));
}

TEST(NormalizeEinsum, RefusesDifferentExtents) {
  const RuntimeDataType type = RuntimeDataType::kTypeFloat32;
  std::vector<LabelledSpec> operands{{TensorSpec(type, {3}), "i"}, {TensorSpec(type, {5}), "i"}};
  EXPECT_THAT(ErrorText(ErrorCode::kShape, [&] { NormalizeEinsum(operands); }), HasSubstr("'i' has extents 3 and 5"));
}

TEST(SelectLabels, ReordersAxes) {
  const LabelledSpec selected = SelectLabels({TensorSpec(RuntimeDataType::kTypeFloat32, {2, 3, 4}), "abc"}, "ca");
  EXPECT_EQ(selected.spec.shape, (Shape{4, 2}));
  EXPECT_EQ(selected.spec.strides, (Strides{1, 12}));
}

}  // namespace
}  // namespace kuiper_infer
