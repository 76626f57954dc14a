#include "measure/identity.hpp"

#include <sys/utsname.h>

#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace kinjo {

std::string host_name() {
  utsname name{};
  return uname(&name) == 0 ? name.nodename : "";
}

std::string iso_time(std::chrono::system_clock::time_point moment) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(moment);
  std::tm local{};
  localtime_r(&seconds, &local);
  const long minutes = local.tm_gmtoff / 60;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}{}{:02}:{:02}", local, minutes < 0 ? '-' : '+',
                     std::abs(minutes) / 60, std::abs(minutes) % 60);
}

MachineProfile blank_profile(const Topology& machine) {
  return {.machine = host_name(),
          .model = machine.packages().empty() ? "" : machine.packages().front().model,
          .cpus = machine.cpus().size(),
          .allowed_cpus = machine.allowed_cpus(),
          .measured = iso_time(std::chrono::system_clock::now())};
}

std::string difference(const MachineProfile& profile, const MachineProfile& here) {
  if (profile.machine != here.machine) {
    return fmt::format("host '{}', not '{}'", profile.machine, here.machine);
  }
  if (profile.model != here.model) {
    return fmt::format("model '{}', not '{}'", profile.model, here.model);
  }
  if (profile.cpus != here.cpus) return fmt::format("{} CPUs, not {}", profile.cpus, here.cpus);
  return "";
}

std::string shortfall(const MachineProfile& profile, const MachineProfile& here) {
  if (!profile.allowed_cpus || !here.allowed_cpus) return "";
  if ((*profile.allowed_cpus & *here.allowed_cpus) == *here.allowed_cpus) return "";
  return fmt::format("measured on CPUs {}, and this process may use {}",
                     profile.allowed_cpus->to_string(), here.allowed_cpus->to_string());
}

}  // namespace kinjo
