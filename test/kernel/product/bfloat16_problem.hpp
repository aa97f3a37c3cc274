// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/elementwise/functions.hpp"
#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/bfloat16/tile.hpp"
#include "kernel/product/packed_for.hpp"
#include "kernel/random_data.hpp"
#include "utils/half.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {

/// Sizes around the tiles' heights (6 to 14, 16 and 32), widths (16 to 64) and blocks (32 and 256 deep, 112 and 128
/// rows); odd depths, one, zero; depths of whole blocks, depths that are cut, and depths that shorten the blocks of
/// rows.
struct ProductSizes {
  int64_t rows, columns, depth;
  int64_t segments = 1;
};
constexpr ProductSizes kProductSizes[] = {
    {1, 1, 1},      {0, 5, 3},       {5, 0, 3},      {5, 7, 0},     {1, 33, 5},    {13, 15, 17},    {14, 16, 9},
    {15, 17, 9},    {28, 31, 40},    {29, 32, 41},   {8, 47, 3},    {6, 48, 100},  {7, 49, 600},    {17, 64, 64},
    {17, 65, 257},  {30, 70, 513},   {113, 49, 256}, {3, 129, 27},  {100, 65, 33}, {5, 130, 2101},  {200, 24, 77},
    {9, 200, 12},   {16, 80, 31},    {33, 112, 32},  {130, 33, 20}, {48, 96, 300}, {11, 40, 21, 3}, {7, 70, 200, 3},
    {20, 16, 8, 5}, {35, 66, 64, 3}, {18, 20, 6144}, {6, 20, 6150}, {17, 70, 1024}};

struct ProductOptions {
  bool bias;
  bool residual;
  const char* activation;
  bool factors = false;
};

/// A product by a weight of `pieces` pieces. The gaps between rows hold numbers that must not be used.
struct BFloat16Problem {
  explicit BFloat16Problem(const ProductSizes& sizes, const ProductOptions& options = {false, false, ""},
                           int wanted_pieces = 1)
      : rows(sizes.rows),
        columns(sizes.columns),
        depth(sizes.depth * sizes.segments),
        pieces(wanted_pieces),
        seed(static_cast<uint32_t>(rows * 7 + columns * 10007 + depth * 101)),
        lda(depth + 2),
        ldc(columns + 3),
        a(RandomVector<float>(rows * lda, seed)),
        weight(RandomVector<float>(columns * lda, seed + 1)),
        bias(RandomVector<float>(columns, seed + 2)),
        residual(RandomVector<float>(rows * ldc, seed + 3)),
        factors(RandomVector<float>(sizes.depth, seed + 4)) {
    product = {rows, columns, sizes.depth, {a.data(), lda}};
    product.segments = sizes.segments;
    product.segment_stride = sizes.depth;
    product.c.ld = ldc;
    if (options.bias) product.epilogue.bias = bias.data();
    if (options.residual) product.epilogue.residual = {residual.data(), ldc};
    if (options.factors) product.factors = factors.data();
    product.epilogue.activation = {FindUnary(options.activation), {-0.5, 0.25, 0}};
  }

  std::vector<float> Run(const BFloat16Tiles& tiles) {
    const BFloat16Kernel kernel(tiles, pieces, MatrixUnit::kNone);
    const auto packed = PackedFor(kernel, {columns, depth, 1, weight.data(), lda});
    product.weight = {&kernel, packed.data()};
    std::vector<float> c(static_cast<std::size_t>(rows * ldc), 77.0F);
    product.c.data = c.data();
    Multiply(product);
    return c;
  }

  /// Rounds rows and residual, so that they may as well be stored as bfloat16.
  void RoundNumbers() {
    for (float& x : a) x = BFloat16(x);
    for (float& x : residual) x = BFloat16(x);
  }

