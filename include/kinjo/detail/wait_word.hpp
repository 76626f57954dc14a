/// A word that threads wait on: they look for a while and then sleep.
#pragma once

#include <atomic>
#include <cstdint>

namespace kinjo::detail {

/// A counter whose changes wake those who wait for one. `std::atomic::notify_all` alone would do,
/// but it enters the kernel whenever any thread sleeps on a word that shares a bucket with this
/// one; here the sleepers of the word itself are counted.
class WaitWord {
 public:
  WaitWord() = default;
  explicit WaitWord(std::uint32_t value) : value_(value) {}

  std::uint32_t load() const noexcept { return value_.load(std::memory_order_acquire); }
  void store(std::uint32_t value) noexcept { value_.store(value, std::memory_order_release); }

  /// Waits until the value differs from `seen`, looking `spins` times before sleeping, and returns
  /// what it is then.
  std::uint32_t wait_while(std::uint32_t seen, unsigned spins) noexcept;

  // Each returns the value from before and wakes all who wait.
  std::uint32_t add(std::uint32_t amount) noexcept {
    return changed(value_.fetch_add(amount, std::memory_order_seq_cst));
  }
  std::uint32_t subtract(std::uint32_t amount) noexcept {
    return changed(value_.fetch_sub(amount, std::memory_order_seq_cst));
  }
  std::uint32_t set_bits(std::uint32_t bits) noexcept {
    return changed(value_.fetch_or(bits, std::memory_order_seq_cst));
  }
  std::uint32_t clear_bits(std::uint32_t bits) noexcept {
    return changed(value_.fetch_and(~bits, std::memory_order_seq_cst));
  }

 private:
  /// A sleeper announces itself before it looks for the last time, the changer looks for sleepers
  /// after its change, both in one total order: one of the two sees the other.
  std::uint32_t changed(std::uint32_t before) noexcept {
    if (sleepers_.load(std::memory_order_seq_cst) != 0) value_.notify_all();
    return before;
  }

  std::atomic<std::uint32_t> value_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};

}  // namespace kinjo::detail
