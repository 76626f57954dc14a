#include "workload/subject.hpp"

#include <fmt/format.h>

#include "base/contract.hpp"

namespace kinjo {

std::string Configuration::name() const {
  const std::string threads =
      own_threads ? "its own threads"
                  : fmt::format("{} thread{}", mapping.size(), mapping.size() == 1 ? "" : "s");
  return fmt::format("{}, {}{}{}", mapping.policy().name(), threads, memory.empty() ? "" : ", ",
                     memory);
}

RecordBuilder::RecordBuilder(const Subject& subject, const Configuration& configuration)
    : record_{.workload = subject.name(),
              .parameters = subject.parameters(),
              .policy = configuration.mapping.policy().name(),
              .threads = configuration.mapping.size(),
              .memory = configuration.memory} {
  for (const MetricKind& kind : subject.metrics()) {
    record_.metrics.push_back(
        {.name = kind.name, .unit = kind.unit, .flops_per_byte = kind.flops_per_byte});
  }
}

void RecordBuilder::add(const Sample& sample) {
  if (!sample.values.empty()) {
    KINJO_ASSERT(sample.values.size() == record_.metrics.size());
    for (std::size_t m = 0; m < sample.values.size(); ++m) {
      record_.metrics[m].samples.push_back(sample.values[m]);
    }
  }
  if (fault_.empty()) fault_ = sample.fault;
  if (!record_.result.empty() && sample.amiss <= amiss_) return;
  amiss_ = sample.amiss;
  record_.result = sample.result;
  record_.pages = sample.pages;
}

Record RecordBuilder::finish() const {
  Record record = record_;
  if (!fault_.empty()) {
    record.verified = false;
    record.result.push_back({"fault", fault_});
  }
  return record;
}

std::vector<Record> run_rounds(Subject& subject, const std::vector<Configuration>& configurations,
                               std::size_t rounds, const ProgressSink& progress) {
  std::vector<RecordBuilder> builders;
  for (const Configuration& configuration : configurations) {
    builders.emplace_back(subject, configuration).set_verified(true);
  }
  const std::size_t count = configurations.size();
  std::size_t done = 0;
  run_in_turn(rounds, 1, count, [&](std::size_t, std::size_t c) {
    if (progress) progress({done, rounds * count, configurations[c].name()});
    if (const auto sample = subject.run(configurations[c])) builders[c].add(*sample);
    ++done;
  });
  std::vector<Record> records;
  for (const RecordBuilder& builder : builders) records.push_back(builder.finish());
  return records;
}

}  // namespace kinjo
