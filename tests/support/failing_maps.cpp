#include "support/failing_maps.hpp"

#include <cerrno>

#include <sys/mman.h>

namespace kinjo::test {
std::atomic<long> maps_left = -1;
std::atomic<std::size_t> mapped_bytes = 0;
}  // namespace kinjo::test

extern "C" {

void* __real_mmap(void* address, std::size_t bytes, int access, int flags, int file, off_t offset);
int __real_munmap(void* address, std::size_t bytes);

void* __wrap_mmap(void* address, std::size_t bytes, int access, int flags, int file, off_t offset) {
  if (kinjo::test::maps_left > 0 && --kinjo::test::maps_left == 0) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  void* const mapping = __real_mmap(address, bytes, access, flags, file, offset);
  if (mapping != MAP_FAILED) kinjo::test::mapped_bytes += bytes;
  return mapping;
}

int __wrap_munmap(void* address, std::size_t bytes) {
  const int result = __real_munmap(address, bytes);
  if (result == 0) kinjo::test::mapped_bytes -= bytes;
  return result;
}
}
