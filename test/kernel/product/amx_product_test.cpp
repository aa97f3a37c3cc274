// SPDX-License-Identifier: MIT
// Products by AMX: by an emulation of its operations, and by the unit itself if the CPU has it.
#include <algorithm>
#include <limits>

#include "kernel/product/bfloat16/tile_amx.hpp"
#include "kernel/product/bfloat16_problem.hpp"
#include "kernel/product/emulated_amx.hpp"

namespace kuiper_infer::kernel {
namespace {

const BFloat16Tiles& Emulated() {
  static const BFloat16Tiles kKernel = AmxBFloat16<EmulatedAmx>::Kernel(PortableBFloat16Tiles());
  return kKernel;
}

TEST(AmxProduct, EqualsTripleLoopOfRoundedNumbers) {
  ForAllProducts([](const ProductSizes& sizes, const ProductOptions& options) {
    BFloat16Problem problem(sizes, options);
    CheckAgainstTripleLoop(problem, Emulated());
  });
}

TEST(AmxProduct, StoredNumbersGiveTheBitsOfFloats) {
  ForAllProducts([](const ProductSizes& sizes, const ProductOptions& options) {
    if (options.factors || sizes.depth * sizes.segments > kMostRoundedDepth) return;
    BFloat16Problem problem(sizes, options);
    CheckStored(problem, Emulated());
  });
}

TEST(AmxProduct, OfPiecesEqualsTripleLoop) {
  for (const int pieces : {2, 3}) {
    for (const ProductSizes& sizes : kProductSizes) {
      BFloat16Problem problem(sizes, {true, true, "relu", pieces == 2}, pieces);
      CheckAgainstTripleLoop(problem, Emulated());
    }
  }
}

TEST(AmxProduct, DoesNotDependOnThreads) {
  BFloat16Problem p({70, 130, 100}, {true, true, "clamp"}, 3);
  const ThreadScope one(1);
  const std::vector<float> expected = p.Run(Emulated());
  const ThreadScope three(3);
  EXPECT_EQ(p.Run(Emulated()), expected);
}

/// Returns the sum computed in float32.
float FloatSum(const BFloat16Problem& p, int64_t row, int64_t column) {
  float sum = 0;
  for (int64_t k = 0; k < p.depth; ++k) sum = std::fma(p.A(row, k), p.Weight(k, column), sum);
  return sum;
}

/// Infinities, NaN and numbers that overflow, in rows and in the weight, next to numbers of one piece and zeros.
TEST(AmxProduct, NaNAndInfinityPassAsInFloat32) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const int pieces : {2, 3}) {
    // This is above bfloat16's largest number. The largest float32 number becomes infinite when rounded to 16 bits.
    const float most = pieces == 2 ? 3.4e38F : std::numeric_limits<float>::max();
    for (const BFloat16Tiles* kernel : {&Emulated(), &PortableBFloat16Tiles()}) {
      BFloat16Problem p({40, 70, 300}, {false, false, ""}, pieces);
      for (int64_t j = 0; j < p.columns; ++j) p.weight[j * p.lda + 5] = static_cast<float>(j % 5 - 2);
      p.a[5] = infinity;
      p.a[p.lda + 5] = -infinity;
      p.a[2 * p.lda + 5] = std::nanf("");
      p.a[3 * p.lda + 5] = most;  // times 1 it is finite, times 2 not
      p.a[4 * p.lda + 5] = infinity;
      p.a[4 * p.lda + 290] = infinity;
      p.a[18 * p.lda + 299] = -infinity;
      p.weight[33 * p.lda + 7] = infinity;
      p.weight[34 * p.lda + 7] = std::nanf("");
      p.weight[35 * p.lda + 7] = most;
      for (int64_t i = 0; i < p.rows; ++i) p.a[i * p.lda + 7] = static_cast<float>(i % 3) - 1;
      const std::vector<float> c = p.Run(*kernel);
      for (int64_t i = 0; i < p.rows; ++i) {
        for (int64_t j = 0; j < p.columns; ++j) {
          const float expected = FloatSum(p, i, j);
          const float found = c[i * p.ldc + j];
          ASSERT_EQ(std::isnan(found), std::isnan(expected)) << p.Name() << " at " << i << "," << j << ": " << found;
          if (std::isnan(expected)) continue;
          ASSERT_EQ(std::isinf(found), std::isinf(expected)) << p.Name() << " at " << i << "," << j << ": " << found;
          if (std::isinf(expected)) {
            ASSERT_EQ(found, expected);
          } else {
            ASSERT_NEAR(found, expected, 5e-4 * std::max(1.0F, std::abs(expected)));
          }
        }
      }
    }
  }
}

