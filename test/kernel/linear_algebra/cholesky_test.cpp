// SPDX-License-Identifier: MIT
// Cholesky factors and triangular systems against their definitions.
#include "kernel/linear_algebra/cholesky.hpp"

#include <gtest/gtest.h>

#include "kernel/linear_algebra/matrices.hpp"
#include "kernel/linear_algebra/triangular.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
using CholeskyTest = MatrixTest<T>;
TYPED_TEST_SUITE(CholeskyTest, MatrixTypes);

TYPED_TEST(CholeskyTest, CholeskyFactorTimesItsTransposedIsTheMatrix) {
  this->ForSeeds([&] {
    const int64_t n = this->Extent();
    const Matrix<TypeParam> root = this->Random(n, n + 3);
    const Matrix<TypeParam> a = root * Transposed(root);
    for (const bool upper : {false, true}) {
      Matrix<TypeParam> factor(n, n);
      Matrix<TypeParam> half = TriangleOf(a, upper);
      ASSERT_EQ(Cholesky(upper, n, half.data(), factor.data()), 0);
      EXPECT_EQ(factor.elements, TriangleOf(factor, upper).elements);
      const Matrix<TypeParam> other = Transposed(factor);
      EXPECT_LE(Difference(a, upper ? other * factor : factor * other), Allowed<TypeParam>(n));
      Matrix<TypeParam> x = this->Random(n, 2);
      Matrix<TypeParam> b = (upper ? other * factor : factor * other) * x;
      SolveByCholesky(upper, n, 2, factor.data(), b.data());
      EXPECT_LE(Difference(x, b), 1e4 * Allowed<TypeParam>(n));
    }
  });
}

TYPED_TEST(CholeskyTest, CholeskyNamesTheFirstMinorThatIsNotPositive) {
  Matrix<TypeParam> a = Identity<TypeParam>(5);
  a(3, 3) = -1;
  Matrix<TypeParam> factor(5, 5);
  EXPECT_EQ(Cholesky(false, 5, a.data(), factor.data()), 4);
  EXPECT_EQ(Cholesky(true, 5, a.data(), factor.data()), 4);
}

TYPED_TEST(CholeskyTest, TriangularSystemsReadTheirTriangleOnly) {
  this->ForSeeds([&] {
    const int64_t n = this->Extent() % 10;
    Matrix<TypeParam> a = this->Random(n, n);
    for (int64_t i = 0; i < n; ++i) a(i, i) = 4;
    for (int variant = 0; variant < 16; ++variant) {
      const Triangle triangle{(variant & 1) != 0, (variant & 2) != 0, (variant & 4) != 0};
      const bool right = (variant & 8) != 0;
      Matrix<TypeParam> matrix = TriangleOf(a, triangle.upper, triangle.unit);
      if (triangle.transposed) matrix = Transposed(matrix);
      const Matrix<TypeParam> x = right ? this->Random(3, n) : this->Random(n, 3);
      Matrix<TypeParam> b = right ? x * matrix : matrix * x;
      const auto solve = right ? SolveTriangularRight<TypeParam> : SolveTriangular<TypeParam>;
      solve(triangle, n, 3, a.data(), b.data());
      EXPECT_LE(Difference(x, b), 1e3 * Allowed<TypeParam>(n)) << variant;
    }
  });
}

}  // namespace
}  // namespace kuiper_infer::kernel
