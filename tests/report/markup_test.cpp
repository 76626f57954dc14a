#include "report/markup.hpp"

#include <gtest/gtest.h>

namespace kinjo {
namespace {

constexpr const char* kBad = "\xEF\xBF\xBD";  // U+FFFD

TEST(EscapeMarkup, WritesReservedCharactersAsEntities) {
  EXPECT_EQ(escape_markup(R"(a<b> & "c" 'd')"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
}

TEST(EscapeMarkup, LeavesCharactersOfOneToFourBytesAndWhiteSpace) {
  for (const char* text : {"", "kinjo", "a\tb\nc\r", "2 × 3 − 1", "近所", "\xF0\x9F\x92\xBE"}) {
    EXPECT_EQ(escape_markup(text), text);
  }
}

TEST(EscapeMarkup, ReplacesEachByteThatBelongsToNoCharacter) {
  EXPECT_EQ(escape_markup("a\xFFz"), std::string("a") + kBad + "z");
  EXPECT_EQ(escape_markup("\x80\xBF"), std::string(kBad) + kBad);
  EXPECT_EQ(escape_markup("\xE8\xBF"), std::string(kBad) + kBad) << "cut off";
  EXPECT_EQ(escape_markup("\xC0\xAF"), std::string(kBad) + kBad) << "longer than needed";
  EXPECT_EQ(escape_markup("\xE0\x80\xBC"), std::string(kBad) + kBad + kBad) << "longer than needed";
}

TEST(EscapeMarkup, ReplacesCharactersThatXmlForbids) {
  EXPECT_EQ(escape_markup(std::string_view("a\0b\x1F\x7F", 5)),
            std::string("a") + kBad + "b" + kBad + "\x7F");
  EXPECT_EQ(escape_markup("\xED\xA0\x80"), kBad) << "half of a surrogate pair";
  EXPECT_EQ(escape_markup("\xEF\xBF\xBE"), kBad);
  EXPECT_EQ(escape_markup("\xF4\x90\x80\x80"), kBad) << "beyond U+10FFFF";
}

TEST(TextWidth, AddsTheLettersWidths) {
  EXPECT_EQ(text_width("", 10), 0);
  EXPECT_DOUBLE_EQ(text_width("iW", 10), 2.8 + 9.9);
  EXPECT_DOUBLE_EQ(text_width("iW", 10, Weight::bold), 3.5 + 11.1);
}

TEST(TextWidth, CountsOtherCharactersAsSquares) {
  EXPECT_DOUBLE_EQ(text_width("近所", 12), 24);
  EXPECT_DOUBLE_EQ(text_width("\xFF", 12), 12) << "it is shown as a replacement";
}

TEST(FittedText, IsCutBetweenCharactersAndEndsInAnEllipsis) {
  EXPECT_EQ(fitted_text("0000", 10 * 4 * 0.64, 10), "0000");
  EXPECT_EQ(fitted_text("0000", 25, 10), "00…") << "6.4 for each digit and 10 for the ellipsis";
  EXPECT_EQ(fitted_text("近所の計算", 30, 10), "近所…");
}

TEST(FittedText, IsEmptyWhereNothingFits) {
  EXPECT_EQ(fitted_text("0000", 16, 10), "");
  EXPECT_EQ(fitted_text("0000", 0, 10), "");
}

}  // namespace
}  // namespace kinjo
