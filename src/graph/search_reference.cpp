/// The level `scalar` of the search's kernels: bit by bit. What the vector kernels are checked
/// against.
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

void look(WaitingRow* rows, std::size_t count, const Word* frontier) {
  for (std::size_t r = 0; r < count; ++r) {
    const Vertex *u = rows[r].next, *const end = end_in_line(rows[r]);
    while (u != end && !has(frontier, *u)) ++u;
    rows[r].hit = u != end ? u : nullptr;
  }
}

}  // namespace

const SearchKernelSet kSearchReference = {adopt, orphan, look};

}  // namespace kinjo::graph::detail
