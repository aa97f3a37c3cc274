// SPDX-License-Identifier: MIT
#include "word_piece.hpp"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "basic_words.hpp"

namespace demos {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(BasicWordsTest, DividesAtWhiteSpaceAndPunctuation) {
  EXPECT_THAT(BasicWords("  The cat,\tsat\n"), ElementsAre("the", "cat", ",", "sat"));
  EXPECT_THAT(BasicWords("don't x^2 $5"), ElementsAre("don", "'", "t", "x", "^", "2", "$", "5"));
  EXPECT_THAT(BasicWords(u8"a\u00A0b\u3000c\u2028d"), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(BasicWords(u8"\u201Cyes\u201D\u2026"), ElementsAre(u8"\u201C", "yes", u8"\u201D", u8"\u2026"));
  EXPECT_THAT(BasicWords(" \t "), IsEmpty());
  EXPECT_THAT(BasicWords(""), IsEmpty());
}

TEST(BasicWordsTest, LowersLettersAndDropsAccents) {
  EXPECT_THAT(BasicWords(u8"Cr\u00E8me BR\u00DBL\u00C9E"), ElementsAre("creme", "brulee"));
  EXPECT_THAT(BasicWords(u8"e\u0301 \u1EB4 \u0130"), ElementsAre("e", "a", "i"));
  EXPECT_THAT(BasicWords(u8"\u0391\u0398\u0389\u039D\u0391"), ElementsAre(u8"\u03B1\u03B8\u03B7\u03BD\u03B1"));
  EXPECT_THAT(BasicWords(u8"\u0401\u0419"), ElementsAre(u8"\u0435\u0438"));
  EXPECT_THAT(BasicWords(u8"\u00DF"), ElementsAre(u8"\u00DF"));
}

TEST(BasicWordsTest, SetsChineseCharactersApart) {
  EXPECT_THAT(BasicWords(u8"ab\u4E2D\u6587cd"), ElementsAre("ab", u8"\u4E2D", u8"\u6587", "cd"));
  EXPECT_THAT(BasicWords(u8"\u3042\u3044"), ElementsAre(u8"\u3042\u3044"));
  EXPECT_THAT(BasicWords(u8"\U00020000x"), ElementsAre(u8"\U00020000", "x"));
}

TEST(BasicWordsTest, LeavesOutControlCharactersAndWhatIsNotUtf8) {
  EXPECT_THAT(BasicWords(std::string("a\0b\x07"
                                     "c",
                                     5)),
              ElementsAre("abc"));
  EXPECT_THAT(BasicWords(u8"a\u200Bb\uFEFFc\uFFFDd"), ElementsAre("abcd"));
  EXPECT_THAT(BasicWords("a\xFF\xC3"), ElementsAre("a"));
  EXPECT_THAT(BasicWords("\xED\xA0\x80x\xC0\x80y\xF4\x90\x80\x80z"), ElementsAre("xyz"));
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      BasicWords(std::string{static_cast<char>(first), static_cast<char>(second)});
    }
  }
}

class WordPieceTest : public ::testing::Test {
 protected:
  // A token's number is its place in the list: [UNK] 0, [CLS] 1, [SEP] 2.
  const WordPiece tokenizer_{
      {"[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "unaff", ".", u8"##\u00DF", "a", "##a"}};
};

TEST_F(WordPieceTest, TakesTheLongestPieces) {
  EXPECT_THAT(tokenizer_.Encode("Unaffable."), ElementsAre(1, 6, 5, 7, 2));
  EXPECT_THAT(tokenizer_.Encode("unable"), ElementsAre(1, 3, 5, 2));
  EXPECT_THAT(tokenizer_.Encode(u8"a\u00DF"), ElementsAre(1, 9, 8, 2));
  EXPECT_THAT(tokenizer_.Encode(""), ElementsAre(1, 2));
}

TEST_F(WordPieceTest, CallsAWordUnknownAsAWhole) {
  EXPECT_THAT(tokenizer_.Encode("unafraid un"), ElementsAre(1, 0, 3, 2));
  EXPECT_THAT(tokenizer_.Encode("able"), ElementsAre(1, 0, 2));
  EXPECT_EQ(tokenizer_.Encode(std::string(100, 'a')).size(), 102U);
  EXPECT_THAT(tokenizer_.Encode(std::string(101, 'a')), ElementsAre(1, 0, 2));
}

TEST_F(WordPieceTest, TakesNoTokenFromTheText) { EXPECT_THAT(tokenizer_.Encode("[SEP]"), ElementsAre(1, 0, 0, 0, 2)); }

TEST_F(WordPieceTest, WantsItsTokensInTheVocabulary) {
  EXPECT_THROW(WordPiece({"[UNK]", "[CLS]"}), std::runtime_error);
  EXPECT_THROW(WordPiece::Read("no/such/vocabulary.txt"), std::runtime_error);
}

}  // namespace
}  // namespace demos
