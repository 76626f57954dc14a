/// Makes the Nth map of a program fail. Linking failing_maps.cpp with `--wrap=mmap` and
/// `--wrap=munmap` puts it before the C library's functions, for what is linked statically.
#pragma once

#include <atomic>
#include <cstddef>

namespace kinjo::test {

/// `mmap`s of the process until one fails with ENOMEM; negative: none does.
extern std::atomic<long> maps_left;
/// Bytes that are mapped and not unmapped.
extern std::atomic<std::size_t> mapped_bytes;

}  // namespace kinjo::test
