/// Who does which part of a loop over blocks that tasks divide among themselves.
///
/// Each task has its own run of parts, the same in every execution, and does them from the first
/// one on. One that has done its own goes on with what others have not begun: a core that is taken
/// away for a while then holds nobody up for longer than one part takes. Which task does a part
/// changes nothing in the result.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace kinjo::gemm {

/// The parts of one task, which all tasks take from. They are dealt in rounds: tasks count them,
/// and meet between two of them.
class alignas(128) Parts {
 public:
  /// The next part of `round` that nobody has taken, of `count` in all.
  std::optional<std::size_t> take(std::uint32_t round, std::size_t count) {
    std::uint64_t seen = taken_.load(std::memory_order_relaxed);
    for (;;) {
      const std::uint64_t before = seen >> 32 == round ? seen : std::uint64_t{round} << 32;
      const auto part = static_cast<std::uint32_t>(before);
      if (part >= count) return std::nullopt;
      if (taken_.compare_exchange_weak(seen, before + 1, std::memory_order_relaxed)) return part;
    }
  }

 private:
  std::atomic<std::uint64_t> taken_{0};  ///< the round, and below it how many parts of it
};

}  // namespace kinjo::gemm
