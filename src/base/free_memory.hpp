/// The part of the heap that nothing lies in.
#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace kinjo::detail {

/// Gives whole pages of it back to the system. glibc does so by itself only at the heap's end, or
/// for pieces that are larger than any that was freed before. Worth while where much was just given
/// up and something of another shape comes; takes a microsecond for some tens of free pieces.
inline void give_back_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace kinjo::detail
