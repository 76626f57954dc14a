#include "support/report_samples.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>

#include <fmt/format.h>

#include "measure/statistics.hpp"
#include "report/suite_text.hpp"
#include "report/timeline.hpp"

namespace kinjo::test {

namespace {

constexpr const char* kFourNodes =
    "synthetic:pack:4 [numa(memory=34359738368)] l3:1(size=20971520) l2:8(size=262144) "
    "l1d:1(size=32768) core:1 pu:2(indexes=2*32:1*2)";
constexpr std::size_t kRounds = 7;
constexpr std::int64_t kPages = 49152;

/// Noise that is the same on every machine: a factor from 1 − spread to 1 + spread.
class Noise {
 public:
  double operator()(double spread) {
    return 1 + spread * (2 * static_cast<double>(engine_()) / 4294967295.0 - 1);
  }

 private:
  std::mt19937 engine_{20150514};
};

std::vector<double> samples_around(double value, double spread, Noise& noise) {
  std::vector<double> samples;
  for (std::size_t round = 0; round < kRounds; ++round) samples.push_back(value * noise(spread));
  return samples;
}

/// Where a mapping's threads ask for pages, and for `none` where a system might leave them.
std::vector<NodePages> pages_of(const Mapping& mapping, const Topology& machine, std::size_t lost) {
  std::vector<NodePages> nodes;
  const auto count = static_cast<std::size_t>(kPages);
  if (!mapping.binds()) {
    for (const Node& node : machine.nodes()) {
      const std::size_t share = count / (2 * machine.nodes().size());
      nodes.push_back({.node = node.node, .there = node.node == 0 ? share + count / 2 : share});
    }
    return nodes;
  }
  for (int node : mapping.nodes()) {
    const std::size_t asked = count * mapping.threads_on(node).size() / mapping.size();
    nodes.push_back({.node = node, .asked = asked, .there = asked, .as_asked = asked});
  }
  if (nodes.size() > 1 && lost > 0) {
    nodes[1].there -= lost;
    nodes[1].as_asked -= lost;
    nodes[0].there += lost;
  }
  return nodes;
}

/// Bandwidth of a machine whose nodes give 28 GB/s each, and whose threads take 9.
double bandwidth(const Mapping& mapping) {
  if (!mapping.binds())
    return 24 * std::sqrt(std::min<double>(16, static_cast<double>(mapping.size())) / 4);
  double sum = 0;
  for (int node : mapping.nodes()) {
    sum += std::min(28.0, 9.0 * static_cast<double>(mapping.threads_on(node).size()));
  }
  return sum;
}

Verdict verdict_of(const std::vector<Record>& records, const std::string& metric, Better better,
                   std::size_t baseline, std::size_t best) {
  const auto& a = find_metric(records[better == Better::higher ? best : baseline], metric).samples;
  const auto& b = find_metric(records[better == Better::higher ? baseline : best], metric).samples;
  const PairedComparison found = compare_paired(a, b);
  return {.metric = metric,
          .better = better,
          .baseline = baseline,
          .best = best,
          .pairs = found.ratio.count,
          .gain = found.ratio.median,
          .low = found.ratio.low,
          .high = found.ratio.high,
          .differs = found.differs};
}

std::size_t index_of(const std::vector<Record>& records, const std::string& policy,
                     std::size_t threads, const std::string& memory = "") {
  const auto at = std::ranges::find_if(records, [&](const Record& r) {
    return r.policy == policy && r.threads == threads && r.memory == memory;
  });
  return static_cast<std::size_t>(at - records.begin());
}

Record stream_record(const Mapping& mapping, const Topology& machine, Noise& noise) {
  Record record{.workload = "stream",
                .parameters = {{"elements", std::int64_t{16777216}}, {"bind", "cpu"}},
                .policy = mapping.policy().name(),
                .threads = mapping.size(),
                .verified = true,
                .result = {{"pages", kPages}, {"placement", "bound"}},
                .pages = pages_of(mapping, machine, mapping.size() == 64 ? 900 : 0)};
  const std::pair<const char*, double> operations[] = {
      {"copy", 1.1}, {"scale", 1.08}, {"add", 1.01}, {"triad", 1.0}};
  for (const auto& [name, factor] : operations) {
    const double spread = mapping.binds() ? 0.03 : 0.15;
    record.metrics.push_back({.name = name,
                              .unit = "GB/s",
                              .samples = samples_around(factor * bandwidth(mapping), spread, noise),
                              .flops_per_byte = std::string(name) == "triad" ? 2.0 / 24 : 0});
  }
  return record;
}

ReportSection stream_section(const Topology& machine, const std::vector<std::string>& policies,
                             const std::vector<std::size_t>& threads,
                             std::vector<Mapping>& mappings) {
  Noise noise;
  ReportSection section{.workload = "stream"};
  for (const std::string& policy : policies) {
    for (std::size_t count : threads) {
      const Mapping mapping(machine, Policy::parse(policy), count);
      section.records.push_back(stream_record(mapping, machine, noise));
      if (mapping.binds()) mappings.push_back(mapping);
    }
  }
  return section;
}

/// A program that is timed from outside, under several memory policies; the most threads of
/// compact crash where memory is bound.
ReportSection program_section() {
  Noise noise;
  ReportSection section{.workload = "./solve --size 4096 input.dat"};
  for (const char* memory : {"local", "interleave"}) {
    for (const char* policy : {"none", "scatter", "compact", "compact-plus"}) {
      for (std::size_t threads : {4u, 16u, 64u}) {
        const bool near = std::string(policy) != "none";
        const double seconds = 90.0 / std::pow(static_cast<double>(threads), near ? 0.85 : 0.8) *
                               (std::string(memory) == "local" && near ? 0.9 : 1);
        section.records.push_back({.workload = section.workload,
                                   .policy = policy,
                                   .threads = threads,
                                   .memory = memory,
                                   .metrics = {{.name = "seconds",
                                                .unit = "s",
                                                .samples = samples_around(seconds, 0.04, noise)}}});
      }
    }
  }
  Record& crashed = section.records[index_of(section.records, "compact", 64, "local")];
  crashed.metrics.clear();
  crashed.result = {{"fault", "ended by signal 11 (SIGSEGV) in round 2"}};
  return section;
}

std::vector<std::pair<std::string, std::string>> lines_for(const std::string& policy) {
  return {
      {"OMP_PLACES", "OMP_NUM_THREADS=4 OMP_PLACES={0},{8},{16},{24} OMP_PROC_BIND=close ./solve"},
      {"numactl", "numactl --physcpubind=0,8,16,24 --membind=0-3 ./solve"},
      {"srun", "srun --ntasks=1 --cpus-per-task=4 --cpu-bind=map_cpu:0,8,16,24 ./solve"},
      {"kinjo run", fmt::format("kinjo run --policy {} --threads 4 -- ./solve", policy)}};
}

std::string sentence_for(const Verdict& verdict, const std::string& best) {
  return fmt::format(
      "Fastest: {}, {:.2f} times (95 %: {:.2f} to {:.2f}) the unpinned default in {} paired "
      "rounds.",
      best, verdict.gain, verdict.low, verdict.high, verdict.pairs);
}

Figure figure(double value, const char* unit, double spread = 0.02) {
  Noise noise;
  return {summarize(samples_around(value, spread, noise)), unit, ""};
}

ClockProfile invented_clock() {
  ClockProfile clock{.counter = "tsc", .invariant = true, .disagreement_ns = 12.0, .agrees = true};
  clock.frequency_hz = figure(2.7e9, "Hz", 1e-6);
  clock.core_frequency_hz = figure(3.1e9, "Hz");
  clock.read_ns = figure(8, "ns");
  clock.peak_gflops_one = figure(24.8, "GFLOP/s");
  clock.peak_gflops_all = figure(690, "GFLOP/s");
  return clock;
}

NodesProfile invented_nodes(const Topology& machine) {
  NodesProfile nodes{.pages = "transparent", .buffer_bytes = 1u << 30};
  int step = 0;
  for (const Node& from : machine.nodes()) {
    for (const Node& to : machine.nodes()) {
      const int hops = from.node == to.node ? 0 : 1 + (from.node + to.node) % 2;
      ++step;
      NodePairProfile pair{
          .cpu_node = from.node, .memory_node = to.node, .distance = 10 + 10 * hops};
      pair.latency_ns = figure(82 + 55.0 * hops + step, "ns");
      pair.one_thread = {figure(12.0 / (1 + hops), "GB/s"), figure(9.0 / (1 + hops), "GB/s"),
                         figure(11.0 / (1 + hops), "GB/s")};
      pair.all_threads = {figure(33.0 / (1 + hops), "GB/s"), figure(24.0 / (1 + hops), "GB/s"),
                          figure(30.0 / (1 + hops), "GB/s")};
      nodes.pairs.push_back(pair);
    }
  }
  nodes.all_nodes_local = {figure(131, "GB/s"), figure(95, "GB/s"), figure(118, "GB/s")};
  nodes.contradictions = {
      "node 2 to node 3: measured 1.9 times the local latency, distance 20 says 2.0"};
  return nodes;
}

MachineProfile invented_profile(const Topology& machine) {
  MachineProfile profile{
      .machine = "numa4", .model = "Xeon E5-4640", .measured = "2026-03-02T09:20:00+01:00"};
  profile.warnings = {"other programs used 0.4 CPUs while this was measured"};
  profile.clock = invented_clock();
  profile.nodes = invented_nodes(machine);
  return profile;
}

Report report_on(Topology machine, std::string command) {
  return {.title = "kinjo: placement of stream",
          .command = std::move(command),
          .made = "2026-03-02T10:15:30+01:00",
          .machine = std::move(machine)};
}

/// Two CPUs of one node, where every policy is as good.
Report two_cpu_report() {
  Report report =
      report_on(Topology::from("synthetic:pack:1 [numa(memory=14280953856)] l3:1(size=33554432) "
                               "l2:2(size=1048576) core:1 pu:1"),
                "kinjo tune stream");
  report.sections.push_back(
      stream_section(report.machine, {"none", "scatter", "compact"}, {1, 2}, report.mappings));
  ReportSection& section = report.sections[0];
  Noise noise;
  for (Record& record : section.records) {
    for (Metric& metric : record.metrics) {
      metric.samples = samples_around(44.0 * static_cast<double>(record.threads), 0.05, noise);
    }
  }
  section.verdict = verdict_of(section.records, "triad", Better::higher, 1, 3);
  section.verdict->differs = false;
  section.sentence = "No placement differs measurably from the default.";
  return report;
}

}  // namespace

Topology four_node_machine() { return Topology::from(kFourNodes); }

Report four_node_report() {
  Report report = report_on(four_node_machine(), "kinjo tune stream --report report.html");
  report.sections.push_back(stream_section(report.machine,
                                           {"none", "scatter", "compact", "compact-plus"},
                                           {1, 2, 4, 8, 16, 32, 64}, report.mappings));
  ReportSection& stream = report.sections[0];
  stream.verdict =
      verdict_of(stream.records, "triad", Better::higher, index_of(stream.records, "none", 64),
                 index_of(stream.records, "scatter", 16));
  stream.sentence = sentence_for(*stream.verdict, "scatter with 16 threads");
  stream.lines = lines_for("scatter");
  report.sections.push_back(program_section());
  ReportSection& program = report.sections[1];
  program.verdict = verdict_of(program.records, "seconds", Better::lower,
                               index_of(program.records, "none", 64, "local"),
                               index_of(program.records, "compact-plus", 64, "local"));
  program.sentence = sentence_for(*program.verdict, "compact-plus with 64 threads, memory local");
  program.lines = lines_for("compact-plus");
  report.profile = invented_profile(report.machine);
  return report;
}

Report one_node_report() {
  Report report = two_cpu_report();
  std::vector<Record>& records = report.sections[0].records;
  std::erase_if(records, [](const Record& r) { return r.policy == "compact"; });
  std::erase_if(report.mappings, [](const Mapping& m) { return m.policy().name() == "compact"; });
  for (Record& record : records) {
    if (record.policy == "scatter") record.result.push_back({"same_as", "compact compact-plus"});
  }
  return report;
}

Report failed_report() {
  Report report = two_cpu_report();
  std::vector<Record>& records = report.sections[0].records;
  for (Record& record : records) {
    if (record.policy == "compact") {
      record.verified = false;
      record.result.push_back(
          {"fault", "array c is wrong: mean deviation 3.1e-02, expected below 1e-13"});
    }
  }
  records[2].metrics.clear();
  records[2].result = {{"fault", "ran longer than 60 s"}};
  return report;
}

Report single_record_report() {
  Report report =
      report_on(four_node_machine(), "kinjo tune --policies scatter --threads 4 -- ./a.out");
  report.sections.push_back(stream_section(report.machine, {"scatter"}, {4}, report.mappings));
  return report;
}

Report large_report() {
  Report report = report_on(Topology::from("synthetic:pack:8 numa:1 l3:2 core:8 pu:2"),
                            "kinjo tune stream --policies all --memory all");
  const std::vector<std::string> policies = {"none",         "scatter",       "compact",
                                             "compact-plus", "smt,core,node", "cpus:0-255"};
  ReportSection all{.workload = "stream"};
  for (const char* memory : {"local", "interleave", "bind:0", "preferred:1", "first-touch"}) {
    report.mappings.clear();
    ReportSection one = stream_section(report.machine, policies,
                                       {1, 2, 4, 8, 16, 32, 48, 64, 128, 256}, report.mappings);
    for (Record& record : one.records) {
      record.memory = memory;
      all.records.push_back(std::move(record));
    }
  }
  report.sections.push_back(std::move(all));
  return report;
}

Report hostile_report() {
  Report report = two_cpu_report();
  report.title = report.command = report.made = kHostile;
  ReportSection& section = report.sections[0];
  section.workload = section.sentence = kHostile;
  section.lines = {{kHostile, kHostile}};
  for (Record& record : section.records) {
    record.workload = kHostile;
    record.memory = record.threads == 2 ? kHostile : "";
    record.parameters.push_back({kHostile, kHostile});
    record.result.push_back({kHostile, kHostile});
    for (Metric& metric : record.metrics) metric.unit = kHostile;
    if (record.policy == "compact") record.policy = kHostile;
  }
  section.records.back().result.push_back({"fault", kHostile});
  section.records.back().metrics[0].samples.assign(kRounds, std::nan(""));
  report.profile = invented_profile(report.machine);
  report.profile->machine = report.profile->model = report.profile->measured = kHostile;
  report.profile->warnings = {kHostile};
  report.profile->nodes->contradictions = {kHostile};
  return report;
}

namespace {

/// What a workload of a suite is judged by, and how much placement is worth to it.
struct Judged {
  const char* workload;
  const char* metric;
  const char* unit;
  double value;  ///< with all threads, unplaced
  double gain;   ///< of scatter; compact loses as much
  double flops_per_byte = 0;
};
constexpr Judged kJudged[] = {{"stream", "triad", "GB/s", 180, 1.9, 1.0 / 12},
                              {"blas1", "bandwidth", "GB/s", 190, 1.8, 1.0 / 8},
                              {"gemm", "gflops", "GFLOP/s", 900, 1.0, 128},
                              {"fft", "mflops", "MFLOP/s", 7e4, 1.3, 2.4},
                              {"graph500", "gteps", "GTEPS", 2.5, 1.4},
                              {"paths", "mstates", "M/s", 40, 1.05},
                              {"sdp", "seconds", "s", 0.4, 1.0},
                              {"cells", "gflops", "GFLOP/s", 600, 1.2, 96}};

ReportSection judged_section(const Judged& judged, const Topology& machine,
                             std::vector<Mapping>* mappings) {
  Noise noise;
  ReportSection section{.workload = judged.workload};
  const bool time = std::string(judged.unit) == "s";
  for (const char* policy : {"none", "scatter", "compact", "compact-plus"}) {
    for (const std::size_t threads : {16u, 32u, 64u}) {
      const Mapping mapping(machine, Policy::parse(policy), threads);
      const bool none = !mapping.binds(), scatter = std::string(policy) == "scatter";
      const double factor = none ? 1 : scatter ? judged.gain : 2 - judged.gain;
      const double share = std::sqrt(static_cast<double>(threads) / 64) * factor;
      Record record{.workload = judged.workload,
                    .policy = policy,
                    .threads = threads,
                    .verified = true,
                    .pages = pages_of(mapping, machine, 0)};
      record.metrics = {
          {.name = judged.metric,
           .unit = judged.unit,
           .samples = samples_around(time ? judged.value / share : judged.value * share,
                                     none ? 0.08 : 0.03, noise),
           .flops_per_byte = judged.flops_per_byte}};
      section.records.push_back(record);
      if (mappings && mapping.binds()) mappings->push_back(mapping);
    }
  }
  section.verdict =
      verdict_of(section.records, judged.metric, time ? Better::lower : Better::higher,
                 index_of(section.records, "none", 64), index_of(section.records, "scatter", 64));
  section.sentence = sentence_for(*section.verdict, "scatter with 64 threads");
  return section;
}

std::vector<std::vector<comm::Wait>> invented_waits() {
  std::vector<std::vector<comm::Wait>> cells(64);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    for (std::int64_t step = 0; step < 8; ++step) {
      const std::int64_t begin = 1'000'000 * step + 9'000 * static_cast<std::int64_t>(cell);
      cells[cell].push_back({comm::Wait::For::flag, begin, begin + 250'000});
    }
  }
  return cells;
}

}  // namespace

Report suite_report() {
  Report report = report_on(Topology::from("synthetic:pack:2 numa:4 l3:1 core:4 pu:2"),
                            "kinjo tune --suite quick --report report.html");
  report.title = "Placement on this machine: quick suite";
  for (const Judged& judged : kJudged) {
    report.sections.push_back(judged_section(judged, report.machine,
                                             report.sections.empty() ? &report.mappings : nullptr));
  }
  ReportSection& sdp = report.sections[6];
  sdp.verdict->differs = false;
  for (Record& record : sdp.records) {
    if (record.policy != "compact") continue;
    record.metrics.clear();
    record.result = {{"fault", "the dual objective is off by 3e-4"}};
  }
  report.sections[7].waits = timeline_picture("Who waits when: cells, scatter, 64 threads",
                                              {{"put", 0.008, invented_waits()}});
  report.summary = suite_summary(report.sections, report.machine);
  report.profile = invented_profile(report.machine);
  std::vector<std::string> names;
  for (const Judged& judged : kJudged) names.emplace_back(judged.workload);
  report.shares = stored_local_shares(names);
  return report;
}

std::vector<std::pair<std::string, Report>> sample_reports() {
  return {{"four_nodes", four_node_report()}, {"one_node", one_node_report()},
          {"failed", failed_report()},        {"single_record", single_record_report()},
          {"large", large_report()},          {"hostile", hostile_report()},
          {"suite", suite_report()}};
}

}  // namespace kinjo::test
