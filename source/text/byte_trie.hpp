// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace kuiper_infer::text {

/// Finds which of many names begin a text.
class ByteTrie {
 public:
  using Entry = std::pair<std::string_view, int32_t>;

  ByteTrie() : ByteTrie(std::vector<Entry>{}) {}
  /// Takes names and their values; of equal names, the last counts. Empty names are left out.
  explicit ByteTrie(std::vector<Entry> entries);

  /// Calls `visit(size, value)` for each name that begins the text, the shortest first.
  template <class Visit>
  void ForEachPrefix(std::string_view text, const Visit& visit) const {
    if (text.empty()) return;
    int32_t node = roots_[static_cast<unsigned char>(text[0])];
    for (std::size_t size = 1; node >= 0; ++size) {
      const Node& at = nodes_[static_cast<std::size_t>(node)];
      if (at.value >= 0) visit(size, at.value);
      node = size < text.size() ? Child(at, text[size]) : -1;
    }
  }

 private:
  struct Node {
    int32_t value;     ///< -1: no name ends here
    int32_t first;     ///< of its children, which are neighbours in nodes_
    uint16_t count;    ///< of its children
    unsigned char by;  ///< the byte that leads here
  };

  int32_t Child(const Node& node, char byte) const;

  std::vector<Node> nodes_;
  std::array<int32_t, 256> roots_;  ///< -1: no name begins with this byte
};

}  // namespace kuiper_infer::text
