// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/attention/head_block.hpp"

namespace kuiper_infer::kernel {

/// Heads (head_block.hpp) of floats whose two products are computed in int8. Each row of queries and keys and each
/// column of values is rounded with a scale of its own (product/int8/computed_factor.hpp), the softmax to multiples of
/// 1/255 of each row's largest number. Attention weights are not returned.
class Int8Heads {
 public:
  static int64_t WorkspaceBytes(const AttentionOptions& options, int64_t rows, const TensorSpec& key,
                                const TensorSpec& value);

  Int8Heads(const AttentionOptions& options, const AttentionArrays& arrays, const AttentionData& data, int64_t rows,
            char* workspace);

  void Run(const HeadBlock& block);

 private:
  /// The beginnings of the parts of a worker's memory.
  struct Places {
    Places(int64_t rows, const TensorSpec& key, const TensorSpec& value);
    int64_t key = 0;  ///< the packed keys; `value`: the packed values
    int64_t key_scales = 0;
    int64_t value = 0;
    int64_t value_scales = 0;
    int64_t query = 0;  ///< bytes
    int64_t query_scales = 0;
    int64_t scores = 0;
    int64_t weights = 0;  ///< the softmax: bytes
    int64_t factors = 0;  ///< the scale of each row of the weights
    int64_t end = 0;
  };

  void Select(int64_t item);
  float* Floats(int64_t place) const { return reinterpret_cast<float*>(workspace_ + place); }
  uint8_t* Bytes(int64_t place) const { return reinterpret_cast<uint8_t*>(workspace_ + place); }

  const AttentionOptions& options_;
  const AttentionArrays& arrays_;
  const AttentionData& data_;
  int64_t columns_;  ///< of the scores
  int64_t width_;    ///< of the output's rows
  Places places_;
  char* workspace_;
  int64_t item_ = -1;
};

}  // namespace kuiper_infer::kernel
