/// The machine profile as JSON, kinjo-profile/1 (docs/json.md).
#pragma once

#include <string>
#include <string_view>

#include "measure/profile.hpp"
#include "report/json.hpp"

namespace kinjo {

/// What was not measured has no member.
Json profile_json(const MachineProfile& profile);

/// Reads what `profile_json` writes; members that it does not know are passed over. `name` says
/// where the text is from. Throws `Error` (`bad_input`) that names it, the member at fault and what
/// was expected there, e.g. `cannot read the profile 'x.json': caches[0].level: expected an integer
/// from 1 to 9, not 12`.
MachineProfile parse_profile(std::string_view text, const std::string& name);

}  // namespace kinjo
