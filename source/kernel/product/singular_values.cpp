// SPDX-License-Identifier: MIT
#include "kernel/product/singular_values.hpp"

#include <algorithm>
#include <armadillo>

#include "kernel/product/openblas_scope.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::kernel {

template <class T>
void SingularValues(int64_t rows, int64_t columns, const T* matrix, T* values) {
  if (rows == 0 || columns == 0) return;
  // A row-major matrix is its own transpose in Armadillo's order; that has the same singular values.
  const arma::Mat<T> transposed(matrix, static_cast<arma::uword>(columns), static_cast<arma::uword>(rows));
  arma::Col<T> found;
  const OpenBlasScope scope;
  if (!arma::svd(found, transposed)) {
    throw Error(ErrorCode::kInput, "the matrix has NaN or infinite elements, singular values need finite ones");
  }
  std::copy(found.begin(), found.end(), values);
}

template void SingularValues(int64_t, int64_t, const float*, float*);
template void SingularValues(int64_t, int64_t, const double*, double*);

}  // namespace kuiper_infer::kernel
