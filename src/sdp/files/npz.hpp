/// Solutions as NumPy's archives of arrays.
#pragma once

#include <string>
#include <string_view>

#include <kinjo/sdp.hpp>

#include "sdp/files/zip.hpp"

namespace kinjo::sdp::detail {

/// The arrays of a solution; they refer to it.
std::vector<ZipMember> npz_members(const Solution& solution);

/// Throws `Error` (`cannot read 'FILE': …`, the member behind the file's name where it is one's).
Solution parse_npz(const Problem& problem, std::string_view bytes, const std::string& file);

}  // namespace kinjo::sdp::detail
