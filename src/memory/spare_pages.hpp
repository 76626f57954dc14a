/// Pages that a thread has given back and will ask for again: to get them from the kernel and to
/// write them for the first time takes longer than a small computation.
///
/// Each thread keeps a few of its own, small ones. They lie on the node where the thread was when
/// it gave them back, and are taken again only there.
#pragma once

#include <cstddef>

namespace kinjo::detail {

struct Pages {
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// Keeps pages that were mapped, whose contents are no longer needed. False if they are too many
/// for this thread to keep: they are the caller's then.
bool keep_spare(Pages pages);

/// At least so many bytes, with any contents, which are the caller's then; null if this thread has
/// none on the node where it is.
Pages take_spare(std::size_t bytes);

/// Gives back to the system what this thread keeps, for work that is about to take much more.
void give_back_spare();

}  // namespace kinjo::detail
