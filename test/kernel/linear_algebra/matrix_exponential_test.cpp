// SPDX-License-Identifier: MIT
// The exponential of matrices against a limit of powers.
#include "kernel/linear_algebra/matrix_exponential.hpp"

#include <gtest/gtest.h>

#include "kernel/linear_algebra/matrices.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
using MatrixExponentialTest = MatrixTest<T>;
TYPED_TEST_SUITE(MatrixExponentialTest, MatrixTypes);

/// exp(A) = exp(A / 2^20)^(2^20) in the widest type, with a series of five terms.
template <class T>
Matrix<long double> SlowExponential(const Matrix<T>& a) {
  constexpr int kSquarings = 20;
  Matrix<long double> scaled(a.rows, a.rows);
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    scaled.elements[i] = std::ldexp(static_cast<long double>(a.elements[i]), -kSquarings);
  }
  Matrix<long double> sum = Identity<long double>(a.rows);
  Matrix<long double> power = sum;
  long double factorial = 1;
  for (int k = 1; k <= 5; ++k) {
    power = power * scaled;
    factorial *= k;
    for (std::size_t i = 0; i < sum.elements.size(); ++i) sum.elements[i] += power.elements[i] / factorial;
  }
  for (int i = 0; i < kSquarings; ++i) sum = sum * sum;
  return sum;
}

TYPED_TEST(MatrixExponentialTest, ExponentialsEqualTheLimitOfPowers) {
  this->ForSeeds([&] {
    const int64_t n = this->Small(0);
    Matrix<TypeParam> a = this->Random(n, n);
    const TypeParam scale = static_cast<TypeParam>(std::ldexp(1.0, static_cast<int>(this->Small(0)) - 7));
    for (TypeParam& x : a.elements) x *= scale;
    Matrix<TypeParam> found(n, n);
    MatrixExponential(n, a.data(), found.data(), Scratch(this->memory_, MatrixExponentialScratch<TypeParam>(n)));
    const Matrix<long double> slow = SlowExponential(a);
    Matrix<TypeParam> expected(n, n);
    std::transform(slow.elements.begin(), slow.elements.end(), expected.elements.begin(),
                   [](long double x) { return static_cast<TypeParam>(x); });
    EXPECT_LE(Difference(expected, found), 10 * Allowed<TypeParam>(n));
  });
}

}  // namespace
}  // namespace kuiper_infer::kernel
