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
CoveringToken FirstCovering(const RankedToken* first, const RankedToken* last, double before, double needed,
                            bool covered) {
  for (; first != last; ++first) {
    before += static_cast<double>(first->weight);
    if (before >= needed) return {*first, true};
  }
  return {*(last - 1), covered};
}

}  // namespace

CoveringToken FindCovering(RankedToken* first, RankedToken* last, double before, double needed) {
  // Each round sums the weights of equal parts of the range of keys, and goes on with the part that holds the answer.
  constexpr std::ptrdiff_t kFew = 32;
  bool covered = false;
  while (last - first > kFew) {
    uint32_t least = BitsOf(first->key);
    uint32_t most = least;
    std::for_each(first, last, [&](const RankedToken& each) {
      least = std::min(least, BitsOf(each.key));
      most = std::max(most, BitsOf(each.key));
    });
    if (least == most)
      return FirstCovering(first, last, before, needed, covered);  // in the order of their numbers, as they came
    int shift = 0;
    while ((most - least) >> shift >= kBuckets) ++shift;
    const auto bucket_of = [&](const RankedToken& each) -> std::size_t { return (BitsOf(each.key) - least) >> shift; };
    std::array<double, kBuckets> sums{};
    const auto add = [&](const RankedToken& each) { sums[bucket_of(each)] += static_cast<double>(each.weight); };
    std::for_each(first, last, add);
    const std::size_t end = (most - least) >> shift;
    std::size_t bucket = 0;
    while (bucket < end && before + sums[bucket] < needed) before += sums[bucket++];
    covered = covered || before + sums[bucket] >= needed;
    const auto elsewhere = [&](const RankedToken& each) { return bucket_of(each) != bucket; };
    last = std::remove_if(first, last, elsewhere);
  }
  std::sort(first, last, Before);
  return FirstCovering(first, last, before, needed, covered);
}

}  // namespace kuiper_infer::text
