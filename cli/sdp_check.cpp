#include "sdp_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/sdp_files.hpp>
#include <kinjo/sdp_verify.hpp>

#include "report/json.hpp"
#include "report/table.hpp"

namespace kinjo::cli {

namespace {

bool is_certificate(sdp::Status status) {
  return status == sdp::Status::primal_infeasible || status == sdp::Status::dual_infeasible;
}

std::string text_of(sdp::Status status, const sdp::Verification& found) {
  std::string text = fmt::format("status            {}\n", sdp::to_string(status));
  text += fmt::format("primal objective  {:+.10e}\n", found.primal_objective);
  text += fmt::format("dual objective    {:+.10e}\n", found.dual_objective);
  text += fmt::format("DIMACS errors     {:.2e}\n", fmt::join(found.dimacs_errors, " "));
  if (is_certificate(status)) {
    text += fmt::format("certificate error {:.2e}\n", found.certificate_error);
  }
  return text;
}

std::string json_of(sdp::Status status, const sdp::Verification& found, const std::string& problem,
                    const std::string& solution) {
  Json json = {{"schema", "kinjo-sdp-check/1"},
               {"problem", problem},
               {"solution", solution},
               {"status", sdp::to_string(status)},
               {"holds", found.passed()},
               {"fault", found.fault},
               {"primal_objective", found.primal_objective},
               {"dual_objective", found.dual_objective},
               {"dimacs_errors", found.dimacs_errors}};
  if (is_certificate(status)) json["certificate_error"] = found.certificate_error;
  return json_text(json);
}

std::string csv_of(sdp::Status status, const sdp::Verification& found) {
  std::vector<std::string> heads = {"status", "holds", "primal_objective", "dual_objective"};
  std::vector<std::string> row = {sdp::to_string(status), found.passed() ? "true" : "false",
                                  fmt::format("{}", found.primal_objective),
                                  fmt::format("{}", found.dual_objective)};
  for (std::size_t e = 0; e < found.dimacs_errors.size(); ++e) {
    heads.push_back(fmt::format("dimacs_error_{}", e + 1));
    row.push_back(fmt::format("{}", found.dimacs_errors[e]));
  }
  Table table(heads);
  table.add(row);
  return table.to_csv();
}

}  // namespace

int check_sdp(const sdp::Problem& problem, const std::string& problem_name,
              const std::string& solution_file, double tolerance, Format format) {
  const sdp::Solution solution = sdp::read_solution(problem, solution_file);
  const sdp::Verification found = sdp::verify(problem, solution, tolerance);
  print(format == Format::json  ? json_of(solution.status, found, problem_name, solution_file)
        : format == Format::csv ? csv_of(solution.status, found)
                                : text_of(solution.status, found));
  if (found.passed()) return kDone;
  note(fmt::format("{} is not what it says: {}", solution_file, found.fault));
  return kBadResult;
}

}  // namespace kinjo::cli
