// SPDX-License-Identifier: MIT
// Least squares against the normal equations.
#include "kernel/linear_algebra/least_squares.hpp"

#include <gtest/gtest.h>

#include "kernel/linear_algebra/matrices.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
using LeastSquaresTest = MatrixTest<T>;
TYPED_TEST_SUITE(LeastSquaresTest, MatrixTypes);

TYPED_TEST(LeastSquaresTest, LeastSquaresAreOrthogonalToTheColumns) {
  using Driver = LeastSquares::Driver;
  this->ForSeeds([&] {
    const int64_t rows = this->Small(1);
    const int64_t columns = this->Small(1);
    const bool low_rank = this->Small(0) < 4;
    const int64_t rank = low_rank ? 1 : std::min(rows, columns);
    const Matrix<TypeParam> a =
        low_rank ? this->Random(rows, 1) * this->Random(1, columns) : this->Random(rows, columns);
    const Matrix<TypeParam> b = this->Random(rows, 2);
    Matrix<TypeParam> first(columns, 2);
    for (const Driver driver : {Driver::kGelsy, Driver::kGels, Driver::kGelsd, Driver::kGelss}) {
      if (low_rank && driver == Driver::kGels && rank < std::min(rows, columns)) continue;
      const LeastSquares problem{rows, columns, 2, driver, 1e-4};
      Matrix<TypeParam> x(columns, 2);
      std::vector<TypeParam> residuals(2);
      int64_t found = -1;
      LeastSquaresResults<TypeParam> results;
      results.solution = x.data();
      results.residuals = rows > columns && driver != Driver::kGelsy ? residuals.data() : nullptr;
      results.rank = &found;
      ASSERT_EQ(SolveLeastSquares(problem, a.data(), b.data(), results,
                                  Scratch(this->memory_, LeastSquaresScratch<TypeParam>(problem))),
                0);
      EXPECT_EQ(found, driver == Driver::kGels ? 0 : rank);
      const Matrix<TypeParam> fitted = a * x;
      Matrix<TypeParam> rest(rows, 2);
      for (std::size_t i = 0; i < rest.elements.size(); ++i) rest.elements[i] = fitted.elements[i] - b.elements[i];
      const double allowed = 1e3 * Allowed<TypeParam>(rows + columns);
      EXPECT_LE(Difference(Matrix<TypeParam>(columns, 2), Transposed(a) * rest), allowed);
      if (driver == Driver::kGelsy) first = x;
      EXPECT_LE(Difference(first, x), 100 * allowed) << "all drivers find the solution of the least norm";
      for (int64_t j = 0; results.residuals != nullptr && j < 2; ++j) {
        double sum = 0;
        for (int64_t i = 0; i < rows; ++i) sum += std::pow(static_cast<double>(rest(i, j)), 2);
        const bool near = std::abs(residuals[j] - sum) <= allowed * std::max(1.0, sum);
        EXPECT_TRUE(rank == columns ? near : std::isnan(residuals[j])) << residuals[j] << " for " << sum;
      }
    }
  });
}

}  // namespace
}  // namespace kuiper_infer::kernel
