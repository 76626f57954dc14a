/// Machines whose shape is known by heart.
#pragma once

#include <string>

namespace kinjo::test {

/// Two packages with a node each, two cores each with two siblings: CPUs 0 to 3 and 4 to 7.
inline constexpr const char* kTwoNodes = "synthetic:pack:2 numa:1 core:2 pu:2";

/// Small enough to write each of its JSON fields out.
inline constexpr const char* kTwoCpus =
    "synthetic:pack:1 [numa(memory=1073741824)] l2:1(size=1048576) core:2 pu:1";

/// An hwloc XML file: two packages of the same model with one CPU and 4 KiB each, on the nodes 0
/// and 5 at distances of 21 and 22. `model` goes into the file as it is.
std::string two_packages_xml(const std::string& model, const std::string& allowed_cpus = "0x3");

}  // namespace kinjo::test
