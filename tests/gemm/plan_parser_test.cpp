#include <gtest/gtest.h>
#include <kinjo/error.hpp>
#include <kinjo/gemm_plan.hpp>

namespace kinjo::gemm {
namespace {

Problem problem() {
  Problem p;
  p.m = p.n = p.k = 2000;
  p.a = p.b = p.c = Order::column_major;
  p.threads = 4;
  p.caches = {32768, 524288, 16777216};
  return p;
}

std::string message(const char* text) {
  try {
    Plan::parse(text, problem());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::bad_input);
    return error.what();
  }
  return "no error";
}

TEST(PlanParser, ReadsWhatIsPrinted) {
  for (const char* text :
       {"N(n=400)/C(k=100)/P(m)//S(m=48)/V(n)/V(m)", "V(m)/V(n)", "P(n)////C(k=64)/V(n)/V(m)",
        "R(k=1000)/M(m=96)/C(k=128)/P(n)//P(m)//S(n=48)/V(m)/V(n)",
        "C(k=100)/S(m=48)/P(n)//V(n)/V(m)"}) {
    EXPECT_EQ(Plan::parse(text, problem()).to_string(), text);
  }
}

TEST(PlanParser, CountsTasksByStrokesOrByANumber) {
  EXPECT_EQ(Plan::parse("P////S/C", problem()).tasks(), 4u);
  EXPECT_EQ(Plan::parse("P(n=4)/S/C", problem()), Plan::parse("P////S/C", problem()));
  EXPECT_EQ(Plan::parse("P/S/C", problem()).tasks(), 1u);
}

TEST(PlanParser, ReadsAndPrintsTheStrokesOfALastP) {
  for (const char* text : {"P//", "C/S/P//", "P//C/P//", "N/C/P/"}) {
    EXPECT_EQ(Plan::parse(text, problem()).short_form(), text);
  }
  EXPECT_EQ(Plan::parse("S/P(n)//", problem()).tasks(), 2u);
  EXPECT_EQ(Plan::parse("S/P", problem()), Plan::parse("S/P/", problem()));
  EXPECT_EQ(Plan::parse("S/P(n=3)/", problem()), Plan::parse("S/P///", problem()));
  Plan unfinished;
  unfinished.add({Level::cache, Dimension::k, 64}).add({Level::parallel, Dimension::n, 2});
  EXPECT_EQ(unfinished.to_string(), "C(k=64)/P(n)//");
}

TEST(PlanParser, TakesDimensionsThatAreNotWrittenFromS3) {
  const Plan plan = Plan::parse("R/S/P///C", problem());
  const std::string text = plan.to_string();
  EXPECT_EQ(text.substr(0, 9), "R(n=1000)");
  EXPECT_EQ(plan.short_form(), "R/S/P///C");
  EXPECT_EQ(plan.loops()[1].dimension, Dimension::m);
  EXPECT_EQ(plan.loops()[2].dimension, Dimension::n);
  EXPECT_EQ(plan.loops()[3].dimension, Dimension::k);
}

struct Refusal {
  const char* text;
  const char* message;
};
constexpr Refusal kRefusals[] = {
    {"", "plan '', character 1: expected a loop: R, N, M, S, C, P or V"},
    {"N/X", "plan 'N/X', character 3: expected a loop: R, N, M, S, C, P or V"},
    {"N//C", "plan 'N//C', character 3: expected one stroke behind a loop that is not P"},
    {"N(", "plan 'N(', character 3: expected m, n or k"},
    {"N(q)", "plan 'N(q)', character 3: expected m, n or k"},
    {"N(n", "plan 'N(n', character 4: expected = or )"},
    {"N(n=12", "plan 'N(n=12', character 7: expected )"},
    {"N(n=)", "plan 'N(n=)', character 5: expected a number from 1 on"},
    {"N(n=0)", "plan 'N(n=0)', character 5: expected a number from 1 on"},
    {"N(n=99999999999999999999)",
     "plan 'N(n=99999999999999999999)', character 5: expected a number from 1 on"},
    {"N S", "plan 'N S', character 2: expected / or the end"},
    {"C/", "plan 'C/', character 3: expected a loop: R, N, M, S, C, P or V"},
    {"P//x", "plan 'P//x', character 4: expected a loop: R, N, M, S, C, P or V"},
    {"P(n=2)//", "plan 'P(n=2)//', character 8: expected one stroke behind a number of tasks"},
    {"P(n=2)//C", "plan 'P(n=2)//C', character 8: expected one stroke behind a number of tasks"},
    {"C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C",
     "plan 'C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C(k=1)/C'"
     ", character 85: expected at most 12 loops"},
    {"P/P/P/P/P/P/P/P/P/P/S(n)",
     "plan 'P/P/P/P/P/P/P/P/P/P/S(n)': expected at most 10 loops beside V(m) and V(n)"},
    {"P/P/P/P/P/P/P/P/P/P/S(n)/C",
     "plan 'P/P/P/P/P/P/P/P/P/P/S(n)/C': expected at most 10 loops beside V(m) and V(n)"},
    {"C(m=8)", "plan 'C(m=8)': C(m=8): expected C over the inner dimension k"},
    {"S(k=8)", "plan 'S(k=8)': S(k=8): expected m or n: only C and R go over k"},
    {"C/R(n=8)", "plan 'C/R(n=8)': R(n=8): expected storage loops outside of all others"},
    {"C/C(k=8)", "plan 'C/C(k=8)': C(k=8): expected one such loop"},
    {"N(m=8)/S(m=4)", "plan 'N(m=8)/S(m=4)': S(m=4): expected one of N, M and S over m"},
    {"V(n)/V(n)", "plan 'V(n)/V(n)': V(n): expected one such loop"},
    {"V(n)", "plan 'V(n)': expected V(m) and V(n) as the innermost loops"},
    {"V(m)/C(k=8)/V(n)", "plan 'V(m)/C(k=8)/V(n)': C(k=8): expected nothing but V inside of V"},
    {"P/////C", "plan 'P/////C': P(n=5): 5 tasks exceed the 4 threads"},
    {"P(m)///P(n)//C", "plan 'P(m)///P(n)//C': P(n=2): 6 tasks exceed the 4 threads"},
    {"P(m=2)/P(n=9223372036854775808)",
     "plan 'P(m=2)/P(n=9223372036854775808)': P(n=9223372036854775808): 18446744073709551615 tasks "
     "exceed the 4 threads"},
    {"C/V(n=4)/V(m)",
     "plan 'C/V(n=4)/V(m)': V(n=4): expected no number: a tile has the size that the kernels have"},
    {"C(k=200)/S(m=2000)",
     "plan 'C(k=200)/S(m=2000)': S(m=2000): 2000 × 200 elements of 8 bytes exceed L2's 524288 "
     "bytes: expected at most 327"},
    {"N(n=2000)",
     "plan 'N(n=2000)': N(n=2000): 2000 × 2000 elements of 8 bytes exceed L3's 16777216 bytes: "
     "expected at most 1048"},
};

TEST(PlanParser, SaysWhereAndWhatWasExpected) {
  for (const Refusal& r : kRefusals) EXPECT_EQ(message(r.text), r.message);
}

TEST(PlanParser, RefusesToUseInPlaceWhatTheKernelsCannotRead) {
  Problem p = problem();
  p.a = Order::row_major;
  try {
    Plan::parse("C/V(n)/V(m)", p);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "plan 'C/V(n)/V(m)': a row-major A cannot be used in place with a column-major C: "
                 "expected N, M or S over m");
  }
  EXPECT_EQ(Plan::parse("C/S", p).short_form(), "C/S");
}

TEST(PlanParser, RefusesABlockOfWhichALineHasMoreBytesThanANumberCounts) {
  Problem p = problem();
  p.k = std::size_t{1} << 61;
  for (const char* text : {"S(n)", "N(n)", "M(m)"}) {
    EXPECT_THROW(Plan::parse(text, p), Error) << text;
  }
}

}  // namespace
}  // namespace kinjo::gemm
