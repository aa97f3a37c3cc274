// SPDX-License-Identifier: MIT
#include "kernel/attention/token_rows.hpp"

#include <algorithm>
#include <type_traits>

#include "kernel/product/gemm.hpp"
#include "kernel/product/product.hpp"
#include "utils/element_at.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Whether all rows of the batch are equally far apart, in one order or the other.
bool BatchMajor(const TokenRows& rows) { return rows.batch == 1 || rows.batch_stride == rows.length * rows.row_stride; }
bool LengthMajor(const TokenRows& rows) { return rows.row_stride == rows.batch * rows.batch_stride; }

}  // namespace

TokenRows ContiguousRows(bool batch_first, int64_t batch, int64_t length, int64_t width) {
  return {batch, length, width, batch_first ? length * width : width, batch_first ? width : batch * width};
}

template <class T>
void ProjectRows(const TokenRows& x_rows, const void* x, const RowProjection<T>& projection, const TokenRows& y_rows,
                 T* y) {
  const T* bias = projection.bias;
  const auto project = [&](int64_t rows, int64_t from, int64_t from_pitch, T* to, int64_t to_pitch) {
    if constexpr (std::is_same_v<T, float>) {
      if (projection.packed.weight.data != nullptr) {
        Product product = projection.packed;
        product.rows = rows;
        product.columns = y_rows.width;
        product.depth = x_rows.width;
        product.a.data = ElementAt(x, product.a.type, from);
        product.a.ld = from_pitch;
        product.c = {to, to_pitch};
        product.epilogue.bias = bias;
        return Multiply(product);
      }
    }
    for (int64_t i = 0; bias != nullptr && i < rows; ++i) std::copy_n(bias, y_rows.width, to + i * to_pitch);
    Gemm<T>(false, true, rows, y_rows.width, x_rows.width, T(1), static_cast<const T*>(x) + from, from_pitch,
            projection.weight, x_rows.width, bias != nullptr ? T(1) : T(0), to, to_pitch);
  };
  const int64_t count = x_rows.batch * x_rows.length;
  if (BatchMajor(x_rows) && BatchMajor(y_rows)) {
    project(count, 0, x_rows.row_stride, y, y_rows.row_stride);
  } else if (LengthMajor(x_rows) && LengthMajor(y_rows)) {
    project(count, 0, x_rows.batch_stride, y, y_rows.batch_stride);
  } else {
    for (int64_t b = 0; b < x_rows.batch; ++b) {
      project(x_rows.length, b * x_rows.batch_stride, x_rows.row_stride, y + b * y_rows.batch_stride,
              y_rows.row_stride);
    }
  }
}

template <class T>
void SetRow(const TokenRows& rows, int64_t position, const T* values, T* y) {
  for (int64_t b = 0; b < rows.batch; ++b) {
    T* row = y + b * rows.batch_stride + position * rows.row_stride;
    if (values != nullptr) {
      std::copy_n(values, rows.width, row);
    } else {
      std::fill_n(row, rows.width, T(0));
    }
  }
}

template void ProjectRows<float>(const TokenRows&, const void*, const RowProjection<float>&, const TokenRows&, float*);
template void ProjectRows<double>(const TokenRows&, const void*, const RowProjection<double>&, const TokenRows&,
                                  double*);
template void SetRow<float>(const TokenRows&, int64_t, const float*, float*);
template void SetRow<double>(const TokenRows&, int64_t, const double*, double*);

}  // namespace kuiper_infer::kernel
