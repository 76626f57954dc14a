/// Notices that another process of this host has died.
#pragma once

#include <poll.h>

#include <cstdint>
#include <vector>

#include "comm/neighbourhood.hpp"

namespace kinjo::comm::detail {

/// One process descriptor for each other member. The kernel makes it readable when the process
/// ends, so a death is seen without asking, and a number that has been given to a new process is no
/// mistake that can be made.
class Watch {
 public:
  /// Begins to watch; `neighbourhood` must outlive it. Threads of one process need no watching.
  /// Throws `Error` (`not_supported` on kernels before 5.3).
  explicit Watch(Neighbourhood& neighbourhood);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Looks, for at most `nanoseconds`, and notes on the board who has died without leaving.
  void look(std::int64_t nanoseconds);

 private:
  void close_all();
  void note_death(std::size_t position);

  Neighbourhood& neighbourhood_;
  std::vector<pollfd> descriptors_;
  std::vector<int> members_;  ///< of each descriptor
};

}  // namespace kinjo::comm::detail
