#include "graph/hand_over.hpp"

#include <algorithm>
#include <array>

#include "graph/fetch.hpp"
#include "graph/search_kernels.hpp"
#include "graph/write_list.hpp"

namespace kinjo::graph::detail {

namespace {

/// How many vertices ahead a random place is fetched.
constexpr std::size_t kAhead = 16;

template <class Parent>
Parent outside(Vertex parent) {
  return parent == kNoVertex ? Parent{-1} : static_cast<Parent>(parent);
}

}  // namespace

void mark_unreached(SearchState& state, const Place& me) {
  for (const Share& share : state.shares(me)) {
    if (share.vertices.empty()) continue;
    const std::size_t end = words_for(share.vertices.end);
    // Kernels take whole words; behind the last vertex there is nothing to be written.
    const std::size_t whole = share.vertices.end / kWordBits;
    std::array<Word, kBlockWords>& unreached = state.worker(me).block->asking;
    for (std::size_t w = share.vertices.begin / kWordBits; w < end;) {
      const std::size_t count = w < whole ? std::min(kBlockWords, whole - w) : 1;
      for (std::size_t k = 0; k < count; ++k) {
        unreached[k] = ~state.visited[w + k] | state.isolated[w + k];
        state.visited[w + k] = state.isolated[w + k];
      }
      if (w == whole) unreached[0] &= last_word_mask(share.vertices.end);
      const SearchKernelSet& kernels = w < whole ? search_kernels() : kSearchReference;
      kernels.orphan(unreached.data(), state.parents + w * kWordBits, count);
      w += count;
    }
  }
}

namespace {

/// A vertex's parent lies near it in such an order, so only the caller's place is far away.
template <class Parent>
void translate_near(const SearchState& state, const Place& me, std::span<Parent> parents) {
  const auto to_caller = state.graph.to_caller();
  for (const Share& share : state.shares(me)) {
    for (std::size_t v = share.vertices.begin; v < share.vertices.end; ++v) {
      if (v + kAhead < share.vertices.end) fetch_for_write(&parents[to_caller[v + kAhead]]);
      const Vertex parent = state.parents[v];
      parents[to_caller[v]] = outside<Parent>(parent == kNoVertex ? kNoVertex : to_caller[parent]);
    }
  }
}

}  // namespace

template <class Parent>
void translate(const SearchState& state, const Place& me, std::span<Parent> parents) {
  const auto to_internal = state.graph.to_internal(), to_caller = state.graph.to_caller();
  if (to_caller.empty()) {
    for (const Share& share : state.shares(me)) {
      std::transform(state.parents + share.vertices.begin, state.parents + share.vertices.end,
                     parents.data() + share.vertices.begin, outside<Parent>);
    }
    return;
  }
  if (state.graph.order() == Order::locality) return translate_near(state, me, parents);
  const std::size_t threads = state.workers.size(), n = parents.size();
  const auto thread = static_cast<std::size_t>(me.thread);
  const std::size_t begin = n * thread / threads, end = n * (thread + 1) / threads;
  for (std::size_t c = begin; c < end; ++c) {
    if (c + kAhead < end) fetch(state.parents + to_internal[c + kAhead]);
    const Vertex parent = state.parents[to_internal[c]];
    parents[c] = parent == kNoVertex ? Parent{-1} : static_cast<Parent>(to_caller[parent]);
  }
}

template void translate(const SearchState&, const Place&, std::span<std::int32_t>);
template void translate(const SearchState&, const Place&, std::span<std::int64_t>);

void call_by_ids(const SearchState& state, const Place& me, std::span<std::int64_t> parents) {
  const auto ids = state.graph.ids();
  const Range mine = block_of(state.team, me, parents.size());
  for (std::size_t v = mine.begin; v < mine.end; ++v) {
    if (v + kAhead < mine.end && parents[v + kAhead] >= 0) {
      fetch(&ids[static_cast<std::size_t>(parents[v + kAhead])]);
    }
    if (parents[v] < 0) continue;
    parents[v] = static_cast<std::int64_t>(ids[static_cast<std::size_t>(parents[v])]);
  }
}

}  // namespace kinjo::graph::detail
