// SPDX-License-Identifier: MIT
#include "data/convert.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

NdArray Counting(const Shape& shape) {
  NdArray array(RuntimeDataType::kTypeFloat32, shape);
  std::iota(array.data<float>(), array.data<float>() + array.size(), 0.0F);
  return array;
}

TEST(ConvertTest, ArraysBecomeOneTensorPerElementOfAxis0AndBack) {
  for (const Shape& shape : {Shape{2, 3, 4, 5}, Shape{3, 4, 5}, Shape{2, 7}, Shape{2, 2, 3, 4, 5}}) {
    const NdArray array = Counting(shape);
    std::vector<sftensor> tensors;
    NdArrayToTensors(array, tensors);
    ASSERT_EQ(static_cast<int64_t>(tensors.size()), shape[0]);
    const std::vector<float> second = tensors[1]->values();
    EXPECT_EQ(second.front(), static_cast<float>(array.size() / shape[0]));
    EXPECT_TRUE(std::is_sorted(second.begin(), second.end()));
    const NdArray back =
        NdArrayFromTensors(tensors, Shape(shape.begin() + 1, shape.end()), RuntimeDataType::kTypeFloat32);
    EXPECT_EQ(back.shape(), shape);
    EXPECT_TRUE(std::equal(back.data<float>(), back.data<float>() + back.size(), array.data<float>()));
  }
}

TEST(ConvertTest, LowRanksAreASingleTensor) {
  std::vector<sftensor> tensors;
  NdArrayToTensors(Counting({5}), tensors);
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0]->raw_shapes(), (std::vector<uint32_t>{5}));
  tensors.clear();
  NdArrayToTensors(Counting({}), tensors);
  EXPECT_EQ(tensors.at(0)->size(), 1U);
}

TEST(ConvertTest, ConvertsTypesAndRefusesOtherShapes) {
  const sftensor ids = std::make_shared<ftensor>(3);
  ids->Fill({1, 2, 300});
  const NdArray array = NdArrayFromTensors({ids}, {3}, RuntimeDataType::kTypeInt64);
  EXPECT_EQ(array.data<int64_t>()[2], 300);
  EXPECT_THROW(NdArrayFromTensors({ids}, {4}, RuntimeDataType::kTypeInt64), Error);
  EXPECT_THROW(NdArrayFromTensors({nullptr}, {3}, RuntimeDataType::kTypeInt64), Error);
  std::vector<sftensor> wrong = {std::make_shared<ftensor>(2, 2)};
  EXPECT_THROW(NdArrayToTensors(Counting({1, 3, 2}), wrong), Error);
  EXPECT_THROW(NdArrayToTensors(Counting({2, 2, 2}), wrong), Error);
}

TEST(ConvertTest, OtherElementShapesAreAPyTorchReshape) {
  const sftensor flat = std::make_shared<ftensor>(12);
  std::vector<float> values(12);
  std::iota(values.begin(), values.end(), 0.0F);
  flat->Fill(values);
  const NdArray array = NdArrayFromTensors({flat}, {3, 4}, RuntimeDataType::kTypeFloat32);
  EXPECT_EQ(std::vector<float>(array.data<float>(), array.data<float>() + 12), values);
}

TEST(ConvertTest, OneBatchHasOneShape) {
  const sftensor upright = std::make_shared<ftensor>(3, 2);
  const sftensor lying = std::make_shared<ftensor>(2, 3);
  EXPECT_THROW(NdArrayFromTensors({upright, lying}, {3, 2}, RuntimeDataType::kTypeFloat32), Error);
}

TEST(ConvertTest, FillsTensorsThatExistFromAStridedArray) {
  const NdArray array = Counting({2, 3, 4}).AsStrided({2, 4, 3}, {12, 1, 4});
  std::vector<sftensor> tensors = {std::make_shared<ftensor>(4, 3), nullptr};
  const ftensor* kept = tensors[0].get();
  NdArrayToTensors(array, tensors);
  EXPECT_EQ(tensors[0].get(), kept);
  EXPECT_EQ(tensors[0]->values(), (std::vector<float>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
  ASSERT_NE(tensors[1], nullptr);
  EXPECT_EQ(tensors[1]->at(0, 3, 2), 23);
}

TEST(ConvertTest, CubeStridesSwapTheLastTwoAxes) {
  EXPECT_EQ(CubeStrides({}), Strides{});
  EXPECT_EQ(CubeStrides({5}), Strides{1});
  EXPECT_EQ(CubeStrides({2, 3, 4, 5}), (Strides{60, 20, 1, 4}));
}

}  // namespace
}  // namespace kuiper_infer
