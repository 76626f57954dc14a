/// The four loops of STREAM for one thread's part of the arrays.
#pragma once

#include <cstddef>

namespace kinjo::detail {

/// How results are written.
enum class Store {
  cached,     ///< as usual: a line is read before it is written, and stays in the cache
  streaming,  ///< past the cache: saves that reading, right when the data will not be in cache
              ///< again
};

// Bytes moved for each element by STREAM's counting: copy and scale 16, add and triad 24. Flops:
// copy 0, scale and add 1, triad 2. No alignment is needed; ranges must not overlap.

// They throw as `simd_level` does.

/// c ← a
void stream_copy(const double* a, double* c, std::size_t n, Store store);
/// b ← s·c
void stream_scale(const double* c, double* b, double s, std::size_t n, Store store);
/// c ← a + b
void stream_add(const double* a, const double* b, double* c, std::size_t n, Store store);
/// a ← b + s·c, as a product and a sum rounded each
void stream_triad(const double* b, const double* c, double* a, double s, std::size_t n,
                  Store store);

/// The four, for one level of vector instructions.
struct StreamKernelSet {
  void (*copy)(const double* a, double* c, std::size_t n, Store store);
  void (*scale)(const double* c, double* b, double s, std::size_t n, Store store);
  void (*add)(const double* a, const double* b, double* c, std::size_t n, Store store);
  void (*triad)(const double* b, const double* c, double* a, double s, std::size_t n, Store store);
};
/// Plain loops, whose stores are ordinary ones whatever was asked.
extern const StreamKernelSet kStreamReference;

}  // namespace kinjo::detail
