/// What this CPU does faster than others: moves of 64 bytes and of strings, streams, additions.
#pragma once

namespace kinjo::detail {

/// Whether this CPU has AVX-512 and carries out a 64-byte store as two of 32 bytes: AMD's Zen 4.
/// There, 32-byte vectors are faster where stores bound a kernel in L1, and beyond L2 where the
/// wide ones hinder prefetching (docs/performance.md has the figures).
extern const bool kSplitsWideMoves;

/// Whether the C library's copy, an instruction that moves strings, is faster than vectors between
/// L1 and L2: AMD's Zen 5.
extern const bool kMovesStringsFast;

/// Whether one array beyond L1 is read faster as several parts side by side: AMD's Zen 5.
extern const bool kFetchesStreamsSideBySide;

/// Whether additions have ports of their own beside those of products, so that a loop bound by its
/// loads and stores runs faster if it does not fuse the two: AMD's Zen 5.
extern const bool kAddsApart;

}  // namespace kinjo::detail
