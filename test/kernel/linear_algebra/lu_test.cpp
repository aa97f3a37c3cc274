// SPDX-License-Identifier: MIT
// LU factors, the systems that they solve, and determinants against their definitions.
#include "kernel/linear_algebra/lu.hpp"

#include <gtest/gtest.h>

#include "kernel/linear_algebra/determinant.hpp"
#include "kernel/linear_algebra/matrices.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
using LuTest = MatrixTest<T>;
TYPED_TEST_SUITE(LuTest, MatrixTypes);

TYPED_TEST(LuTest, PermutedLTimesUIsTheMatrix) {
  this->ForSeeds([&] {
    const int64_t rows = this->Extent();
    const int64_t columns = this->Extent();
    const int64_t least = std::min(rows, columns);
    const Matrix<TypeParam> a = this->Random(rows, columns);
    Matrix<TypeParam> lu(rows, columns);
    std::vector<int32_t> pivots(static_cast<std::size_t>(least));
    ASSERT_EQ(LuFactor(rows, columns, a.data(), lu.data(), pivots.data(),
                       Scratch(this->memory_, LuScratch<TypeParam>(rows, columns))),
              0);
    Matrix<TypeParam> p(rows, rows);
    Matrix<TypeParam> l(rows, least);
    Matrix<TypeParam> u(least, columns);
    std::vector<int64_t> order(static_cast<std::size_t>(rows));
    UnpackLu(rows, columns, lu.data(), pivots.data(), p.data(), l.data(), u.data(), order.data());
    EXPECT_EQ(l.elements, TriangleOf(l, false, true).elements);
    EXPECT_EQ(u.elements, TriangleOf(u, true).elements);
    EXPECT_LE(Difference(a, p * (l * u)), Allowed<TypeParam>(rows));
  });
}

TYPED_TEST(LuTest, LuSolvesFromBothSidesAndTransposed) {
  this->ForSeeds([&] {
    const int64_t n = this->Extent();
    Matrix<TypeParam> a = this->Random(n, n);
    for (int64_t i = 0; i < n; ++i) a(i, (i + 1) % n) += static_cast<TypeParam>(2 * n);  // well conditioned
    Matrix<TypeParam> lu(n, n);
    std::vector<int32_t> pivots(static_cast<std::size_t>(n));
    std::byte* scratch = Scratch(this->memory_, LuScratch<TypeParam>(n, n));
    ASSERT_EQ(LuFactor(n, n, a.data(), lu.data(), pivots.data(), scratch), 0);
    for (const bool right : {false, true}) {
      for (const bool transposed : {false, true}) {
        const Matrix<TypeParam> matrix = transposed ? Transposed(a) : a;
        const Matrix<TypeParam> x = right ? this->Random(3, n) : this->Random(n, 3);
        Matrix<TypeParam> b = right ? x * matrix : matrix * x;
        SolveByLu({right, transposed}, n, 3, lu.data(), pivots.data(), b.data());
        EXPECT_LE(Difference(x, b), 10 * Allowed<TypeParam>(n)) << right << transposed;
      }
    }
    Matrix<TypeParam> other(n, n);
    ASSERT_EQ(LuFactorTransposed(n, Transposed(a).data(), other.data(), pivots.data(), scratch), 0);
    EXPECT_EQ(lu.elements, other.elements);
  });
}

/// By cofactors of the first row.
template <class T>
T SlowDeterminant(const Matrix<T>& a) {
  if (a.rows == 0) return T(1);
  T sum(0);
  for (int64_t j = 0; j < a.columns; ++j) {
    Matrix<T> minor(a.rows - 1, a.columns - 1);
    for (int64_t i = 1; i < a.rows; ++i) {
      for (int64_t k = 0; k + 1 < a.columns; ++k) minor(i - 1, k) = a(i, k < j ? k : k + 1);
    }
    sum += (j % 2 == 0 ? 1 : -1) * a(0, j) * SlowDeterminant(minor);
  }
  return sum;
}

TYPED_TEST(LuTest, DeterminantsEqualTheSumOverCofactors) {
  this->ForSeeds([&] {
    const int64_t n = this->Extent() % 7;
    const Matrix<TypeParam> a = this->Random(n, n);
    Matrix<TypeParam> lu(n, n);
    std::vector<int32_t> pivots(static_cast<std::size_t>(n));
    LuFactor(n, n, a.data(), lu.data(), pivots.data(), Scratch(this->memory_, LuScratch<TypeParam>(n, n)));
    const double expected = static_cast<double>(SlowDeterminant(a));
    EXPECT_NEAR(Determinant(n, lu.data(), pivots.data()), expected, 200 * Allowed<TypeParam>(n));
    TypeParam sign(0);
    TypeParam magnitude(0);
    LogDeterminant(n, lu.data(), pivots.data(), &sign, &magnitude);
    EXPECT_NEAR(static_cast<double>(sign) * std::exp(static_cast<double>(magnitude)), expected,
                200 * Allowed<TypeParam>(n));
  });
}

}  // namespace
}  // namespace kuiper_infer::kernel
