#include "gemm/workspace.hpp"

namespace kinjo::gemm {

namespace {

/// Both buffers begin at a huge page, and so at the same cache set; the second is moved away, so
/// that strips of both find room in L1.
constexpr std::size_t kApart = 2048 + 64;

}  // namespace

Workspace& Workspace::mine() {
  static thread_local Workspace workspace;
  return workspace;
}

void* Workspace::reserve(std::size_t which, std::size_t bytes, int node) {
  Part& part = parts_[which];
  const std::size_t before = which == 0 ? 0 : kApart;
  if (part.buffer.size() < bytes + before || part.node != node) {
    part.buffer = Buffer();  // not both at a time
    const AllocOptions options{.pages = Pages::transparent};
    part.buffer =
        node < 0 ? alloc(bytes + before, options) : alloc_on(node, bytes + before, options);
    part.node = node;
  }
  return static_cast<char*>(part.buffer.data()) + before;
}

}  // namespace kinjo::gemm
