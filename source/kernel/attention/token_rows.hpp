// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/product.hpp"

namespace kuiper_infer::kernel {

/// Rows of `width` contiguous numbers, `length` of them in each sequence of a batch. Strides count elements, so that
/// (batch, length, width), (length, batch, width) and parts of wider rows are all of this form.
struct TokenRows {
  int64_t batch = 1;
  int64_t length = 0;
  int64_t width = 0;
  int64_t batch_stride = 0;
  int64_t row_stride = 0;
};

/// Token rows without gaps: (batch, length, width) or, without `batch_first`, (length, batch, width).
TokenRows ContiguousRows(bool batch_first, int64_t batch, int64_t length, int64_t width);

/// A linear map: weight (y.width, x.width) row-major, bias (y.width) or null.
template <class T>
struct RowProjection {
  const T* weight;
  const T* bias;
  /// The members of the product that are known before a run: the packed weight, if there is one, and type and grid of
  /// x. Used for float only.
  Product packed = {};
};

/// Computes y = x @ weight' + bias for every row. `x_rows` and `y_rows` have equal batch and length; x and y don't
/// overlap. x has type T; for int8 products it is bytes. Instantiated for float and double.
template <class T>
void ProjectRows(const TokenRows& x_rows, const void* x, const RowProjection<T>& projection, const TokenRows& y_rows,
                 T* y);

/// Writes `values` (null: zeros) into row `position` of every sequence.
template <class T>
void SetRow(const TokenRows& rows, int64_t position, const T* values, T* y);

}  // namespace kuiper_infer::kernel
