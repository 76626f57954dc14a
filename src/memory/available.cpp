#include "memory/available.hpp"

#include <sys/sysinfo.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string_view>

#include <kinjo/memory.hpp>

#include "base/control_group.hpp"
#include "base/text.hpp"

namespace kinjo {

namespace {

std::optional<std::uint64_t> read_number(const std::string& path) {
  const auto text = detail::read_small_file(path);
  return text ? detail::parse_number<std::uint64_t>(detail::trim(*text)) : std::nullopt;
}

/// File pages that a control group counts as used and gives up when memory is asked for. Version 1
/// counts those of the groups below it under names of their own, as usage counts them.
std::uint64_t reclaimable(const std::string& directory) {
  std::uint64_t own = 0;
  std::optional<std::uint64_t> total;
  const std::string text = detail::read_small_file(directory + "/memory.stat").value_or("");
  for (std::string_view line : detail::split(text, '\n')) {
    const auto fields = detail::split(line, ' ');
    if (fields.size() != 2) continue;
    const std::uint64_t bytes = detail::parse_number<std::uint64_t>(fields[1]).value_or(0);
    const std::string_view name = fields[0];
    if (name == "active_file" || name == "inactive_file") own += bytes;
    if (name == "total_active_file" || name == "total_inactive_file") {
      total = total.value_or(0) + bytes;
    }
  }
  return total.value_or(own);
}

/// What one control group leaves; nothing where it sets no limit (`max` is no number).
std::optional<std::uint64_t> left_in(const std::string& directory, const char* limit_file,
                                     const char* usage_file) {
  const auto limit = read_number(directory + limit_file);
  const auto usage = read_number(directory + usage_file);
  if (!limit || !usage) return std::nullopt;
  const std::uint64_t used = *usage - std::min(*usage, reclaimable(directory));
  return *limit > used ? *limit - used : 0;
}

}  // namespace

std::optional<std::uint64_t> detail::read_meminfo_bytes(const std::string& root,
                                                        std::string_view label) {
  const auto text = read_small_file(root + "/proc/meminfo");
  if (!text) return std::nullopt;
  for (std::string_view line : split(*text, '\n')) {
    if (!line.starts_with(label)) continue;
    const auto value = trim(line.substr(label.size()));
    const auto kib = parse_number<std::uint64_t>(value.substr(0, value.find(' ')));
    return kib ? std::optional(*kib * 1024) : std::nullopt;
  }
  return std::nullopt;
}

std::uint64_t detail::read_available_memory(const std::string& root) {
  std::optional<std::uint64_t> least = read_meminfo_bytes(root, "MemAvailable:");
  const auto consider = [&](std::optional<std::uint64_t> bytes) {
    if (bytes) least = std::min(least.value_or(*bytes), *bytes);
  };
  for (const auto& group : control_group_directories(root, Hierarchy::v2, "memory")) {
    consider(left_in(group, "/memory.max", "/memory.current"));
  }
  for (const auto& group : control_group_directories(root, Hierarchy::v1, "memory")) {
    consider(left_in(group, "/memory.limit_in_bytes", "/memory.usage_in_bytes"));
  }
  // Without /proc the kernel still tells what nobody uses.
  struct sysinfo system {};
  if (!least && root.empty() && sysinfo(&system) == 0) {
    least = (std::uint64_t{system.freeram} + system.bufferram) * system.mem_unit;
  }
  return least.value_or(0);
}

std::size_t detail::read_huge_page_bytes(const std::string& root) {
  const auto transparent = read_number(root + "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");
  for (const auto size : {transparent, read_meminfo_bytes(root, "Hugepagesize:")}) {
    if (size && std::has_single_bit(*size)) return *size;
  }
  return page_bytes();
}

std::uint64_t available_memory_bytes() { return detail::read_available_memory(""); }

}  // namespace kinjo
