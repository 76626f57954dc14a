#include "comm/watch.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include <fmt/format.h>

#include "base/text.hpp"

namespace kinjo::comm::detail {

Watch::Watch(Neighbourhood& neighbourhood) : neighbourhood_(neighbourhood) {
  if (neighbourhood.path() != Path::shared) return;
  for (int i = 0; i < neighbourhood.size(); ++i) {
    if (i == neighbourhood.index()) continue;
    const int file = static_cast<int>(syscall(SYS_pidfd_open, neighbourhood.member(i).pid, 0));
    if (file >= 0) {
      descriptors_.push_back({.fd = file, .events = POLLIN, .revents = 0});
      members_.push_back(i);
    } else if (errno == ESRCH) {
      neighbourhood.memory().note_failure(i);
    } else {
      // Without it a death would never be noticed.
      const int error = errno;
      close_all();
      throw Error(error == ENOSYS ? Errc::not_supported : Errc::system,
                  fmt::format("cannot watch the process of cell {}: pidfd_open returned {}",
                              neighbourhood.member(i).cell, kinjo::detail::errno_name(error)));
    }
  }
}

Watch::~Watch() { close_all(); }

void Watch::close_all() {
  for (const pollfd& each : descriptors_) {
    if (each.fd >= 0) close(each.fd);
  }
}

void Watch::look(std::int64_t nanoseconds) {
  const timespec limit{.tv_sec = nanoseconds / 1'000'000'000,
                       .tv_nsec = static_cast<long>(nanoseconds % 1'000'000'000)};
  const int ended = ppoll(descriptors_.data(), descriptors_.size(), &limit, nullptr);
  if (ended <= 0) return;
  for (std::size_t i = 0; i < descriptors_.size(); ++i) {
    if (descriptors_[i].revents != 0) note_death(i);
  }
}

// A member that has left in good order has said so before it ended.
void Watch::note_death(std::size_t position) {
  neighbourhood_.memory().note_failure(members_[position]);
  close(descriptors_[position].fd);
  descriptors_[position].fd = -1;  // which poll passes over
  descriptors_[position].revents = 0;
}

}  // namespace kinjo::comm::detail
