// SPDX-License-Identifier: MIT
#include "text/generation/prompt_lookup.hpp"

#include <algorithm>

namespace kuiper_infer::text {
namespace {

constexpr int64_t kLongestWait = 64;
/// The numbers of last tokens that are looked up, the larger one first. Two tokens come again by chance.
constexpr std::ptrdiff_t kLong = 5;
constexpr std::ptrdiff_t kShortest = 3;

}  // namespace

std::vector<int64_t> PromptLookup::Guess(const std::vector<int64_t>& tokens) {
  if (most_ <= 0 || (wait_ > 0 && wait_-- > 0)) return {};
  for (const std::ptrdiff_t size : {kLong, kShortest}) {
    if (static_cast<std::ptrdiff_t>(tokens.size()) <= size) continue;
    const auto last = tokens.end() - size;
    // The last place before the end is the most likely one.
    const auto found = std::find_end(tokens.begin(), tokens.end() - 1, last, tokens.end());
    if (found == tokens.end() - 1) continue;
    std::vector<int64_t> guesses(found + size, tokens.end());
    // If the text repeats itself, it goes on as the guesses do.
    for (std::size_t i = 0; static_cast<int64_t>(guesses.size()) < most_; ++i) guesses.push_back(guesses[i]);
    guesses.resize(static_cast<std::size_t>(most_));
    return guesses;
  }
  return {};
}

void PromptLookup::Note(std::size_t guessed, std::size_t right) {
  if (guessed == 0) return;
  // A run that verifies guesses takes about twice the time of a step.
  if (right > 0) {
    next_wait_ = 1;
    return;
  }
  wait_ = next_wait_;
  next_wait_ = std::min(2 * next_wait_, kLongestWait);
}

}  // namespace kuiper_infer::text
