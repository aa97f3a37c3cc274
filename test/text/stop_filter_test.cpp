// SPDX-License-Identifier: MIT
#include "text/generation/stop_filter.hpp"

#include <random>

#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"
#include "text/generation/prompt_lookup.hpp"

namespace kuiper_infer::text {
namespace {

TEST(StopFilterTest, HoldsBackWhatMayBeAStop) {
  StopFilter filter({"END", "EXIT"});
  EXPECT_EQ(filter.Push("the E"), "the ");
  EXPECT_EQ(filter.Push("N"), "");
  EXPECT_EQ(filter.Push("X"), "ENX");
  EXPECT_EQ(filter.Push("EXI"), "");
  EXPECT_EQ(filter.Push("END and more"), "EXI");
  EXPECT_TRUE(filter.stopped());
  EXPECT_EQ(filter.Push("END"), "");
  StopFilter open({"ab"});
  EXPECT_EQ(open.Push("xa"), "x");
  EXPECT_EQ(open.Finish(), "a");
  StopFilter none({});
  EXPECT_EQ(none.Push("anything"), "anything");
}

TEST(StopFilterTest, GivesWholeCharacters) {
  StopFilter filter({"\u00e9\u4e16", "\U0001f600"});
  EXPECT_EQ(filter.Push("a\u00e8"), "a\u00e8") << "the first bytes of two characters are the same";
  EXPECT_EQ(filter.Push("\u00e9"), "");
  EXPECT_EQ(filter.Push("\u4e17\U0001f601"), "\u00e9\u4e17\U0001f601");
  EXPECT_EQ(filter.Push("b\U0001f600c"), "b");
  EXPECT_TRUE(filter.stopped());
}

TEST(StopFilterTest, NoStopIsEmpty) {
  try {
    StopFilter filter({"a", ""});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    EXPECT_STREQ(error.what(), "text 1 of stop is empty, expected at least one character");
  }
}

TEST(StopFilterTest, GivesTheTextBeforeTheFirstStopHoweverItIsCut) {
  std::mt19937 generator(3);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (int i = 0; i < 12; ++i) text += static_cast<char>('a' + generator() % 2);
    const std::vector<std::string> stops = {"abba", "bb", "aaaa"};
    std::size_t first = text.size();
    for (const std::string& stop : stops) first = std::min(first, text.find(stop));
    StopFilter filter(stops);
    std::string given;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t count = 1 + generator() % 4;
      given += filter.Push(text.substr(at, count));
      at += count;
    }
    given += filter.Finish();
    ASSERT_EQ(filter.stopped(), first < text.size()) << text;
    // Of stops that overlap, the one that is complete first counts.
    ASSERT_EQ(given, text.substr(0, filter.stopped() ? given.size() : text.size()));
    for (const std::string& stop : stops)
      ASSERT_EQ(given.find(stop), std::string::npos) << text << " in round " << round;
  }
}

TEST(PromptLookupTest, GuessesWhatFollowedBefore) {
  PromptLookup lookup(4);
  EXPECT_EQ(lookup.Guess({1, 2, 3, 4, 5, 6, 9, 1, 2, 3}), (std::vector<int64_t>{4, 5, 6, 9}));
  EXPECT_EQ(lookup.Guess({1, 2, 3, 4, 1, 2, 3, 5, 6, 7, 1, 2, 3}), (std::vector<int64_t>{5, 6, 7, 1}))
      << "the last place";
  EXPECT_TRUE(lookup.Guess({1, 2, 3, 4, 5}).empty());
  EXPECT_TRUE(lookup.Guess({}).empty());
  EXPECT_EQ(lookup.Guess({7, 7, 7, 7, 7}), (std::vector<int64_t>{7, 7, 7, 7})) << "what overlaps itself";
  EXPECT_TRUE(PromptLookup(0).Guess({1, 2, 3, 4, 1, 2, 3}).empty());
}

TEST(PromptLookupTest, WaitsAfterFailures) {
  PromptLookup lookup(4);
  const std::vector<int64_t> tokens = {1, 2, 3, 4, 5, 6, 1, 2, 3};
  int guesses = 0;
  for (int i = 0; i < 200; ++i) {
    const std::size_t count = lookup.Guess(tokens).size();
    guesses += count > 0 ? 1 : 0;
    lookup.Note(count, 0);
  }
  EXPECT_LT(guesses, 12);
}

}  // namespace
}  // namespace kuiper_infer::text
