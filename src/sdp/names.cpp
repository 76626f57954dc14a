#include <array>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/sdp.hpp>

namespace kinjo::sdp {

const char* to_string(Status status) noexcept {
  switch (status) {
    case Status::optimal:
      return "optimal";
    case Status::near_optimal:
      return "near_optimal";
    case Status::primal_infeasible:
      return "primal_infeasible";
    case Status::dual_infeasible:
      return "dual_infeasible";
    case Status::limit:
      return "limit";
    case Status::numerical_failure:
      return "numerical_failure";
  }
  return "?";
}

const char* to_string(Phase phase) noexcept {
  constexpr std::array<const char*, kPhases> kNames = {"elements", "cholesky", "direction", "step",
                                                       "others"};
  return kNames[static_cast<std::size_t>(phase)];
}

Options preset(const std::string& name) {
  Options options;
  if (name == "default") return options;
  if (name == "fast") {
    options.gamma_star = 0.95;
    options.beta_star = 0.01;
    options.beta_bar = 0.02;
    options.extended_precision = false;
    return options;
  }
  if (name == "stable") {
    options.max_iteration = 1000;
    options.lambda_star = 1e4;
    options.beta_star = 0.1;
    options.beta_bar = 0.3;
    options.gamma_star = 0.8;
    return options;
  }
  throw Error(Errc::invalid_argument,
              fmt::format("no preset is called '{}': expected fast, default or stable", name));
}

}  // namespace kinjo::sdp
