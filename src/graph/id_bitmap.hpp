/// A set of ids below a bound as bits: rank(id) is the number of bits before it, counted once for
/// each line of them. For lists whose ids lie close to each other.
#pragma once

#include <atomic>
#include <bit>
#include <numeric>

#include "graph/bitmap.hpp"
#include "graph/fetch.hpp"
#include "graph/graph_data.hpp"
#include "graph/limits.hpp"
#include "graph/row_sort.hpp"
#include "graph/write_list.hpp"

namespace kinjo::graph::detail {

class IdBitmap {
 public:
  static std::uint64_t bytes(std::uint64_t universe) {
    return words_for(universe) * sizeof(Word) + lines_for(universe) * sizeof(std::uint32_t);
  }

  IdBitmap(std::uint64_t universe, Pages pages)
      : bits_memory_(place(words_for(universe) * sizeof(Word), -1, pages)),
        ranks_memory_(place(lines_for(universe) * sizeof(std::uint32_t), -1, pages)),
        bits_(span_of<Word>(bits_memory_, words_for(universe))),
        ranks_(span_of<std::uint32_t>(ranks_memory_, lines_for(universe))) {}

  /// How many ids may be inserted before this is asked again.
  EdgeCount make_room(Team&, EdgeCount wanted) { return wanted; }

  [[gnu::always_inline]] void ask_for(VertexId id) { fetch_for_write(&bits_[id / kWordBits]); }

  /// By any thread. Whether it is new.
  bool insert(VertexId id) {
    const std::atomic_ref word(bits_[id / kWordBits]);
    const Word bit = Word{1} << id % kWordBits;
    return !(word.load(std::memory_order_relaxed) & bit) &&
           !(word.fetch_or(bit, std::memory_order_relaxed) & bit);
  }
  /// What the threads have found new.
  void add(EdgeCount ids) { size_ += ids; }

  std::uint64_t size() const { return size_; }
  /// Bytes that it has.
  std::uint64_t held() const { return bits_memory_.size() + ranks_memory_.size(); }

  /// The ids in rising order, when all are there. Throws `Error` for more than 32 bits number.
  Buffer settle(Team& team, Pages pages) {
    check_vertices_with_edges(size_);
    std::vector<std::uint64_t> begins(team.size() + 1);
    team.run([&](const Place& me) {
      std::uint64_t& mine = begins[static_cast<std::size_t>(me.thread) + 1];
      for_each_line(team, me, [&](std::size_t line) { mine += size_of(line); });
    });
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    check_memory("numbering vertices", size_ * sizeof(VertexId));
    Buffer memory = place(size_ * sizeof(VertexId), -1, pages);
    VertexId* const ids = static_cast<VertexId*>(memory.data());
    team.run([&](const Place& me) {
      std::uint64_t at = begins[static_cast<std::size_t>(me.thread)];
      for_each_line(team, me, [&](std::size_t line) {
        ranks_[line] = static_cast<std::uint32_t>(at);
        for (std::size_t w = line * kLineWords; w < end_of(line); ++w) {
          for_each_bit(bits_[w], [&](unsigned bit) { ids[at++] = w * kWordBits + bit; });
        }
      });
    });
    return memory;
  }

  [[gnu::always_inline]] void ask_for_rank(VertexId id) const {
    fetch(&bits_[id / kWordBits]);
    fetch(&ranks_[id / kWordBits / kLineWords]);
  }

  Vertex rank(VertexId id) const {
    const std::size_t word = id / kWordBits, line = word / kLineWords;
    std::uint32_t rank = ranks_[line];
    for (std::size_t w = line * kLineWords; w < word; ++w) {
      rank += static_cast<std::uint32_t>(std::popcount(bits_[w]));
    }
    return rank + static_cast<std::uint32_t>(
                      std::popcount(bits_[word] & ((Word{1} << id % kWordBits) - 1)));
  }

 private:
  static constexpr std::size_t kLineWords = 8;
  static std::size_t lines_for(std::uint64_t universe) {
    return (words_for(universe) + kLineWords - 1) / kLineWords;
  }

  std::size_t end_of(std::size_t line) const {
    return std::min(bits_.size(), (line + 1) * kLineWords);
  }
  std::uint64_t size_of(std::size_t line) const {
    std::uint64_t size = 0;
    for (std::size_t w = line * kLineWords; w < end_of(line); ++w) {
      size += static_cast<std::uint64_t>(std::popcount(bits_[w]));
    }
    return size;
  }
  template <class F>
  void for_each_line(const Team& team, const Place& me, const F& f) const {
    const Range mine = block_of(team, me, ranks_.size());
    for (std::size_t line = mine.begin; line < mine.end; ++line) f(line);
  }

  Buffer bits_memory_, ranks_memory_;
  std::span<Word> bits_;
  std::span<std::uint32_t> ranks_;  ///< of each line's first bit
  std::uint64_t size_ = 0;
};

}  // namespace kinjo::graph::detail
