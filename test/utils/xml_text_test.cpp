// SPDX-License-Identifier: MIT
#include "utils/xml_text.hpp"

#include <gtest/gtest.h>

namespace kuiper_infer {
namespace {

TEST(XmlTextTest, MarkupBecomesEntities) {
  EXPECT_EQ(XmlText("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(XmlText("]]></script>"), "]]&gt;&lt;/script&gt;");
}

TEST(XmlTextTest, ControlCharactersBecomeBlanks) { EXPECT_EQ(XmlText(std::string("a\0b\nc\x1F\x7F", 7)), "a b c  "); }

TEST(XmlTextTest, WellFormedCharactersStay) {
  for (const char* text : {"", "h\xC3\xBCtte", "\xE6\xA8\xA1\xE5\x9E\x8B", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(XmlText(text), text);
  }
}

TEST(XmlTextTest, OtherBytesBecomeQuestionMarks) {
  EXPECT_EQ(XmlText("\xFF\xFE"), "??");
  EXPECT_EQ(XmlText("a\x80z"), "a?z");
  EXPECT_EQ(XmlText("\xC3"), "?") << "cut off";
  EXPECT_EQ(XmlText("\xE6\xA8<"), "??&lt;");
  EXPECT_EQ(XmlText("\xC0\xAF"), "??") << "longer than needed";
  EXPECT_EQ(XmlText("\xE0\x80\xAF"), "???");
  EXPECT_EQ(XmlText("\xED\xA0\x80"), "???") << "half of a pair";
  EXPECT_EQ(XmlText("\xEF\xBF\xBF"), "???") << "no character of XML";
  EXPECT_EQ(XmlText("\xF4\x90\x80\x80"), "????") << "beyond Unicode";
  EXPECT_EQ(XmlText("\xF8\x88\x80\x80\x80"), "?????");
}

}  // namespace
}  // namespace kuiper_infer
