// SPDX-License-Identifier: MIT
#include "kernel/product/gemm.hpp"

#include <atomic>
#include <cmath>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "kernel/random_data.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

struct GemmCase {
  int64_t m, n, k;
};

template <class T>
void CheckGemm(const GemmCase& shape, bool trans_a, bool trans_b, T alpha, T beta, int64_t gap) {
  const auto [m, n, k] = shape;
  const uint32_t seed = static_cast<uint32_t>(m * 10007 + n * 101 + k * 7 + trans_a * 2 + trans_b);
  SCOPED_TRACE("m " + std::to_string(m) + " n " + std::to_string(n) + " k " + std::to_string(k) + " trans " +
               std::to_string(trans_a) + std::to_string(trans_b) + " gap " + std::to_string(gap) + " seed " +
               std::to_string(seed));
  const int64_t lda = (trans_a ? m : k) + gap;
  const int64_t ldb = (trans_b ? k : n) + gap;
  const int64_t ldc = n + gap;
  const auto a = RandomVector<T>((trans_a ? k : m) * lda + 1, seed);
  const auto b = RandomVector<T>((trans_b ? n : k) * ldb + 1, seed + 1);
  const auto before = RandomVector<T>(m * ldc + 1, seed + 2);
  auto c = before;
  if (beta == T(0) && std::is_floating_point_v<T>) {
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) c[i * ldc + j] = static_cast<T>(NAN);
    }
  }
  Gemm<T>(trans_a, trans_b, m, n, k, alpha, a.data(), lda, b.data(), ldb, beta, c.data(), ldc);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < ldc; ++j) {
      double expected = static_cast<double>(before[i * ldc + j]);
      if (j < n) {
        expected *= static_cast<double>(beta);
        for (int64_t p = 0; p < k; ++p) {
          expected += static_cast<double>(alpha) * static_cast<double>(trans_a ? a[p * lda + i] : a[i * lda + p]) *
                      static_cast<double>(trans_b ? b[j * ldb + p] : b[p * ldb + j]);
        }
      }
      ASSERT_NEAR(static_cast<double>(c[i * ldc + j]), expected, 2 * SumTolerance<T>(k)) << "at " << i << "," << j;
    }
  }
}

template <class T>
class GemmTest : public ::testing::Test {};
using Types = ::testing::Types<float, double, int32_t, int64_t>;
TYPED_TEST_SUITE(GemmTest, Types);

TYPED_TEST(GemmTest, EqualsTripleLoop) {
  using T = TypeParam;
  const GemmCase cases[] = {{0, 3, 2},    {3, 0, 2},    {3, 2, 0},    {1, 1, 1},    {1, 17, 33},
                            {17, 1, 33},  {7, 9, 8},    {15, 16, 17}, {31, 33, 16}, {64, 64, 64},
                            {3, 129, 27}, {65, 3, 100}, {1, 1, 40}};
  for (const GemmCase& shape : cases) {
    for (int flags = 0; flags < 4; ++flags) {
      for (int64_t gap : {0, 3}) {
        CheckGemm<T>(shape, (flags & 1) != 0, (flags & 2) != 0, T(1), T(0), gap);
        CheckGemm<T>(shape, (flags & 1) != 0, (flags & 2) != 0, T(2), T(1), gap);
        CheckGemm<T>(shape, (flags & 1) != 0, (flags & 2) != 0, T(-1), T(3), gap);
      }
    }
  }
}

TYPED_TEST(GemmTest, IsRightInsideParallelRegions) {
  ParallelFor(4, 1, [](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) CheckGemm<TypeParam>({40 + i, 50, 60}, false, false, 1, 0, 0);
  });
}

TEST(GemmInteger, WrapsAround) {
  const int8_t a[] = {100, 100};
  const int8_t b[] = {2, 1};
  int8_t c = 0;
  Gemm<int8_t>(false, false, 1, 1, 2, 1, a, 2, b, 1, 0, &c, 1);
  EXPECT_EQ(c, 44);  // 300 modulo 256
  const int64_t big[] = {int64_t{1} << 62};
  const int64_t factor[] = {4};
  int64_t product = 1;
  Gemm<int64_t>(false, false, 1, 1, 1, 1, big, 1, factor, 1, 0, &product, 1);
  EXPECT_EQ(product, 0);
}

TEST(GemmComplex, MultipliesComplexNumbers) {
  using C = std::complex<float>;
  const C a[] = {{1, 2}, {3, -1}};
  const C b[] = {{0, 1}, {2, 0}};
  C c{7, 7};
  Gemm<C>(false, false, 1, 1, 2, C(1), a, 2, b, 1, C(0), &c, 1);
  EXPECT_EQ(c, C(4, -1));
}

/// Sums of small integers are exact in any order.
TEST(ParallelGemmTest, ProductsAtOnceByTeamsOfDifferentSizes) {
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
  GTEST_SKIP() << "the module has no threads";
#endif
  constexpr int64_t kExtent = 192;
  constexpr int64_t kCount = kExtent * kExtent;
  const auto numbers = RandomVector<int32_t>(2 * kCount, 1);
  const std::vector<float> a(numbers.begin(), numbers.begin() + kCount);
  const std::vector<float> b(numbers.begin() + kCount, numbers.end());
  const auto product = [&](int threads) {
    const ThreadScope scope(threads);
    std::vector<float> c(kCount);
    Gemm<float>(false, false, kExtent, kExtent, kExtent, 1, a.data(), kExtent, b.data(), kExtent, 0, c.data(), kExtent);
    return c;
  };
  const std::vector<float> expected = product(1);
  std::atomic<int> wrong{0};
  std::vector<std::thread> leaders;
  for (const int threads : {1, 2, 3, 4, 5}) {
    leaders.emplace_back([&, threads] {
      for (int i = 0; i < 200; ++i) wrong += product(threads) == expected ? 0 : 1;
    });
  }
  for (std::thread& leader : leaders) leader.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace kuiper_infer::kernel
