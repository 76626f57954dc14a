/// One level of a count that waits in memory, in a fraction of what a table of its states takes.
///
/// Of each part and each thread that writes there is a list of chunks, which go back to their pool
/// when the part has been read: while one level is read and the next one written, the chunks of the
/// one become those of the other. In a chunk states lie in blocks, of each first how many states,
/// then by column, which is a word of the state or its row, of how many bytes the greatest of the
/// block is, and then the columns in so many bytes each: there are no slots, no words that are kept
/// for other states, and counts are mostly small.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "paths/chunk_pool.hpp"
#include "paths/packed_numbers.hpp"
#include "paths/parted_level.hpp"

namespace kinjo::paths::detail {

namespace packed_columns {

using packed_numbers::put_word;
using packed_numbers::word_at;

/// Bytes behind a column that may be read and written.
inline constexpr std::size_t kSlack = sizeof(std::uint64_t);

/// Writes words in as many bytes each as the greatest needs, and says how many these are.
inline unsigned put(std::span<const std::uint64_t> words, std::byte* to) {
  std::uint64_t all = 0;
  for (const std::uint64_t word : words) all |= word;
  const unsigned bytes = (static_cast<unsigned>(std::bit_width(all)) + 7) / 8;
  if (bytes == 0) return 0;
  for (const std::uint64_t word : words) {
    put_word(to, word);
    to += bytes;
  }
  return bytes;
}
/// Reads such words, to every `step`-th one from `to` on.
inline void get(const std::byte* from, unsigned bytes, std::size_t count, std::uint64_t* to,
                std::size_t step) {
  const std::uint64_t mask = bytes == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * bytes);
  for (std::size_t i = 0; i < count; ++i) {
    to[i * step] = word_at(from) & mask;
    from += bytes;
  }
}

}  // namespace packed_columns

template <std::size_t Words>
class PackedLevel : public PartedLevel<Words> {
  using Base = PartedLevel<Words>;

 public:
  using typename Base::Scratch;

  /// Of so many threads, in chunks of a pool, which other levels may use. Must not outlive it.
  PackedLevel(ChunkPool& pool, std::size_t threads) : pool_(pool), threads_(threads) {}

  /// Room that chunks need for rows of so many words.
  static constexpr std::size_t least_room(std::size_t words) {
    return kStatesOfChunk * sizeof(std::uint64_t) * (Words + words) + header_bytes(words) +
           packed_columns::kSlack;
  }

  /// Forgets what is there. There will be so many parts, and rows of this shape.
  void begin(std::uint64_t part_count, const RowShape& row_shape) {
    Base::begin(part_count, row_shape);
    for (auto& thread : threads_) {
      for (const List& list : thread.lists) pool_.give_back(list.first);
      thread.lists.assign(part_count, {});
    }
  }
  /// Takes over states, which the scratch has by parts, and their rows; or nothing, if there is no
  /// room for all. Threads may at the same time. Whether there is room.
  bool put(const Writer& writer, std::span<const State<Words>> states, const Sums& sums,
           const Scratch& scratch);
  /// Adds what was put of a part, or of a part's part, to a table. `fits()` says now and then
  /// whether it still may; if not, the rest is left out. Whether all is there.
  template <class Fits>
  bool read(const Part& part, StateTable<Words>& table, Sums& sums, Scratch& scratch,
            Fits&& fits) const;
  /// Nobody reads the part with this index again.
  void drop(std::uint64_t part) {
    for (auto& thread : threads_) pool_.give_back(std::exchange(thread.lists[part], {}).first);
  }

 private:
  struct List {
    Chunk *first = nullptr, *last = nullptr;
    std::uint32_t used = 0;  ///< of the last chunk, when this was remembered
  };
  /// What one thread has put.
  struct alignas(128) Writings {
    std::vector<List> lists, before;  ///< by part; before something is put
  };
  /// A chunk has room for so many at least, whatever their words are, and room for fewer than some
  /// of these at its end is left.
  static constexpr std::size_t kStatesOfChunk = 16, kLeastOfWide = 4, kWide = 128;

  using Base::parts;
  using Base::shape;

  static constexpr std::size_t header_bytes(std::size_t words) { return 2 + Words + words; }
  std::size_t header_bytes() const { return header_bytes(shape().words()); }

  std::size_t room_for(const Chunk* chunk) const;
  bool put(List& list, std::size_t thread, std::span<const std::uint32_t> numbers,
           std::span<const State<Words>> states, const Sums& sums);
  bool begin_chunk(List& list, std::size_t thread);
  void restore(List& list, const List& before);
  void put_block(Chunk& chunk, std::span<const std::uint32_t> numbers,
                 std::span<const State<Words>> states, const Sums& sums) const;
  std::size_t get_block(const std::byte*& from, Scratch& scratch) const;

  ChunkPool& pool_;
  std::vector<Writings> threads_;
};

