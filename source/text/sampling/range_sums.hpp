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

/// What a pass over tokens finds: the weight of those in a range, and the end of the list of those around it.
struct RangeSum {
  double weight = 0;
  int32_t* between_end = nullptr;
};

/// Sums the weights of the tokens whose x lies in `inner`, and writes the sum of each block to `blocks`. Lists the
/// tokens whose x lies in `outer` but not in `inner` in `between`, which has room for all tokens, in the order of their
/// numbers.
RangeSum SumRange(const WeightedLogits& tokens, Range inner, Range outer, double* blocks, int32_t* between);

}  // namespace kuiper_infer::text
