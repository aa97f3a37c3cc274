// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/product_kernel.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

struct AttentionOptions {
  double scale = 1;          ///< of the scores, before the mask
  bool causal = false;       ///< row i attends to columns 0 to i only
  bool mask_drops = false;   ///< true in a bool mask marks columns to leave out instead of those to keep
  bool zero_masked = false;  ///< a row without any column gives zeros instead of NaN
  int threads = 1;           ///< that work at most
  /// The kernel of both products of float32 arrays: one of float32, of split bfloat16, or of integers of 8 bits
  /// (int8_heads.hpp; weights can't be given then). Null: BLAS.
  const ProductKernel* product = nullptr;

  bool integers() const { return product != nullptr && product->left == RuntimeDataType::kTypeUInt8; }
};

/// The arrays of one call. All share their leading axes (strides of 0 repeat a matrix) and one element type, float32 or
/// float64; the last axis of query, key and value is contiguous.
struct AttentionArrays {
  ConstArrayView query;  ///< (..., l, e)
  ConstArrayView key;    ///< (..., s, e)
  ConstArrayView value;  ///< (..., s, v)
  /// (..., l, c) with c <= s, any strides: of the arrays' type (added to the scores) or bool. Columns from c on are not
  /// masked. Data null: no mask.
  ConstArrayView mask;
  ArrayView output;  ///< (..., l, v), the last axis contiguous
  /// (..., l, s), row-major: receives the softmax of the scores. Data null: not wanted.
  ArrayView weights;
};

/// The addresses of the arrays in a run; they are not known when the arrays are described.
struct AttentionData {
  const void* query = nullptr;
  const void* key = nullptr;
  const void* value = nullptr;
  const void* mask = nullptr;
  void* output = nullptr;
  void* weights = nullptr;
};

/// Bytes of scratch memory for arrays of these specs (the leading axes in `query`).
int64_t AttentionWorkspace(const AttentionOptions& options, const TensorSpec& query, const TensorSpec& key,
                           const TensorSpec& value);

/// output = softmax(scale * query @ key' + mask) @ value: scaled dot-product attention (Vaswani et al., "Attention is
/// all you need", 2017, equation 1). The scores exist for a few rows at a time. `workspace` is 64-byte aligned.
void Attention(const AttentionOptions& options, const AttentionArrays& arrays, void* workspace);
/// Attention on the addresses in `data`; of `arrays` only the specs count. Allocates nothing.
void Attention(const AttentionOptions& options, const AttentionArrays& arrays, const AttentionData& data,
               void* workspace);

}  // namespace kuiper_infer::kernel
