// SPDX-License-Identifier: MIT
// BERT's vocab.txt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/text/tokenizer.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::text::test {
namespace {

using testing::ElementsAre;

/// A vocabulary of these pieces behind [UNK] 0, [CLS] 1 and [SEP] 2, with a CR before some line ends.
Tokenizer Make(const std::vector<std::string>& pieces) {
  std::string text = "[UNK]\n[CLS]\r\n[SEP]\n";
  for (const std::string& piece : pieces) text += piece + "\n";
  return Tokenizer::LoadFromMemory(text, "vocab.txt");
}

/// The words of a text: a vocabulary without pieces gives an unknown token for each.
std::size_t CountWords(const std::string& text) { return Make({}).Encode(text, {false, false}).size(); }

/// The token 3 if a word becomes the one in the vocabulary.
std::vector<int64_t> EncodeWith(const std::string& word, const std::string& text) {
  return Make({word}).Encode(text, {false, false});
}

TEST(WordPieceTest, DividesAtWhiteSpaceAndPunctuation) {
  EXPECT_EQ(CountWords("  The cat,\tsat\n"), 4U);
  EXPECT_EQ(CountWords("don't x^2 $5"), 8U);
  EXPECT_EQ(CountWords(u8"a\u00A0b\u3000c\u2028d"), 4U);
  EXPECT_EQ(CountWords(u8"\u201Cyes\u201D\u2026"), 4U);
  EXPECT_EQ(CountWords(" \t "), 0U);
  EXPECT_EQ(CountWords(""), 0U);
}

TEST(WordPieceTest, LowersLettersAndDropsAccents) {
  EXPECT_THAT(EncodeWith("creme", u8"Cr\u00E8me"), ElementsAre(3));
  EXPECT_THAT(EncodeWith("brulee", u8"BR\u00DBL\u00C9E"), ElementsAre(3));
  EXPECT_THAT(EncodeWith("e", u8"e\u0301"), ElementsAre(3));
  EXPECT_THAT(EncodeWith("a", u8"\u1EB4"), ElementsAre(3));
  EXPECT_THAT(EncodeWith("i", u8"\u0130"), ElementsAre(3));
  EXPECT_THAT(EncodeWith(u8"\u03B1\u03B8\u03B7\u03BD\u03B1", u8"\u0391\u0398\u0389\u039D\u0391"), ElementsAre(3));
  EXPECT_THAT(EncodeWith(u8"\u00DF", u8"\u00DF"), ElementsAre(3));
}

TEST(WordPieceTest, KeepsCapitalsIfTheVocabularyHasThem) {
  EXPECT_THAT(EncodeWith("Paris", "Paris"), ElementsAre(3));
  EXPECT_THAT(EncodeWith("Paris", "paris"), ElementsAre(0));
  EXPECT_THAT(EncodeWith(u8"Orl\u00E9ans", u8"Orl\u00E9ans"), ElementsAre(3));
}

TEST(WordPieceTest, SetsChineseCharactersApart) {
  EXPECT_EQ(CountWords(u8"ab\u4E2D\u6587cd"), 4U);
  EXPECT_EQ(CountWords(u8"\u3042\u3044"), 1U);
  EXPECT_EQ(CountWords(u8"\U00020000x"), 2U);
}

TEST(WordPieceTest, LeavesOutControlCharactersAndWhatIsNotUtf8) {
  EXPECT_THAT(EncodeWith("abc", std::string("a\0b\x07"
                                            "c",
                                            5)),
              ElementsAre(3));
  EXPECT_THAT(EncodeWith("abcd", u8"a\u200Bb\uFEFFc\uFFFDd"), ElementsAre(3));
  EXPECT_THAT(EncodeWith("a", "a\xFF\xC3"), ElementsAre(3));
  EXPECT_THAT(EncodeWith("xyz", "\xED\xA0\x80x\xC0\x80y\xF4\x90\x80\x80z"), ElementsAre(3));
}

class PiecesTest : public testing::Test {
 protected:
  const Tokenizer tokenizer_ = Make({"un", "##aff", "##able", "unaff", ".", u8"##\u00DF", "a", "##a"});
};

TEST_F(PiecesTest, TakesTheLongestPieces) {
  EXPECT_THAT(tokenizer_.Encode("Unaffable."), ElementsAre(1, 6, 5, 7, 2));
  EXPECT_THAT(tokenizer_.Encode("unable"), ElementsAre(1, 3, 5, 2));
  EXPECT_THAT(tokenizer_.Encode(u8"a\u00DF"), ElementsAre(1, 9, 8, 2));
  EXPECT_THAT(tokenizer_.Encode(""), ElementsAre(1, 2));
}

TEST_F(PiecesTest, CallsAWordUnknownAsAWhole) {
  EXPECT_THAT(tokenizer_.Encode("unafraid un"), ElementsAre(1, 0, 3, 2));
  EXPECT_THAT(tokenizer_.Encode("able"), ElementsAre(1, 0, 2));
  EXPECT_EQ(tokenizer_.Encode(std::string(100, 'a')).size(), 102U);
  EXPECT_THAT(tokenizer_.Encode(std::string(101, 'a')), ElementsAre(1, 0, 2));
}

TEST_F(PiecesTest, TakesNoTokenFromTheTextUnlessAsked) {
  EXPECT_THAT(tokenizer_.Encode("[SEP]"), ElementsAre(1, 0, 0, 0, 2));
  EXPECT_THAT(tokenizer_.Encode("[SEP]", {true, true}), ElementsAre(1, 2, 2));
}

TEST_F(PiecesTest, JoinsPiecesToText) {
  EXPECT_EQ(tokenizer_.Decode({1, 6, 5, 7, 2}), "unaffable.");
  EXPECT_EQ(tokenizer_.Decode({1, 3}, true), "[CLS] un");
}

TEST(WordPieceTest, WantsItsTokensInTheVocabulary) {
  EXPECT_THROW(Tokenizer::LoadFromMemory("[UNK]\n[CLS]\n", "vocab.txt"), Error);
}

}  // namespace
}  // namespace kuiper_infer::text::test
