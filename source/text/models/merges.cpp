// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <string_view>

#include "kuiper_infer/utils/error.hpp"
#include "text/models/models.hpp"

namespace kuiper_infer::text {
namespace {

/// The place of each score among all, the best first; equal scores share one.
std::vector<uint32_t> Ranks(const std::vector<float>& scores) {
  std::vector<float> sorted = scores;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<uint32_t> ranks;
  ranks.reserve(scores.size());
  for (const float score : scores) {
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), score, std::greater<>());
    ranks.push_back(static_cast<uint32_t>(found - sorted.begin()));
  }
  return ranks;
}

}  // namespace

MergeTable ListedMerges(const Vocabulary& vocabulary, const Merges& merges, std::size_t prefix,
                        const std::string& place) {
  MergeTable table(merges.size());
  uint32_t rank = 0;
  std::string merged;
  for (const auto& [left, right] : merges) {
    const auto find = [&](const std::string& name) {
      const int32_t token = vocabulary.Find(name);
      if (token < 0) {
        throw Error(ErrorCode::kFile,
                    place + "[" + std::to_string(rank) + "] needs '" + name + "', expected a token of the vocabulary");
      }
      return token;
    };
    merged.assign(left).append(right, std::min(prefix, right.size()), std::string::npos);
    table.Set(find(left), find(right), {rank, find(merged)});
    ++rank;
  }
  return table;
}

MergeTable ScoredMerges(const Vocabulary& vocabulary, const std::vector<float>& scores) {
  struct Pair {
    int32_t left;
    int32_t right;
    int32_t token;
  };
  std::vector<Pair> pairs;
  for (int32_t token = 0; token < vocabulary.size(); ++token) {
    const std::string_view name = vocabulary.Name(token);
    for (std::size_t size = 1; size < name.size(); ++size) {
      const int32_t left = vocabulary.Find(name.substr(0, size));
      const int32_t right = left < 0 ? -1 : vocabulary.Find(name.substr(size));
      if (right >= 0) pairs.push_back({left, right, token});
    }
  }
  const std::vector<uint32_t> ranks = Ranks(scores);
  MergeTable table(pairs.size());
  for (const Pair& pair : pairs)
    table.Set(pair.left, pair.right, {ranks[static_cast<std::size_t>(pair.token)], pair.token});
  return table;
}

}  // namespace kuiper_infer::text
