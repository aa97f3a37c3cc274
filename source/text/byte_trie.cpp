// SPDX-License-Identifier: MIT
#include "text/byte_trie.hpp"

#include <algorithm>

namespace kuiper_infer::text {

ByteTrie::ByteTrie(std::vector<Entry> entries) {
  roots_.fill(-1);
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.first < b.first; });
  // Names that share their first `depth` bytes, which lead to the node. They are next to each other.
  struct Group {
    std::size_t begin;
    std::size_t end;
    std::size_t depth;
  };
  std::vector<Group> groups;  // of each node
  const auto add_children = [&](const Group& parent) {
    std::size_t begin = parent.begin;
    while (begin < parent.end && entries[begin].first.size() == parent.depth) ++begin;
    while (begin < parent.end) {
      const char byte = entries[begin].first[parent.depth];
      Node node{-1, 0, 0, static_cast<unsigned char>(byte)};
      std::size_t end = begin;
      for (; end < parent.end && entries[end].first[parent.depth] == byte; ++end) {
        if (entries[end].first.size() == parent.depth + 1) node.value = entries[end].second;
      }
      nodes_.push_back(node);
      groups.push_back({begin, end, parent.depth + 1});
      begin = end;
    }
  };
  add_children({0, entries.size(), 0});
  for (std::size_t i = 0; i < nodes_.size(); ++i) roots_[nodes_[i].by] = static_cast<int32_t>(i);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::size_t first = nodes_.size();
    add_children(Group(groups[i]));
    nodes_[i].first = static_cast<int32_t>(first);
    nodes_[i].count = static_cast<uint16_t>(nodes_.size() - first);
  }
}

int32_t ByteTrie::Child(const Node& node, char byte) const {
  const auto first = nodes_.begin() + node.first;
  const auto last = first + node.count;
  const auto wanted = static_cast<unsigned char>(byte);
  const auto found =
      std::lower_bound(first, last, wanted, [](const Node& child, unsigned char by) { return child.by < by; });
  return found != last && found->by == wanted ? static_cast<int32_t>(found - nodes_.begin()) : -1;
}

}  // namespace kuiper_infer::text
