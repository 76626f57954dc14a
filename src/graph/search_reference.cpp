/// The level `scalar` of the search's kernels: bit by bit. What the vector kernels are checked
/// against.
#include <algorithm>

#include "graph/search_kernels.hpp"

namespace kinjo::graph::detail {

namespace {

Answers adopt(const Vertex* candidates, const Word* frontier, Word* asking, Word* found,
              Vertex* parents, std::size_t words) {
  Answers answers;
  for (std::size_t w = 0; w < words; ++w) {
    for_each_bit(asking[w], [&](unsigned bit) {
      const std::size_t i = w * kWordBits + bit;
      ++answers.asked;
      if (!has(frontier, candidates[i])) return;
      parents[i] = candidates[i];
      asking[w] ^= Word{1} << bit;
      found[w] |= Word{1} << bit;
      ++answers.found;
    });
  }
  return answers;
}

void orphan(const Word* bits, Vertex* parents, std::size_t words) {
  for (std::size_t w = 0; w < words; ++w) {
    for_each_bit(bits[w], [&](unsigned bit) { parents[w * kWordBits + bit] = kNoVertex; });
  }
}

Looked look(WaitingRow* rows, std::size_t count, const Word* frontier, Find* finds) {
  Looked looked;
  for (std::size_t r = 0; r < count; ++r) {
    const WaitingRow row = rows[r];
    const Vertex* const end = end_in_line(row);
    const Vertex* const hit =
        std::find_if(row.next, end, [&](Vertex u) { return has(frontier, u); });
    looked.asked += static_cast<std::uint64_t>(hit - row.next);
    if (hit != end) {
      ++looked.asked;
      finds[looked.found++] = {row.v, *hit};
    } else if (end != row.end) {
      rows[looked.waiting++] = {row.v, end, row.end};
    }
  }
  return looked;
}

}  // namespace

const SearchKernelSet kSearchReference = {adopt, orphan, look};

}  // namespace kinjo::graph::detail
