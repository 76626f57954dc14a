/// Copies into another cell's memory.
#pragma once

#include <cstddef>
#include <span>

namespace kinjo::comm::detail {

/// to ← from. Blocks of `stream_from` bytes and more are stored past the caches, if both lie alike
/// in their cache lines: nobody reads them there before they would have been displaced.
void copy_block(void* to, const void* from, std::size_t bytes, std::size_t stream_from);

/// to ← from, by the C library or by vectors, whichever is faster for so many bytes. For rows,
/// which are not streamed.
void copy_row(void* to, const void* from, std::size_t bytes);

/// Whether `copy_block` stores such a block past the caches.
bool streams(const void* to, const void* from, std::size_t bytes, std::size_t stream_from);
/// Every block of `to` ← from, which is read once. Each one `streams`.
void stream_to_all(std::span<void* const> to, const void* from, std::size_t bytes);

/// Whether a cell has its CPU to itself.
enum class Cpu { own, shared };

/// The size from which blocks are streamed where `cells` share a last-level cache: when all put
/// such a block at a time, sources and targets fill it. Where cells share CPUs, others run before
/// the target is read, and it would have been displaced from any but the largest caches.
std::size_t streaming_size(int cells, Cpu cpu);

}  // namespace kinjo::comm::detail
