// SPDX-License-Identifier: MIT
// Products by AVX512_BF16 and by portable code. Packing and pieces, which all units share.
#include <limits>
#include <utility>

#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/bfloat16/pieces.hpp"
#include "kernel/product/bfloat16_problem.hpp"

namespace kuiper_infer::kernel {
namespace {

TEST(BFloat16Product, EqualsTripleLoopOfRoundedNumbers) {
  ForAllProducts([](const ProductSizes& sizes, const ProductOptions& options) {
    BFloat16Problem problem(sizes, options);
    CheckAgainstTripleLoop(problem, PortableBFloat16Tiles());
  });
}

TEST(BFloat16Product, OfPiecesEqualsTripleLoop) {
  for (const int pieces : {2, 3}) {
    for (const ProductSizes& sizes : kProductSizes) {
      BFloat16Problem problem(sizes, {true, true, "relu", pieces == 2}, pieces);
      CheckAgainstTripleLoop(problem, PortableBFloat16Tiles());
    }
  }
}

TEST(BFloat16Product, StoredNumbersGiveTheBitsOfFloats) {
  ForAllProducts([](const ProductSizes& sizes, const ProductOptions& options) {
    if (sizes.depth * sizes.segments > kMostRoundedDepth) return;
    BFloat16Problem problem(sizes, options);
    CheckStored(problem, PortableBFloat16Tiles());
  });
}

class BFloat16Unit : public testing::Test {
 protected:
  void SetUp() override {
    if (UsedMatrixUnit() == MatrixUnit::kNone) GTEST_SKIP() << "this CPU has no AVX512_BF16";
  }
};

#if defined(__x86_64__)
TEST_F(BFloat16Unit, EqualsPortableCodeBitByBit) {
  ForAllProducts([](const ProductSizes& sizes, const ProductOptions& options) {
    BFloat16Problem p(sizes, options);
    const std::vector<float> unit = p.Run(Avx512BFloat16Tiles());
    const std::vector<float> portable = p.Run(PortableBFloat16Tiles());
    for (std::size_t i = 0; i < unit.size(); ++i) ASSERT_EQ(unit[i], portable[i]) << p.Name() << " at " << i;
  });
}

TEST_F(BFloat16Unit, StoredNumbersGiveTheBitsOfFloats) {
  ForAllProducts([](const ProductSizes& sizes, const ProductOptions& options) {
    if (sizes.depth * sizes.segments > kMostRoundedDepth) return;
    BFloat16Problem problem(sizes, options);
    CheckStored(problem, Avx512BFloat16Tiles());
  });
}

TEST_F(BFloat16Unit, KeepsNaNAndInfinityAsPortableCode) {
  const float infinity = std::numeric_limits<float>::infinity();
  BFloat16Problem p({3, 20, 40}, {true, false, "relu6"});
  p.a[5] = std::nanf("");
  p.a[p.lda + 5] = infinity;
  p.a[2 * p.lda + 5] = 3.4e38F;  // becomes infinite
  for (const BFloat16Tiles* kernel : {&Avx512BFloat16Tiles(), &PortableBFloat16Tiles()}) {
    const std::vector<float> c = p.Run(*kernel);
    for (int64_t j = 0; j < p.columns; ++j) {
      EXPECT_TRUE(std::isnan(c[j]));
      for (const int64_t i : {1, 2}) EXPECT_EQ(c[i * p.ldc + j], p.Weight(5, j) > 0 ? 6 : 0);
    }
  }
}

TEST_F(BFloat16Unit, RoundsAsPortableCode) {
  std::vector<float> numbers;
  for (uint64_t bits = 0; bits <= 0xFFFFFFFFU; bits += 0x0FFF1) {
    const auto word = static_cast<uint32_t>(bits);
    numbers.push_back(0);
    std::memcpy(&numbers.back(), &word, sizeof(word));
  }
  const auto count = static_cast<int64_t>(numbers.size());
  std::vector<uint16_t> unit(numbers.size());
  std::vector<uint16_t> portable(numbers.size());
  Avx512BFloat16Tiles().round(numbers.data(), count, unit.data());
  PortableBFloat16Tiles().round(numbers.data(), count, portable.data());
  for (std::size_t i = 0; i < unit.size(); ++i) ASSERT_EQ(unit[i], portable[i]) << numbers[i];
}
#endif

/// Returns a number's pieces, one by one, as bfloat16/pieces.hpp defines them.
std::vector<uint16_t> PiecesOf(float number, int count) {
  std::vector<uint16_t> pieces;
  float rest = number;
  for (int i = 0; i < count; ++i) {
    uint16_t piece = 0;
    PortableBFloat16Tiles().round(&rest, 1, &piece);
    if (std::isfinite(rest) && (piece & 0x7FFFU) == 0x7F80U) --piece;  // the largest finite number
    pieces.push_back(piece);
    BFloat16 rounded;
    rounded.bits = piece;
    rest = std::isfinite(number) ? rest - rounded : 0;
  }
  return pieces;
}

TEST(BFloat16Pieces, AreRestsRounded) {
  std::vector<float> numbers;
  for (uint64_t bits = 0; bits <= 0xFFFFFFFFU; bits += 0x03FF1) {
    const auto word = static_cast<uint32_t>(bits);
    numbers.push_back(0);
    std::memcpy(&numbers.back(), &word, sizeof(word));
  }
  numbers.insert(numbers.end(), {3.4e38F, -3.4e38F, std::numeric_limits<float>::infinity(), 1.0F, 0.0F, -0.0F});
  const auto count = static_cast<int64_t>(numbers.size());
  for (const int pieces : {2, 3}) {
    std::vector<uint16_t> split(numbers.size() * pieces + 1, 7);
    SplitBFloat16(numbers.data(), count, pieces, split.data(), count);
    EXPECT_EQ(split.back(), 7);
    for (int64_t i = 0; i < count; ++i) {
      const std::vector<uint16_t> expected = PiecesOf(numbers[i], pieces);
      double sum = 0;
      for (int piece = 0; piece < pieces; ++piece) {
        BFloat16 number;
        number.bits = split[piece * count + i];
        sum += number;
        // Zeros may have either sign.
        if ((expected[piece] & 0x7FFFU) != 0 || (number.bits & 0x7FFFU) != 0) {
          ASSERT_EQ(number.bits, expected[piece]) << "piece " << piece << " of " << numbers[i];
        }
      }
      if (!std::isfinite(numbers[i])) continue;
      const double size = std::abs(numbers[i]);
      const double left = size < 0x1p-103 ? 0x1p-126 : 0;
      ASSERT_NEAR(sum, numbers[i], pieces == 3 ? left : std::max(left, 0x1p-17 * size));
    }
  }
}

TEST(BFloat16Product, ChoiceFollowsFromSizesAndUnit) {
  const auto suits = [](MatrixUnit unit, int pieces, const ProductShape& shape) {
    return BFloat16KernelOf(unit, pieces).Suits(shape);
  };
  EXPECT_FALSE(suits(MatrixUnit::kNone, 1, {100, 256, 256})) << "portable code is slow";
#if !defined(__x86_64__)
  GTEST_SKIP() << "the units are those of x86-64";
#endif
  EXPECT_TRUE(suits(MatrixUnit::kAvx512BFloat16, 1, {100, 256, 256}));
  EXPECT_FALSE(suits(MatrixUnit::kAvx512BFloat16, 2, {100, 256, 256})) << "three products for each";
  EXPECT_FALSE(suits(MatrixUnit::kAvx512BFloat16, 1, {100, 15, 256})) << "few columns";
  EXPECT_TRUE(suits(MatrixUnit::kAvx512BFloat16, 1, {100, 16, 32}));
  EXPECT_FALSE(suits(MatrixUnit::kAvx512BFloat16, 1, {100, 23, 31})) << "few columns and a short depth";
  EXPECT_FALSE(suits(MatrixUnit::kAvx512BFloat16, 1, {100, 256, 15})) << "a short depth";
  for (const int pieces : {1, 2, 3}) EXPECT_TRUE(suits(MatrixUnit::kAmx, pieces, {128, 768, 768})) << pieces;
  EXPECT_FALSE(suits(MatrixUnit::kAmx, 3, {128, 24, 768})) << "splitting rows takes longer";
  EXPECT_FALSE(suits(MatrixUnit::kAmx, 1, {1, 768, 768})) << "a tile has sixteen rows";
}

TEST(BFloat16Product, PacksRowsAsColumns) {
  for (const int pieces : {1, 2, 3}) {
    for (const auto& [columns, inputs] : {std::pair<int64_t, int64_t>{70, 9}, {16, 4}, {5, 1}, {130, 67}}) {
      const auto weight = RandomVector<float>(columns * inputs, 3);
      std::vector<float> turned(weight.size());
      for (int64_t j = 0; j < columns; ++j) {
        for (int64_t k = 0; k < inputs; ++k) turned[k * columns + j] = weight[j * inputs + k];
      }
      const auto panels = MakeBFloat16Panels(pieces, PortableBFloat16Tiles().round);
      const auto size = static_cast<std::size_t>(panels->Bytes(columns, inputs) / 2);
      std::vector<uint16_t> window(size + 1, 7);
      std::vector<uint16_t> rows(size + 1, 7);
      panels->Pack({columns, inputs, 1, weight.data(), inputs}, window.data());
      for (int64_t k = 0; k < inputs; k += 2) {
        const int64_t count = std::min<int64_t>(2, inputs - k);
        panels->PackRows({columns, inputs, k, count, turned.data() + k * columns, columns}, rows.data());
      }
      EXPECT_EQ(window, rows) << columns << "x" << inputs;
      EXPECT_EQ(rows.back(), 7);
    }
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
