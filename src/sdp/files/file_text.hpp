/// The whole content of a file.
#pragma once

#include <string>

namespace kinjo::sdp::detail {

/// Throws `Error`: `cannot read 'FILE': FAULT`, `bad_input`.
[[noreturn]] void refuse_file(const std::string& file, const std::string& fault);

/// A copy, since a mapped file that somebody cuts off ends the program. Throws `Error` (`cannot
/// read 'FILE': …`) if it cannot be read or is no ordinary file.
std::string file_text(const std::string& file);

}  // namespace kinjo::sdp::detail
