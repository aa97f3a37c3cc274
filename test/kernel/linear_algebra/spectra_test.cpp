// SPDX-License-Identifier: MIT
// Singular values and eigenvalues against what defines them.
#include <gtest/gtest.h>

#include "kernel/linear_algebra/eigen.hpp"
#include "kernel/linear_algebra/matrices.hpp"
#include "kernel/linear_algebra/svd.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
using SpectraTest = MatrixTest<T>;
TYPED_TEST_SUITE(SpectraTest, MatrixTypes);

TYPED_TEST(SpectraTest, SingularVectorsAreOrthogonalAndGiveTheMatrix) {
  this->ForSeeds([&] {
    const int64_t rows = this->Extent();
    const int64_t columns = this->Extent();
    const int64_t least = std::min(rows, columns);
    const Matrix<TypeParam> a = this->Random(rows, columns);
    const double allowed = Allowed<TypeParam>(rows + columns);
    std::vector<TypeParam> alone(static_cast<std::size_t>(least));
    const Svd only{rows, columns, Svd::Vectors::kNone};
    ASSERT_EQ(SingularValues<TypeParam>(only, a.data(), nullptr, alone.data(), nullptr,
                                        Scratch(this->memory_, SvdScratch<TypeParam>(only))),
              0);
    for (const Svd::Vectors vectors : {Svd::Vectors::kReduced, Svd::Vectors::kFull}) {
      const bool full = vectors == Svd::Vectors::kFull;
      Matrix<TypeParam> u(rows, full ? rows : least);
      Matrix<TypeParam> vt(full ? columns : least, columns);
      Matrix<TypeParam> s(u.columns, vt.rows);
      std::vector<TypeParam> values(static_cast<std::size_t>(least));
      const Svd svd{rows, columns, vectors};
      ASSERT_EQ(SingularValues(svd, a.data(), u.data(), values.data(), vt.data(),
                               Scratch(this->memory_, SvdScratch<TypeParam>(svd))),
                0);
      for (int64_t i = 0; i < least; ++i) {
        s(i, i) = values[i];
        EXPECT_NEAR(values[i], alone[i], 10 * allowed);
      }
      EXPECT_TRUE(std::is_sorted(values.rbegin(), values.rend()));
      EXPECT_LE(Difference(a, u * (s * vt)), allowed);
      EXPECT_LE(Difference(Identity<TypeParam>(u.columns), Transposed(u) * u), allowed);
      EXPECT_LE(Difference(Identity<TypeParam>(vt.rows), vt * Transposed(vt)), allowed);
    }
  });
}

TYPED_TEST(SpectraTest, EigenvectorsOfSymmetricMatricesAreOrthogonal) {
  this->ForSeeds([&] {
    const int64_t n = this->Extent();
    const Matrix<TypeParam> root = this->Random(n, n);
    Matrix<TypeParam> a(n, n);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) a(i, j) = root(i, j) + root(j, i);
    }
    for (const bool upper : {false, true}) {
      const Matrix<TypeParam> half = TriangleOf(a, upper);
      Matrix<TypeParam> vectors(n, n);
      Matrix<TypeParam> values(n, n);
      std::vector<TypeParam> found(static_cast<std::size_t>(n));
      ASSERT_EQ(SymmetricEigen(n, upper, half.data(), found.data(), vectors.data(),
                               Scratch(this->memory_, SymmetricEigenScratch<TypeParam>(n, true))),
                0);
      EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
      for (int64_t i = 0; i < n; ++i) values(i, i) = found[i];
      EXPECT_LE(Difference(a, vectors * values * Transposed(vectors)), Allowed<TypeParam>(n));
      EXPECT_LE(Difference(Identity<TypeParam>(n), Transposed(vectors) * vectors), Allowed<TypeParam>(n));
    }
  });
}

TYPED_TEST(SpectraTest, EigenvectorsAreOnlyScaledByTheMatrix) {
  using Complex = std::complex<TypeParam>;
  this->ForSeeds([&] {
    const int64_t n = this->Extent();
    const Matrix<TypeParam> a = this->Random(n, n);
    Matrix<Complex> wide(n, n);
    std::copy(a.elements.begin(), a.elements.end(), wide.elements.begin());
    Matrix<Complex> vectors(n, n);
    Matrix<Complex> values(n, n);
    std::vector<Complex> found(static_cast<std::size_t>(n));
    std::vector<Complex> alone(static_cast<std::size_t>(n));
    ASSERT_EQ(
        Eigen(n, a.data(), found.data(), vectors.data(), Scratch(this->memory_, EigenScratch<TypeParam>(n, true))), 0);
    ASSERT_EQ(
        Eigen<TypeParam>(n, a.data(), alone.data(), nullptr, Scratch(this->memory_, EigenScratch<TypeParam>(n, false))),
        0);
    Complex trace(0);
    Complex sum(0);
    for (int64_t i = 0; i < n; ++i) {
      values(i, i) = found[i];
      trace += a(i, i);
      sum += alone[i];
      double length = 0;
      for (int64_t k = 0; k < n; ++k) length += std::norm(vectors(k, i));
      EXPECT_NEAR(length, 1, Allowed<TypeParam>(n));
    }
    EXPECT_LE(Difference(wide * vectors, vectors * values), 10 * Allowed<TypeParam>(n));
    EXPECT_NEAR(std::abs(trace - sum), 0, 10 * Allowed<TypeParam>(n));
  });
}

TYPED_TEST(SpectraTest, MatricesWithoutFiniteElementsAreReported) {
  for (const TypeParam bad :
       {std::numeric_limits<TypeParam>::quiet_NaN(), std::numeric_limits<TypeParam>::infinity()}) {
    Matrix<TypeParam> a = Identity<TypeParam>(3);
    a(1, 0) = bad;
    std::vector<TypeParam> values(3);
    std::vector<std::complex<TypeParam>> complex(3);
    const Svd svd{3, 3, Svd::Vectors::kNone};
    EXPECT_GT(SingularValues<TypeParam>(svd, a.data(), nullptr, values.data(), nullptr,
                                        Scratch(this->memory_, SvdScratch<TypeParam>(svd))),
              0);
    std::byte* scratch = Scratch(this->memory_, SymmetricEigenScratch<TypeParam>(3, false));
    EXPECT_GT(SymmetricEigen<TypeParam>(3, false, a.data(), values.data(), nullptr, scratch), 0);
    EXPECT_EQ(SymmetricEigen<TypeParam>(3, true, a.data(), values.data(), nullptr, scratch), 0) << "not its triangle";
    EXPECT_GT(Eigen<TypeParam>(3, a.data(), complex.data(), nullptr,
                               Scratch(this->memory_, EigenScratch<TypeParam>(3, false))),
              0);
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
