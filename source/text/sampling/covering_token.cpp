// SPDX-License-Identifier: MIT
#include "text/sampling/covering_token.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace kuiper_infer::text {
namespace {

constexpr std::size_t kBuckets = 256;

/// The order of floats of 0 or more is that of their bits.
uint32_t BitsOf(float key) {
  uint32_t bits = 0;
  std::memcpy(&bits, &key, sizeof(bits));
  return bits;
}

bool Before(const RankedToken& a, const RankedToken& b) { return a.key != b.key ? a.key < b.key : a.token < b.token; }

/// Looks at the sorted tokens one after the other. `covered` says whether their weights are known to be enough: the sum
/// in another order may be less by rounding.
CoveringToken FirstCovering(const std::vector<RankedToken>& tokens, double before, double needed, bool covered) {
  for (const RankedToken& each : tokens) {
    before += static_cast<double>(each.weight);
    if (before >= needed) return {each, true};
  }
  return {tokens.back(), covered};
}

}  // namespace

CoveringToken FindCovering(std::vector<RankedToken>& tokens, double before, double needed) {
  // Each round sums the weights of equal parts of the range of keys, and goes on with the part that holds the answer.
  constexpr std::size_t kFew = 32;
  bool covered = false;
  while (tokens.size() > kFew) {
    uint32_t least = BitsOf(tokens.front().key);
    uint32_t most = least;
    for (const RankedToken& each : tokens) {
      least = std::min(least, BitsOf(each.key));
      most = std::max(most, BitsOf(each.key));
    }
    if (least == most) return FirstCovering(tokens, before, needed, covered);  // in the order of their numbers, as they came
    int shift = 0;
    while ((most - least) >> shift >= kBuckets) ++shift;
    const auto bucket_of = [&](const RankedToken& each) -> std::size_t { return (BitsOf(each.key) - least) >> shift; };
    std::array<double, kBuckets> sums{};
    for (const RankedToken& each : tokens) sums[bucket_of(each)] += static_cast<double>(each.weight);
    const std::size_t last = (most - least) >> shift;
    std::size_t bucket = 0;
    while (bucket < last && before + sums[bucket] < needed) before += sums[bucket++];
    covered = covered || before + sums[bucket] >= needed;
    const auto elsewhere = [&](const RankedToken& each) { return bucket_of(each) != bucket; };
    tokens.erase(std::remove_if(tokens.begin(), tokens.end(), elsewhere), tokens.end());
  }
  std::sort(tokens.begin(), tokens.end(), Before);
  return FirstCovering(tokens, before, needed, covered);
}

}  // namespace kuiper_infer::text
