/// The memory that operands are packed into.
#pragma once

#include <cstddef>
#include <optional>

#include <kinjo/lab.hpp>
#include <kinjo/memory.hpp>

namespace kinjo::gemm {

/// Two buffers of a thread, kept for its next product and freed when it ends.
class Workspace {
 public:
  /// The calling thread's.
  static Workspace& mine();

  /// At least `bytes` in buffer `which` (0 or 1), in huge pages where there are enough of them and
  /// the system has some. They lie on `node`, or where the calling thread touches them first for
  /// −1. `name` is their region's in the laboratory. If they are `shared` with other threads, their
  /// pages are there (`detail::touch_pages`). Throws `out_of_memory`.
  void* reserve(std::size_t which, std::size_t bytes, int node, const char* name, bool shared);

 private:
  struct Part {
    Buffer buffer;
    int node = -1;
    const char* name = nullptr;
    std::optional<RegionMark> mark;
  };
  Part parts_[2];
};

}  // namespace kinjo::gemm
