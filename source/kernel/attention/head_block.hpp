// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "kernel/attention/attention.hpp"
#include "kernel/attention/score_softmax.hpp"
#include "shape/matrix_offset.hpp"
#include "utils/element_at.hpp"

namespace kuiper_infer::kernel {

// What the kinds of heads (float_heads.hpp, int8_heads.hpp) share. A kind is a class with
//   static int64_t WorkspaceBytes(options, rows, key, value): scratch memory of a worker whose blocks have at most
//   `rows` rows;
//   Heads(options, arrays, data, rows, workspace): `workspace` is aligned to a cache line;
//   void Run(const HeadBlock& block): computes a block's output and, if asked for, its attention weights. All blocks of
//   one matrix are run one after the other, so that its key and value are packed once.

/// Rows [first, first + rows) of matrix `item` of the queries.
struct HeadBlock {
  int64_t item = 0;
  int64_t first = 0;
  int64_t rows = 0;
};

inline int64_t RowStride(const TensorSpec& spec) { return spec.strides.end()[-2]; }
inline int64_t Rows(const TensorSpec& spec) { return spec.shape.end()[-2]; }
inline int64_t Columns(const TensorSpec& spec) { return spec.shape.back(); }

/// Returns the beginning of a block's rows in an array of the call.
template <class T>
T* BlockRows(T* elements, const TensorSpec& spec, const HeadBlock& block) {
  return MatrixAt(elements, spec, block.item, block.first * RowStride(spec));
}

/// The mask of a block's rows.
inline ScoreMask MaskOf(const AttentionOptions& options, const TensorSpec& spec, const void* data,
                        const HeadBlock& block) {
  ScoreMask mask;
  if (data == nullptr) return mask;
  mask.marks = spec.type == RuntimeDataType::kTypeBool;
  mask.drops = options.mask_drops;
  mask.columns = Columns(spec);
  mask.row_stride = RowStride(spec);
  mask.stride = spec.strides.back();
  mask.rows = ElementAt(data, spec.type, MatrixOffset(spec, block.item) + block.first * mask.row_stride);
  return mask;
}

/// Sets the scores that a causal call doesn't use to -inf: row i attends to columns 0 to i only. Rows have `columns`
/// scores.
template <class T>
void DropLater(const HeadBlock& block, int64_t columns, T* scores) {
  for (int64_t i = 0; i < block.rows; ++i) {
    const int64_t kept = std::min(columns, block.first + i + 1);
    std::fill_n(scores + i * columns + kept, columns - kept, -std::numeric_limits<T>::infinity());
  }
}

}  // namespace kuiper_infer::kernel
