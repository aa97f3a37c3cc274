// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "kuiper_infer/text/sampling.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "text/sampling/logit_blocks.hpp"
#include "text/sampling/sampling_checks.hpp"

namespace kuiper_infer::text {

LogProbabilities LogProbabilitiesOf(const float* logits, int64_t vocabulary, int64_t token, int64_t count) {
  CheckToken(token, vocabulary, "the token");
  LogitBlocks blocks;
  blocks.Set(logits, vocabulary);
  const double log_sum = std::log(blocks.SumWeights(1).weights);
  const auto score = [&](int64_t of) {
    return static_cast<double>(logits[of]) - static_cast<double>(blocks.largest()) - log_sum;
  };
  LogProbabilities result;
  result.chosen = score(token);
  count = std::min(count, vocabulary);
  if (count <= 0) return result;
  std::vector<int32_t> best;
  blocks.Find(blocks.KthLargest(count), std::numeric_limits<float>::infinity(), best);
  std::stable_sort(best.begin(), best.end(), [&](int32_t a, int32_t b) { return logits[a] > logits[b]; });
  best.resize(static_cast<std::size_t>(count));
  for (const int32_t each : best) result.best.push_back({each, score(each)});
  return result;
}

}  // namespace kuiper_infer::text
