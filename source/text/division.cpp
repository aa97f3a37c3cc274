// SPDX-License-Identifier: MIT
#include "text/pattern.hpp"

namespace kuiper_infer::text {
namespace {

/// Makes pieces of the successive parts of one text.
class Divider {
 public:
  Divider(Division division, std::vector<Range>& pieces)
      : division_(division), pieces_(pieces), first_(pieces.size()) {}

  void Add(Range part, bool is_match) {
    const bool before = previous_;
    previous_ = is_match;
    if (division_ == Division::kRemoved && is_match) return;
    if (pieces_.size() > first_ && Joins(is_match, before)) {
      pieces_.back().end = part.end;
    } else {
      pieces_.push_back(part);
    }
  }

 private:
  bool Joins(bool is_match, bool was_match) const {
    switch (division_) {
      case Division::kContiguous:
        return is_match == was_match;
      case Division::kMergedWithPrevious:
        return is_match && !was_match;
      case Division::kMergedWithNext:
        return !is_match && was_match;
      default:
        return false;
    }
  }

  Division division_;
  std::vector<Range>& pieces_;
  std::size_t first_;
  bool previous_ = false;
};

}  // namespace

void Divide(const Pattern& pattern, Division division, bool inverted, Pieces& pieces) {
  std::vector<Range> divided;
  std::vector<Range> matches;
  divided.reserve(pieces.ranges.size());
  for (const Range& piece : pieces.ranges) {
    matches.clear();
    pattern.FindAll(piece.Of(pieces.text), matches);
    Divider divider(division, divided);
    const auto add = [&](std::size_t begin, std::size_t end, bool is_match) {
      if (begin < end) divider.Add({piece.begin + begin, piece.begin + end}, is_match != inverted);
    };
    std::size_t done = 0;
    for (const Range& match : matches) {
      add(done, match.begin, false);
      add(match.begin, match.end, true);
      done = match.end;
    }
    add(done, piece.end - piece.begin, false);
  }
  pieces.ranges = std::move(divided);
}

}  // namespace kuiper_infer::text
