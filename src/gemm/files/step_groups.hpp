/// Steps of a product that are done together, line by line of C's panel.
///
/// While the first step's units come there is nothing else to multiply, and while the last panel is
/// written neither. So the first two steps and the last two, if both are of one panel, are groups:
/// both are done for some of C's lines before others are touched. The first lines need a small part
/// of a unit and give the disk twice as long for the next, and the lines that are written last are
/// few. The units of two steps are in memory at a time.
#pragma once

#include <span>
#include <vector>

#include <kinjo/gemm_plan.hpp>

namespace kinjo::gemm {

/// Groups of consecutive steps; `panels[i]` is the panel of C to which step i belongs.
std::vector<Range> step_groups(std::span<const std::size_t> panels);

}  // namespace kinjo::gemm
