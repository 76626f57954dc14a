/// Numbers by their residues (the Chinese remainder theorem).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <kinjo/count.hpp>

namespace kinjo::paths::detail {

/// The largest primes below 2⁶³, descending.
std::vector<std::uint64_t> large_primes(std::size_t count);

/// So many of them that their product exceeds 2^bits.
std::size_t primes_for(std::size_t bits);

/// The least number with these residues; of different primes less than 2⁶³.
Count from_residues(std::span<const std::uint64_t> residues, std::span<const std::uint64_t> primes);

}  // namespace kinjo::paths::detail
