/// Where the files of the process's control groups are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinjo::detail {

/// The two kinds of hierarchies: one for all controllers (v2), or one for each (v1).
enum class Hierarchy { v1, v2 };

/// The directories of the calling process's control group and of its parents, from its own up to
/// the root of the hierarchy. `root` is prefixed to every path (`""`: the running system);
/// `controller` names the hierarchy of v1, e.g. `cpu`. Empty where there is no such hierarchy.
std::vector<std::string> control_group_directories(const std::string& root, Hierarchy hierarchy,
                                                   std::string_view controller);

}  // namespace kinjo::detail
