/// Steps of a product that are done together, line by line of C's panel.
///
/// While the first step's units come there is nothing else to multiply, and while the last panel is
/// written neither. So the first two steps and the last two, if panels have several steps, are
/// groups: both are done for some of C's lines before others are touched. The first lines need a
/// small part of a unit and give the disk twice as long for the next, and the lines that are
/// written last are few. The units of two steps are in memory at a time.
#pragma once

#include <kinjo/gemm_plan.hpp>

namespace kinjo::gemm {

/// The group of consecutive steps to which step i of `steps` belongs, where each panel of C has
/// `in_panel` of them, one after another.
Range step_group(std::size_t i, std::size_t steps, std::size_t in_panel);

}  // namespace kinjo::gemm
