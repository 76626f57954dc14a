/// Reports from invented records: what the tests of the page draw, and what people look at.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/page.hpp"

namespace kinjo::test {

/// S1's machine: four nodes with eight cores of two siblings each.
Topology four_node_machine();

/// What a hostile name would try: markup, quotes, the end of a script, bytes that are not UTF-8.
inline constexpr const char* kHostile =
    "<script>document.title='broken'</script></script><!--\"'>&amp;\xff\x01 ]]> \\";

/// A sweep of STREAM and of a program over four nodes, with a profile.
Report four_node_report();
/// A machine on which no placement can win, without a profile.
Report one_node_report();
/// Configurations that failed in different ways, one policy in all of its own.
Report failed_report();
/// A single record without a verdict.
Report single_record_report();
/// Hundreds of records on a machine with 256 CPUs.
Report large_report();
/// `kHostile` wherever text comes from outside.
Report hostile_report();
/// Eight workloads on a machine with eight nodes, with who waits when and the laboratory's counts.
Report suite_report();

/// All of them, by name.
std::vector<std::pair<std::string, Report>> sample_reports();

}  // namespace kinjo::test
