/// The memory that operands are packed into.
#pragma once

#include <cstddef>

#include <kinjo/memory.hpp>

namespace kinjo::gemm {

/// Two buffers of a thread, kept for its next product and freed when it ends.
class Workspace {
 public:
  /// The calling thread's.
  static Workspace& mine();

  /// At least `bytes` in buffer `which` (0 or 1), in huge pages where the system has them. They lie
  /// on `node`, or where the calling thread touches them first for −1. Throws `out_of_memory`.
  void* reserve(std::size_t which, std::size_t bytes, int node);

 private:
  struct Part {
    Buffer buffer;
    int node = -1;
  };
  Part parts_[2];
};

}  // namespace kinjo::gemm
