// SPDX-License-Identifier: MIT
// Top-p and typical sampling beside a slow twin that sorts all tokens and adds their weights one after the other.
#include "text/sampling/nearest_tokens.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "kuiper_infer/text/sampling.hpp"

namespace kuiper_infer::text {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
using Logits = std::vector<float>;

float XOf(const WeightedLogits& tokens, int64_t i) { return (tokens.logits[i] - tokens.largest) * tokens.scale; }

/// The tokens in the order of their numbers, but for those without weight.
std::vector<int32_t> SlowlyNearest(const WeightedLogits& tokens, double center, double needed, Ties ties) {
  std::vector<int32_t> order(static_cast<std::size_t>(tokens.count));
  std::iota(order.begin(), order.end(), 0);
  const auto distance = [&](int32_t i) { return DistanceOf(XOf(tokens, i), center); };
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return distance(a) < distance(b); });
  double sum = 0;
  std::size_t count = 0;
  while (count < order.size() && sum < needed) sum += static_cast<double>(tokens.weights[order[count++]]);
  while (ties == Ties::kAll && count < order.size() && distance(order[count]) == distance(order[count - 1])) ++count;
  order.resize(count);
  std::sort(order.begin(), order.end());
  order.erase(std::remove_if(order.begin(), order.end(), [&](int32_t i) { return tokens.weights[i] <= 0; }),
              order.end());
  return order;
}

int64_t SlowlyDrawn(const WeightedLogits& tokens, const std::vector<int32_t>& found, double part) {
  double total = 0;
  for (const int32_t i : found) total += static_cast<double>(tokens.weights[i]);
  double reached = 0;
  for (const int32_t i : found) {
    reached += static_cast<double>(tokens.weights[i]);
    if (reached > part * total) return i;
  }
  return found.back();
}

std::vector<int32_t> WithWeight(const WeightedLogits& tokens, std::vector<int32_t> list) {
  list.erase(std::remove_if(list.begin(), list.end(), [&](int32_t i) { return tokens.weights[i] <= 0; }), list.end());
  return list;
}

void Compare(const Logits& logits, float scale, double part) {
  LogitBlocks blocks;
  blocks.Set(logits.data(), static_cast<int64_t>(logits.size()));
  const ExpSums sums = blocks.KeepWeights(scale);
  const WeightedLogits tokens = blocks.tokens();
  NearestTokens nearest;
  for (const auto& [center, ties] :
       {std::pair(0.0, Ties::kFirst), std::pair(sums.weighted / sums.weights, Ties::kAll)}) {
    SCOPED_TRACE("part " + std::to_string(part) + ", center " + std::to_string(center));
    const double needed = part * sums.weights;
    nearest.Find(blocks, center, needed, ties);
    std::vector<int32_t> found;
    nearest.List(found);
    found = WithWeight(tokens, found);
    const std::vector<int32_t> expected = SlowlyNearest(tokens, center, needed, ties);
    ASSERT_EQ(found.size(), expected.size());
    ASSERT_EQ(found, expected);
    for (const double at : {0.0, 0.1, 0.35, 0.721, 0.99, 1 - 0x1p-53}) {
      ASSERT_EQ(nearest.Draw(at), SlowlyDrawn(tokens, expected, at)) << "at " << at;
    }
  }
}

struct Kind {
  std::string name;
  std::function<float(std::mt19937&, int64_t)> logit;
};

std::vector<Kind> Kinds() {
  const auto normal = [](float deviation) {
    return [deviation](std::mt19937& random, int64_t) { return std::normal_distribution<float>(0, deviation)(random); };
  };
  return {
      {"equal", [](std::mt19937&, int64_t) { return -3.5F; }},
      {"flat", [](std::mt19937& random, int64_t) { return std::uniform_real_distribution<float>(-1, 1)(random); }},
      {"normal", normal(1)},
      {"normal of deviation 3", normal(3)},
      {"normal of deviation 40", normal(40)},
      {"tiny differences", normal(1e-6F)},
      {"huge", normal(1e37F)},
      {"ties", [](std::mt19937& random, int64_t) { return std::round(std::normal_distribution<float>(0, 2)(random)); }},
      {"two levels", [](std::mt19937&, int64_t i) { return i % 3 == 0 ? 1.0F : -1.0F; }},
      {"peaked", [](std::mt19937& random,
                    int64_t i) { return std::normal_distribution<float>(i % 977 == 5 ? 18 : 0, 2)(random); }},
      {"one token with nearly all weight", [](std::mt19937&, int64_t i) { return i == 3 ? 30.0F : 0.0F; }},
      {"sorted", [](std::mt19937&, int64_t i) { return static_cast<float>(i) * -1e-3F; }},
      {"mostly minus infinity",
       [](std::mt19937& random, int64_t i) {
         return i == 0 || random() % 50 == 0 ? std::normal_distribution<float>(0, 1)(random) : -kInfinity;
       }},
  };
}

TEST(NearestTokensTest, AreThoseOfTheSlowTwin) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    for (const int64_t count : {1, 2, 63, 64, 65, 1000, 2049, 5000, 20011}) {
      for (const Kind& kind : Kinds()) {
        SCOPED_TRACE(kind.name + ", " + std::to_string(count) + " tokens, seed " + std::to_string(seed));
        std::mt19937 random(seed);
        Logits logits(static_cast<std::size_t>(count));
        for (int64_t i = 0; i < count; ++i) logits[static_cast<std::size_t>(i)] = kind.logit(random, i);
        const float scale = std::uniform_real_distribution<float>(0.2F, 3)(random);
        const double part = std::uniform_real_distribution<double>(0.001, 1)(random);
        for (const double each : {part, 0.5, 0.9, 0.999}) {
          Compare(logits, seed % 2 == 0 ? 1 : scale, each);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(NearestTokensTest, OfALargeVocabulary) {
  for (const Kind& kind : Kinds()) {
    SCOPED_TRACE(kind.name + ", seed 9");
    std::mt19937 random(9);
    Logits logits(150000);
    for (int64_t i = 0; i < 150000; ++i) logits[static_cast<std::size_t>(i)] = kind.logit(random, i);
    Compare(logits, 1, 0.9);
    if (HasFatalFailure()) return;
  }
}

TEST(NearestTokensTest, ASumThatIsReachedExactlyIsEnough) {
  // Weights of 1: half of them are needed, and as many tokens are kept, those with the smallest numbers.
  const Logits logits(150000, 2.0F);
  for (const double part : {0.5, 0.25, 1.0 / 150000, 0.75}) {
    SamplingOptions options;
    options.temperature = 1;
    options.top_p = part;
    const auto kept = Sampler(options, 150000).Distribution(logits.data());
    ASSERT_EQ(kept.size(), static_cast<std::size_t>(std::llround(part * 150000))) << part;
    EXPECT_EQ(kept.back().token, static_cast<int64_t>(kept.size()) - 1);
  }
}

}  // namespace
}  // namespace kuiper_infer::text
