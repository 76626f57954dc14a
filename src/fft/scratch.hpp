/// The memory in which a thread transforms.
#pragma once

#include <cstddef>

#include <kinjo/memory.hpp>

namespace kinjo::fft::detail {

/// A buffer of each thread, kept for its next transform and freed when the thread ends.
class Scratch {
 public:
  /// The calling thread's.
  static Scratch& mine();
  /// At least `bytes`, page-aligned, where the calling thread touches them first. What was reserved
  /// before is lost. Throws `Error` (`out_of_memory`).
  void* reserve(std::size_t bytes);

 private:
  Buffer buffer_;
};

}  // namespace kinjo::fft::detail
