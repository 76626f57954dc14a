#include <algorithm>
#include <functional>

#include "sdp/reference/parts.hpp"

namespace kinjo::sdp::detail::reference {

std::vector<std::vector<Part>> parts_of(const Problem& problem) {
  std::vector<std::vector<Part>> parts(problem.blocks().size());
  for (std::size_t i = 0; i < problem.constraints(); ++i) {
    const std::span<const Entry> entries = problem.matrix(i + 1);
    for (std::size_t begin = 0; begin < entries.size();) {
      std::size_t end = begin;
      while (end < entries.size() && entries[end].block == entries[begin].block) ++end;
      parts[entries[begin].block].push_back({i, entries.subspan(begin, end - begin)});
      begin = end;
    }
  }
  for (std::vector<Part>& of_block : parts) {
    std::ranges::stable_sort(of_block, std::greater(),
                             [](const Part& part) { return part.entries.size(); });
  }
  return parts;
}

std::vector<std::size_t> rows_of(const Part& part) {
  std::vector<std::size_t> rows;
  for (const Entry& e : part.entries) {
    rows.push_back(e.row);
    if (e.row != e.column) rows.push_back(e.column);
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace kinjo::sdp::detail::reference
