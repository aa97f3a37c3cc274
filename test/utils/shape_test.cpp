// SPDX-License-Identifier: MIT
#include "kuiper_infer/utils/shape.hpp"

#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

TEST(ShapeTest, CountsElementsAndRefusesWhatOverflows) {
  EXPECT_EQ(ElementCount({}), 1);
  EXPECT_EQ(ElementCount({2, 3, 4}), 24);
  EXPECT_EQ(ElementCount({2, 0, 4}), 0);
  EXPECT_THROW(ElementCount({2, -1}), Error);
  EXPECT_THROW(ElementCount({INT64_MAX, 2}), Error);
  EXPECT_THROW(ElementCount({0, INT64_MAX, 2}), Error);
  EXPECT_EQ(ByteCount(RuntimeDataType::kTypeFloat32, {0, 3}), 0);
  EXPECT_THROW(ByteCount(RuntimeDataType::kTypeFloat32, {0, INT64_MAX / 2}), Error);
  EXPECT_THROW(ByteCount(RuntimeDataType::kTypeFloat32, {INT64_MAX / 2}), Error);
  EXPECT_EQ(ByteCount(RuntimeDataType::kTypeComplex128, {3}), 48);
}

TEST(ShapeTest, TextShowsUnknownExtents) {
  EXPECT_EQ(ShapeString({1, -1, 3}), "(1,?,3)");
  EXPECT_EQ(ShapeString({}), "()");
  EXPECT_EQ(SpecString(TensorSpec(RuntimeDataType::kTypeInt64, {2})), "int64 (2)");
}

TEST(ShapeTest, ContiguousIgnoresAxesOfExtentOne) {
  EXPECT_TRUE(TensorSpec(RuntimeDataType::kTypeFloat32, {2, 3}).contiguous());
  EXPECT_TRUE(TensorSpec(RuntimeDataType::kTypeFloat32, {2, 1, 3}, {3, 999, 1}).contiguous());
  EXPECT_FALSE(TensorSpec(RuntimeDataType::kTypeFloat32, {2, 3}, {1, 2}).contiguous());
  EXPECT_TRUE(TensorSpec(RuntimeDataType::kTypeFloat32, {0, 3}, {7, 7}).contiguous());
  EXPECT_THROW(TensorSpec(RuntimeDataType::kTypeFloat32, {2, 3}, {1}), Error);
}

TEST(DataTypeTest, NamesAndCodesAgree) {
  for (int code = 1; code <= 13; ++code) {
    const auto type = static_cast<RuntimeDataType>(code);
    EXPECT_EQ(TypeFromPnnxName(PnnxTypeName(type)), type);
    EXPECT_EQ(TypeFromTorchName(std::string("torch.") + TypeName(type)), type);
    EXPECT_GT(ElementBytes(type), 0U);
  }
  EXPECT_EQ(TypeFromTorchName("torch.long"), RuntimeDataType::kTypeInt64);
  EXPECT_EQ(TypeFromTorchName("torch.half"), RuntimeDataType::kTypeFloat16);
  EXPECT_EQ(TypeFromTorchName("long"), RuntimeDataType::kTypeUnknown);
  EXPECT_EQ(TypeFromTorchCode(11), RuntimeDataType::kTypeBool);
  EXPECT_EQ(TypeFromTorchCode(99), RuntimeDataType::kTypeUnknown);
  EXPECT_EQ(TypeFromPnnxName("f8"), RuntimeDataType::kTypeUnknown);
}

}  // namespace
}  // namespace kuiper_infer
