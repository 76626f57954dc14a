/// Processes that the cells' programs have started, when those programs have ended.
#pragma once

#include <sys/types.h>

#include <set>
#include <span>
#include <vector>

namespace kinjo::comm::detail {

/// Makes this process the one that processes come to whose parents have ended (a subreaper), and
/// ends them. What it had for children before is no concern of it. Where /proc is not mounted
/// nothing is found.
class Strays {
 public:
  Strays();
  ~Strays();
  Strays(const Strays&) = delete;
  Strays& operator=(const Strays&) = delete;

  /// Sends `number`, once, to each child that is none of `cells`, and forgets those that have
  /// ended. Whether any is left.
  bool signal(int number, std::span<const pid_t> cells);

  /// Forgets those that have ended, so that their numbers are free.
  static void reap(std::span<const pid_t> cells);

 private:
  std::vector<pid_t> before_;
  std::set<std::pair<pid_t, int>> signalled_;
  int adopted_before_ = 0;
};

}  // namespace kinjo::comm::detail
