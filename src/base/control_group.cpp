#include "base/control_group.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

bool has_item(std::string_view list, std::string_view item) {
  const auto items = split(list, ',');
  return std::find(items.begin(), items.end(), item) != items.end();
}

/// The mount point, from /proc/self/mounts: `device directory type options …`.
std::optional<std::string> find_mount(const std::string& root, Hierarchy hierarchy,
                                      std::string_view controller) {
  const auto mounts = read_small_file(root + "/proc/self/mounts");
  if (!mounts) return std::nullopt;
  for (std::string_view line : split(*mounts, '\n')) {
    const auto fields = split(line, ' ');
    if (fields.size() < 4) continue;
    const bool match = hierarchy == Hierarchy::v2
                           ? fields[2] == "cgroup2"
                           : fields[2] == "cgroup" && has_item(fields[3], controller);
    if (match) return root + std::string(fields[1]);
  }
  return std::nullopt;
}

/// The process's group, from /proc/self/cgroup: `id:controllers:path`.
std::optional<std::string> find_group(const std::string& root, Hierarchy hierarchy,
                                      std::string_view controller) {
  const auto groups = read_small_file(root + "/proc/self/cgroup");
  if (!groups) return std::nullopt;
  for (std::string_view line : split(*groups, '\n')) {
    const auto fields = split(trim(line), ':');
    if (fields.size() < 3) continue;
    const bool match =
        hierarchy == Hierarchy::v2 ? fields[1].empty() : has_item(fields[1], controller);
    if (match) return std::string(fields[2]);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> control_group_directories(const std::string& root, Hierarchy hierarchy,
                                                   std::string_view controller) {
  const auto mount = find_mount(root, hierarchy, controller);
  auto group = find_group(root, hierarchy, controller);
  std::vector<std::string> directories;
  if (!mount || !group) return directories;
  for (;;) {
    directories.push_back(*mount + *group);
    const auto slash = group->rfind('/');
    if (group->empty() || slash == std::string::npos) return directories;
    group->resize(slash);
  }
}

}  // namespace kinjo::detail
