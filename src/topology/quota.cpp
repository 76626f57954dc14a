/// The CPU time that control groups leave to the process: the smallest quota/period on the way from
/// its group to the root, in version 2 (`cpu.max`) or 1 (`cpu.cfs_quota_us`).
#include <algorithm>
#include <optional>
#include <string>

#include "base/text.hpp"
#include "topology/builder.hpp"

namespace kinjo::detail {

namespace {

/// Where the hierarchy is mounted, and the group of the process in it.
struct Group {
  std::string mount;
  std::string path;
};

bool has_item(std::string_view list, std::string_view item) {
  const auto items = split(list, ',');
  return std::find(items.begin(), items.end(), item) != items.end();
}

/// Finds the mount point of a hierarchy in /proc/self/mounts: `cgroup2`, or `cgroup` with the
/// controller among its options.
std::optional<std::string> find_mount(const std::string& root, bool version2) {
  const auto mounts = read_small_file(root + "/proc/self/mounts");
  if (!mounts) return std::nullopt;
  for (std::string_view line : split(*mounts, '\n')) {
    const auto fields = split(line, ' ');
    if (fields.size() < 4) continue;
    const bool match =
        version2 ? fields[2] == "cgroup2" : fields[2] == "cgroup" && has_item(fields[3], "cpu");
    if (match) return root + std::string(fields[1]);
  }
  return std::nullopt;
}

/// The process's group in /proc/self/cgroup, lines of `id:controllers:path`.
std::optional<std::string> find_path(const std::string& root, bool version2) {
  const auto groups = read_small_file(root + "/proc/self/cgroup");
  if (!groups) return std::nullopt;
  for (std::string_view line : split(*groups, '\n')) {
    const auto fields = split(trim(line), ':');
    if (fields.size() < 3) continue;
    if (version2 ? fields[1].empty() : has_item(fields[1], "cpu")) return std::string(fields[2]);
  }
  return std::nullopt;
}

std::optional<double> ratio(std::string_view quota, std::string_view period) {
  const auto q = parse_number<long long>(trim(quota));
  const auto p = parse_number<long long>(trim(period));
  if (!q || !p || *q <= 0 || *p <= 0) return std::nullopt;
  return static_cast<double>(*q) / static_cast<double>(*p);
}

std::optional<double> limit_of(const std::string& directory, bool version2) {
  if (version2) {
    const auto text = read_small_file(directory + "/cpu.max");
    if (!text) return std::nullopt;
    const auto fields = split(trim(*text), ' ');
    return fields.size() == 2 ? ratio(fields[0], fields[1]) : std::nullopt;
  }
  const auto quota = read_small_file(directory + "/cpu.cfs_quota_us");
  const auto period = read_small_file(directory + "/cpu.cfs_period_us");
  return quota && period ? ratio(*quota, *period) : std::nullopt;
}

std::optional<double> smallest_limit(const std::string& root, bool version2) {
  const auto mount = find_mount(root, version2);
  auto path = find_path(root, version2);
  if (!mount || !path) return std::nullopt;
  std::optional<double> smallest;
  for (;;) {
    const auto limit = limit_of(*mount + *path, version2);
    if (limit && (!smallest || *limit < *smallest)) smallest = limit;
    const auto slash = path->rfind('/');
    if (path->empty() || slash == std::string::npos) return smallest;
    path->resize(slash);
  }
}

}  // namespace

std::optional<double> read_cpu_quota(const std::string& root) {
  const auto v2 = smallest_limit(root, true);
  return v2 ? v2 : smallest_limit(root, false);
}

}  // namespace kinjo::detail
