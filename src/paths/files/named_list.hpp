/// Lists of edges whose vertices have names:
///
///     # comment                          or %
///     NAME NAME [WEIGHT]                 apart by blanks, tabs or commas
///
/// A name is any word; vertices are numbered as they first appear.
#pragma once

#include <string>
#include <string_view>

#include <kinjo/network.hpp>

namespace kinjo::paths::detail {

/// An edge for each line; loops and repetitions stay. Throws `Error` (`cannot read 'FILE': line N:
/// …`).
Network parse_named_list(std::string_view text, const std::string& file);

}  // namespace kinjo::paths::detail