/// Small numbers lose pieces. The error of a product is at most 2^-125 of the other factor.
TEST(AmxProduct, SmallNumbersLosePieces) {
  BFloat16Problem p({16, 16, 32}, {false, false, ""}, 3);
  for (float& number : p.a) number *= 0x1p-120F;
  const std::vector<float> c = p.Run(Emulated());
  for (int64_t i = 0; i < p.rows; ++i) {
    for (int64_t j = 0; j < p.columns; ++j) {
      double exact = 0;
      for (int64_t k = 0; k < p.depth; ++k) exact += static_cast<double>(p.A(i, k)) * p.Weight(k, j);
      ASSERT_NEAR(c[i * p.ldc + j], exact, 0x1p-125 * static_cast<double>(p.depth)) << i << "," << j;
    }
  }
}

/// Returns the largest error of a product in standard deviations of its results; with 0 pieces, the error of a plain
/// float sum.
double LargestError(int pieces) {
  BFloat16Problem p({64, 192, 768}, {false, false, ""}, std::max(pieces, 1));
  const std::vector<float> c = p.Run(Emulated());
  double largest = 0;
  double squares = 0;
  for (int64_t i = 0; i < p.rows; ++i) {
    for (int64_t j = 0; j < p.columns; ++j) {
      double exact = 0;
      for (int64_t k = 0; k < p.depth; ++k) exact += static_cast<double>(p.A(i, k)) * p.Weight(k, j);
      const float found = pieces == 0 ? FloatSum(p, i, j) : c[i * p.ldc + j];
      largest = std::max(largest, std::abs(found - exact));
      squares += exact * exact;
    }
  }
  return largest / std::sqrt(squares / static_cast<double>(p.rows * p.columns));
}

/// docs/numerics.md gives these errors.
TEST(AmxProduct, ErrorsShrinkWithPieces) {
  const double plain = LargestError(0);
  const double errors[] = {LargestError(1), LargestError(2), LargestError(3)};
  SCOPED_TRACE(testing::PrintToString(errors) + ", of float32 sums " + testing::PrintToString(plain));
  EXPECT_LT(errors[0], 1.2e-2);
  EXPECT_LT(errors[1], 2e-5);
  EXPECT_LT(errors[2], plain / 2);
}

#if defined(__x86_64__)
class AmxUnitTest : public testing::Test {
 protected:
  void SetUp() override {
    if (UsedMatrixUnit() != MatrixUnit::kAmx) GTEST_SKIP() << "no AMX on this CPU, or the system refuses it";
  }
};

TEST_F(AmxUnitTest, EqualsEmulationBitByBit) {
  for (const int pieces : {1, 2, 3}) {
    for (const int threads : {1, 3}) {
      const ThreadScope scope(threads);
      for (const ProductSizes& sizes : kProductSizes) {
        BFloat16Problem p(sizes, {true, true, "clamp"}, pieces);
        for (std::size_t i = 0; i < p.a.size(); i += 7) p.a[i] *= 0x1p-120F;  // its products are denormal
        const std::vector<float> unit = p.Run(AmxBFloat16Tiles());
        const std::vector<float> emulated = p.Run(Emulated());
        for (std::size_t i = 0; i < unit.size(); ++i) ASSERT_EQ(unit[i], emulated[i]) << p.Name() << " at " << i;
      }
    }
  }
}
#endif

}  // namespace
}  // namespace kuiper_infer::kernel
