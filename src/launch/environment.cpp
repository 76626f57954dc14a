#include "launch/environment.hpp"

namespace kinjo::detail {

CpuSet all_place_cpus(const Mapping& mapping, BindLevel level) {
  CpuSet cpus;
  for (std::size_t t = 0; t < mapping.size(); ++t) cpus |= bound_cpus(mapping, t, level);
  return cpus;
}

std::string places_text(const Mapping& mapping, BindLevel level) {
  std::string text;
  for (std::size_t t = 0; t < mapping.size(); ++t) {
    if (t != 0) text += ';';
    text += bound_cpus(mapping, t, level).to_string();
  }
  return text;
}

namespace {

/// A place in OpenMP's syntax, whose ranges are `first:length`: single numbers need no second look.
std::string openmp_place(const CpuSet& cpus) {
  std::string place;
  for (const int cpu : cpus) place += (place.empty() ? "{" : ",") + std::to_string(cpu);
  return place + "}";
}

}  // namespace

Variables openmp_variables(const Mapping& mapping, BindLevel level) {
  Variables variables = {{"OMP_NUM_THREADS", std::to_string(mapping.size())}};
  if (!mapping.binds()) return variables;
  std::string places;
  for (std::size_t t = 0; t < mapping.size(); ++t) {
    if (t != 0) places += ',';
    places += openmp_place(bound_cpus(mapping, t, level));
  }
  variables.emplace_back("OMP_PLACES", places);
  variables.emplace_back("OMP_PROC_BIND", "close");
  return variables;
}

}  // namespace kinjo::detail
