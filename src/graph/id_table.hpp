/// A set of ids as a hash table with open addresses, which grows while edges come; its ranks are
/// found by sorting what it has. For lists whose ids lie far from each other.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>

#include "base/random.hpp"
#include "graph/fetch.hpp"
#include "graph/graph_data.hpp"
#include "graph/limits.hpp"
#include "graph/row_sort.hpp"
#include "graph/write_list.hpp"

namespace kinjo::graph::detail {

class IdTable {
 public:
  /// Most that it takes with so many ids, while it grows or is settled.
  static std::uint64_t bytes(std::uint64_t ids) {
    const std::uint64_t slots = std::max(kLeastSlots, std::bit_ceil(ids + 1) * 2);
    // Growing: the old slots too. Settled: a rank for each slot; merged: half of the ids once more.
    return slots * sizeof(VertexId) + std::max(slots / 2 * sizeof(VertexId),
                                               slots * sizeof(Vertex) + ids * sizeof(VertexId) / 2);
  }

  IdTable(Team& team, Pages pages) : pages_(pages) { make_slots(team, kLeastSlots); }

  /// How many ids may be inserted before this is asked again: until three of four slots are full.
  EdgeCount make_room(Team& team, EdgeCount wanted) {
    check_vertices_with_edges(size_);
    if (size_ > slots_.size() / 2) grow(team);
    return std::min<EdgeCount>(wanted, slots_.size() / 4);
  }

  [[gnu::always_inline]] void ask_for(VertexId id) { fetch_for_write(&slots_[place_of(id)]); }

  /// By any thread. Whether it is new.
  bool insert(VertexId id) {
    for (std::size_t at = place_of(id);; at = (at + 1) & (slots_.size() - 1)) {
      const std::atomic_ref slot(slots_[at]);
      VertexId there = slot.load(std::memory_order_relaxed);
      if (there == kNone && slot.compare_exchange_strong(there, id, std::memory_order_relaxed)) {
        return true;
      }
      if (there == id) return false;
    }
  }
  /// What the threads have found new.
  void add(EdgeCount ids) { size_ += ids; }

  std::uint64_t size() const { return size_; }
  /// Bytes that it has now.
  std::uint64_t held() const { return memory_.size() + ranks_memory_.size(); }

  /// The ids in rising order, when all are there. Throws `Error` for more than 32 bits number.
  Buffer settle(Team& team, Pages pages) {
    check_vertices_with_edges(size_);
    check_memory("numbering vertices", size_ * sizeof(VertexId));
    Buffer memory = place(size_ * sizeof(VertexId), -1, pages);
    const auto ids = span_of<VertexId>(memory, size_);
    gather(team, ids);
    sort(team, ids);
    check_memory("numbering vertices", slots_.size() * sizeof(Vertex));
    ranks_memory_ = place(slots_.size() * sizeof(Vertex), -1, pages_);
    ranks_ = span_of<Vertex>(ranks_memory_, slots_.size());
    team.run([&](const Place& me) {
      const Range mine = block_of(team, me, size_);
      for (std::size_t k = mine.begin; k < mine.end; ++k) {
        if (k + kAhead < mine.end) ask_for_rank(ids[k + kAhead]);
        ranks_[find(ids[k])] = static_cast<Vertex>(k);
      }
    });
    return memory;
  }

  [[gnu::always_inline]] void ask_for_rank(VertexId id) const {
    fetch(&slots_[place_of(id)]);
    fetch(&ranks_[place_of(id)]);
  }
  Vertex rank(VertexId id) const { return ranks_[find(id)]; }

 private:
  static constexpr VertexId kNone = ~VertexId{0};
  static constexpr std::uint64_t kLeastSlots = std::uint64_t{1} << 16;
  static constexpr std::size_t kAhead = 16;

  std::size_t place_of(VertexId id) const { return kinjo::detail::mix(id) >> shift_; }
  std::size_t find(VertexId id) const {
    std::size_t at = place_of(id);
    while (slots_[at] != id) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void make_slots(Team& team, std::uint64_t slots) {
    check_memory("numbering vertices", slots * sizeof(VertexId));
    memory_ = place(slots * sizeof(VertexId), -1, pages_);
    slots_ = span_of<VertexId>(memory_, slots);
    shift_ = 64 - static_cast<unsigned>(std::bit_width(slots - 1));
    team.run([&](const Place& me) {
      const Range mine = block_of(team, me, slots);
      std::ranges::fill(slots_.subspan(mine.begin, mine.size()), kNone);
    });
  }

  void grow(Team& team) {
    const Buffer before = std::move(memory_);
    const std::span<const VertexId> old = slots_;
    make_slots(team, 2 * old.size());
    team.run([&](const Place& me) {
      const Range mine = block_of(team, me, old.size());
      for (std::size_t s = mine.begin; s < mine.end; ++s) {
        if (old[s] != kNone) insert(old[s]);
      }
    });
  }

  void gather(Team& team, std::span<VertexId> ids) const {
    std::vector<std::uint64_t> begins(team.size() + 1);
    const auto for_each = [&](const Place& me, const auto& f) {
      const Range mine = block_of(team, me, slots_.size());
      for (std::size_t s = mine.begin; s < mine.end; ++s) {
        if (slots_[s] != kNone) f(slots_[s]);
      }
    };
    team.run([&](const Place& me) {
      std::uint64_t& mine = begins[static_cast<std::size_t>(me.thread) + 1];
      for_each(me, [&](VertexId) { ++mine; });
    });
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    team.run([&](const Place& me) {
      std::uint64_t at = begins[static_cast<std::size_t>(me.thread)];
      for_each(me, [&](VertexId id) { ids[at++] = id; });
    });
  }

  /// Each thread its block, and then twice as many blocks merged at a time.
  static void sort(Team& team, std::span<VertexId> ids) {
    const std::size_t threads = team.size();
    const auto begin_of = [&](std::size_t t) {
      return ids.begin() + static_cast<std::ptrdiff_t>(ids.size() * std::min(t, threads) / threads);
    };
    team.run([&](const Place& me) {
      const auto t = static_cast<std::size_t>(me.thread);
      std::sort(begin_of(t), begin_of(t + 1));
    });
    for (std::size_t width = 1; width < threads; width *= 2) {
      team.run([&](const Place& me) {
        const auto t = static_cast<std::size_t>(me.thread);
        if (t % (2 * width) != 0) return;
        std::inplace_merge(begin_of(t), begin_of(t + width), begin_of(t + 2 * width));
      });
    }
  }

  const Pages pages_;
  Buffer memory_, ranks_memory_;
  std::span<VertexId> slots_;  ///< a power of two
  std::span<Vertex> ranks_;    ///< of each slot's id
  unsigned shift_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace kinjo::graph::detail
