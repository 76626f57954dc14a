#include "gemm/workspace.hpp"

namespace kinjo::gemm {

namespace {

/// Both buffers begin at a page, and so at the same cache set; the second is moved away, so that
/// strips of both find room in L1.
constexpr std::size_t kApart = 2048 + 64;

}  // namespace

Workspace& Workspace::mine() {
  static thread_local Workspace workspace;
  return workspace;
}

void* Workspace::reserve(std::size_t which, std::size_t bytes, int node, const char* name,
                         bool shared) {
  Part& part = parts_[which];
  const std::size_t before = which == 0 ? 0 : kApart;
  const bool is_new = part.buffer.size() < bytes + before || part.node != node;
  if (is_new) {
    part.mark.reset();
    part.buffer = Buffer();  // not both at a time
    // A huge page that is filled to less than half takes more memory than it saves time.
    const bool is_small = bytes + before < huge_page_bytes() / 2;
    const AllocOptions options{.pages = is_small ? Pages::normal : Pages::transparent};
    part.buffer =
        node < 0 ? alloc(bytes + before, options) : alloc_on(node, bytes + before, options);
    if (shared) detail::touch_pages(part.buffer.data(), part.buffer.size());
    part.node = node;
  }
  if (is_new || part.name != name) {
    part.mark.reset();
    part.mark.emplace(name, part.buffer.data(), part.buffer.size());
    part.name = name;
  }
  return static_cast<char*>(part.buffer.data()) + before;
}

}  // namespace kinjo::gemm
