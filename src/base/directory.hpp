/// The names in a directory. `std::filesystem`'s iterators end the process where memory is short.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kinjo::detail {

/// The names in `folder` without `.` and `..`, in ascending order; nothing if it cannot be read.
std::optional<std::vector<std::string>> names_in(const std::string& folder);

}  // namespace kinjo::detail
