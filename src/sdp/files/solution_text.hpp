/// Solutions in SDPA's and CSDP's text formats.
#pragma once

#include <string>
#include <string_view>

#include <kinjo/sdp.hpp>

namespace kinjo::sdp::detail {

/// A solution of zeros. Throws `Error` (`out_of_memory`) that names the file if X and Y take more
/// than the system has available.
Solution empty_solution(const Problem& problem, const std::string& file);
/// Replaces what each triangle of the symmetric blocks says by the mean of the two.
void symmetrise(BlockMatrix& matrix);
/// cᵀx and F_0 • Y
void find_objectives(const Problem& problem, Solution& solution);

/// SDPA's `.result`. Throws `Error` (`cannot read 'FILE': line N: …`).
Solution parse_result(const Problem& problem, std::string_view text, const std::string& file);
/// CSDP's solution. Throws `Error` (`cannot read 'FILE': line N: …`).
Solution parse_csdp_solution(const Problem& problem, std::string_view text,
                             const std::string& file);

}  // namespace kinjo::sdp::detail
