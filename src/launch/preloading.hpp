/// The preloaded library as `kinjo run` sees it: where it is, and whether it was loaded.
#pragma once

#include <string>

#include "launch/environment.hpp"

namespace kinjo::detail {

/// The library's file: KINJO_PRELOAD if set, else at its place beside this executable. Throws
/// `Error` (`not_found`, `bad_input`) if it is not there or cannot be loaded.
std::string find_preload_library();

/// Sets what the loader and the library read besides the places: LD_PRELOAD (before what is in it
/// already), and whether threads say where they are.
void set_preload(Environment& environment, const std::string& library, bool verbose);

/// Has gcc's AddressSanitizer, which wants to be the first library of all, put up with one before
/// it. Also where the program is none of its own: a script may start one.
void allow_sanitizer(Environment& environment);

/// Makes the library of a `kinjo run` around this one do nothing.
void clear_preload(Environment& environment);

/// Awaits the library's word that it was loaded.
///
/// The program replaces this process, so nobody is left to ask. A process of its own, orphaned at
/// birth so that the program never sees a child that it did not start, holds one end of a pair of
/// sockets; the library sends one byte from the other. If that closes without it, which is when the
/// program ends at the latest, the watcher writes `complaint` to standard error.
class PreloadWatcher {
 public:
  /// Throws `Error` (`system`) if it cannot be started.
  explicit PreloadWatcher(const std::string& complaint);
  /// Sends the watcher away: the program was not started, or this process would be it.
  ~PreloadWatcher();
  PreloadWatcher(const PreloadWatcher&) = delete;
  PreloadWatcher& operator=(const PreloadWatcher&) = delete;
  /// Names the socket to the library that is to answer.
  void announce(Environment& environment) const;

 private:
  int answer_fd_;
  unsigned long inode_ = 0;
};

}  // namespace kinjo::detail
