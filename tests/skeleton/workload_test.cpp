/// The least workload: what docs/extending.md shows, as it stands, and a sweep of it.
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <kinjo/blas1.hpp>
#include <kinjo/partitioned_array.hpp>
#include <kinjo/team.hpp>

#include "workload/memory_use.hpp"
#include "workload/subject.hpp"

namespace kinjo {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The sum of n ones over a team, in GB/s of what is read.
class SumSubject : public Subject {
 public:
  explicit SumSubject(std::size_t elements) : elements_(elements) {}
  std::string name() const override { return "sum"; }
  Values parameters() const override {
    return {{"elements", static_cast<std::int64_t>(elements_)}};
  }
  const std::vector<MetricKind>& metrics() const override { return metrics_; }

  std::optional<Sample> run(const Configuration& configuration) override {
    const auto start = Clock::now();
    Team team(configuration.mapping);             // pinned as the mapping says
    PartitionedArray<double> x(team, elements_);  // each part on its thread's node
    team.run([&](const Place& me) {
      for (double& v : x.local(me)) v = 1;
    });
    const auto before = Clock::now();
    const double sum = blas1::sum(team, x);  // what is measured, and nothing else
    const double seconds = seconds_since(before);
    Sample sample;
    sample.values = {static_cast<double>(elements_ * sizeof(double)) / seconds / 1e9};
    if (sum != static_cast<double>(elements_)) {
      sample.fault = fmt::format("the sum is {}: expected {}", sum, elements_);
    }
    add_memory_values(sample, x.placement(), x.pages(), x.audit(), configuration.mapping.binds());
    sample.seconds = seconds_since(start);
    return sample;
  }

 private:
  std::size_t elements_;
  std::vector<MetricKind> metrics_ = {{.name = "sum", .unit = "GB/s", .flops_per_byte = 0.125}};
};

TEST(SkeletonOfAWorkload, IsSweptLikeEveryOther) {
  SumSubject subject(1000);
  const auto& machine = Topology::this_machine();
  const std::vector<Configuration> configurations = {{Mapping(machine, Policy::none(), 1)},
                                                     {Mapping(machine, Policy::scatter(), 1)}};
  const auto records = run_rounds(subject, configurations, 2, {});
  ASSERT_EQ(records.size(), 2u);
  for (const Record& record : records) {
    EXPECT_EQ(record.metrics.at(0).samples.size(), 2u);
    EXPECT_GT(record.metrics.at(0).samples.at(0), 0);
  }
}

}  // namespace
}  // namespace kinjo
