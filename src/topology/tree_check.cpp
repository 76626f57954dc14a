#include "topology/tree_check.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/index_set.hpp>

#include "base/directory.hpp"
#include "base/text.hpp"

namespace kinjo::detail {

namespace {

namespace fs = std::filesystem;

constexpr const char* kNodes = "sys/devices/system/node";

/// A list may be missing, since old kernels lack some.
std::optional<std::string> check_list(const std::string& root, const std::string& file) {
  const auto text = read_small_file(root + "/" + file);
  if (!text) return std::nullopt;
  try {
    if (CpuSet::parse(trim(*text)).empty()) {
      return fmt::format("{} is empty: expected a list such as 0-3,8", file);
    }
  } catch (const Error& error) {
    return fmt::format("{}: {}", file, error.what());
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_node_fault(const std::string& root) {
  const auto nodes = names_in(root + "/" + kNodes);
  if (!nodes) return std::nullopt;
  const bool any = std::any_of(nodes->begin(), nodes->end(), [](const std::string& name) {
    return name.starts_with("node") && parse_number<unsigned>(name.substr(4));
  });
  if (any) return std::nullopt;
  return fmt::format("{} holds no node: expected node0 or others", kNodes);
}

std::optional<std::string> find_tree_fault(const std::string& root) {
  std::error_code unreadable;
  if (!fs::exists(root + "/sys/devices/system/cpu", unreadable) &&
      !fs::exists(root + "/proc/cpuinfo", unreadable)) {
    return "expected a directory that holds sys/devices/system/cpu or proc/cpuinfo";
  }
  for (const char* list : {"cpu/online", "cpu/possible", "cpu/present", "node/online"}) {
    if (auto fault = check_list(root, std::string("sys/devices/system/") + list)) return fault;
  }
  return find_node_fault(root);
}

}  // namespace kinjo::detail
