/// What is refused because it is too large.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include <kinjo/error.hpp>
#include <kinjo/graph.hpp>

namespace kinjo::graph::detail {

/// Of a list's numbers: how many there are, and why there are no more.
template <class Number>
inline constexpr std::uint64_t kMostNumbers = kMostVertices;
template <>
inline constexpr std::uint64_t kMostNumbers<VertexId> = kMostIds;
template <class Number>
inline constexpr const char* kWhyNoMore = "numbered in 32 bits";
template <>
inline constexpr const char* kWhyNoMore<VertexId> = "kept in 64 bits with a sign";

/// Vertices of a rule, and their logarithm.
template <class Number>
inline constexpr std::uint64_t kMostOfRule = kMostVertices;
template <>
inline constexpr std::uint64_t kMostOfRule<VertexId> = std::uint64_t{1} << 48;
template <class Number>
inline constexpr unsigned kMostScale = static_cast<unsigned>(std::bit_width(kMostOfRule<Number>)) -
                                       1;

/// Edges of each of 2^scale vertices: as few as keep all counts of bytes below 2⁶⁴.
constexpr std::uint64_t most_edge_factor(unsigned scale) {
  return ~std::uint64_t{0} >> (scale + 8);
}

/// Whether a list of so many vertices is a wide one.
constexpr bool needs_wide(std::uint64_t vertices, Width width) {
  return width == Width::wide || (width == Width::automatic && vertices > kMostVertices);
}

/// Thrown by who reads numbers of 32 bits and meets one that has more: it may be read again in 64.
class TooWide : public Error {
 public:
  using Error::Error;
};

/// Throws `Error` (`invalid_argument`) for more vertices than a list numbers.
template <class Number>
void check_vertices(std::uint64_t vertices);

/// Throws `Error` (`invalid_argument`) if more vertices have an edge than 32 bits number.
void check_vertices_with_edges(std::uint64_t vertices);

/// Throws `Error` (`out_of_memory`): `WHAT takes 1 GiB: 512 MiB are available`. Nothing is asked
/// about less than 16 MiB.
void check_memory(const std::string& what, std::uint64_t bytes);

}  // namespace kinjo::graph::detail
