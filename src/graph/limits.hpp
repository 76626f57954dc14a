/// What is refused because it is too large.
#pragma once

#include <cstdint>
#include <string>

namespace kinjo::graph::detail {

/// Throws `Error` (`invalid_argument`) for more vertices than 32 bits number.
void check_vertices(std::uint64_t vertices);

/// Throws `Error` (`out_of_memory`): `WHAT takes 1 GiB: 512 MiB are available`. Nothing is asked
/// about less than 16 MiB.
void check_memory(const std::string& what, std::uint64_t bytes);

}  // namespace kinjo::graph::detail
