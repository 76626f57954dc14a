#include "report/page.hpp"

#include <algorithm>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/fft_records.hpp"
#include "support/report_samples.hpp"

namespace kinjo {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  std::vector<std::string> found;
  const std::regex regex(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
    found.push_back((*at)[1]);
  }
  return found;
}

std::string raw_records(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"records\">";
  const std::size_t from = page.find(open) + open.size();
  return page.substr(from, page.find("</script>", from) - from);
}

TEST(ReportHtml, HasItsSectionsInOrder) {
  EXPECT_THAT(
      matches(report_html(test::four_node_report()), "<h2 [^>]*>([^<]*)</h2>"),
      ElementsAre("1 Verdict", "2 Threads on the machine", "3 Between the nodes", "4 Over threads",
                  "5 Roofline", "6 Where pages were", "7 Use and repeat"));
}

TEST(ReportHtml, OfASuiteSaysAllInASentenceAndShowsWhatTheLaboratoryCounted) {
  const Report report = test::suite_report();
  const std::string page = report_html(report);
  EXPECT_THAT(matches(page, "<p class=\"verdict\">([^<]*)</p>"), ElementsAre(report.summary));
  for (const char* text :
       {" Local shares, in the laboratory</h2>", "Counted in the laboratory, not on this machine: ",
        " Who waits when</h2>", "<h3>stream: triad over threads</h3>", "<h3>cells: gflops over",
        "graph500, paths, sdp do not.", "<li><b>stream</b> Fastest:"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
  Report other = report;
  other.shares.workloads.clear();
  EXPECT_THAT(report_html(other), Not(HasSubstr("Local shares")));
}

TEST(ReportHtml, ShowsTransformsStepByStep) {
  Report report = test::four_node_report();
  report.sections = {{.workload = "fft",
                      .records = {test::fft_record("4096", "complex", "scatter", 8),
                                  test::fft_record("4096", "complex", "compact", 4)}}};
  const std::string page = report_html(report);
  for (const char* text : {" Transforms step by step</h2>", ">load 1</th>",
                           "Medians, beside the limit of memory", "4.00 arrays"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
  report.sections[0].records = {test::fft_record("4096", "real", "scatter", 8)};
  EXPECT_THAT(report_html(report), Not(HasSubstr("load 1")));
}

TEST(ReportHtml, SaysTheVerdictBeforeEverythingElse) {
  const std::string page = report_html(test::four_node_report());
  const std::size_t sentence = page.find("Fastest: scatter with 16 threads");
  ASSERT_NE(sentence, page.npos);
  EXPECT_LT(sentence, page.find("<svg"));
  EXPECT_LT(sentence, page.find("<dl"));
}

TEST(ReportHtml, HoldsCommandDateAndLinesToPaste) {
  const std::string page = report_html(test::four_node_report());
  for (const char* text : {"kinjo tune stream --report report.html", "2026-03-02T10:15:30+01:00",
                           "numactl --physcpubind=0,8,16,24 --membind=0-3 ./solve",
                           "kinjo run --policy scatter --threads 4 -- ./solve"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
}

TEST(ReportHtml, HoldsAllSamplesAsRecords) {
  const Report report = test::four_node_report();
  const auto json = nlohmann::json::parse(raw_records(report_html(report)));
  EXPECT_EQ(json["schema"], "kinjo-records/1");
  std::size_t at = 0;
  for (const ReportSection& section : report.sections) {
    for (const Record& record : section.records) {
      const auto& found = json["records"].at(at++);
      EXPECT_EQ(found["workload"], record.workload);
      for (const Metric& metric : record.metrics) {
        EXPECT_EQ(found["metrics"][metric.name]["samples"], metric.samples);
      }
    }
  }
  EXPECT_EQ(json["records"].size(), at);
}

TEST(ReportHtml, ListsWhatFailedWithItsReason) {
  const std::string page = report_html(test::failed_report());
  EXPECT_THAT(
      matches(page, "<li>([^<]*: [^<]*)</li>"),
      ElementsAre("scatter with 1 thread: ran longer than 60 s",
                  "compact with 1 thread: array c is wrong: mean deviation 3.1e-02, expected "
                  "below 1e-13",
                  "compact with 2 threads: array c is wrong: mean deviation 3.1e-02, "
                  "expected below 1e-13"));
  EXPECT_EQ(nlohmann::json::parse(raw_records(page))["records"].size(), 6u);
}

TEST(ReportHtml, SaysHowToGetWhatNeedsAProfile) {
  const std::string page = report_html(test::one_node_report());
  EXPECT_EQ(matches(page, "(no profile yet)").size(), 2u);
  EXPECT_THAT(page, HasSubstr("kinjo measure"));
  EXPECT_THAT(report_html(test::four_node_report()), Not(HasSubstr("no profile yet")));
}

TEST(ReportHtml, GivesEachIdOnce) {
  for (const auto& [name, report] : test::sample_reports()) {
    auto ids = matches(report_html(report), " id=\"([^\"]*)\"");
    EXPECT_GE(ids.size(), 14u) << name;
    std::ranges::sort(ids);
    EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end()) << name;
  }
}

TEST(ReportHtml, NamesNothingThatItWouldHaveToFetch) {
  for (const auto& [name, report] : test::sample_reports()) {
    const std::string page = report_html(report);
    for (const std::string& target : matches(page, "<[a-z][^<>]* (?:href|src)=\"([^\"]*)\"")) {
      EXPECT_TRUE(target.starts_with('#') || target == "data:,") << name << ": " << target;
    }
    EXPECT_THAT(page, Not(HasSubstr("@import"))) << name;
    EXPECT_THAT(page, Not(HasSubstr("url("))) << name;
  }
}

TEST(ReportHtml, EscapesAllTextFromOutside) {
  const std::string page = report_html(test::hostile_report());
  EXPECT_THAT(page, Not(HasSubstr("<script>document")));
  EXPECT_EQ(matches(page, "(<script)").size(), 2u);
  EXPECT_EQ(matches(page, "(</script)").size(), 2u);
  EXPECT_EQ(page.find('\xff'), page.npos);
  EXPECT_EQ(page.find('\x01'), page.npos);
  const auto json = nlohmann::json::parse(raw_records(page));
  EXPECT_EQ(json["records"][0]["workload"],
            "<script>document.title='broken'</script></script><!--\"'>&amp;\uFFFD\x01 ]]> \\");
}

TEST(ReportHtml, IsAPageEvenWithoutRecords) {
  Report report = test::one_node_report();
  report.sections.clear();
  report.mappings.clear();
  EXPECT_THAT(report_html(report), HasSubstr("Nothing was measured."));
  report.sections.push_back(
      {.workload = "./a.out", .records = {}, .verdict = {}, .sentence = "", .lines = {}});
  EXPECT_THAT(report_html(report), HasSubstr("Nothing was measured."));
}

}  // namespace
}  // namespace kinjo
