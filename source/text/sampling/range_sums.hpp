// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

namespace kuiper_infer::text {

/// The numbers from `least` to `most`; none if `least` is greater.
struct Range {
  float least = std::numeric_limits<float>::infinity();
  float most = -std::numeric_limits<float>::infinity();
};

/// Logits and the weights of their tokens. A token has x = (logit - largest) * scale and the weight exp(x).
struct WeightedLogits {
  int64_t count = 0;
  const float* logits = nullptr;
  const float* weights = nullptr;
  const float* maxima = nullptr;  ///< the largest logit of each block of 64
  float largest = 0;
  float scale = 1;
};

/// Writes the sum of the weights of the tokens of each block whose x lies in `inner` to `blocks`, and returns the sum
/// of all blocks. Writes the tokens whose x lies in `outer` but not in `inner` to `between`, in the order of their
/// numbers, and their number to `found`; `between` has room for 64 tokens more than there are.
double SumRange(const WeightedLogits& tokens, Range inner, Range outer, double* blocks, int32_t* between,
                int64_t* found);

}  // namespace kuiper_infer::text
