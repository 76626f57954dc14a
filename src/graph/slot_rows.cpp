#include "graph/slot_rows.hpp"

#include <atomic>

#include "graph/few.hpp"
#include "graph/graph_data.hpp"

namespace kinjo::graph::detail {

namespace {

/// Fills the slots of one bucket after the other.
class SlotFiller {
 public:
  SlotFiller(const Buckets& buckets, const Dealt& entries, std::span<Vertex> slots)
      : buckets_(buckets), entries_(entries), slots_(slots) {}

  /// Whether all of its rows are as they must be.
  bool fill(std::size_t bucket) {
    const Range rows = buckets_.rows_of(bucket);
    Vertex* const slots = slots_.data() + kVeryFew * rows.begin;
    std::fill_n(slots, kVeryFew * rows.size(), kNoVertex);
    lengths_.assign(rows.size(), 0);
    std::uint8_t* const lengths = lengths_.data();
    entries_.for_each(bucket, rows, [=, first = rows.begin](Vertex row, Vertex u) {
      const std::size_t r = row - first;
      const std::uint8_t length = lengths[r];
      slots[kVeryFew * r + length % kVeryFew] = u;
      lengths[r] = static_cast<std::uint8_t>(length + (length <= kVeryFew));
    });
    most_ = std::max<std::uint32_t>(most_, std::ranges::max(lengths_));
    if (most_ > kVeryFew) return false;
    bool all = true;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      all &= sort(static_cast<Vertex>(rows.begin + r), slots + kVeryFew * r);
    }
    return all;
  }
  std::uint32_t most() const { return most_; }

 private:
  static bool sort(Vertex v, Vertex* row) {
    Few few{row[0], row[1], row[2], row[3]};
    few.sort();
    const bool is_wrong = (int{few.repeat()} | int{few.has(v)}) != 0;  // no branch
    few.fill_with(v);
    few.put(row);
    return !is_wrong;
  }

  const Buckets& buckets_;
  const Dealt& entries_;
  const std::span<Vertex> slots_;
  std::vector<std::uint8_t> lengths_;  ///< up to one more than there may be: they stay in L1
  std::uint32_t most_ = 0;
};

}  // namespace

std::optional<SlotRows> fill_slots(Team& team, const Buckets& buckets, const Dealt& entries,
                                   Pages pages) {
  SlotRows rows{.memory = place(kVeryFew * buckets.rows * sizeof(Vertex), -1, pages),
                .entries = buckets.entries(),
                .shift = buckets.shift};
  rows.slots = span_of<Vertex>(rows.memory, kVeryFew * buckets.rows);
  std::atomic<bool> all_fit{true};
  std::atomic<std::uint32_t> most{0};
  for_each_bucket(team, buckets, [&] {
    return [&, filler = SlotFiller(buckets, entries, rows.slots)](std::size_t b) mutable {
      if (!all_fit.load(std::memory_order_relaxed)) return;
      if (!filler.fill(b)) all_fit.store(false, std::memory_order_relaxed);
      std::uint32_t seen = most.load(std::memory_order_relaxed);
      while (seen < filler.most() && !most.compare_exchange_weak(seen, filler.most())) continue;
    };
  });
  if (!all_fit) return std::nullopt;
  rows.spread = Spread{rows.entries, most};
  return rows;
}

}  // namespace kinjo::graph::detail
