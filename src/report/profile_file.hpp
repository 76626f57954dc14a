/// Machine profiles as files: one is kept for each machine, for the commands that read it again.
#pragma once

#include <optional>
#include <string>

#include <kinjo/topology.hpp>

#include "measure/profile.hpp"

namespace kinjo {

/// Where this machine's profile is kept: `$XDG_CACHE_HOME/kinjo/profile-HOST.json`, or under
/// `~/.cache` where that variable is not set to an absolute path. Throws `Error` (`not_found`) if
/// HOME is not set either.
std::string cached_profile_path();

/// Writes a profile whole or not at all; the cache's directories are made. Throws `Error`.
void write_profile(const MachineProfile& profile, const std::string& path);
void keep_profile(const MachineProfile& profile);

/// Throws `Error` (`not_found`, `bad_input`) that names the file.
MachineProfile read_profile(const std::string& path);

/// The profile that is kept for this machine, or nothing where none is. Throws `Error`: `bad_input`
/// if the file is damaged or holds another machine's figures, or those of fewer CPUs, `system` if
/// its directory may not be looked into.
std::optional<MachineProfile> cached_profile(const Topology& machine);

}  // namespace kinjo
