#include "workload/sdp_settings.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/sdp_files.hpp>
#include <kinjo/sdp_generators.hpp>

#include "base/text.hpp"
#include "workload/choose.hpp"

namespace kinjo {

namespace {

double parse_real(const std::string& name, const std::string& value) {
  const auto number = detail::parse_number<double>(value);
  if (!number || !std::isfinite(*number)) {
    throw Error(Errc::invalid_argument, fmt::format("'{}' as {}: expected a number such as 1e-7",
                                                    detail::printable(value), name));
  }
  return *number;
}

std::uint64_t parse_whole(const std::string& name, const std::string& value) {
  const auto number = detail::parse_number<std::uint64_t>(value);
  if (!number) {
    throw Error(Errc::invalid_argument,
                fmt::format("'{}' as {}: expected a whole number", detail::printable(value), name));
  }
  return *number;
}

/// What a preset has nothing to say about stays.
void set_preset(SdpSettings& settings, const std::string& name) {
  sdp::Options options = sdp::preset(name);
  options.memory_limit = settings.options.memory_limit;
  settings.options = std::move(options);
  settings.preset = name;
}

/// The parameter of that name that is a real number, or null.
double* real_of(sdp::Options& options, const std::string& name) {
  const std::pair<const char*, double*> all[] = {{"tolerance", &options.tolerance},
                                                 {"lambda_star", &options.lambda_star},
                                                 {"beta_star", &options.beta_star},
                                                 {"beta_bar", &options.beta_bar},
                                                 {"gamma_star", &options.gamma_star}};
  for (const auto& [known, place] : all) {
    if (name == known) return place;
  }
  return nullptr;
}

}  // namespace

void set_sdp(SdpSettings& settings, const std::string& name, const std::string& value) {
  if (name == "problem") {
    settings.problem = value;
  } else if (name == "seed") {
    settings.seed = parse_whole(name, value);
  } else if (name == "preset") {
    set_preset(settings, value);
  } else if (double* const place = real_of(settings.options, name)) {
    *place = parse_real(name, value);
  } else if (name == "max_iteration") {
    settings.options.max_iteration = parse_whole(name, value);
  } else if (name == "precision") {
    settings.options.extended_precision =
        choose<bool>(name, value, {{"double", false}, {"extended", true}});
  } else {
    throw Error(Errc::invalid_argument,
                fmt::format("sdp has no parameter '{}': expected {}", name, kSdpParameters));
  }
}

sdp::Problem load_sdp(const SdpSettings& settings) {
  return sdp::is_rule(settings.problem) ? sdp::problem_by_rule(settings.problem, settings.seed)
                                        : sdp::read_problem(settings.problem);
}

}  // namespace kinjo
