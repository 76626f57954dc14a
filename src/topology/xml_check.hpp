/// A look at an XML file before hwloc sees it: hwloc says only that a file is bad, and its own
/// parser trusts more than a damaged file deserves.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinjo::detail {

/// Checks that `text` is well-formed, that its root is hwloc's `topology`, that objects have a type
/// and that their numbers and sets are numbers and sets of a bearable size. Returns the first fault
/// with its line and what was expected, or nothing.
std::optional<std::string> find_xml_fault(std::string_view text);

}  // namespace kinjo::detail
