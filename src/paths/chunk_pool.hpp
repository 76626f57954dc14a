/// Memory in chunks, for what is written once, read once and then gone: levels of a count that wait
/// by parts (packed_level.hpp).
///
/// A chunk lies with the thread that took it first, and comes back to that one, whoever has read
/// it; others take it only when there is no memory for further ones. What has been a chunk once is
/// not given back to the system before the pool goes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "memory/growing_array.hpp"

namespace kinjo::paths::detail {

struct Chunk {
  Chunk* next = nullptr;  ///< for whoever has it
  std::uint32_t thread = 0;
  std::uint32_t used = 0;  ///< bytes of its room

  std::byte* data() { return reinterpret_cast<std::byte*>(this + 1); }
};

class ChunkPool {
 public:
  /// Of chunks with so much room for each of some threads, which take at most `limit` bytes.
  ChunkPool(std::size_t threads, std::size_t room, std::uint64_t limit)
      : pools_(threads),
        chunk_((sizeof(Chunk) + room + kAlign - 1) / kAlign * kAlign),
        limit_(limit) {}

  std::size_t room() const { return chunk_ - sizeof(Chunk); }
  /// Of all chunks that have ever been taken.
  std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  /// Of those that are taken now.
  std::uint64_t used_bytes() const { return used_.load(std::memory_order_relaxed); }
  std::uint64_t limit() const { return limit_; }

  /// An empty chunk; null if that were beyond the limit. Called by the thread itself. Throws
  /// `Error` (`out_of_memory`).
  Chunk* take(std::size_t thread) {
    Chunk* const chunk = take_any(thread);
    if (chunk != nullptr) used_.fetch_add(chunk_, std::memory_order_relaxed);
    return chunk;
  }
  /// Nobody reads a chunk any more, nor those after it.
  void give_back(Chunk* chunk) {
    while (chunk != nullptr) {
      Chunk* const next = chunk->next;
      Pool& pool = pools_[chunk->thread];
      const std::lock_guard lock(pool.mutex);
      chunk->next = std::exchange(pool.free, chunk);
      used_.fetch_sub(chunk_, std::memory_order_relaxed);
      chunk = next;
    }
  }

 private:
  static constexpr std::size_t kAlign = 64;

  /// What one thread has taken.
  struct Pool {
    std::mutex mutex;  ///< of `free`, to which others add
    Chunk* free = nullptr;
    std::vector<kinjo::detail::GrowingMemory> arenas;
    std::size_t used = 0;  ///< of the last arena

    Chunk* take_free() {
      const std::lock_guard lock(mutex);
      if (free == nullptr) return nullptr;
      Chunk* const chunk = std::exchange(free, free->next);
      *chunk = {.thread = chunk->thread};
      return chunk;
    }
    std::byte* cut(std::size_t bytes) {
      if (arenas.empty() || used + bytes > arenas.back().bytes()) {
        kinjo::detail::GrowingMemory arena("levels");
        arena.grow(std::max(kArena, bytes));
        arenas.push_back(std::move(arena));
        used = 0;
      }
      return static_cast<std::byte*>(arenas.back().data()) + std::exchange(used, used + bytes);
    }
  };
  /// Takes no memory where it has not been written.
  static constexpr std::size_t kArena = std::size_t{2} << 20;

  /// Threads add to each other's lists, so that each is on lines of its own.
  struct alignas(128) Lines : Pool {};

  Chunk* take_any(std::size_t thread) {
    if (Chunk* const chunk = pools_[thread].take_free()) return chunk;
    if (bytes_.fetch_add(chunk_, std::memory_order_relaxed) + chunk_ <= limit_) {
      return new (pools_[thread].cut(chunk_)) Chunk{.thread = static_cast<std::uint32_t>(thread)};
    }
    bytes_.fetch_sub(chunk_, std::memory_order_relaxed);
    for (Lines& others : pools_) {
      if (Chunk* const chunk = others.take_free()) return chunk;
    }
    return nullptr;
  }

  std::vector<Lines> pools_;
  std::size_t chunk_;
  std::uint64_t limit_;
  std::atomic<std::uint64_t> bytes_{0}, used_{0};
};

}  // namespace kinjo::paths::detail
