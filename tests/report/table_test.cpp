#include "report/table.hpp"

#include <gtest/gtest.h>

namespace kinjo {
namespace {

Table table_of(const std::vector<std::vector<std::string>>& rows) {
  Table table(rows.front());
  for (std::size_t i = 1; i < rows.size(); ++i) table.add(rows[i]);
  return table;
}

TEST(Table, AlignsNumbersRightAndWordsLeft) {
  EXPECT_EQ(table_of({{"name", "value", "remark"},
                      {"a", "1", "x"},
                      {"long name", "-12.5", "yz"},
                      {"b", "", "z"},
                      {"c", "-", ""}})
                .to_text(),
            "name       value  remark\n"
            "a              1  x\n"
            "long name  -12.5  yz\n"
            "b                 z\n"
            "c              -\n");
}

TEST(Table, AlignsAColumnLeftIfOneCellIsNoNumber) {
  EXPECT_EQ(table_of({{"n"}, {"100"}, {"x"}}).to_text(), "n\n100\nx\n");
  EXPECT_EQ(table_of({{"n"}, {"100"}, {"1"}}).to_text(), "  n\n100\n  1\n");
}

TEST(Table, TakesPercentagesForNumbersAndRangesForWords) {
  EXPECT_EQ(table_of({{"share", "CPUs", "list"}, {"100.0 %", "0-3", "1,2"}, {"5.5 %", "7", "3"}})
                .to_text(),
            "  share  CPUs  list\n"
            "100.0 %  0-3   1,2\n"
            "  5.5 %  7     3\n");
}

TEST(Table, CountsCharactersOfUtf8AndNotBytes) {
  EXPECT_EQ(table_of({{"名前", "×"}, {"é", "1"}, {"abc", "22"}}).to_text(),
            "名前    ×\n"
            "é     1\n"
            "abc  22\n");
}

TEST(Table, ShowsItsHeaderAlone) {
  EXPECT_EQ(table_of({{"a", "b"}}).to_text(), "a  b\n");
  EXPECT_EQ(table_of({{"a", "b"}}).to_csv(), "a,b\n");
}

TEST(Table, GivesOutWhatItHoldsAndWhichColumnsAreNumbers) {
  const Table table = table_of({{"n", "name"}, {"1", "a"}, {"-", "2"}});
  EXPECT_EQ(table.header(), (std::vector<std::string>{"n", "name"}));
  EXPECT_EQ(table.rows()[1], (std::vector<std::string>{"-", "2"}));
  EXPECT_TRUE(table.is_numeric(0));
  EXPECT_FALSE(table.is_numeric(1));
  EXPECT_FALSE(Table({"n"}).is_numeric(0));
}

TEST(Table, QuotesInCsvWhatRfc4180Quotes) {
  EXPECT_EQ(table_of({{"plain", "with space"},
                      {"a,b", "say \"yes\""},
                      {"two\nlines", "return\r"},
                      {"", "é;'\t"}})
                .to_csv(),
            "plain,with space\n"
            "\"a,b\",\"say \"\"yes\"\"\"\n"
            "\"two\nlines\",\"return\r\"\n"
            ",é;'\t\n");
}

TEST(TableDeathTest, EndsTheProgramForARowOfAnotherWidth) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(table_of({{"a", "b"}, {"only one"}}), "row.size\\(\\) == header_.size\\(\\)");
}

}  // namespace
}  // namespace kinjo
