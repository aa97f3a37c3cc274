// SPDX-License-Identifier: MIT
#include "kuiper_infer/data/tensor.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

using Extents = std::vector<uint32_t>;

std::vector<float> Count(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

TEST(TensorTest, ExtentsOfEveryConstructor) {
  EXPECT_TRUE(ftensor().empty());
  EXPECT_EQ(ftensor(5).shapes(), (Extents{1, 1, 5}));
  EXPECT_EQ(ftensor(5).raw_shapes(), (Extents{5}));
  EXPECT_EQ(ftensor(2, 3).shapes(), (Extents{1, 2, 3}));
  EXPECT_EQ(ftensor(2, 3).raw_shapes(), (Extents{2, 3}));
  EXPECT_EQ(ftensor(4, 2, 3).raw_shapes(), (Extents{4, 2, 3}));
  EXPECT_EQ(ftensor(1, 2, 3).raw_shapes(), (Extents{2, 3}));
  EXPECT_EQ(ftensor(1, 1, 3).raw_shapes(), (Extents{3}));
  const ftensor folded(Extents{2, 3, 4, 5});
  EXPECT_EQ(folded.shapes(), (Extents{6, 4, 5}));
  EXPECT_EQ(folded.raw_shapes(), (Extents{2, 3, 4, 5}));
  EXPECT_EQ(folded.size(), 120U);
  EXPECT_EQ(folded.plane_size(), 20U);
  EXPECT_THROW(ftensor(Extents{}), Error);
}

TEST(TensorTest, MemoryIsAlignedAndZero) {
  for (const uint32_t size : {1U, 3U, 17U, 1000U}) {
    const ftensor tensor(size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.raw_ptr()) % 64, 0U);
    EXPECT_EQ(tensor.values(), std::vector<float>(size, 0.0F));
  }
}

TEST(TensorTest, FillKnowsBothOrders) {
  ftensor tensor(2, 2, 3);
  tensor.Fill(Count(12));
  EXPECT_EQ(tensor.at(1, 0, 2), 8);
  EXPECT_EQ(tensor.index(1), 3);  // column-major: the next row of the first column
  EXPECT_EQ(tensor.values(), Count(12));
  tensor.Fill(Count(12), false);
  EXPECT_EQ(tensor.index(1), 1);
  EXPECT_EQ(tensor.at(0, 1, 0), 1);
  EXPECT_EQ(tensor.values(false), Count(12));
  EXPECT_THROW(tensor.Fill(Count(11)), Error);
}

TEST(TensorTest, ReshapeEqualsPyTorchInRowMajor) {
  ftensor tensor(2, 3, 4);
  tensor.Fill(Count(24));
  tensor.Reshape({4, 6}, true);
  EXPECT_EQ(tensor.values(), Count(24));
  EXPECT_EQ(tensor.raw_shapes(), (Extents{4, 6}));
  EXPECT_EQ(tensor.at(0, 1, 0), 6);
  tensor.Flatten(true);
  EXPECT_EQ(tensor.raw_shapes(), (Extents{24}));
  EXPECT_EQ(tensor.values(false), Count(24));
  EXPECT_THROW(tensor.Reshape({5, 5}), Error);
}

TEST(TensorTest, ReshapeWithoutRowMajorKeepsMemory) {
  ftensor tensor(1, 2, 3);
  tensor.Fill(Count(6), false);
  tensor.Reshape({3, 2});
  EXPECT_EQ(tensor.values(false), Count(6));
  EXPECT_EQ(tensor.rows(), 3U);
}

TEST(TensorTest, PaddingGrowsEverySide) {
  ftensor tensor(1, 2, 2);
  tensor.Fill({1, 2, 3, 4});
  tensor.Padding({1, 0, 2, 1}, 9);
  EXPECT_EQ(tensor.shapes(), (Extents{1, 3, 5}));
  EXPECT_EQ(tensor.values(), (std::vector<float>{9, 9, 9, 9, 9, 9, 9, 1, 2, 9, 9, 9, 3, 4, 9}));
  EXPECT_THROW(tensor.Padding({1, 2}, 0), Error);
  EXPECT_THROW(tensor.Padding({UINT32_MAX, 0, 0, 0}, 0), Error);
  EXPECT_THROW(tensor.Padding({0, 0, 1, UINT32_MAX}, 0), Error);
}

