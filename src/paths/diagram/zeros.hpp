/// Memory for a pass over a diagram, all zeros at first.
#pragma once

#include <cstdint>
#include <vector>

#include <kinjo/memory.hpp>

namespace kinjo::paths::detail {

/// Movable, not copyable. A little of the heap, since to get pages from the system and to write
/// them for the first time takes longer than a pass over a small diagram; more on pages of its own,
/// of which those that are not written take nothing.
class Zeros {
 public:
  Zeros() = default;
  /// Throws `Error` (`out_of_memory`), or `std::bad_alloc`.
  explicit Zeros(std::uint64_t bytes, Pages pages = Pages::normal) : bytes_(bytes) {
    if (bytes <= kLittle) {
      little_.resize((bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
    } else {
      much_ = kinjo::alloc(bytes, {.pages = pages});
    }
  }

  void* data() { return bytes_ <= kLittle ? little_.data() : much_.data(); }
  const void* data() const { return bytes_ <= kLittle ? little_.data() : much_.data(); }
  std::uint64_t bytes() const { return bytes_; }

 private:
  static constexpr std::uint64_t kLittle = std::uint64_t{1} << 16;

  std::uint64_t bytes_ = 0;
  std::vector<std::uint64_t> little_;
  Buffer much_;
};

}  // namespace kinjo::paths::detail
