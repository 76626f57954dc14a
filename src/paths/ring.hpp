/// A queue from one thread to another.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace kinjo::paths::detail {

/// Holds up to `kRoom` elements. One thread fills it (`back`, `push`), another empties it (`front`,
/// `pop`); neither waits. Elements are made where the ring is, so its pages lie with the thread
/// that writes them first: `touch` lets the one that empties it be this.
template <class T, std::size_t kRoom>
class Ring {
  static_assert((kRoom & (kRoom - 1)) == 0);

 public:
  Ring() : elements_(std::make_unique_for_overwrite<T[]>(kRoom)) {}

  void touch() {
    for (std::size_t i = 0; i < kRoom; ++i) elements_[i].count = 0;
  }

  /// The element to be filled next; null while there is no room.
  T* back() {
    const std::size_t end = end_.load(std::memory_order_relaxed);
    if (end - begin_.load(std::memory_order_acquire) == kRoom) return nullptr;
    return &elements_[end % kRoom];
  }
  void push() { end_.store(end_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

  /// The element to be taken next; null while there is none.
  const T* front() const {
    const std::size_t begin = begin_.load(std::memory_order_relaxed);
    if (begin == end_.load(std::memory_order_acquire)) return nullptr;
    return &elements_[begin % kRoom];
  }
  void pop() {
    begin_.store(begin_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

 private:
  std::unique_ptr<T[]> elements_;
  // Each on lines of its own: one is written by one thread, one by the other.
  alignas(128) std::atomic<std::size_t> begin_{0};
  alignas(128) std::atomic<std::size_t> end_{0};
};

}  // namespace kinjo::paths::detail
