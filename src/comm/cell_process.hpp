/// Processes that are cells of this host: how they are forked and how they end.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <string>

#include <kinjo/mapping.hpp>

namespace kinjo::comm::detail {

/// Forks a child that dies with this process, and has the default disposition for signals that end
/// programs. `body` runs in the child and returns its exit status; what it throws is status 125.
/// Returns the child's number. Throws `Error`.
pid_t fork_cell(int cell, const std::function<int()>& body);

/// Waits for a child's end and returns its status as a shell tells it, 128 + n for signal n.
int wait_for_end(pid_t process);

/// "its process was ended by signal 9 (Killed)", "its process ended with status 3".
std::string describe_end(int status);

}  // namespace kinjo::comm::detail
