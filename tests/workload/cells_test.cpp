#include "workload/cells.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "workload/cells_records.hpp"
#include "workload/cells_settings.hpp"
#include "workload/registry.hpp"
#include "workload/run_records.hpp"

namespace kinjo {
namespace {

using test::error_of;
using test::text_of;

Mapping mapping(std::size_t cells) {
  return {test::machine(), Policy::scatter(), cells, Oversubscribe::wrap};
}

std::unique_ptr<Subject> make(std::vector<std::pair<std::string, std::string>> parameters) {
  return find_workload("cells").make(test::machine(), {.parameters = std::move(parameters)});
}

TEST(CellsSubject, RunsEachProgramAndVerifiesIt) {
  for (const char* app : {"gemm", "scg"}) {
    for (const char* form : {"put", "get", "send", "direct"}) {
      const auto subject = make({{"app", app}, {"size", "40"}, {"form", form}});
      const auto sample = subject->run({mapping(3)});
      ASSERT_TRUE(sample) << app;
      EXPECT_EQ(sample->fault, "") << app << ", " << form;
      EXPECT_EQ(sample->values.size(), subject->metrics().size());
      EXPECT_EQ(text_of(subject->parameters(), "form"), form);
    }
  }
}

TEST(CellsSubject, MeasuresAPingPongByItsPut) {
  const auto subject = make({{"app", "pingpong"}, {"size", "8"}});
  const auto sample = subject->run({mapping(2)});
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->values.size(), 2);
  EXPECT_EQ(subject->run({mapping(1)})->fault, "a ping-pong needs two cells");
}

TEST(CellsSubject, DecidesByGflopsOrLatency) {
  EXPECT_EQ(make({})->metrics().front().name, "gflops");
  EXPECT_EQ(text_of(make({})->parameters(), "size"), "2048");
  EXPECT_EQ(make({{"app", "pingpong"}})->metrics().front().name, "latency_ns");
}

TEST(CellsRecords, HaveAFormEachAndListsByCell) {
  const CellsSettings settings{.app = CellsApp::gemm,
                               .sizes = {33},
                               .forms = {comm::Form::put, comm::Form::send},
                               .rounds = 2,
                               .verify = true};
  const CellsOutcome outcome = run_cells(settings, mapping(2));
  const auto records = cells_records(settings, outcome, "scatter");
  ASSERT_EQ(records.size(), 2);
  EXPECT_EQ(text_of(records[1].parameters, "form"), "send");
  for (const Record& record : records) {
    EXPECT_EQ(record.threads, 2);
    EXPECT_EQ(record.verified, true);
    EXPECT_EQ(find_metric(record, "efficiency").samples.size(), 2);
    EXPECT_EQ(find_metric(record, "waiting").samples.size(), 1);
    for (const auto& [name, value] : record.result) {
      EXPECT_EQ(std::get<Numbers>(value).size(), 2) << name;
    }
  }
}

TEST(CellsRun, GivesTheSameOfProcesses) {
  CellsSettings settings{.app = CellsApp::scg, .sizes = {25}, .rounds = 1, .verify = true};
  const CellsOutcome threads = run_cells(settings, mapping(3));
  settings.transport = CellsTransport::processes;
  const CellsOutcome processes = run_cells(settings, mapping(3));
  ASSERT_EQ(processes.scg.size(), 1);
  EXPECT_EQ(processes.scg[0].fault, "");
  EXPECT_EQ(processes.scg[0].iterations, threads.scg[0].iterations);
  EXPECT_EQ(processes.scg[0].error, threads.scg[0].error);
}

TEST(CellsRun, RethrowsWhatACellThrew) {
  for (const CellsTransport transport : {CellsTransport::threads, CellsTransport::processes}) {
    const CellsSettings settings{.app = CellsApp::scg, .sizes = {2}, .transport = transport};
    EXPECT_EQ(error_of([&] { run_cells(settings, mapping(3)); }),
              "invalid_argument: 2 rows for 3 cells: expected a row for each at least");
  }
}

TEST(CellsMemory, IsRefusedBeforeItIsTaken) {
  const CellsSettings settings{.app = CellsApp::gemm, .sizes = {1000}};
  const double bytes = cells_bytes(settings, 2);
  EXPECT_GT(bytes, 5.0 * 1000 * 1000 * 8);
  EXPECT_LT(bytes, 5.2 * 1000 * 1000 * 8);
  EXPECT_EQ(error_of([&] { check_cells_memory(settings, 2, 1 << 20); }),
            "out_of_memory: gemm of 1000 takes 38.2 MiB: 1 MiB may be taken");
  // Cells elsewhere take none of this host's, and only cell 0 verifies.
  CellsSettings verified = settings;
  verified.verify = true;
  verified.transport = CellsTransport::joined;
  const auto refused = [&](std::size_t here, bool first) {
    return error_of([&] { check_cells_memory(verified, 64, {here, first}, 24 << 20); });
  };
  EXPECT_EQ(refused(4, false), error_of([] {}));
  EXPECT_THAT(refused(4, true), testing::StartsWith("out_of_memory: gemm of 1000 takes 2"));
  EXPECT_THAT(refused(64, false), testing::StartsWith("out_of_memory: gemm of 1000 takes "));
  CellsSettings huge = settings;
  huge.sizes = {std::size_t{1} << 62};
  EXPECT_NE(error_of([&] { check_cells_memory(huge, 2, 0); }), "");
}

TEST(CellsSettings, RefuseOthersWithWhatIsAccepted) {
  CellsSettings settings;
  const auto refusal = [&](const char* name, const char* value) {
    return error_of([&] { set_cells(settings, name, value); });
  };
  EXPECT_EQ(refusal("depth", "3"),
            "invalid_argument: cells has no parameter 'depth': expected app, size, form, ahead, "
            "transport, rounds");
  EXPECT_EQ(refusal("app", "fft"),
            "invalid_argument: unknown app 'fft': expected one of pingpong, gemm, scg");
  EXPECT_EQ(refusal("form", "shove"),
            "invalid_argument: unknown form 'shove': expected one of put, get, send, direct");
  EXPECT_EQ(
      refusal("size", "8,x"),
      "invalid_argument: 'x' as a size: expected a number from 1 to 2^62, such as 1000 or 64K");
  EXPECT_EQ(refusal("rounds", "0"),
            "invalid_argument: '0' rounds: expected a number from 1 to 10000");
  EXPECT_EQ(refusal("transport", "pigeon"),
            "invalid_argument: unknown transport 'pigeon': expected one of threads, processes");
}

}  // namespace
}  // namespace kinjo
