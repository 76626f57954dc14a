#include "tune/reading.hpp"

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo::detail {
namespace {

using test::error_of;

std::optional<double> metric(const char* pattern, std::string_view output) {
  return find_metric_value(parse_metric_pattern(pattern), output);
}

TEST(Metric, IsTheNumberInTheGroupOfTheLastMatch) {
  EXPECT_EQ(metric("GB/s: ([0-9.]+)", "GB/s: 1.5\nGB/s: 2.5 GB/s: 3.5\nend\n"), 3.5);
  EXPECT_EQ(metric("^time (\\S+) s$", "time 1e-3 s\ntime x\n"), 1e-3);
  EXPECT_EQ(metric("(\\d+)", "no newline 42"), 42);
  EXPECT_EQ(metric("(.*)", "42\n\n"), 42) << "a match of nothing is none";
  EXPECT_EQ(metric("x(\\d+)", "nothing\nhere"), std::nullopt);
  EXPECT_EQ(metric("x(\\d+)", ""), std::nullopt);
}

TEST(Metric, MustBeAPositiveNumber) {
  for (const char* text : {"0", "-1", "inf", "nan", "abc", "", "1.5x"}) {
    EXPECT_EQ(error_of([&] { metric("=(.*)$", std::string("=") + text); }),
              std::string("bad_input: --metric '=(.*)$' found '") + text +
                  "': expected a positive number");
  }
}

TEST(Metric, HasQuotientsThatAreNumbers) {
  EXPECT_EQ(metric("=(.*)$", "=1e100"), 1e100);
  EXPECT_EQ(metric("=(.*)$", "=1e-100"), 1e-100);
  for (const char* text : {"1.1e100", "1.7e308", "9e-101", "5e-324"}) {
    EXPECT_EQ(error_of([&] { metric("=(.*)$", std::string("=") + text); }),
              std::string("bad_input: --metric '=(.*)$' found '") + text +
                  "': expected a number from 1e-100 to 1e100");
  }
}

TEST(Metric, IsRefusedUnlessItHasOneGroup) {
  EXPECT_EQ(error_of([] { parse_metric_pattern("[0-9]+"); }),
            "invalid_argument: --metric '[0-9]+' has 0 groups: expected one, around the number, "
            "e.g. 'Triad: +([0-9.]+)'");
  EXPECT_EQ(error_of([] { parse_metric_pattern("(a)(b)"); }),
            "invalid_argument: --metric '(a)(b)' has 2 groups: expected one, around the number, "
            "e.g. 'Triad: +([0-9.]+)'");
}

TEST(Metric, SaysWhatIsWrongWithAnExpression) {
  struct Case {
    const char* text;
    const char* fault;
  };
  for (const Case& c : {Case{"(", "missing ): ("},
                        {"[a", "missing ]: [a"},
                        {"*a", "no argument for repetition operator: *"},
                        {"(a{2,1})", "invalid repetition size: {2,1}"},
                        {"([z-a])", "invalid character class range: z-a"},
                        {"(a)\\1", "invalid escape sequence: \\1"}}) {
    EXPECT_EQ(error_of([&] { parse_metric_pattern(c.text); }),
              std::string("invalid_argument: --metric '") + c.text +
                  "' is no regular expression: " + c.fault);
  }
}

TEST(Metric, IsFoundInALineThatNeverEnds) {
  const std::string endless = "v=7 " + std::string(10'000'000, 'a') + " v=8";
  EXPECT_EQ(metric("v=(\\d+)(?:.|\\s)*", endless), 7);
  EXPECT_EQ(metric("v=(\\d+)", endless), 8);
}

TEST(Metric, TakesTimeInProportionToTheTextWhateverTheExpression) {
  // A matcher that tries all ways to split the text would take 2^5000 steps.
  EXPECT_EQ(metric("(?:a*)*b=(\\d)", std::string(5000, 'a')), std::nullopt);
}

std::string digest(std::string_view output) { return digest_output(output, std::nullopt); }

TEST(Digest, DoesNotSeeNumbersBlanksAndTheOrderOfLines) {
  EXPECT_EQ(digest("thread 0 on CPU 3\nthread 1 on CPU 2\ntime 1.5e-3 s\n"),
            digest("thread 1  on CPU 0\ntime   23.25 s\nthread 0 on CPU 17"));
  EXPECT_EQ(digest("address 0x7ffe3a\n"), digest("address 0x55d0\n"));
}

TEST(Digest, DoesNotSeeHowManyDigitsANumberHasNorItsSign) {
  const struct {
    const char* one;
    const char* other;
  } cases[] = {{"thread9 done", "thread10 done"},
               {"thread9done", "thread1024done"},
               {"v1.5", "v10.25"},
               {"residual -1.2e-17", "residual 3.4e-17"},
               {"shift=+1", "shift=-20"},
               {"part .5", "part -0.25"},
               {"total 999", "total 1,234,567"},
               {"CPUs 0,1", "CPUs 0,1,12,13"},
               {"range 0-3", "range 12-15"},
               {"point (1,-2)", "point (-10,20)"}};
  for (const auto& c : cases) EXPECT_EQ(digest(c.one), digest(c.other)) << c.other;
}

TEST(Digest, SeesWhatStandsBetweenNumbers) {
  EXPECT_NE(digest("range 0-3"), digest("range 03"));
  EXPECT_NE(digest("1 2"), digest("12"));
  EXPECT_NE(digest("thread"), digest("thread1"));
  EXPECT_NE(digest("a - b"), digest("a b"));
  EXPECT_NE(digest("end."), digest("end"));
}

TEST(Digest, SeesWords) {
  EXPECT_NE(digest("residual 1e-9 PASSED\n"), digest("residual 1e-9 FAILED\n"));
  EXPECT_NE(digest("ok\n"), digest("ok\nwarning: did not converge\n"));
  EXPECT_NE(digest("ok\n"), digest(""));
}

TEST(Digest, SeesEverythingButWhatIsToBeIgnored) {
  const LinePattern seconds("--ignore", "[0-9.]+ s$");
  EXPECT_EQ(digest_output("sum 10\ntime 1.5 s\n", seconds),
            digest_output("sum 10\ntime 2.5 s\n", seconds));
  EXPECT_NE(digest_output("sum 10\ntime 1.5 s\n", seconds),
            digest_output("sum 11\ntime 1.5 s\n", seconds));
  EXPECT_NE(digest_output("a\nb\n", seconds), digest_output("b\na\n", seconds));
}

}  // namespace
}  // namespace kinjo::detail
