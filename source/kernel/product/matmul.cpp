// SPDX-License-Identifier: MIT
#include "kernel/product/matmul.hpp"

#include <algorithm>
#include <type_traits>

#include "kernel/product/gemm.hpp"
#include "shape/matrix_offset.hpp"
#include "utils/dispatch_all.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// The description of a matrix for Gemm.
struct MatrixLayout {
  bool ready = false;
  bool transposed = false;
  int64_t leading = 1;
};

MatrixLayout LayoutOf(const TensorSpec& spec) {
  const std::size_t rank = spec.shape.size();
  const int64_t rows = spec.shape[rank - 2];
  const int64_t columns = spec.shape[rank - 1];
  const int64_t row_stride = rows > 1 ? spec.strides[rank - 2] : std::max<int64_t>(columns, 1);
  const int64_t column_stride = columns > 1 ? spec.strides[rank - 1] : std::max<int64_t>(rows, 1);
  if ((columns <= 1 || column_stride == 1) && row_stride >= std::max<int64_t>(columns, 1))
    return {true, false, row_stride};
  if ((rows <= 1 || row_stride == 1) && column_stride >= std::max<int64_t>(rows, 1)) return {true, true, column_stride};
  return {};
}

/// Whether the leading axes and the rows of `spec` count up as one axis of rows.
bool RowsCollapse(const TensorSpec& spec) {
  int64_t stride = spec.strides[spec.shape.size() - 2];
  for (std::size_t axis = spec.shape.size() - 1; axis-- > 0;) {
    if (spec.shape[axis] != 1 && spec.strides[axis] != stride) return false;
    stride = (spec.shape[axis] == 1 ? stride : spec.strides[axis]) * spec.shape[axis];
  }
  return true;
}

template <class T>
constexpr bool kHasGemm = !std::is_same_v<T, bool> && !std::is_same_v<T, Float16> && !std::is_same_v<T, BFloat16>;

template <class T>
void Run(T alpha, const ConstArrayView& a, const ConstArrayView& b, T beta, const ArrayView& out) {
  const std::size_t rank = out.shape().size();
  const int64_t m = out.shape()[rank - 2];
  const int64_t n = out.shape()[rank - 1];
  const int64_t k = a.shape()[rank - 1];
  int64_t count = 1;
  bool shared_b = true;
  for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
    count *= out.shape()[axis];
    shared_b = shared_b && (out.shape()[axis] == 1 || b.strides()[axis] == 0);
  }
  const MatrixLayout layout_a = LayoutOf(a.spec);
  const MatrixLayout layout_b = LayoutOf(b.spec);
  const auto product = [&](int64_t index, int64_t rows, int64_t leading_a) {
    Gemm<T>(layout_a.transposed, layout_b.transposed, rows, n, k, alpha, MatrixAt(a.as<T>(), a.spec, index), leading_a,
            MatrixAt(b.as<T>(), b.spec, index), layout_b.leading, beta, out.as<T>() + index * m * n, n);
  };
  if (count == 1) {
    product(0, m, layout_a.leading);
    return;
  }
  if (shared_b && m > 1 && !layout_a.transposed && RowsCollapse(a.spec)) {
    product(0, count * m, layout_a.leading);
    return;
  }
  constexpr int64_t kLargeProduct = 4 << 20;  // multiply-adds that keep all threads busy
  const int64_t threads = MaxThreads();
  if (m * n * k >= kLargeProduct && count < 4 * threads) {
    for (int64_t index = 0; index < count; ++index) product(index, m, layout_a.leading);
    return;
  }
  ParallelFor(count, GrainFor(m * n * k), [&](int64_t first, int64_t last) {
    for (int64_t index = first; index < last; ++index) product(index, m, layout_a.leading);
  });
}

}  // namespace

bool IsGemmReady(const TensorSpec& spec) { return LayoutOf(spec).ready; }

void BatchedMatmul(double alpha, const ConstArrayView& a, const ConstArrayView& b, double beta, const ArrayView& out) {
  if (out.size() == 0) return;
  DispatchAll(out.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (kHasGemm<T>) {
      Run<T>(static_cast<T>(alpha), a, b, static_cast<T>(beta), out);
    } else {
      FailDispatch(out.type());
    }
  });
}

}  // namespace kuiper_infer::kernel
