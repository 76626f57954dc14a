#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/sdp_files.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "sdp/files/file_text.hpp"
#include "sdp/files/npz.hpp"
#include "sdp/files/problem_text.hpp"
#include "sdp/files/solution_text.hpp"

namespace kinjo::sdp {

Problem read_problem(const std::string& file) {
  return detail::parse_problem(detail::file_text(file), file);
}

void write_problem(const Problem& problem, const std::string& file) {
  kinjo::detail::write_whole_file(file, detail::problem_text(problem));
}

Solution read_solution(const Problem& problem, const std::string& file) {
  if (file.ends_with(".result")) {
    return detail::parse_result(problem, detail::file_text(file), file);
  }
  if (file.ends_with(".npz")) return detail::parse_npz(problem, detail::file_text(file), file);
  if (file.ends_with(".sol")) {
    return detail::parse_csdp_solution(problem, detail::file_text(file), file);
  }
  throw Error(Errc::invalid_argument,
              fmt::format("'{}' is no solution by its name: expected .result (SDPA), .npz or .sol "
                          "(CSDP)",
                          kinjo::detail::printable(file)));
}

}  // namespace kinjo::sdp
