// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/bfloat16/tile.hpp"
#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer::kernel {

/// Which columns (keys) each row (query) attends to before the mask is applied. There are n rows and s columns.
enum class CausalRule {
  kNone,       ///< each row sees all columns
  kFromStart,  ///< row i sees columns 0 to i: PyTorch's is_causal
  kFromEnd,    ///< row i sees columns 0 to s - n + i: the queries are the last n tokens (in PyTorch, a bias that is
               ///< causal at the lower right)
};

struct StreamedAttentionOptions {
  double scale = 1;  ///< factor of the scores, before the mask is applied
  CausalRule causal = CausalRule::kNone;
  bool mask_drops = false;  ///< true in a bool mask marks columns to leave out instead of columns to keep
  int threads = 1;          ///< the most threads that work
  /// The unit that multiplies queries by keys, and weights by values, all rounded to bfloat16, where there are many
  /// rows; null: they are multiplied as floats. It lives as long as the program.
  const BFloat16Tiles* rounding = nullptr;
};

/// An array that the caller describes and keeps alive. Nothing is copied, so that a run allocates nothing.
struct SpecifiedArray {
  const void* data = nullptr;
  const TensorSpec* spec = nullptr;
};

/// The arrays of one call. Leading axes of key, value and mask are broadcast to those of the output: they align at the
/// heads, and an extent of 1 is repeated. The number of query heads H is a multiple of G, the larger number of heads of
/// key and value; query heads [g * H / G, (g + 1) * H / G) read key/value head g. An array of rank 2 has one head.
struct StreamedAttentionArrays {
  SpecifiedArray query;  ///< (..., H, n, e), float32; last axis contiguous
  SpecifiedArray key;    ///< (..., G, s, e), float32, bfloat16 or int8 (int8_rows.hpp); last axis contiguous
  SpecifiedArray value;  ///< (..., G, s, v), of key's type; last axis contiguous
  /// (..., H, n, c), any strides: float32 (added to the scores) or bool. If c is 1, the column is repeated; otherwise,
  /// columns from c on are not masked. Columns from s on are not read. Data null: no mask.
  SpecifiedArray mask;
  void* output = nullptr;  ///< (..., H, n, v), float32, last axis contiguous
  const TensorSpec* output_spec = nullptr;
};

/// Bytes of scratch memory. They depend on the number of queries, heads and threads, but not on the length s.
int64_t StreamedAttentionWorkspace(const StreamedAttentionOptions& options, const TensorSpec& query,
                                   const TensorSpec& key, const TensorSpec& value, const TensorSpec& output);

/// output = softmax(scale * query @ key' + mask) @ value by an online softmax over blocks of keys (Milakov and
/// Gimelshein 2018; Dao et al. 2022): keys and values are read once for all query heads that share them, and scratch
/// memory doesn't grow with their length. A row whose columns are all masked gives zeros. Neither key nor value is read
/// behind its length. If there are too few heads to employ all threads, the length is cut into parts, whose results are
/// merged in order: for a given `threads`, results have the same bits whichever thread computes a part. `workspace` is
/// 64-byte aligned. Allocates nothing.
void StreamedAttention(const StreamedAttentionOptions& options, const StreamedAttentionArrays& arrays, void* workspace);

}  // namespace kuiper_infer::kernel
