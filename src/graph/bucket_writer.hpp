/// Dealing entries to many places in memory, whole cache lines at a time.
///
/// Written one by one, entries that go to a thousand buckets cost a miss and half a line of traffic
/// each. Here every bucket has lines of its own in cache, which go to memory when they are full,
/// past the caches if they are not wanted there soon (Satish et al., SIGMOD 2010: software
/// write-combining). There are four of them, since nobody foresees which entry fills them: with one
/// a third of the time went there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include <kinjo/graph.hpp>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace kinjo::graph::detail {

/// Where full lines go.
enum class Past {
  nothing,  ///< to the caches, as usual
  caches,   ///< to memory
};

/// Lines of cache that a thread holds for each bucket.
inline constexpr std::size_t kBucketLines = 4;

/// One thread's. Positions are of entries in an array that begins at a cache line.
class BucketWriter {
 public:
  /// `begins`: where this thread's entries of each bucket begin.
  BucketWriter(Edge* out, std::span<const EdgeCount> begins, Past past)
      : out_(out),
        begins_(begins.begin(), begins.end()),
        at_(begins.begin(), begins.end()),
        lines_(begins.size()),
        past_(past) {}

  void put(std::size_t bucket, Edge entry) {
    const EdgeCount at = at_[bucket]++;
    lines_[bucket].entries[at % kHeld] = entry;
    if (at % kHeld == kHeld - 1) flush(bucket, at + 1 - kHeld);
  }

  /// Writes what is left of lines that never became full. Others see everything after a barrier.
  void finish() {
    for (std::size_t b = 0; b < at_.size(); ++b) {
      const EdgeCount line = at_[b] / kHeld * kHeld, begin = std::max(line, begins_[b]);
      std::memcpy(out_ + begin, &lines_[b].entries[begin - line], (at_[b] - begin) * sizeof(Edge));
    }
#if defined(__x86_64__)
    _mm_sfence();
#endif
  }

 private:
  static constexpr std::size_t kHeld = kBucketLines * 64 / sizeof(Edge);
  struct alignas(64) Lines {
    Edge entries[kHeld];
  };

  void flush(std::size_t bucket, EdgeCount line) {
    const Lines& full = lines_[bucket];
    if (line < begins_[bucket]) {  // its beginning is another thread's, or bucket's
      const std::size_t skip = begins_[bucket] - line;
      std::memcpy(out_ + begins_[bucket], full.entries + skip, (kHeld - skip) * sizeof(Edge));
      return;
    }
#if defined(__x86_64__)
    if (past_ == Past::caches) {
      const auto* from = reinterpret_cast<const __m128i*>(full.entries);
      auto* to = reinterpret_cast<__m128i*>(out_ + line);
      for (std::size_t i = 0; i < 4 * kBucketLines; ++i)
        _mm_stream_si128(to + i, _mm_load_si128(from + i));
      return;
    }
#endif
    std::memcpy(out_ + line, full.entries, sizeof full);
  }

  Edge* out_;
  std::vector<EdgeCount> begins_, at_;
  std::vector<Lines> lines_;
  Past past_;
};

}  // namespace kinjo::graph::detail
