// SPDX-License-Identifier: MIT
// Q, R and products of reflectors against their definitions.
#include "kernel/linear_algebra/qr.hpp"

#include <gtest/gtest.h>

#include "kernel/linear_algebra/matrices.hpp"

namespace kuiper_infer::kernel {
namespace {

template <class T>
using QrTest = MatrixTest<T>;
TYPED_TEST_SUITE(QrTest, MatrixTypes);

TYPED_TEST(QrTest, QHasOrthogonalColumnsAndQrIsTheMatrix) {
  this->ForSeeds([&] {
    const int64_t rows = this->Extent();
    const int64_t columns = this->Extent();
    const int64_t least = std::min(rows, columns);
    const Matrix<TypeParam> a = this->Random(rows, columns);
    Matrix<TypeParam> qr(rows, columns);
    std::vector<TypeParam> tau(static_cast<std::size_t>(least));
    std::byte* scratch = Scratch(this->memory_, QrScratch<TypeParam>(rows, std::max(rows, columns)));
    QrFactor(rows, columns, a.data(), qr.data(), tau.data(), scratch);
    const double allowed = Allowed<TypeParam>(rows);
    Matrix<TypeParam> whole(rows, rows);
    ReflectorProduct(rows, columns, least, rows, qr.data(), tau.data(), whole.data(), scratch);
    EXPECT_LE(Difference(Identity<TypeParam>(rows), Transposed(whole) * whole), allowed);
    EXPECT_LE(Difference(a, whole * TriangleOf(qr, true)), allowed);
    Matrix<TypeParam> q(rows, least);
    ReflectorProduct(rows, columns, least, least, qr.data(), tau.data(), q.data(), scratch);
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < least; ++j) EXPECT_NEAR(q(i, j), whole(i, j), allowed);
    }
    Matrix<TypeParam> reflectors(rows, least);
    for (int64_t i = 0; i < rows; ++i) std::copy_n(&qr.elements[i * columns], least, reflectors.data() + i * least);
    for (const bool left : {false, true}) {
      for (const bool transposed : {false, true}) {
        const Matrix<TypeParam> c = left ? this->Random(rows, 4) : this->Random(4, rows);
        Matrix<TypeParam> product(c.rows, c.columns);
        const ReflectorSide side{left, transposed};
        MultiplyByReflectors(side, c.rows, c.columns, least, reflectors.data(), tau.data(), c.data(), product.data(),
                             Scratch(this->memory_, ReflectorScratch<TypeParam>(side, c.rows, c.columns, least)));
        const Matrix<TypeParam> factor = transposed ? Transposed(whole) : whole;
        EXPECT_LE(Difference(left ? factor * c : c * factor, product), allowed) << left << transposed;
      }
    }
  });
}

}  // namespace
}  // namespace kuiper_infer::kernel
