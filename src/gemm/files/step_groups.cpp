#include "gemm/files/step_groups.hpp"

namespace kinjo::gemm {

std::vector<Range> step_groups(std::span<const std::size_t> panels) {
  const std::size_t steps = panels.size();
  std::vector<Range> groups;
  for (std::size_t i = 0; i < steps; i = groups.back().end) {
    const bool is_at_an_end = i == 0 || i + 2 == steps;
    const bool is_pair = is_at_an_end && i + 1 < steps && panels[i] == panels[i + 1];
    groups.push_back({i, is_pair ? i + 2 : i + 1});
  }
  return groups;
}

}  // namespace kinjo::gemm
