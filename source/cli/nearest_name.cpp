// SPDX-License-Identifier: MIT
#include "cli/nearest_name.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kuiper_infer::cli {
namespace {

/// Levenshtein's distance: insertions, removals and replacements between two words.
std::size_t EditDistance(const std::string& from, const std::string& to) {
  std::vector<std::size_t> distances(to.size() + 1);  // of the part of `from` read so far to each beginning of `to`
  std::iota(distances.begin(), distances.end(), 0);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = i - 1;
    distances[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = distances[j];
      distances[j] = std::min({replaced, distances[j] + 1, distances[j - 1] + 1});
    }
  }
  return distances.back();
}

}  // namespace

std::string NearestName(const std::string& word, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 64;  // no name is longer: the rest of a longer word costs time only
  const std::string compared = word.substr(0, kLongest);
  std::string nearest;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::string& name : names) {
    const std::size_t distance = EditDistance(compared, name);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace kuiper_infer::cli
