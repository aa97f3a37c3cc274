// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/product_kernel.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

struct AttentionOptions {
  double scale = 1;          ///< factor of the scores, before the mask is applied
  bool causal = false;       ///< row i attends to columns 0 to i only
  bool mask_drops = false;   ///< true in a bool mask marks columns to leave out instead of columns to keep
  bool zero_masked = false;  ///< a row whose columns are all masked gives zeros instead of NaN
  int threads = 1;           ///< the most threads that work
  /// The kernel of both products of float32 arrays: a float32, split bfloat16 or int8 kernel (int8_heads.hpp; attention
  /// weights can't be returned then). Null: BLAS.
  const ProductKernel* product = nullptr;

  bool integers() const { return product != nullptr && product->left == RuntimeDataType::kTypeUInt8; }
};

/// The arrays of one call. All share their leading axes (strides of 0 repeat a matrix) and one element type, float32 or
/// float64; the last axis of query, key and value is contiguous.
struct AttentionArrays {
  ConstArrayView query;  ///< (..., l, e)
  ConstArrayView key;    ///< (..., s, e)
  ConstArrayView value;  ///< (..., s, v)
  /// (..., l, c) with c <= s, any strides. Its elements are bools, or numbers of the arrays' type, which are added to
  /// the scores. Columns from c on are not masked. Null data: no mask.
  ConstArrayView mask;
  ArrayView output;  ///< (..., l, v), the last axis contiguous
  /// (..., l, s), row-major: receives the softmax of the scores. Null data: the softmax is not returned.
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

/// Bytes of scratch memory for arrays of these specs; the number of heads and batches is that of `query`.
int64_t AttentionWorkspace(const AttentionOptions& options, const TensorSpec& query, const TensorSpec& key,
                           const TensorSpec& value);

/// output = softmax(scale * query @ key' + mask) @ value: scaled dot-product attention (Vaswani et al., "Attention is
/// all you need", 2017, equation 1). The scores exist for a few rows at a time. `workspace` is 64-byte aligned.
void Attention(const AttentionOptions& options, const AttentionArrays& arrays, void* workspace);
/// Attention on the addresses in `data`; of `arrays` only the specs count. Allocates nothing.
void Attention(const AttentionOptions& options, const AttentionArrays& arrays, const AttentionData& data,
               void* workspace);

}  // namespace kuiper_infer::kernel
