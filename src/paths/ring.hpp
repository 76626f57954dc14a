/// A queue from one thread to another.
#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>

#include <kinjo/lab.hpp>
#include <kinjo/memory.hpp>

namespace kinjo::paths::detail {

/// Holds up to `kRoom` elements, on pages that lie with the thread that makes it, which is to be
/// the one that empties it (`front`, `pop`). Another one fills it (`back`, `push`); neither waits.
template <class T, std::size_t kRoom>
class Ring {
  static_assert((kRoom & (kRoom - 1)) == 0);
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Throws `Error` (`out_of_memory`).
  Ring() : memory_(alloc(kRoom * sizeof(T))), mark_("queues", memory_.data(), memory_.size()) {
    auto* const bytes = static_cast<volatile unsigned char*>(memory_.data());
    for (std::size_t i = 0; i < memory_.size(); i += page_bytes()) bytes[i] = 0;
  }

  /// The element to be filled next; null while there is no room.
  T* back() {
    const std::size_t end = end_.load(std::memory_order_relaxed);
    if (end - begin_seen_ == kRoom) {
      begin_seen_ = begin_.load(std::memory_order_acquire);
      if (end - begin_seen_ == kRoom) return nullptr;
    }
    return elements() + end % kRoom;
  }
  /// Whether all elements have been taken. Of who fills it.
  bool is_empty() {
    begin_seen_ = begin_.load(std::memory_order_acquire);
    return begin_seen_ == end_.load(std::memory_order_relaxed);
  }
  void push() { end_.store(end_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  /// The element to be taken next, until then of who empties it; null while there is none.
  T* front() const {
    const std::size_t begin = begin_.load(std::memory_order_relaxed);
    if (begin == end_.load(std::memory_order_acquire)) return nullptr;
    return elements() + begin % kRoom;
  }
  void pop() {
    begin_.store(begin_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

 private:
  T* elements() const { return static_cast<T*>(memory_.data()); }

  Buffer memory_;
  RegionMark mark_;
  // Each on lines of its own: one is written by one thread, one by the other.
  alignas(128) std::atomic<std::size_t> begin_{0};
  alignas(128) std::atomic<std::size_t> end_{0};
  std::size_t begin_seen_ = 0;  ///< by who fills it, when he looked the last time
};

}  // namespace kinjo::paths::detail
