// SPDX-License-Identifier: MIT
// Products of 16-bit integers, compared with the lower 32 bits of 64-bit sums.
#include "kernel/product/int16/word_product.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace kuiper_infer::kernel {
namespace {

constexpr int32_t kUntouched = 12345;

struct Matrices {
  Matrices(int64_t given_rows, int64_t inputs, int64_t outputs, uint32_t seed)
      : rows(given_rows), depth(WordDepth(inputs)), columns(WordColumns(outputs)) {
    std::mt19937 generator(seed);
    // Products of numbers of any size wrap around; the extremes meet in some places.
    const auto number = [&] {
      const auto any = static_cast<int16_t>(std::uniform_int_distribution<int>(-32768, 32767)(generator));
      return std::uniform_int_distribution<int>(0, 7)(generator) == 0 ? int16_t{-32767} : any;
    };
    a.resize(static_cast<std::size_t>(rows * depth));
    weight.resize(static_cast<std::size_t>(columns * depth));
    for (int16_t& x : a) x = number();
    for (int16_t& x : weight) x = number();
  }

  int16_t WeightAt(int64_t k, int64_t column) const {
    const int64_t panel = column / kWordColumns * kWordColumns * depth;
    return weight[panel + (k / 2 * kWordColumns + column % kWordColumns) * 2 + k % 2];
  }

  int32_t Sum(int64_t row, int64_t column) const {
    uint32_t sum = 0;
    for (int64_t k = 0; k < depth; ++k) sum += static_cast<uint32_t>(a[row * depth + k] * WeightAt(k, column));
    return static_cast<int32_t>(sum);
  }

  int64_t rows;
  int64_t depth;
  int64_t columns;
  std::vector<int16_t> a;
  std::vector<int16_t> weight;
};

void CheckUnit(Int8Unit unit) {
  if (!HasInt8Unit(unit)) GTEST_SKIP() << "this CPU has no " << Int8UnitName(unit);
  uint32_t seed = 0;
  for (const int64_t rows : {1, 2, 5, 6, 7, 13, 14, 15, 29}) {
    for (const int64_t inputs : {1, 2, 3, 16, 35}) {
      for (const int64_t outputs : {1, 16, 17, 48, 64, 80, 129}) {
        SCOPED_TRACE("rows " + std::to_string(rows) + " inputs " + std::to_string(inputs) + " outputs " +
                     std::to_string(outputs) + " seed " + std::to_string(seed));
        const Matrices m(rows, inputs, outputs, seed++);
        std::vector<int32_t> sums(static_cast<std::size_t>(rows * m.columns + 1), kUntouched);
        MultiplyWords({rows, m.depth, m.columns, m.a.data(), m.weight.data(), sums.data(), m.weight.data()}, unit);
        for (int64_t i = 0; i < rows * m.columns; ++i) ASSERT_EQ(sums[i], m.Sum(i / m.columns, i % m.columns)) << i;
        ASSERT_EQ(sums.back(), kUntouched);
      }
    }
  }
}

TEST(WordProductTest, InstructionSetInUse) { CheckUnit(Int8Unit::kPortable); }
TEST(WordProductTest, AvxVnni) { CheckUnit(Int8Unit::kAvxVnni); }
TEST(WordProductTest, Avx512Vnni) { CheckUnit(Int8Unit::kAvx512Vnni); }

}  // namespace
}  // namespace kuiper_infer::kernel
