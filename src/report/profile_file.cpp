#include "report/profile_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "measure/identity.hpp"
#include "report/profile_json.hpp"

namespace kinjo {

namespace {

constexpr std::size_t kMostBytes = 64 << 20;  // of a machine with 64 nodes: some 15 MiB

/// The XDG base directories' rule: a path that is not absolute is as good as none.
std::string cache_directory() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value && *value == '/' ? value : "";
  };
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache + "/kinjo";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.cache/kinjo";
  throw Error(Errc::not_found,
              "there is no directory for the machine's profile: expected an absolute path in "
              "XDG_CACHE_HOME or HOME");
}

}  // namespace

std::string cached_profile_path() {
  std::string host = host_name();
  for (char& c : host) {
    if (c == '/') c = '_';
  }
  return fmt::format("{}/profile-{}.json", cache_directory(), host);
}

void write_profile(const MachineProfile& profile, const std::string& path) {
  detail::write_whole_file(path, json_text(profile_json(profile)));
}

void keep_profile(const MachineProfile& profile) {
  const std::string path = cached_profile_path();
  detail::make_directories(std::filesystem::path(path).parent_path().string());
  write_profile(profile, path);
}

MachineProfile read_profile(const std::string& path) {
  const auto text = detail::read_small_file(path, kMostBytes);
  if (!text) {
    throw Error(Errc::not_found, fmt::format("cannot read the profile '{}': {}",
                                             detail::printable(path), std::strerror(errno)));
  }
  return parse_profile(*text, path);
}

std::optional<MachineProfile> cached_profile(const Topology& machine) {
  const std::string path = cached_profile_path();
  std::error_code refused;
  if (!std::filesystem::exists(path, refused)) {
    if (!refused) return std::nullopt;
    throw Error(Errc::system, fmt::format("cannot look for the profile '{}': {}",
                                          detail::printable(path), refused.message()));
  }
  MachineProfile profile = read_profile(path);
  const MachineProfile here = blank_profile(machine);
  const std::string other = difference(profile, here);
  if (!other.empty()) {
    throw Error(Errc::bad_input,
                fmt::format("the profile '{}' is of another machine: {}; `kinjo measure` makes one "
                            "of this machine",
                            detail::printable(path), detail::printable(other)));
  }
  if (const std::string lack = shortfall(profile, here); !lack.empty()) {
    throw Error(Errc::bad_input,
                fmt::format("the profile '{}' was {}; `kinjo measure` makes one of all of them",
                            detail::printable(path), lack));
  }
  return profile;
}

}  // namespace kinjo
