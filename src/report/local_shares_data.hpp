/// What stands in local_shares.json.
#pragma once

#include <string_view>

namespace kinjo {

std::string_view local_shares_data();

}  // namespace kinjo
