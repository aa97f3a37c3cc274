// SPDX-License-Identifier: MIT
#include "kuiper_infer/data/tensor_util.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

sftensor Filled(uint32_t channels, uint32_t rows, uint32_t cols, float value) {
  const sftensor tensor = TensorCreate(channels, rows, cols);
  tensor->Fill(value);
  return tensor;
}

TEST(TensorUtilTest, CreatesAndClones) {
  EXPECT_EQ(TensorCreate(4)->raw_shapes(), (std::vector<uint32_t>{4}));
  EXPECT_EQ(TensorCreate(4, 5)->raw_shapes(), (std::vector<uint32_t>{4, 5}));
  EXPECT_EQ(TensorCreate({2, 4, 5, 6})->size(), 240U);
  const sftensor clone = TensorClone(Filled(1, 2, 3, 4));
  EXPECT_EQ(clone->index(5), 4);
  EXPECT_THROW(TensorClone(nullptr), Error);
}

TEST(TensorUtilTest, BroadcastsEitherSide) {
  const sftensor bias = TensorCreate(3, 1, 1);
  bias->Fill({1, 2, 3});
  const auto [image, repeated] = TensorBroadcast(Filled(3, 2, 2, 10), bias);
  EXPECT_EQ(repeated->shapes(), image->shapes());
  EXPECT_EQ(repeated->at(2, 1, 1), 3);
  const sftensor sum = TensorElementAdd(bias, Filled(1, 2, 2, 10));
  EXPECT_EQ(sum->shapes(), (std::vector<uint32_t>{3, 2, 2}));
  EXPECT_EQ(sum->at(1, 0, 1), 12);
  try {
    TensorBroadcast(Filled(2, 2, 2, 0), bias);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("(2,2,2)"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("(3,1,1)"), std::string::npos);
  }
}

TEST(TensorUtilTest, ArithmeticIntoAGivenTensor) {
  const sftensor output = TensorCreate(1, 2, 2);
  TensorElementMultiply(Filled(1, 2, 2, 3), Filled(1, 2, 2, 5), output);
  EXPECT_EQ(output->index(3), 15);
  EXPECT_EQ(TensorElementMultiply(Filled(1, 2, 2, 3), Filled(1, 1, 1, 2))->index(0), 6);
  TensorElementSin(Filled(1, 2, 2, 0.5F), output);
  EXPECT_FLOAT_EQ(output->index(1), std::sin(0.5F));
  EXPECT_FLOAT_EQ(TensorElementSin(output)->index(1), std::sin(std::sin(0.5F)));
  EXPECT_THROW(TensorElementAdd(Filled(2, 2, 2, 0), Filled(2, 2, 2, 0), output), Error);
  EXPECT_THROW(TensorElementSin(nullptr), Error);
}

TEST(TensorUtilTest, RanksAboveThreeSurvive) {
  const std::vector<uint32_t> shape = {2, 3, 4, 5};
  const sftensor tensor = TensorCreate(shape);
  EXPECT_EQ(TensorElementSin(tensor)->raw_shapes(), shape);
  EXPECT_EQ(TensorElementAdd(tensor, TensorCreate(1, 1, 1))->raw_shapes(), shape);
  EXPECT_EQ(TensorElementMultiply(TensorCreate(1, 1, 1), tensor)->raw_shapes(), shape);
  EXPECT_EQ(TensorPadding(tensor, {1, 1, 0, 0}, 0)->raw_shapes(), (std::vector<uint32_t>{2, 3, 6, 5}));
  EXPECT_EQ(TensorClone(tensor)->raw_shapes(), shape);
}

TEST(TensorUtilTest, OtherElementTypes) {
  const su1tensor tensor = TensorCreate<uint8_t>({3, 1, 1});
  tensor->Fill({1, 2, 200});
  const auto [wide, same] = TensorBroadcast(tensor, TensorCreate<uint8_t>(3, 2, 2));
  EXPECT_EQ(wide->at(2, 1, 1), 200);
  EXPECT_EQ(same->shapes(), wide->shapes());
  EXPECT_EQ(TensorElementAdd(tensor, tensor)->values(), (std::vector<uint8_t>{2, 4, 144}));
  const su1tensor output = TensorCreate<uint8_t>(3, 1, 1);
  TensorElementMultiply(tensor, TensorClone(tensor), output);
  EXPECT_EQ(output->values(), (std::vector<uint8_t>{1, 4, 64}));
  EXPECT_EQ(TensorPadding(TensorCreate<uint8_t>(1), {1, 0, 0, 0}, 7)->values(), (std::vector<uint8_t>{7, 0}));
  EXPECT_TRUE(TensorIsSame(tensor, TensorClone(tensor)));
  EXPECT_FALSE(TensorIsSame(tensor, output));
  EXPECT_TRUE(TensorIsSame(tensor, output, 136));
  EXPECT_EQ(TensorElementAdd(TensorCreate<double>(1, 2), TensorCreate<double>(2, 1))->size(), 4U);
  EXPECT_EQ(TensorElementAdd<float>(TensorCreate<float>(2), TensorCreate(2))->raw_shapes().size(), 1U);
  EXPECT_THROW(TensorClone(su1tensor()), Error);
}

TEST(TensorUtilTest, PaddingLeavesTheOriginal) {
  const sftensor original = Filled(1, 1, 1, 4);
  EXPECT_EQ(TensorPadding(original, {1, 1, 1, 1}, 2)->values(), (std::vector<float>{2, 2, 2, 2, 4, 2, 2, 2, 2}));
  EXPECT_EQ(original->size(), 1U);
}

TEST(TensorUtilTest, IsSameComparesShapesAndValues) {
  EXPECT_TRUE(TensorIsSame(Filled(1, 2, 2, 1), Filled(1, 2, 2, 1.000001F)));
  EXPECT_FALSE(TensorIsSame(Filled(1, 2, 2, 1), Filled(1, 2, 2, 1.1F)));
  EXPECT_TRUE(TensorIsSame(Filled(1, 2, 2, 1), Filled(1, 2, 2, 1.1F), 0.2F));
  EXPECT_FALSE(TensorIsSame(Filled(1, 2, 2, 1), Filled(1, 4, 1, 1)));
  EXPECT_FALSE(TensorIsSame(Filled(1, 2, 2, NAN), Filled(1, 2, 2, 1)));
  EXPECT_FALSE(TensorIsSame(nullptr, Filled(1, 2, 2, 1)));
}

}  // namespace
}  // namespace kuiper_infer
