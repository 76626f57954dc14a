/// The level `scalar` of reading and writing. Compiled without automatic vectorisation.
#include "simd/memory_kernels.hpp"

namespace kinjo::detail {

namespace {

std::uint64_t read(const std::uint64_t* from, std::size_t n, std::size_t passes) {
  std::uint64_t sum = 0;
  for (; passes > 0; --passes) {
    for (std::size_t i = 0; i < n; ++i) sum += from[i];
  }
  return sum;
}

void write(std::uint64_t* to, std::size_t n, std::uint64_t word, Store) {
  for (std::size_t i = 0; i < n; ++i) to[i] = word;
}

void copy_to_all(const std::uint64_t* from, std::span<void* const> to, std::size_t n) {
  for (void* const range : to) {
    auto* const words = static_cast<std::uint64_t*>(range);
    for (std::size_t i = 0; i < n; ++i) words[i] = from[i];
  }
}

void copy_bytes(const std::uint8_t* from, std::uint8_t* to, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

}  // namespace

const MemoryKernelSet kMemoryReference = {read, write, copy_to_all, copy_bytes};

}  // namespace kinjo::detail
