#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/kernel.hpp"
#include "topology/builder.hpp"

namespace kinjo::detail {

Support probe_support() {
  Support support{.this_machine = true};
  // No CPU is a bad argument to who may be asked for some. The mask that there is would be
  // accepted, but count as one that the thread wants: it then gets no CPUs that its cpuset gains
  // later.
  support.bind_threads = set_affinity({}) == EINVAL;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* scratch = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (scratch == MAP_FAILED) return support;
  support.bind_memory = bind_memory(scratch, page, MemoryPolicy::standard, {}) == 0;
  int node = 0;
  support.query_pages = query_pages({&scratch, 1}, {&node, 1}) == 0;
  munmap(scratch, page);
  return support;
}

}  // namespace kinjo::detail
