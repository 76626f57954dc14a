/// The shortest way of 8 bytes and a flag between cells that share memory. It is compiled into the
/// caller: between two processors that are near each other a call and its return would show.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kinjo::comm::detail {

/// What it needs to know of a world. It takes only what is right; everything else, and so every
/// error, is for the function behind it.
struct ShortWay {
  std::uint64_t first = 0;  ///< the lowest offset that was allocated
  /// So many offsets from there on have 8 allocated bytes. None while a handler runs, and where
  /// cells sleep until a bell is rung.
  std::uint64_t offsets = 0;
  unsigned cells = 0;
  int looks = 1;             ///< how often a wait looks before it does anything else
  std::byte* own = nullptr;  ///< this cell's memory

  bool reaches(std::uint64_t offset) const noexcept { return offset - first < offsets; }
  bool reaches_flag(std::uint64_t flag) const noexcept {
    return reaches(flag) && flag % sizeof(std::uint64_t) == 0;
  }
  bool reaches_cell(int cell) const noexcept { return static_cast<unsigned>(cell) < cells; }
};

inline std::atomic_ref<std::uint64_t> flag_at(std::byte* place) noexcept {
  return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(place));
}

}  // namespace kinjo::comm::detail
