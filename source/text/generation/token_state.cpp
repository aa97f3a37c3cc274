// SPDX-License-Identifier: MIT
#include "text/generation/token_state.hpp"

#include <algorithm>

namespace kuiper_infer::text {
namespace {

/// Restoring a prefix copies its states, which has to be worth it.
constexpr int64_t kLeastGain = 8;
/// From this number of tokens on, one padded run takes less time than a run for each token.
constexpr int64_t kFewestPadded = 3;

}  // namespace

int64_t TokenState::KeepCommon(const std::vector<int64_t>& tokens, const KeptPrefixes& prefixes) {
  const auto limit = static_cast<std::ptrdiff_t>(std::min(tokens_.size(), tokens.size()));
  const auto differ = std::mismatch(tokens_.begin(), tokens_.begin() + limit, tokens.begin());
  // The last token of the prompt is computed in any case, because its logits are needed.
  const int64_t most = static_cast<int64_t>(tokens.size()) - 1;
  int64_t common = std::min<int64_t>(differ.first - tokens_.begin(), most);
  if (!facts_.can_truncate && common < static_cast<int64_t>(tokens_.size())) common = 0;
  const std::optional<KeptPrefixes::Prefix> prefix = prefixes.Find(tokens);
  const int64_t in_prefix = prefix ? static_cast<int64_t>(prefix->tokens.size()) : 0;
  if (in_prefix <= most && in_prefix >= common + kLeastGain) {
    session_.Restore(prefix->states);
    tokens_ = prefix->tokens;
    return in_prefix;
  }
  if (common == 0) {
    Reset();
  } else {
    Truncate(common);
  }
  return common;
}

void TokenState::Truncate(int64_t count) {
  if (count == static_cast<int64_t>(tokens_.size())) return;
  session_.Truncate(count);
  tokens_.resize(static_cast<std::size_t>(count));
}

void TokenState::Reset() {
  session_.Reset();
  tokens_.clear();
}

int64_t TokenState::RunSome(const int64_t* tokens, int64_t count, int64_t chunk, const RunOptions& options) {
  // The last token gets a run of its own, for its logits.
  const int64_t before_last = count > 1 ? count - 1 : count;
  int64_t run = std::min(before_last, chunk);
  int64_t size = run;
  if (facts_.can_truncate && count > 1) {
    size = kStep;
    for (const int64_t each : {kGuesses, kShort, chunk}) {
      const int64_t least = each == kGuesses ? kFewestPadded : each * 3 / 5;  // fewer tokens take less time otherwise
      if (each <= chunk && before_last >= least) size = std::max(size, each);
    }
    run = std::min(run, size);
    const auto length = static_cast<int64_t>(tokens_.size());
    if (facts_.max_length > 0 && length + size > facts_.max_length) size = run;
  }
  RunPadded(tokens, run, size, options);
  return run;
}

void TokenState::Run(const std::vector<int64_t>& tokens, const RunOptions& options) {
  const auto count = static_cast<int64_t>(tokens.size());
  const auto length = static_cast<int64_t>(tokens_.size());
  const bool room = facts_.max_length == 0 || length + kGuesses <= facts_.max_length;
  RunPadded(tokens.data(), count, count > 1 && room ? kGuesses : count, options);
}

void TokenState::RunPadded(const int64_t* tokens, int64_t count, int64_t padded, const RunOptions& options) {
  given_.assign(tokens, tokens + count);
  given_.resize(static_cast<std::size_t>(padded), given_.back());
  session_.set_input(facts_.input, NdArray::View(given_.data(), {1, padded}));
  logits_ = {};
  session_.Run(options);
  logits_ = session_.row_major_outputs(facts_.output).front();
  tokens_.insert(tokens_.end(), tokens, tokens + count);
  if (padded > count) session_.Truncate(static_cast<int64_t>(tokens_.size()));
}

const float* TokenState::logits(int64_t i) const {
  return logits_.data<float>() + (facts_.all_logits ? i * facts_.vocabulary : 0);
}

}  // namespace kuiper_infer::text
