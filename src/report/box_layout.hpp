/// Where the boxes of a machine lie on paper.
#pragma once

#include "report/machine_boxes.hpp"

namespace kinjo {

inline constexpr double kBoxPad = 5;          ///< between a box's outline and what is in it
inline constexpr double kBoxGap = 5;          ///< between neighbours
inline constexpr double kBoxTextSize = 11;    ///< of labels
inline constexpr double kBoxLineHeight = 14;  ///< of labels

/// The least size of a CPU's box.
struct CpuBoxSize {
  double width = 26;
  double height = 20;
};

/// Gives `root` and all in it their places, its corner at (0, 0): every box inside the one that
/// holds it, below its label and its memory; no two overlap, labels that must fit do. Neighbours
/// lie in rows of equal length, as many as make the box that holds them somewhat wider than high.
/// `least_width` is for `root`.
void arrange(MachineBox& root, const CpuBoxSize& cpu, double least_width = 0);

}  // namespace kinjo
