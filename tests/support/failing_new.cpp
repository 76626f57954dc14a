#include "support/failing_new.hpp"

#include <cstdlib>
#include <new>

namespace kinjo::test {
thread_local long allocations_left = -1;
}  // namespace kinjo::test

void* operator new(std::size_t bytes) {
  long& left = kinjo::test::allocations_left;
  if (left > 0 && --left == 0) throw std::bad_alloc();
  if (void* memory = std::malloc(bytes ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
// Never fails on purpose: who asks in this way (std::stable_sort) can do without. It is replaced
// because the same delete frees it.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes ? bytes : 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
