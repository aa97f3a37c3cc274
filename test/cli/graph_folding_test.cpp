// SPDX-License-Identifier: MIT
#include "cli/graph/graph_folding.hpp"

#include <string>

#include <gtest/gtest.h>

namespace kuiper_infer::cli {
namespace {

/// Returns the folds as text: "3(ab)" for three repeats of ab.
std::string TextOf(const std::string& items, const std::vector<Fold>& folds) {
  std::string text;
  for (const Fold& fold : folds) {
    const std::string inner = fold.parts.empty() ? items.substr(fold.first, 1) : TextOf(items, fold.parts);
    text += fold.count == 1 ? inner : std::to_string(fold.count) + "(" + inner + ")";
  }
  return text;
}

std::vector<Fold> FoldsOf(const std::string& items) {
  return FoldRepeats(items.size(), [&](std::size_t i, std::size_t j) { return items[i] == items[j]; });
}

std::string Folded(const std::string& items) { return TextOf(items, FoldsOf(items)); }

TEST(GraphFoldingTest, RepeatsAreFolded) {
  EXPECT_EQ(Folded(""), "");
  EXPECT_EQ(Folded("a"), "a");
  EXPECT_EQ(Folded("abc"), "abc");
  EXPECT_EQ(Folded("aa"), "2(a)");
  EXPECT_EQ(Folded("xababaty"), "x2(ab)aty");
  EXPECT_EQ(Folded("sabcabcabct"), "s3(abc)t");
}

TEST(GraphFoldingTest, RepeatsInRepeatsAreFolded) {
  EXPECT_EQ(Folded("aabaabaab"), "3(2(a)b)");
  EXPECT_EQ(Folded("xabbcdabbcdy"), "x2(a2(b)cd)y");
}

TEST(GraphFoldingTest, LongRepeatsWinOverShortOnesBeforeThem) {
  EXPECT_EQ(Folded("aaabcabcabc"), "2(a)3(abc)");
  EXPECT_EQ(Folded("aabcdeabcde"), "a2(abcde)");
}

TEST(GraphFoldingTest, RowsShownStandForTheirRepeats) {
  const std::string items = "xaabaaby";
  const std::vector<std::vector<std::size_t>> expected = {{0}, {1, 2, 4, 5}, {}, {3, 6}, {}, {}, {}, {7}};
  EXPECT_EQ(RepeatsOf(FoldsOf(items), items.size()), expected);
}

TEST(GraphFoldingTest, LongSequencesTakeTimeInProportion) {
  EXPECT_EQ(Folded(std::string(100000, 'a')), "100000(a)");
  std::string items;
  for (int i = 0; i < 20000; ++i) items += static_cast<char>('a' + (i * i + i / 7) % 5);
  EXPECT_FALSE(FoldsOf(items).empty());
}

}  // namespace
}  // namespace kuiper_infer::cli
