// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/product/int8/computed_factor.hpp"
#include "kernel/product/int8/panels.hpp"
#include "kernel/random_data.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A matrix whose rows are parts of wider rows.
struct Matrix {
  Matrix(int64_t row_count, int64_t column_count, uint32_t seed)
      : rows(row_count), columns(column_count), ld(column_count + 3), numbers(RandomVector<float>(rows * ld, seed)) {}
  float& at(int64_t i, int64_t j) { return numbers[static_cast<std::size_t>(i * ld + j)]; }
  std::vector<float> Row(int64_t i) const { return {numbers.begin() + i * ld, numbers.begin() + i * ld + columns}; }

  int64_t rows, columns, ld;
  std::vector<float> numbers;
};

Matrix Transposed(Matrix m, uint32_t seed) {
  Matrix turned(m.columns, m.rows, seed);
  for (int64_t i = 0; i < m.rows; ++i) {
    for (int64_t j = 0; j < m.columns; ++j) turned.at(j, i) = m.at(i, j);
  }
  return turned;
}

/// A line rounded to integers, with its scale, by the definition.
struct Line {
  explicit Line(const std::vector<float>& numbers) {
    float most = 0;
    for (const float number : numbers) {
      if (!std::isfinite(number)) scale = std::nanf("");
      most = std::max(most, std::abs(number));
    }
    const bool zeros = std::isnan(scale) || most < 1e-30F;
    if (!zeros) scale = most / 127;
    for (const float number : numbers) {
      steps.push_back(zeros ? 0 : static_cast<int>(std::nearbyint(number * (127 / most))));
    }
  }
  float scale = 1;
  std::vector<int> steps;
};

void ExpectSame(float found, float expected) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(found));
  } else {
    EXPECT_EQ(found, expected);
  }
}

/// Compares both ways of packing y, and products of rows of x by it, with the definition.
void Check(const Matrix& x, const Matrix& turned_y) {
  const int64_t depth = x.columns;
  const int64_t columns = turned_y.rows;
  const Matrix y = Transposed(turned_y, 9);
  std::vector<uint8_t> bytes(static_cast<std::size_t>(x.rows * depth));
  std::vector<float> row_scales(static_cast<std::size_t>(x.rows));
  RoundComputedRows(x.rows, depth, x.numbers.data(), x.ld, bytes.data(), row_scales.data());
  for (const bool transposed : {false, true}) {
    std::vector<std::byte> packed(static_cast<std::size_t>(Int8Panels().Bytes(columns, depth)), std::byte{0x55});
    std::vector<float> scales(static_cast<std::size_t>(columns));
    if (transposed) {
      PackInt8TransposedFactor(columns, depth, turned_y.numbers.data(), turned_y.ld, packed.data(), scales.data());
    } else {
      PackInt8Factor(columns, depth, y.numbers.data(), y.ld, packed.data(), scales.data());
    }
    std::vector<float> result(static_cast<std::size_t>(x.rows * columns));
    Product product{x.rows, columns, depth};
    product.a = {bytes.data(), depth, RuntimeDataType::kTypeUInt8, kComputedRowGrid};
    product.weight = {&Int8KernelOf(UsedInt8Unit()), packed.data(), scales.data()};
    product.c = {result.data(), columns};
    Multiply(product);
    for (int64_t i = 0; i < x.rows; ++i) {
      const Line row(x.Row(i));
      ExpectSame(row_scales[i], row.scale);
      for (int64_t j = 0; j < columns; ++j) {
        const Line column(turned_y.Row(j));
        ExpectSame(scales[j], column.scale);
        int64_t sum = 0;
        for (int64_t k = 0; k < depth; ++k) sum += row.steps[k] * column.steps[k];
        SCOPED_TRACE(testing::Message() << "(" << i << "," << j << ") of " << x.rows << "x" << columns << "x" << depth
                                        << " transposed " << transposed);
        ExpectSame(result[i * columns + j], static_cast<float>(sum) * column.scale);
      }
    }
  }
}

TEST(Int8ComputedFactor, EqualsTheDefinitionBitByBit) {
  using Sizes = std::array<int64_t, 3>;
  uint32_t seed = 1;
  for (const auto& [rows, columns, depth] :
       {Sizes{1, 1, 1}, Sizes{2, 3, 2}, Sizes{3, 16, 4}, Sizes{5, 17, 7}, Sizes{2, 64, 64}, Sizes{7, 65, 33},
        Sizes{4, 130, 19}, Sizes{3, 31, 257}, Sizes{2, 9, 600}}) {
    Check(Matrix(rows, depth, seed), Matrix(columns, depth, seed + 1));
    seed += 2;
  }
}

TEST(Int8ComputedFactor, LinesThatAreNoNumbersOrZero) {
  Matrix x(6, 40, 1);
  Matrix y(35, 40, 2);
  x.at(0, 39) = std::nanf("");
  x.at(1, 0) = -kInfinity;
  for (int64_t k = 0; k < 40; ++k) x.at(2, k) = k % 2 == 0 ? 0.0F : -0.0F;
  for (int64_t k = 0; k < 40; ++k) x.at(3, k) *= 1e-32F;
  for (int64_t k = 0; k < 40; ++k) x.at(4, k) *= 3e38F;
  y.at(34, 3) = kInfinity;
  y.at(0, 38) = std::nanf("");
  for (int64_t k = 0; k < 40; ++k) y.at(33, k) = 0;
  for (int64_t k = 0; k < 40; ++k) y.at(17, k) *= 1e-29F;
  Check(x, y);
}

}  // namespace
}  // namespace kuiper_infer::kernel
