// SPDX-License-Identifier: MIT
#include "text/sampling/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/elementwise/vector_math.hpp"

namespace kuiper_infer::text {

bool Candidates::Before(const Ranked& a, const Ranked& b) { return a.key != b.key ? a.key < b.key : a.token < b.token; }

void Candidates::Take(const LogitBlocks& blocks, float least, float most, float scale) {
  blocks.Find(least, most, tokens_);
  xs_.resize(tokens_.size());
  weights_.resize(tokens_.size());
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    xs_[i] = (blocks.logits()[tokens_[i]] - blocks.largest()) * scale;
    weights_[i] = kernel::Exp(xs_[i]);
  }
}

void Candidates::TakeAround(const LogitBlocks& blocks, double center, double needed, float scale) {
  constexpr double kFarthest = 64;  // tokens farther from the most probable one have next to no weight
  const auto logit_of = [&](double x) {
    return static_cast<double>(blocks.largest()) + x / static_cast<double>(scale);
  };
  for (double reach = 1; reach <= kFarthest; reach *= 2) {
    Take(blocks, static_cast<float>(logit_of(center - reach)), static_cast<float>(logit_of(center + reach)), scale);
    if (Sums().weights >= needed) return;
  }
  Take(blocks, std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max(), scale);
}

template <class Key>
void Candidates::Rank(Key key) {
  ranked_.resize(tokens_.size());
  for (std::size_t i = 0; i < tokens_.size(); ++i) ranked_[i] = {key(xs_[i]), tokens_[i], weights_[i]};
}

Candidates::Ranked Candidates::LastCovering(double needed) {
  // Halves the range that holds the answer: the time is proportional to the number of tokens, unlike that of sorting.
  constexpr std::ptrdiff_t kFew = 16;
  auto first = ranked_.begin();
  auto last = ranked_.end();
  double before = 0;  // weight of the tokens before `first`
  while (last - first > kFew) {
    const auto middle = first + (last - first) / 2;
    std::nth_element(first, middle, last, Before);
    double weight = 0;
    for (auto each = first; each != middle; ++each) weight += static_cast<double>(each->weight);
    if (before + weight >= needed) {
      last = middle;
    } else {
      before += weight;
      first = middle;
    }
  }
  std::sort(first, last, Before);
  for (auto each = first; each != last; ++each) {
    before += static_cast<double>(each->weight);
    if (before >= needed) return *each;
  }
  return *(last - 1);
}

template <class Kept>
void Candidates::Keep(Kept kept) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (!kept(i)) continue;
    tokens_[count] = tokens_[i];
    xs_[count] = xs_[i];
    weights_[count] = weights_[i];
    ++count;
  }
  tokens_.resize(count);
  xs_.resize(count);
  weights_.resize(count);
}

void Candidates::KeepLargest(double needed) {
  Rank([](float x) { return -x; });
  const Ranked last = LastCovering(needed);
  Keep([&](std::size_t i) { return !Before(last, {-xs_[i], tokens_[i], 0}); });
}

void Candidates::KeepNearest(double center, double needed) {
  const auto distance = [center](float x) { return static_cast<float>(std::abs(static_cast<double>(x) - center)); };
  Rank(distance);
  const Ranked last = LastCovering(needed);
  Keep([&](std::size_t i) { return distance(xs_[i]) <= last.key; });
}

void Candidates::KeepHeavy(double least) {
  Keep([&](std::size_t i) { return static_cast<double>(weights_[i]) >= least; });
}

ExpSums Candidates::Sums() const {
  ExpSums sums;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const auto weight = static_cast<double>(weights_[i]);
    sums.weights += weight;
    if (weight > 0) sums.weighted += weight * static_cast<double>(xs_[i]);
  }
  return sums;
}

int64_t Candidates::Draw(double part) const {
  const double total = Sums().weights;
  const double target = std::min(part * total, std::nextafter(total, 0.0));
  double reached = 0;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < weights_.size() && reached <= target; ++i) {
    if (weights_[i] <= 0) continue;
    reached += static_cast<double>(weights_[i]);
    chosen = i;
  }
  return tokens_[chosen];
}

}  // namespace kuiper_infer::text
