/// `launch` of comm_start.hpp for a program that is nothing but a launcher.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <kinjo/comm_start.hpp>

namespace kinjo::comm::detail {

/// What ends all cells before their time.
struct Stop {
  int file = -1;                  ///< something is to be read when it may be time
  std::function<bool()> arrived;  ///< reads it; whether it is time
};

/// As `launch`, and ends all cells when it is time to stop. The calling process adopts what the
/// programs leave behind; where cells are ended early, by a stop or because one has failed, that is
/// ended with them.
std::vector<ProcessEnd> launch_all(const Mapping& mapping, const std::vector<std::string>& command,
                                   const Stop& stop);

}  // namespace kinjo::comm::detail
