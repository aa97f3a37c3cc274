// SPDX-License-Identifier: MIT
#include "kernel/product/packed_matmul.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/product_kernels.hpp"
#include "kernel/random_data.hpp"
#include "shape/matrix_offset.hpp"
#include "utils/half.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr RuntimeDataType kFloat = RuntimeDataType::kTypeFloat32;
const ProductKernel& Floats() { return Float32Kernel(UsedIsa()); }
const ProductKernel& Rounded() { return BFloat16KernelOf(UsedMatrixUnit(), 1); }
constexpr int64_t kGap = 3;  ///< between rows, or between columns

/// Matrices a (m, k) and b (k, n) below `leading` axes.
struct Problem {
  Problem(const Shape& axes, int64_t rows, int64_t columns, int64_t depth, bool transposed_b, bool shared_b)
      : leading(axes), m(rows), n(columns), k(depth), seed(static_cast<uint32_t>(rows * 31 + columns * 7 + depth)) {
    const int64_t count = ElementCount(leading);
    const int64_t pitch = (transposed_b ? k : n) + kGap;
    const int64_t plane = pitch * (transposed_b ? n : k);
    a_spec = Spec(m, k, k + kGap, 1, m * (k + kGap));
    b_spec = Spec(k, n, transposed_b ? 1 : pitch, transposed_b ? pitch : 1, shared_b ? 0 : plane);
    a = RandomVector<float>(count * m * (k + kGap), seed);
    b = RandomVector<float>(count * plane, seed + 1);
  }

  TensorSpec Spec(int64_t rows, int64_t columns, int64_t row_stride, int64_t column_stride, int64_t plane) const {
    Shape shape = leading;
    Strides strides = RowMajorStrides(leading);
    for (int64_t& stride : strides) stride *= plane;
    shape.insert(shape.end(), {rows, columns});
    strides.insert(strides.end(), {row_stride, column_stride});
    return {kFloat, shape, strides};
  }

  std::vector<float> Run(const ProductKernel& kernel, int threads) const {
    const ThreadScope scope(threads);
    Shape shape = leading;
    shape.insert(shape.end(), {m, n});
    std::vector<float> out(static_cast<std::size_t>(ElementCount(shape)), 77.0F);
    std::vector<std::byte> workspace(static_cast<std::size_t>(PackedMatmulWorkspace(kernel, a_spec, b_spec, threads)));
    PackedMatmul(kernel, {a.data(), a_spec}, {b.data(), b_spec}, {out.data(), TensorSpec(kFloat, shape)}, threads,
                 workspace.data());
    return out;
  }

  /// Returns the product by a triple loop in double.
  std::vector<double> Expected(const ProductKernel& kernel) const {
    const auto factor = [&](float x) { return kernel.RoundsToBFloat16() ? static_cast<float>(BFloat16(x)) : x; };
    std::vector<double> out;
    for (int64_t index = 0; index < ElementCount(leading); ++index) {
      const float* left = MatrixAt(a.data(), a_spec, index);
      const float* right = MatrixAt(b.data(), b_spec, index);
      for (int64_t i = 0; i < m; ++i) {
        for (int64_t j = 0; j < n; ++j) {
          double sum = 0;
          for (int64_t p = 0; p < k; ++p) {
            sum += static_cast<double>(factor(left[i * a_spec.strides.end()[-2] + p])) *
                   factor(right[p * b_spec.strides.end()[-2] + j * b_spec.strides.back()]);
          }
          out.push_back(sum);
        }
      }
    }
    return out;
  }

  Shape leading;
  int64_t m, n, k;
  uint32_t seed;
  TensorSpec a_spec, b_spec;
  std::vector<float> a, b;
};

class PackedMatmulTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasProductKernels(UsedUnits())) GTEST_SKIP() << "matrices are not packed on this CPU, or with this KUIPER_ISA";
  }
};

TEST_F(PackedMatmulTest, EqualsTripleLoopWithAnyNumberOfThreads) {
  for (const Shape& leading : {Shape{}, Shape{2}, Shape{2, 3}, Shape{0}}) {
    using Sizes = std::array<int64_t, 3>;
    for (const auto& [m, n, k] : {Sizes{16, 24, 16}, Sizes{49, 32, 49}, Sizes{50, 70, 33}, Sizes{130, 65, 300}}) {
      for (const int lie : {0, 1, 2, 3}) {
        const Problem p(leading, m, n, k, lie % 2 == 1, lie >= 2);
        for (const ProductKernel* kernel : {&Floats(), &Rounded()}) {
          SCOPED_TRACE(ShapeString(leading) + " m " + std::to_string(m) + " n " + std::to_string(n) + " k " +
                       std::to_string(k) + " lie " + std::to_string(lie) + " " + kernel->format.name);
          const std::vector<float> found = p.Run(*kernel, 1);
          const std::vector<double> expected = p.Expected(*kernel);
          ASSERT_EQ(found.size(), expected.size());
          for (std::size_t i = 0; i < found.size(); ++i) {
            ASSERT_NEAR(found[i], expected[i], 2 * SumTolerance<float>(k)) << i << " seed " << p.seed;
          }
          for (const int threads : {2, 5}) EXPECT_EQ(p.Run(*kernel, threads), found) << threads;
        }
      }
    }
  }
}

TEST_F(PackedMatmulTest, NaNAndInfinityPassAsInFloat32) {
  Problem p({}, 20, 30, 40, false, false);
  p.a[5] = std::nanf("");
  p.a[3 * (40 + kGap) + 7] = std::numeric_limits<float>::infinity();
  p.b[8 * (30 + kGap) + 4] = -std::numeric_limits<float>::infinity();
  const std::vector<float> expected = p.Run(Floats(), 1);
  const std::vector<float> found = p.Run(Rounded(), 1);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(std::isnan(found[i]), std::isnan(expected[i])) << i;
    ASSERT_EQ(std::isinf(found[i]), std::isinf(expected[i])) << i;
  }
}

TEST_F(PackedMatmulTest, SuitsMatricesOfManyRowsWithoutGapsBetweenNumbers) {
  const auto spec = [](int64_t rows, int64_t columns, int64_t row_stride, int64_t column_stride) {
    return TensorSpec(kFloat, {rows, columns}, {row_stride, column_stride});
  };
  EXPECT_TRUE(SuitsPackedMatmul(Floats(), spec(16, 32, 32, 1), spec(32, 40, 40, 1)));
  EXPECT_FALSE(SuitsPackedMatmul(Floats(), spec(15, 32, 32, 1), spec(32, 40, 40, 1)));
  EXPECT_FALSE(SuitsPackedMatmul(Floats(), spec(16, 32, 1, 16), spec(32, 40, 40, 1)));
  EXPECT_FALSE(SuitsPackedMatmul(Floats(), spec(16, 32, 32, 1), spec(32, 40, 80, 2)));
  EXPECT_TRUE(SuitsPackedMatmul(Floats(), spec(48, 32, 32, 1), spec(32, 40, 1, 32)));
  EXPECT_FALSE(SuitsPackedMatmul(Floats(), spec(47, 32, 32, 1), spec(32, 40, 1, 32)));
  EXPECT_TRUE(SuitsPackedMatmul(Rounded(), spec(16, 32, 32, 1), spec(32, 40, 1, 32)));
  EXPECT_FALSE(SuitsPackedMatmul(Floats(), spec(99, 15, 15, 1), spec(15, 40, 40, 1)));
  EXPECT_FALSE(SuitsPackedMatmul(Floats(), spec(99, 32, 32, 1), spec(32, 23, 23, 1)));
}

}  // namespace
}  // namespace kuiper_infer::kernel
