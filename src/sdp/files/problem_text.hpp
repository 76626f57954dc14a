/// SDPA's sparse format, as text.
#pragma once

#include <string>
#include <string_view>

#include <kinjo/sdp.hpp>

namespace kinjo::sdp::detail {

/// Throws `Error` (`cannot read 'FILE': line N: …`).
Problem parse_problem(std::string_view text, const std::string& file);

std::string problem_text(const Problem& problem);

}  // namespace kinjo::sdp::detail
