// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/text/sampling.hpp"
#include "text/sampling/candidates.hpp"
#include "text/sampling/logit_blocks.hpp"
#include "text/sampling/nearest_tokens.hpp"

namespace kuiper_infer::text {

/// Which tokens are left to choose from: all, those of `nearest`, or those of `candidates`.
enum class Left { kAll, kNearest, kCandidates };

/// The filters of SamplingOptions, from top_k to typical_p, and what they leave of logits.
struct TokenFilter {
  const SamplingOptions& options;
  const float scale;  ///< the inverse of the temperature
  LogitBlocks blocks{};
  NearestTokens nearest{};
  Candidates candidates{};

  /// Applies the filters to the logits of `blocks`.
  Left Apply();
  /// Sets `candidates` to what is left, unless all tokens are.
  Left Listed(Left left);
  Left KeepTopP(Left left);
  Left KeepTypical(Left left);
  Left KeepNearest(Left left, double center, double needed, Ties ties);
};

}  // namespace kuiper_infer::text
