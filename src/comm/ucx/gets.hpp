/// Gets on their way: where what has been asked for goes, and how much of it is missing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include <kinjo/comm.hpp>

#include "comm/ucx/packet.hpp"

namespace kinjo::comm::detail {

class Gets {
 public:
  /// The number by which answers name it.
  std::uint64_t open(int cell, const Strided& to, std::uint64_t bytes, Completion& done) {
    done.begin();
    open_.emplace(next_, Open{cell, to, bytes, bytes, &done});
    return next_++;
  }

  /// False where nobody has asked `from` for that.
  bool got(const GotHead& head, const std::byte* data, std::size_t bytes);
  /// Where the bytes may be written by others than `got`; null where they may not. `landed` then
  /// says that they have been.
  std::byte* direct(const GotHead& head, std::size_t bytes);
  void landed(const GotHead& head, std::size_t bytes);

  bool waits_for(int cell) const {
    return std::any_of(open_.begin(), open_.end(),
                       [cell](const auto& entry) { return entry.second.cell == cell; });
  }
  /// Forgets what `cell` was asked for, or everything; nothing more is written, and the completions
  /// are not touched any more.
  void forget(int cell) {
    std::erase_if(open_, [cell](const auto& entry) { return entry.second.cell == cell; });
  }
  void forget_all() { open_.clear(); }

 private:
  struct Open {
    int cell;
    Strided to;
    std::uint64_t total, missing;
    Completion* done;
  };
  Open* find(const GotHead& head, std::size_t bytes);

  std::unordered_map<std::uint64_t, Open> open_;
  std::uint64_t next_ = 1;
};

}  // namespace kinjo::comm::detail
