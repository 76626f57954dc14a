/// The whole content of a file.
#pragma once

#include <string>

#include "base/input_file.hpp"

namespace kinjo::sdp::detail {

using kinjo::detail::refuse_file;

/// A copy, since a mapped file that somebody cuts off ends the program. Throws `Error` (`cannot
/// read 'FILE': …`) if it cannot be read or is no ordinary file.
std::string file_text(const std::string& file);

}  // namespace kinjo::sdp::detail