TEST(TensorTest, ViewsShareMemoryAndCopiesDoNot) {
  std::vector<float> memory = Count(6);
  ftensor view(memory.data(), 1, 2, 3);
  view.at(0, 1, 0) = 50;
  EXPECT_EQ(memory[1], 50);
  ftensor copy = view;
  copy.Fill(0.0F);
  EXPECT_EQ(memory[1], 50);
  copy = view;
  EXPECT_EQ(copy.index(1), 50);
  EXPECT_EQ(copy.raw_shapes(), view.raw_shapes());
  const ftensor moved = std::move(copy);
  EXPECT_EQ(moved.index(1), 50);
  EXPECT_EQ(moved.slice(0)(1, 0), 50);
  EXPECT_THROW(ftensor(nullptr, 4), Error);
}

TEST(TensorTest, AccessOutsideNamesPositionAndShape) {
  ftensor tensor(2, 3, 4);
  EXPECT_THROW(tensor.index(24), Error);
  EXPECT_THROW(tensor.at(2, 0, 0), Error);
  EXPECT_THROW(tensor.slice(2), Error);
  EXPECT_THROW(tensor.matrix_raw_ptr(2), Error);
  EXPECT_THROW(tensor.raw_ptr(24), Error);
  try {
    tensor.at(0, 3, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "position (0,3,1) is outside of a tensor of shape (2,3,4)");
  }
}

TEST(TensorTest, CubesInAndOut) {
  ftensor tensor(2, 3, 4);
  arma::fcube cube(3, 4, 2);
  cube.fill(2.5F);
  tensor.set_data(cube);
  EXPECT_EQ(tensor.at(1, 2, 3), 2.5F);
  tensor.data().at(0, 1, 1) = 7;
  EXPECT_EQ(tensor.at(1, 0, 1), 7);
  EXPECT_EQ(tensor.matrix_raw_ptr(1), tensor.raw_ptr(12));
  EXPECT_THROW(tensor.set_data(arma::fcube(2, 2, 2)), Error);
}

TEST(TensorTest, InitialisersAndTransform) {
  ftensor tensor(10, 30, 30);
  tensor.Ones();
  EXPECT_EQ(tensor.index(17), 1);
  tensor.Transform([](float x) { return x + 1; });
  EXPECT_EQ(tensor.index(17), 2);
  tensor.RandU(-1, 3);
  const std::vector<float> uniform = tensor.values();
  EXPECT_GE(*std::min_element(uniform.begin(), uniform.end()), -1);
  EXPECT_LE(*std::max_element(uniform.begin(), uniform.end()), 3);
  tensor.RandN(2, 3);
  const arma::fvec normal(tensor.raw_ptr(), tensor.size());
  EXPECT_NEAR(arma::mean(normal), 2, 0.2);
  EXPECT_NEAR(arma::stddev(normal), 3, 0.2);
  tensor.Rand();
  EXPECT_NEAR(arma::mean(arma::fvec(tensor.raw_ptr(), tensor.size())), 0, 0.1);
  tensor.RandN(4, 0);
  EXPECT_EQ(tensor.index(17), 4);
  EXPECT_THROW(tensor.RandN(0, -1), Error);
  EXPECT_THROW(tensor.RandU(1, 0), Error);
}

TEST(TensorTest, IntegersAreDrawnFromAClosedRange) {
  Tensor<uint8_t> tensor(500);
  tensor.RandU();
  const std::vector<uint8_t> values = tensor.values();
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), 0);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 1);
}

TEST(TensorTest, EmptyTensorsTakeEveryCall) {
  for (ftensor tensor : {ftensor(), ftensor(0), ftensor(2, 0, 3)}) {
    EXPECT_TRUE(tensor.empty());
    tensor.Fill(1.0F);
    tensor.Fill(std::vector<float>());
    tensor.RandN();
    tensor.RandU();
    tensor.Transform([](float x) { return x; });
    tensor.Show();
    EXPECT_TRUE(tensor.values().empty());
    EXPECT_THROW(tensor.index(0), Error);
    const ftensor copy = tensor;
    EXPECT_EQ(copy.shapes(), tensor.shapes());
    tensor.Flatten(true);
    EXPECT_EQ(tensor.raw_shapes(), (Extents{0}));
  }
}

}  // namespace
}  // namespace kuiper_infer
