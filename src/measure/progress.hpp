/// Progress of long work, for whoever wants to show it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace kinjo {

struct Progress {
  std::size_t done = 0;
  std::size_t total = 0;
  std::string now;    ///< what is being done
  double share = -1;  ///< of the work that is done; below 0: as many of the steps
};
using ProgressSink = std::function<void(const Progress&)>;

}  // namespace kinjo
