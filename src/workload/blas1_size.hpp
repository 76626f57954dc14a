/// How many elements: which cache a size lies in, sizes for each, and whether there is room.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <kinjo/mapping.hpp>
#include <kinjo/topology.hpp>

namespace kinjo {

/// The innermost cache that holds `bytes` dealt evenly to the threads of a mapping: `L1`, `L2`, …,
/// or `memory`. Threads that are not placed count as if on the first CPUs that may be used.
std::string level_of(const Topology& machine, const Mapping& mapping, std::size_t bytes);

/// A number of elements for each level, well inside it with one vector or two: the largest power of
/// two of which a thread's part of one vector takes a quarter of its share of the cache (all of it
/// divided by its cores, or by its threads if they are more), but at least twice the cache inside;
/// a cache with no room between the two is left out. Last, for memory, four times all last-level
/// caches, at least 2²⁰ elements. Ascending.
std::vector<std::size_t> default_blas1_sizes(const Topology& machine, const Mapping& mapping,
                                             std::size_t element_bytes);

/// That for memory alone.
std::size_t memory_blas1_size(const Topology& machine, std::size_t element_bytes);

/// Reads a number of elements (`detail::parse_count`). Throws `Error` that says what is accepted.
std::size_t parse_blas1_size(const std::string& text);

/// Throws `Error` (`out_of_memory`) if two vectors of so many elements do not fit in 60 % of the
/// memory that is available.
void check_blas1_size(std::size_t elements, std::size_t element_bytes);

/// Halves a default size until it fits.
std::size_t fitting_blas1_size(std::size_t elements, std::size_t element_bytes);

}  // namespace kinjo
