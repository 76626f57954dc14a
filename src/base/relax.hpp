/// What a loop that waits for another thread does between two looks.
#pragma once

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace kinjo::detail {

/// Tells the core that this is a spin loop: it saves power, leaves the pipeline to the sibling, and
/// under emulation hands over to the other CPUs.
inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield" ::: "memory");
#endif
}

}  // namespace kinjo::detail
