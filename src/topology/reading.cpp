#include "topology/reading.hpp"

#include <fmt/format.h>

namespace kinjo::detail {

std::string cache_name(int level, CacheKind kind) {
  const char* letter = kind == CacheKind::data ? "d" : kind == CacheKind::instruction ? "i" : "";
  return fmt::format("L{}{}", level, letter);
}

Groups Grouping::groups() const {
  Groups groups;
  for (const auto& [key, cpus] : sets_) groups.push_back(cpus);
  return groups;
}

}  // namespace kinjo::detail
