#include "sdp_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "report/json.hpp"
#include "report/table.hpp"

namespace kinjo::cli {

namespace {

std::string seconds_line(const SdpRun& run) {
  std::string phases;
  for (std::size_t p = 0; p < sdp::kPhases; ++p) {
    phases += fmt::format("{}{} {:.3f}", p == 0 ? "" : ", ",
                          sdp::to_string(static_cast<sdp::Phase>(p)), run.phase_seconds[p]);
  }
  return fmt::format("{:.3f} ({})", run.seconds, phases);
}

Json iterations_json(const sdp::Solution& solution) {
  Json list = Json::array();
  for (const sdp::Iteration& i : solution.iterations) {
    list.push_back({{"iteration", i.number},
                    {"mu", i.mu},
                    {"primal_error", i.primal_error},
                    {"dual_error", i.dual_error},
                    {"primal_objective", i.primal_objective},
                    {"dual_objective", i.dual_objective},
                    {"primal_step", i.primal_step},
                    {"dual_step", i.dual_step},
                    {"beta", i.beta}});
  }
  return list;
}

std::string iterations_csv(const sdp::Solution& solution) {
  Table table({"iteration", "mu", "primal_error", "dual_error", "primal_objective",
               "dual_objective", "primal_step", "dual_step", "beta"});
  for (const sdp::Iteration& i : solution.iterations) {
    std::vector<std::string> row = {std::to_string(i.number)};
    for (const double value : {i.mu, i.primal_error, i.dual_error, i.primal_objective,
                               i.dual_objective, i.primal_step, i.dual_step, i.beta}) {
      row.push_back(fmt::format("{}", value));
    }
    table.add(row);
  }
  return table.to_csv();
}

}  // namespace

std::string sdp_plan_line(const sdp::Plan& plan) {
  std::string blocks;
  if (plan.symmetric_blocks != 0) {
    blocks = fmt::format("{} block{}, the largest of order {}", plan.symmetric_blocks,
                         plan.symmetric_blocks == 1 ? "" : "s", plan.largest_block);
  }
  if (plan.linear != 0) {
    blocks += fmt::format("{}{} linear inequalit{}", blocks.empty() ? "" : ", ", plan.linear,
                          plan.linear == 1 ? "y" : "ies");
  }
  return fmt::format("{}; a {} Schur complement of {} entries; {}", blocks,
                     plan.sparse_schur ? "sparse" : "dense", plan.schur_entries,
                     detail::format_bytes(plan.bytes));
}

std::string sdp_table_head() {
  return "       mu       primal   dual     primal        dual           step of\n"
         "                error    error    objective     objective      primal  dual  beta\n";
}

std::string sdp_iteration_line(const sdp::Iteration& i) {
  return fmt::format(
      "{:>4}   {:.1e}  {:.1e}  {:.1e}  {:>+12.5e}  {:>+12.5e}   {:.2f}    {:.2f}  "
      "{:.2f}\n",
      i.number, i.mu, i.primal_error, i.dual_error, i.primal_objective, i.dual_objective,
      i.primal_step, i.dual_step, i.beta);
}

std::string sdp_text(const SdpResult& result, Iterations iterations) {
  const sdp::Solution& s = result.run.solution;
  std::string text;
  if (iterations == Iterations::told) {
    text = sdp_table_head();
    for (const sdp::Iteration& i : s.iterations) text += sdp_iteration_line(i);
    text += "\n";
  }
  text += fmt::format("status            {}\n", sdp::to_string(s.status));
  text += fmt::format("primal objective  {:+.10e}\n", s.primal_objective);
  text += fmt::format("dual objective    {:+.10e}\n", s.dual_objective);
  text += fmt::format("relative gap      {:.2e}\n", relative_gap(s));
  text += fmt::format("DIMACS errors     {:.2e}\n", fmt::join(s.dimacs_errors, " "));
  text += fmt::format("iterations        {}{}\n", sdp_iterations(s),
                      s.extended_precision ? ", the last ones in extended precision" : "");
  text += fmt::format("seconds           {}\n", seconds_line(result.run));
  return text;
}

std::string sdp_json(const SdpResult& result, Iterations iterations, const Topology& machine) {
  Json json = record_json(result.record, machine);
  if (iterations == Iterations::told) {
    json["result"]["table"] = iterations_json(result.run.solution);
  }
  return json_text(json);
}

std::string sdp_csv(const SdpResult& result, Iterations iterations) {
  const sdp::Solution& s = result.run.solution;
  if (iterations == Iterations::told) return iterations_csv(s);
  std::vector<std::string> heads = {"status", "primal_objective", "dual_objective", "iterations",
                                    "seconds"};
  std::vector<std::string> row = {sdp::to_string(s.status), fmt::format("{}", s.primal_objective),
                                  fmt::format("{}", s.dual_objective),
                                  std::to_string(sdp_iterations(s)),
                                  fmt::format("{}", result.run.seconds)};
  for (std::size_t p = 0; p < sdp::kPhases; ++p) {
    heads.push_back(fmt::format("{}_seconds", sdp::to_string(static_cast<sdp::Phase>(p))));
    row.push_back(fmt::format("{}", result.run.phase_seconds[p]));
  }
  for (std::size_t e = 0; e < s.dimacs_errors.size(); ++e) {
    heads.push_back(fmt::format("dimacs_error_{}", e + 1));
    row.push_back(fmt::format("{}", s.dimacs_errors[e]));
  }
  Table table(heads);
  table.add(row);
  return table.to_csv();
}

}  // namespace kinjo::cli
