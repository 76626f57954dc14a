/// A record: one measured result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kinjo {

using Value = std::variant<std::int64_t, double, std::string>;
using Values = std::vector<std::pair<std::string, Value>>;

/// One quantity: the samples in the order in which they were taken. Its value is their median.
struct Metric {
  std::string name;
  std::string unit;
  std::vector<double> samples;
  double flops_per_byte = 0;  ///< of the computation it times, for the roofline; 0: not known
};

struct Record {
  std::string workload;
  Values parameters;
  std::string policy;
  std::size_t threads = 0;
  std::string memory;  ///< the memory policy, empty where the threads' own placement is all
  std::vector<Metric> metrics;
  std::optional<bool> verified;  ///< absent if it was not asked for
  Values result;                 ///< what else was found: counts, a status, where pages were
};

/// The metric of that name; it must exist.
const Metric& find_metric(const Record& record, const std::string& name);

}  // namespace kinjo