template <std::size_t Words>
bool PackedLevel<Words>::put(const Writer& writer, std::span<const State<Words>> states,
                             const Sums& sums, const Scratch& scratch) {
  Writings& mine = threads_[writer.thread];
  mine.before = mine.lists;
  for (List& list : mine.before) list.used = list.last == nullptr ? 0 : list.last->used;
  bool done = true;
  for (std::uint64_t part = 0; part < parts() && done; ++part) {
    done = put(mine.lists[part], writer.thread, Base::numbers_of(part, scratch), states, sums);
  }
  for (std::uint64_t part = 0; part < parts() && !done; ++part) {
    restore(mine.lists[part], mine.before[part]);
  }
  return done;
}

/// Takes back what has been put since.
template <std::size_t Words>
void PackedLevel<Words>::restore(List& list, const List& before) {
  Chunk*& more = before.last == nullptr ? list.first : before.last->next;
  pool_.give_back(std::exchange(more, nullptr));
  if (before.last != nullptr) before.last->used = before.used;
  list = before;
}

template <std::size_t Words>
bool PackedLevel<Words>::put(List& list, std::size_t thread, std::span<const std::uint32_t> numbers,
                             std::span<const State<Words>> states, const Sums& sums) {
  while (!numbers.empty()) {
    const std::size_t count = std::min({room_for(list.last), kBlock, numbers.size()});
    if (count != 0) {
      put_block(*list.last, numbers.first(count), states, sums);
      numbers = numbers.subspan(count);
    } else if (!begin_chunk(list, thread)) {
      return false;
    }
  }
  return true;
}

/// States that fit a chunk, whatever their words are; none if they are few.
template <std::size_t Words>
std::size_t PackedLevel<Words>::room_for(const Chunk* chunk) const {
  const std::size_t besides = header_bytes() + packed_columns::kSlack;
  if (chunk == nullptr || chunk->used + besides > pool_.room()) return 0;
  const std::size_t states = (pool_.room() - chunk->used - besides) / Base::record_bytes();
  return states < (Base::record_bytes() < kWide ? kStatesOfChunk : kLeastOfWide) ? 0 : states;
}

template <std::size_t Words>
bool PackedLevel<Words>::begin_chunk(List& list, std::size_t thread) {
  Chunk* const chunk = pool_.take(thread);
  if (chunk == nullptr) return false;
  (list.first == nullptr ? list.first : list.last->next) = chunk;
  list.last = chunk;
  return true;
}

template <std::size_t Words>
void PackedLevel<Words>::put_block(Chunk& chunk, std::span<const std::uint32_t> numbers,
                                   std::span<const State<Words>> states, const Sums& sums) const {
  std::array<std::uint64_t, kBlock> column;
  const auto words = std::span(column).first(numbers.size());
  std::byte* header = chunk.data() + chunk.used;
  std::byte* to = header + header_bytes();
  const auto count = static_cast<std::uint16_t>(numbers.size());
  std::memcpy(header, &count, sizeof count);
  header += sizeof count;
  const auto put = [&](auto&& word_of) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = word_of(numbers[i]);
    const unsigned bytes = packed_columns::put(words, to);
    *header++ = static_cast<std::byte>(bytes);
    to += bytes * words.size();
  };
  for (std::size_t w = 0; w < Words; ++w) put([&](std::uint32_t n) { return states[n][w]; });
  for (std::size_t w = 0; w < shape().words(); ++w) {
    put([&](std::uint32_t n) { return sums.row(n)[w]; });
  }
  chunk.used = static_cast<std::uint32_t>(to - chunk.data());
}

/// Brings a block to the scratch, and moves behind it. How many states it has.
template <std::size_t Words>
std::size_t PackedLevel<Words>::get_block(const std::byte*& from, Scratch& scratch) const {
  std::uint16_t count;
  std::memcpy(&count, from, sizeof count);
  const std::byte* header = from + sizeof count;
  from += header_bytes();
  scratch.resize(count * Base::record_bytes() / sizeof(std::uint64_t));
  const auto get = [&](std::uint64_t* to, std::size_t step) {
    const auto bytes = static_cast<unsigned>(*header++);
    packed_columns::get(from, bytes, count, to, step);
    from += bytes * count;
  };
  std::uint64_t* const to = scratch.words().data();
  for (std::size_t w = 0; w < Words; ++w) get(to + w, Words);
  for (std::size_t w = 0; w < shape().words(); ++w) get(to + count * Words + w, shape().words());
  return count;
}

template <std::size_t Words>
template <class Fits>
bool PackedLevel<Words>::read(const Part& part, StateTable<Words>& table, Sums& sums,
                              Scratch& scratch, Fits&& fits) const {
  const std::uint64_t written = Base::written_part(part);
  for (const auto& thread : threads_) {
    for (Chunk* chunk = thread.lists[written].first; chunk != nullptr; chunk = chunk->next) {
      const std::byte* from = chunk->data();
      while (from != chunk->data() + chunk->used) {
        const std::size_t count = get_block(from, scratch);
        Base::add(part, count, table, sums, scratch);
      }
      if (!fits()) return false;
    }
  }
  return true;
}

}  // namespace kinjo::paths::detail
