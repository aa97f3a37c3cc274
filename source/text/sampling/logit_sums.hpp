// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::text {

/// Sums over tokens: of the weights exp(x), and of x times its weight.
struct ExpSums {
  double weights = 0;
  double weighted = 0;
};

constexpr int64_t kLogitBlock = 64;

/// Writes the largest of each block of 64 logits; the last block may be shorter. Returns false if a logit is NaN or
/// plus infinity.
bool BlockMaxima(int64_t count, const float* logits, float* maxima);

/// The sums over all logits for x = (logit - largest) * scale; `largest` is the largest logit. The sum of the
/// weights e^x of each block of 64 logits is written to `blocks`, and the weights to `weights` if it isn't null.
ExpSums SumExps(int64_t count, const float* logits, float largest, float scale, double* blocks, float* weights);

}  // namespace kuiper_infer::text
