/// Which semidefinite program is meant, in words, and how it is solved.
#pragma once

#include <cstdint>
#include <string>

#include <kinjo/binding.hpp>
#include <kinjo/sdp.hpp>

namespace kinjo {

inline constexpr const char* kSdpParameters =
    "problem, seed, preset, tolerance, lambda_star, beta_star, beta_bar, gamma_star, "
    "max_iteration, precision";

struct SdpSettings {
  std::string problem = "maxcut:20";  ///< a rule (kinjo/sdp_generators.hpp) or a file
  std::uint64_t seed = 1;             ///< of a rule
  std::string preset = "default";
  sdp::Options options;
  BindLevel bind = BindLevel::cpu;
};

/// Sets what a parameter names; `preset` sets all of SDPA's, so it comes before them. Throws
/// `Error`
/// (`invalid_argument`) that says what is accepted.
void set_sdp(SdpSettings& settings, const std::string& name, const std::string& value);

/// Makes or reads the problem. Throws `Error`.
sdp::Problem load_sdp(const SdpSettings& settings);

}  // namespace kinjo
