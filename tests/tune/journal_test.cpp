#include "tune/journal.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo {
namespace {

using test::error_of;

const char* const kHeader = "{\"schema\":\"kinjo-tune-journal/1\",\"x\":1}\n";

DoneRun full_run() {
  DoneRun done{.run = {Phase::confirmation, 7, 2}};
  done.sample = {.values = {0.1, 1e-300, 12345678.9},
                 .seconds = 1.0 / 3,
                 .last_words = {"a", "b"},
                 .output = "00ff",
                 .result = {{"text", "t"},
                            {"count", std::int64_t{-3}},
                            {"share", 0.5},
                            {"errors", std::vector<double>{1e-9, -0.25}}},
                 .pages = {{.node = 1, .asked = 10, .there = 9, .as_asked = 8}},
                 .amiss = 2};
  return done;
}

TEST(Journal, GivesBackEveryRunToTheLastBit) {
  const DoneRun done = full_run();
  const auto content = parse_journal(kHeader + journal_line(done), "j");
  ASSERT_EQ(content.runs.size(), 1u);
  EXPECT_EQ(content.runs[0].run, done.run);
  const Sample& sample = content.runs[0].sample;
  EXPECT_EQ(sample.values, done.sample.values);
  EXPECT_EQ(sample.seconds, done.sample.seconds);
  EXPECT_EQ(sample.last_words, done.sample.last_words);
  EXPECT_EQ(sample.output, done.sample.output);
  EXPECT_EQ(sample.result, done.sample.result);
  EXPECT_EQ(sample.pages[0].as_asked, 8u);
  EXPECT_EQ(sample.amiss, 2u);
  EXPECT_EQ(content.header["x"], 1);
}

TEST(Journal, LosesNothingButALineThatWasNotFinished) {
  const std::string line = journal_line(full_run());
  const std::string whole = kHeader + line + line;
  for (std::size_t cut = 0; cut < line.size(); ++cut) {
    const auto content = parse_journal(whole.substr(0, whole.size() - line.size() + cut), "j");
    EXPECT_EQ(content.runs.size(), 1u);
    EXPECT_EQ(content.good_bytes, whole.size() - line.size());
  }
}

TEST(Journal, NamesTheLineOfEveryOtherDamage) {
  const std::string line = journal_line(full_run());
  struct Case {
    std::string text;
    const char* error;
  };
  std::string negative = line, phase = line, empty = line, message = line;
  message.replace(line.find("\"count\""), 7, "\"placement_message\"");
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  negative.replace(line.find("0.1"), 3, "-.1");
  phase.replace(line.find("confirmation"), 12, "afterthought");
  const std::string values = "[0.1,1e-300,12345678.9]";
  empty.replace(line.find(values), values.size(), "[]");
  const char* const kFields = "expected one object of JSON with the fields of docs/json.md";
  for (const Case& c :
       {Case{"", "line 1 of the journal j: expected the header of a sweep"},
        Case{"{\"schema\"", "line 1 of the journal j: expected the header of a sweep"},
        Case{"{}\n",
             "line 1 of the journal j: expected the header of a sweep, with schema "
             "kinjo-tune-journal/1"},
        Case{"[1]\n",
             "line 1 of the journal j: expected the header of a sweep, with schema "
             "kinjo-tune-journal/1"},
        Case{kHeader + line + "\n" + line, kFields}, Case{kHeader + line + "{}\n", kFields},
        Case{kHeader + line + negative, kFields},
        Case{kHeader + line + phase, "unknown phase 'afterthought'"},
        Case{kHeader + line + empty, "a run has neither values nor a fault"},
        Case{kHeader + line + message, "placement_message is no text"},
        Case{kHeader + line + deep + "\n", "expected at most 32 levels of JSON"},
        Case{"{\"schema\":\"kinjo-tune-journal/1\",\"settings\":" + deep + "}\n",
             "line 1 of the journal j: expected at most 32 levels of JSON"}}) {
    const std::string said = error_of([&] { parse_journal(c.text, "j"); });
    const bool header = std::string(c.error).starts_with("line 1");
    EXPECT_EQ(said, (header ? "bad_input: " : "bad_input: line 3 of the journal j: ") +
                        std::string(c.error));
  }
}

TEST(Journal, IsAppendedToAfterItsLastGoodLine) {
  const test::Scratch scratch;
  const std::string path = scratch.path("journal");
  { Journal(path, {{"x", 1}}).append(full_run()); }
  std::ofstream(path, std::ios::app) << "{\"phase\":\"scr";
  const auto broken = parse_journal(read_journal(path), path);
  EXPECT_EQ(broken.runs.size(), 1u);
  { Journal(path, broken.good_bytes).append(full_run()); }
  EXPECT_EQ(parse_journal(read_journal(path), path).runs.size(), 2u);
}

TEST(Journal, TakesNoFileThatIsThereAlready) {
  const test::Scratch scratch;
  const std::string path = scratch.path("journal");
  std::ofstream(path) << "mine";
  EXPECT_EQ(error_of([&] { Journal(path, nlohmann::ordered_json::object()); }),
            "system: cannot make the journal " + path + ": File exists; go on with it by --resume");
  EXPECT_EQ(read_journal(path), "mine");
}

TEST(Replay, HandsOutTheRunsInTheirOrderAndThenNothing) {
  Replay replay({full_run()}, "j");
  EXPECT_EQ(replay.next({Phase::confirmation, 7, 2}, 3)->values[0], 0.1);
  EXPECT_FALSE(replay.next({Phase::confirmation, 8, 2}, 3));
}

TEST(Replay, RefusesAnotherRunThanTheOneAskedForAndAnotherNumberOfValues) {
  Replay other({full_run()}, "j");
  EXPECT_EQ(error_of([&] {
              other.next({Phase::screening, 7, 2}, 3);
            }),
            "bad_input: line 2 of the journal j: expected screening 7 of configuration 2 with 3 "
            "values");
  Replay fewer({full_run()}, "j");
  EXPECT_EQ(error_of([&] {
              fewer.next({Phase::confirmation, 7, 2}, 1);
            }),
            "bad_input: line 2 of the journal j: expected confirmation 7 of configuration 2 with 1 "
            "value");
}

}  // namespace
}  // namespace kinjo
