/// A record: one measured result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kinjo {

/// Several numbers. A class of its own because of libstdc++, which holds that variants of the
/// standard's strings and vectors alone always have a value, and destroys one even where its copy
/// has just failed for want of memory.
class Numbers : public std::vector<double> {
 public:
  using std::vector<double>::vector;
  Numbers(std::vector<double> numbers) : std::vector<double>(std::move(numbers)) {}
};

using Value = std::variant<std::int64_t, double, std::string, Numbers>;
using Values = std::vector<std::pair<std::string, Value>>;

/// One quantity: the samples in the order in which they were taken. Its value is their median.
struct Metric {
  std::string name;
  std::string unit;
  std::vector<double> samples;
  double flops_per_byte = 0;  ///< of the computation it times, for the roofline; 0: not known
};

/// Pages of a result's memory that have to do with one node.
struct NodePages {
  int node = -1;
  std::size_t asked = 0;     ///< were to be on the node
  std::size_t there = 0;     ///< are on it
  std::size_t as_asked = 0;  ///< both
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
  std::vector<NodePages> pages;  ///< by node; empty where nobody looked. `asked` is 0 where the
                                 ///< placement was left to the system
};

/// The metric of that name; it must exist.
const Metric& find_metric(const Record& record, const std::string& name);

}  // namespace kinjo
