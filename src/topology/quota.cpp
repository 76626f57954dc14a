/// The CPU time that control groups leave to the process: the smallest quota/period on the way from
/// its group to the root, in version 2 (`cpu.max`) or 1 (`cpu.cfs_quota_us`).
#include <algorithm>
#include <optional>
#include <string>

#include "base/control_group.hpp"
#include "base/text.hpp"
#include "topology/builder.hpp"

namespace kinjo::detail {

namespace {

std::optional<double> ratio(std::string_view quota, std::string_view period) {
  const auto q = parse_number<long long>(trim(quota));
  const auto p = parse_number<long long>(trim(period));
  if (!q || !p || *q <= 0 || *p <= 0) return std::nullopt;
  return static_cast<double>(*q) / static_cast<double>(*p);
}

std::optional<double> limit_of(const std::string& directory, Hierarchy hierarchy) {
  if (hierarchy == Hierarchy::v2) {
    const auto text = read_small_file(directory + "/cpu.max");
    if (!text) return std::nullopt;
    const auto fields = split(trim(*text), ' ');
    return fields.size() == 2 ? ratio(fields[0], fields[1]) : std::nullopt;
  }
  const auto quota = read_small_file(directory + "/cpu.cfs_quota_us");
  const auto period = read_small_file(directory + "/cpu.cfs_period_us");
  return quota && period ? ratio(*quota, *period) : std::nullopt;
}

}  // namespace

std::optional<double> read_cpu_quota(const std::string& root) {
  std::optional<double> smallest;
  for (Hierarchy hierarchy : {Hierarchy::v2, Hierarchy::v1}) {
    for (const std::string& directory : control_group_directories(root, hierarchy, "cpu")) {
      const auto limit = limit_of(directory, hierarchy);
      if (limit && (!smallest || *limit < *smallest)) smallest = limit;
    }
  }
  return smallest;
}

}  // namespace kinjo::detail
