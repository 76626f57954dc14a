/// What this CPU does otherwise than others: moves of 64 bytes and of strings, streams, additions.
#pragma once

namespace kinjo::detail {

/// Whether this CPU has AVX-512 and carries out a 64-byte store as two of 32 bytes: AMD's Zen 4.
/// There, 32-byte vectors are faster where stores bound a kernel in L1, and beyond L2 where the
/// wide ones hinder prefetching (docs/performance_blas1.md).
extern const bool kSplitsWideMoves;

/// Whether the C library's copy, an instruction that moves strings, is faster than vectors between
/// L1 and L2: AMD's Zen 5.
extern const bool kMovesStringsFast;

/// Whether one array beyond L1 is read faster as several parts side by side: AMD's Zen 5.
extern const bool kFetchesStreamsSideBySide;

/// Whether additions have ports of their own beside those of products, so that a loop bound by its
/// loads and stores runs faster if it does not fuse the two: AMD's Zen 5.
extern const bool kAddsApart;

/// Whether what lies beyond L1 is read and written faster by a core that asks for less of it at a
/// time (four vectors a step, halves of vectors, output asked for ahead): Intel's.
extern const bool kPacesItself;

/// Whether a vector's first lanes are stored as fast as all of them: Intel's CPUs. Elements before
/// a line's begin are then written once, where others write some of them twice.
extern const bool kStoresLanesFast;

}  // namespace kinjo::detail
