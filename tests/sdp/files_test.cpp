#include <kinjo/sdp_files.hpp>

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/scratch.hpp"
#include "support/sdplib.hpp"

namespace kinjo::sdp {
namespace {

using test::error_of;
using test::Scratch;
using ::testing::ElementsAre;
using ::testing::StartsWith;

/// Two constraints, a symmetric block of order 2 and a diagonal one of order 3.
const std::string kSmall =
    "2\n"
    "2\n"
    "2 -3\n"
    "1 2\n"
    "0 1 1 2 -1\n"
    "1 1 1 1 1\n"
    "2 2 3 3 0.5\n";

bool is_same(const Problem& a, const Problem& b) {
  const auto same = [](const Entry& e, const Entry& f) {
    return e.block == f.block && e.row == f.row && e.column == f.column && e.value == f.value;
  };
  if (!std::ranges::equal(a.blocks(), b.blocks()) || !std::ranges::equal(a.costs(), b.costs())) {
    return false;
  }
  for (std::size_t i = 0; i <= a.constraints(); ++i) {
    if (!std::ranges::equal(a.matrix(i), b.matrix(i), same)) return false;
  }
  return true;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

class ProblemFile : public ::testing::Test {
 protected:
  Problem read(const std::string& text) const {
    return read_problem(scratch_.write("p.dat-s", text));
  }
  std::string error(const std::string& text) const {
    const std::string path = scratch_.write("p.dat-s", text);
    const std::string message = error_of([&] { read_problem(path); });
    const std::string start = "bad_input: cannot read '" + path + "': ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
  }
  Scratch scratch_;
};

TEST_F(ProblemFile, IsReadWithItsBlocksCostsAndEntries) {
  const Problem p = read(kSmall);
  EXPECT_THAT(p.costs(), ElementsAre(1, 2));
  EXPECT_THAT(p.blocks(),
              ElementsAre(Block{2, BlockKind::symmetric}, Block{3, BlockKind::diagonal}));
  ASSERT_EQ(p.matrix(0).size(), 1u);
  EXPECT_EQ(p.matrix(0)[0].row, 0u);
  EXPECT_EQ(p.matrix(0)[0].column, 1u);
  EXPECT_EQ(p.matrix(0)[0].value, -1);
  ASSERT_EQ(p.matrix(2).size(), 1u);
  EXPECT_EQ(p.matrix(2)[0].block, 1u);
  EXPECT_EQ(p.matrix(2)[0].row, 2u);
}

TEST_F(ProblemFile, SaysTheSameInEveryHabitOfWriting) {
  const Problem expected = read(kSmall);
  const std::string entries = "0 1 1 2 -1\n1 1 1 1 1\n2 2 3 3 0.5\n";
  const struct {
    const char* habit;
    std::string text;
  } kHabits[] = {
      {"comments", "\"Example 1\n* of a manual\n" + kSmall + "* the end\n"},
      {"comments between", replaced(kSmall, "1 2\n", "1 2\n\"and now\n* the entries\n")},
      {"remarks", "2 =mDIM\n 2=nBLOCK\n  (2, -3)   = bLOCKsTRUCT\n{1.0, +2.0}\n" + entries},
      {"remarks without blanks", "2.\n2equal blocks\n2 -3.\n1 2\n" + entries},
      {"braces", "2\n2\n{2,-3}\n{1.0,2.0}\n" + entries},
      {"plus signs",
       "+2\n+2\n+2 -3\n+1.0e+00 +2\n" + replaced(entries, "1 1 1 1 1", "+1 +1 1 1 +1")},
      {"lines that break", "2\n2\n2\n-3 blocks\n1\n2\n" + entries},
      {"blank lines", "\n\n2\n\n2\n \n2 -3\n\n1 2\n\n" + replaced(entries, "\n", "\n\n \t\n")},
      {"Fortran's exponents", replaced(replaced(kSmall, "-1\n", "-1.0D+00\n"), "0.5", "5d-1")},
      {"tabs", "2\n2\n2\t-3\n1\t2\n0\t1\t1\t2\t-1\n1 1 1 1 1\n2 2 3 3 .5"},
      {"no end of the last line", kSmall.substr(0, kSmall.size() - 1)},
      {"the lower triangle", replaced(kSmall, "0 1 1 2", "0 1 2 1")},
      {"entries in any order", "2\n2\n2 -3\n1 2\n2 2 3 3 0.5\n1 1 1 1 1\n0 1 1 2 -1\n"},
      {"braces around entries", "2\n2\n2 -3\n1 2\n(0, 1, 1, 2, -1)\n{1,1,1,1,1}\n2 2 3 3 0.5"},
      {"repeated entries, which add up", kSmall + "0 1 2 1 -1.5\n0 1 1 2 1.5\n"},
      {"zeros", kSmall + "1 1 1 2 0.0\n"},
  };
  for (const auto& [habit, text] : kHabits) EXPECT_TRUE(is_same(read(text), expected)) << habit;
  std::string lines_of_windows = kSmall;
  for (std::size_t at = 0; (at = lines_of_windows.find('\n', at)) != std::string::npos; at += 2) {
    lines_of_windows.insert(at, "\r");
  }
  EXPECT_TRUE(is_same(read(lines_of_windows), expected));
}

TEST_F(ProblemFile, MayHaveEmptyBlocksAndConstraints) {
  const Problem p = read("3\n3\n2 0 -1\n1 0 -1\n3 1 1 1 2\n");
  EXPECT_EQ(p.blocks()[1].order, 0u);
  EXPECT_TRUE(p.matrix(0).empty());
  EXPECT_TRUE(p.matrix(1).empty());
  EXPECT_EQ(p.matrix(3).size(), 1u);
  EXPECT_EQ(p.order(), 3u);
}

TEST_F(ProblemFile, TakesTooSmallNumbersForZero) {
  EXPECT_TRUE(read(replaced(kSmall, "0.5", "1e-400")).matrix(2).empty());
  EXPECT_EQ(read(replaced(kSmall, "0.5", "-5e-324")).matrix(2)[0].value, -5e-324);
}

TEST_F(ProblemFile, IsRefusedWithTheLineAndWhatWasExpected) {
  const struct {
    std::string text, message;
  } kFaults[] = {
      {"", "line 1: the end of the file: expected m, the number of constraints"},
      {"\"only a comment\n", "line 2: the end of the file: expected m, the number of constraints"},
      {"x\n", "line 1: 'x': expected m, the number of constraints"},
      {replaced(kSmall, "2\n", "0\n"), "line 1: 0 constraints: expected at least 1"},
      {replaced(kSmall, "2\n", "-2\n"), "line 1: -2 constraints: expected at least 1"},
      {replaced(kSmall, "2\n", "1000000000\n"),
       "line 1: 1000000000 constraints: expected at most 23, since 45 bytes follow"},
      {replaced(kSmall, "2\n2\n", "2\n1000000000\n"),
       "line 2: 1000000000 blocks: expected at most 22, since 43 bytes follow"},
      {replaced(kSmall, "2\n", "99999999999999999999\n"),
       "line 1: '99999999999999999999': expected m, the number of constraints"},
      {replaced(kSmall, "2\n", "2.5 = mDIM\n"),
       "line 1: '2.5': expected m, the number of constraints"},
      {replaced(kSmall, "2\n2\n", "2\n2e0\n"),
       "line 2: '2e0': expected nBLOCK, the number of blocks"},
      {replaced(kSmall, "2 -3", "2 -3.5"),
       "line 3: '-3.5': expected the order of block 2 of the 2 that line 2 says"},
      {replaced(kSmall, "2\n2\n", "2\n0\n"), "line 2: 0 blocks: expected at least 1"},
      {replaced(kSmall, "2 -3", "2 x"),
       "line 3: 'x': expected the order of block 2 of the 2 that line 2 says"},
      {replaced(kSmall, "2 -3", "2 2000000000"),
       "line 3: block 2 has the order 2000000000: expected at most 1073741824"},
      {replaced(kSmall, "2 -3", "2 -3 4"),
       "line 3: more orders than the 2 blocks that line 2 says"},
      {"2\n2\n2 \n\n",
       "line 5: the end of the file: expected the order of block 2 of the 2 that line 2 says"},
      {replaced(kSmall, "1 2\n", "1 nan\n"), "line 4: 'nan': expected a finite number"},
      {replaced(kSmall, "1 2\n", "-inf 2\n"), "line 4: '-inf': expected a finite number"},
      {replaced(kSmall, "1 2\n", "1 2e999\n"), "line 4: '2e999': expected a finite number"},
      {replaced(kSmall, "1 2\n", "1 2 3\n"),
       "line 4: '3': expected the end of the line behind the 2 costs that line 1 says"},
      {replaced(kSmall, "1 2\n", "1\n"),
       "line 5: '1': expected the end of the line behind the 2 costs that line 1 says"},
      {"2\n2\n2 -3\n1", "line 4: the end of the file: expected c_2 of the 2 that line 1 says"},
      {replaced(kSmall, "0 1 1 2", "3 1 1 2"), "line 5: matrix 3: expected 0 to 2"},
      {replaced(kSmall, "0 1 1 2", "-1 1 1 2"), "line 5: matrix -1: expected 0 to 2"},
      {replaced(kSmall, "0 1 1 2", "0 3 1 2"), "line 5: block 3: expected 1 to 2"},
      {replaced(kSmall, "0 1 1 2", "0 0 1 2"), "line 5: block 0: expected 1 to 2"},
      {replaced(kSmall, "0 1 1 2", "0 1 0 2"), "line 5: row 0: expected 1 to 2"},
      {replaced(kSmall, "0 1 1 2", "0 1 1 3"), "line 5: column 3: expected 1 to 2"},
      {replaced(kSmall, "2 2 3 3", "2 2 2 3"),
       "line 7: row 2 and column 3: expected both the same, since block 2 is diagonal"},
      {replaced(kSmall, "2 -3\n", "0 -3\n"), "line 5: an entry of block 1: its order is 0"},
      {replaced(kSmall, "0.5", "inf"), "line 7: 'inf': expected a finite number"},
      {replaced(kSmall, "0.5", "NaN"), "line 7: 'NaN': expected a finite number"},
      {kSmall + "1 2 1 1 1e308\n1 2 1 1 1e308\n",
       "counted from 0, entry (0, 0) of block 1 of matrix 1: expected a finite sum of what was "
       "added "
       "to it"},
      {replaced(kSmall, "0.5", "1..5"), "line 7: '1..5': expected a value"},
      {replaced(kSmall, "0.5", "+-5"), "line 7: '+-5': expected a value"},
      {replaced(kSmall, "0.5", "5d"), "line 7: '5d': expected a value"},
      {replaced(kSmall, " 0.5", ""),
       "line 7: the end of the line: expected 'MATRIX BLOCK ROW COLUMN VALUE'"},
      {kSmall.substr(0, kSmall.size() - 7),
       "line 7: the end of the file: expected 'MATRIX BLOCK ROW COLUMN VALUE'"},
      {replaced(kSmall, "0 1 1 2", "0 1.5 1 2"),
       "line 5: '1.5': expected 'MATRIX BLOCK ROW COLUMN VALUE'"},
      {replaced(kSmall, "-1\n", "-1 "),
       "line 5: '1': expected the end of the line behind an entry"},
      {replaced(kSmall, "0.5", "0.5 x"),
       "line 7: 'x': expected the end of the line behind an entry"},
      {"\xff\xfe\x80rubbish\n", "line 1: '???rubbish': expected m, the number of constraints"},
      {std::string("\x7f"
                   "ELF\2\1\1\0\0\0",
                   10),
       "line 1: '?ELF????\?\?': expected m, the number of constraints"},
  };
  for (const auto& [text, message] : kFaults) EXPECT_EQ(error(text), message) << text;
}

TEST_F(ProblemFile, ThatCannotBeOpenedIsNamed) {
  const std::string path = scratch_.path("none.dat-s");
  EXPECT_EQ(error_of([&] { read_problem(path); }),
            "not_found: cannot read '" + path + "': No such file or directory");
  EXPECT_EQ(error_of([&] { read_problem(scratch_.path()); }),
            "system: cannot read '" + scratch_.path() + "': Is a directory");
}

TEST_F(ProblemFile, IsWrittenWithEveryBit) {
  ProblemBuilder builder({{3, BlockKind::symmetric}, {2, BlockKind::diagonal}, {0, {}}},
                         {0.1, -1e300, 1.0 / 3});
  builder.add(0, 0, 1, 2, 1e-310);
  builder.add(3, 0, 0, 0, 0.1 + 0.2);
  builder.add(3, 1, 1, 1, -2.0 / 3);
  const Problem p = builder.finish();
  const std::string path = scratch_.path("out.dat-s");
  write_problem(p, path);
  EXPECT_TRUE(is_same(read_problem(path), p));
  EXPECT_THAT(test::read_file(path),
              StartsWith("3 = mDIM\n3 = nBLOCK\n3 -2 0 = bLOCKsTRUCT\n0.10000000000000001 "));
  EXPECT_EQ(error_of([&] { write_problem(p, scratch_.path("no/where.dat-s")); }),
            "not_found: cannot write '" + scratch_.path("no/where.dat-s") +
                "': No such file or directory");
}

TEST(Sdplib, IsReadAndWrittenWithoutLoss) {
  KINJO_REQUIRE_SDPLIB(problems);
  const Scratch scratch;
  EXPECT_EQ(problems->size(), 75u);
  for (const auto& file : *problems) {
    const Problem p = read_problem(file.string());
    write_problem(p, scratch.path("again.dat-s"));
    EXPECT_TRUE(is_same(read_problem(scratch.path("again.dat-s")), p)) << file;
  }
}

TEST(Sdplib, HasTheSizesThatItsTableSays) {
  KINJO_REQUIRE_SDPLIB(problems);
  const auto optima = test::sdplib_optima();
  for (const test::Optimum& optimum : *optima) {
    const Problem p = read_problem(test::sdplib_problem(optimum.problem)->string());
    // SDPLIB's own table, which this is taken from, is wrong by one for gpp250.
    const std::size_t wrong = optimum.problem.starts_with("gpp250") ? 1 : 0;
    EXPECT_EQ(p.constraints(), optimum.constraints + wrong) << optimum.problem;
    EXPECT_EQ(p.order(), optimum.order) << optimum.problem;
  }
}

}  // namespace
}  // namespace kinjo::sdp