  /// Returns results stored as bfloat16, of rows and a residual stored as bfloat16. The gaps between rows hold NaN.
  std::vector<uint16_t> RunStored(const BFloat16Tiles& tiles) {
    constexpr uint16_t kNaN = 0x7FC0;
    const BFloat16Kernel kernel(tiles, pieces, MatrixUnit::kNone);
    const auto packed = PackedFor(kernel, {columns, depth, 1, weight.data(), lda});
    const Product floats = product;
    std::vector<uint16_t> rounded(a.size(), kNaN);
    for (int64_t i = 0; i < rows; ++i) tiles.round(a.data() + i * lda, depth, rounded.data() + i * lda);
    rounded.resize(static_cast<std::size_t>(std::max<int64_t>(0, rows * lda - 2)));  // no gap behind the last row
    rounded.shrink_to_fit();
    std::vector<uint16_t> c(static_cast<std::size_t>(rows * ldc), kNaN);
    std::vector<uint16_t> added(residual.size());
    tiles.round(residual.data(), rows * ldc, added.data());
    product.a = {rounded.data(), lda, RuntimeDataType::kTypeBFloat16};
    if (product.epilogue.residual.data != nullptr) {
      product.epilogue.residual = {added.data(), ldc, RuntimeDataType::kTypeBFloat16};
    }
    product.weight = {&kernel, packed.data()};
    product.c = {c.data(), ldc, RuntimeDataType::kTypeBFloat16};
    Multiply(product);
    product = floats;
    return c;
  }

  float A(int64_t row, int64_t k) const {
    return a[row * lda + k] * (product.factors != nullptr ? factors[k % product.depth] : 1.0F);
  }
  float Weight(int64_t k, int64_t column) const { return weight[column * lda + k]; }

  std::string Name() const {
    return std::to_string(rows) + "x" + std::to_string(columns) + "x" + std::to_string(depth) + " in " +
           std::to_string(pieces) + " pieces, seed " + std::to_string(seed);
  }

  int64_t rows, columns, depth;
  int pieces;
  uint32_t seed;
  int64_t lda, ldc;
  std::vector<float> a, weight, bias, residual, factors;
  Product product;
};

/// Compares with sums in double. If factors have one piece, they are rounded first.
inline void CheckAgainstTripleLoop(BFloat16Problem& p, const BFloat16Tiles& tiles) {
  SCOPED_TRACE(p.Name());
  const std::vector<float> c = p.Run(tiles);
  // The pieces lose 2^-16 or 2^-24 of a product below 1.
  const double left_out = p.pieces == 2 ? 1.6e-5 : p.pieces == 3 ? 6e-8 : 0;
  const auto factor = [&](float number) -> double { return p.pieces == 1 ? float{BFloat16(number)} : number; };
  for (int64_t i = 0; i < p.rows; ++i) {
    for (int64_t j = 0; j < p.ldc; ++j) {
      double expected = 77;
      if (j < p.columns) {
        double sum = 0;
        for (int64_t k = 0; k < p.depth; ++k) sum += factor(p.A(i, k)) * factor(p.Weight(k, j));
        expected = sum + (p.product.epilogue.bias != nullptr ? p.bias[j] : 0.0) +
                   (p.product.epilogue.residual.data != nullptr ? p.residual[i * p.ldc + j] : 0.0);
        p.product.epilogue.activation.Apply(&expected, 1);
      }
      const double allowed = 2 * SumTolerance<float>(p.depth) + left_out * std::sqrt(static_cast<double>(p.depth));
      ASSERT_NEAR(c[i * p.ldc + j], expected, allowed) << "at " << i << "," << j;
    }
  }
}

/// Rows and results in bfloat16 give the same bits as a product of floats whose rows and results are rounded.
inline void CheckStored(BFloat16Problem& p, const BFloat16Tiles& tiles) {
  SCOPED_TRACE(p.Name());
  p.RoundNumbers();
  const std::vector<float> floats = p.Run(tiles);
  const std::vector<uint16_t> stored = p.RunStored(tiles);
  for (int64_t i = 0; i < p.rows; ++i) {
    std::vector<uint16_t> expected(static_cast<std::size_t>(p.ldc), 0x7FC0);
    tiles.round(floats.data() + i * p.ldc, p.columns, expected.data());
    for (int64_t j = 0; j < p.ldc; ++j) ASSERT_EQ(stored[i * p.ldc + j], expected[j]) << "at " << i << "," << j;
  }
}

/// Calls check(sizes, options) with all sizes, and with various options and numbers of threads.
template <class Check>
void ForAllProducts(const Check& check) {
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    for (const ProductSizes& sizes : kProductSizes) {
      for (const char* name : {"", "relu", "clamp", "leaky_relu"}) check(sizes, ProductOptions{true, true, name});
      check(sizes, ProductOptions{false, false, ""});
      check(sizes, ProductOptions{true, false, "silu"});
      check(sizes, ProductOptions{true, true, "hardswish", true});
    }
  }
}

}  // namespace kuiper_infer::kernel
