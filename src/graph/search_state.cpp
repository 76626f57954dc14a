#include "graph/search_state.hpp"

#include <algorithm>

namespace kinjo::graph::detail {

namespace {

/// From so many huge pages for each part on, an array has such: one on the border of two parts is
/// far away for one of them.
constexpr std::size_t kHugePagesOfPart = 8;

/// From so many bytes on, an array of the only part does: it has more normal ones than a core keeps
/// the addresses of.
constexpr std::size_t kManyBytes = 1 << 16;

bool wants_huge_pages(std::size_t bytes, std::size_t parts) {
  return parts == 1 ? bytes >= kManyBytes : bytes / parts >= kHugePagesOfPart * huge_page_bytes();
}

}  // namespace

SearchState::SearchState(const Graph& g, Team& t)
    : graph(g), parts(g.parts()), team(t), owners(g, t.mapping()), dealers(parts.size()) {
  visited = bitmap();
  isolated = bitmap();
  frontier = bitmap();
  next = bitmap();
  if (parts.size() > 1) {
    for (const Part& p : parts) copies.push_back(copy_for(p));
  }
  for (std::size_t w = 0; w < owners.threads(); ++w) {
    workers.push_back(std::make_unique<Worker>());
    workers.back()->home = owners.shares(w).front().part;
    workers.back()->queue = VertexQueue(owners.owned(w));
    workers.back()->bins.resize(owners.threads());
    for (const Share& share : owners.shares(w)) {
      auto& those = dealers[share.part];
      if (those.empty()) those = std::vector<WordDealer>(share.threads);
      those[share.rank].words = words_of(share.vertices);
    }
  }
  look_at_rows();
}

Buffer SearchState::array(std::size_t bits_each) const {
  const std::size_t bytes =
      std::max<std::size_t>(words_for(vertices() * bits_each), 1) * sizeof(Word);
  const bool huge = wants_huge_pages(bytes, parts.size());
  Buffer memory = alloc(bytes, {.pages = huge ? Pages::transparent : Pages::normal});
  if (parts.size() == 1) return memory;
  const std::size_t page = page_bytes();
  const auto byte_of = [&](std::size_t vertex) { return vertex * bits_each / 8 / page * page; };
  for (const Part& p : parts) {
    const std::size_t begin = byte_of(p.vertices.begin);
    const std::size_t end =
        p.vertices.end == vertices() ? memory.capacity() : byte_of(p.vertices.end);
    if (p.node >= 0 && begin < end) {
      kinjo::detail::bind_pages(static_cast<char*>(memory.data()) + begin, end - begin, p.node);
    }
  }
  return memory;
}

Word* SearchState::bitmap() {
  memory_.push_back(array(1));
  return static_cast<Word*>(memory_.back().data());
}

/// A whole bitmap on one part's node.
Word* SearchState::copy_for(const Part& p) {
  memory_.push_back(alloc(std::max<std::size_t>(words_for(vertices()), 1) * sizeof(Word)));
  Buffer& memory = memory_.back();
  if (p.node >= 0) kinjo::detail::bind_pages(memory.data(), memory.capacity(), p.node);
  return static_cast<Word*>(memory.data());
}

namespace {

/// What there is to know of a thread's rows.
struct RowsSeen {
  std::uint64_t isolated = 0;
  std::uint64_t most_degree = 0;
};

}  // namespace

void SearchState::look_at_rows() {
  std::vector<RowsSeen> seen(workers.size());
  run_over(team, [&](const Place& me) {
    worker(me).owners = std::make_unique<const Ownership>(owners);
    worker(me).block = std::make_unique<BlockMemory>();
    RowsSeen mine;
    for (const Share& share : shares(me)) {
      if (share.vertices.empty()) continue;
      for (std::size_t v = share.vertices.begin; v < share.vertices.end; ++v) {
        const EdgeCount own = degree(static_cast<Vertex>(v));
        mine.most_degree = std::max(mine.most_degree, own);
        // In a directed graph others may have edges that lead to it.
        if (own != 0 || graph.sense() == Sense::directed) continue;
        insert(isolated, v);
        ++mine.isolated;
      }
      prepare_words({share.vertices.begin / kWordBits, words_for(share.vertices.end)});
    }
    seen[static_cast<std::size_t>(me.thread)] = mine;
  });
  connected = vertices();
  for (const RowsSeen& each : seen) {
    connected -= each.isolated;
    most_degree = std::max(most_degree, each.most_degree);
  }
}

/// Gives a thread's part of the bitmaps its pages.
void SearchState::prepare_words(const Range& words) {
  // Nobody asks for numbers behind the last vertex.
  if (words.end == words_for(vertices())) isolated[words.end - 1] |= ~last_word_mask(vertices());
  std::copy(isolated + words.begin, isolated + words.end, visited + words.begin);
  std::fill(frontier + words.begin, frontier + words.end, 0);
  std::fill(next + words.begin, next + words.end, 0);
}

void SearchState::forget_visits() {
  std::copy(isolated, isolated + words_for(vertices()), visited);
}

}  // namespace kinjo::graph::detail
