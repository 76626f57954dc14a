/// Node × node figures as a map of colours with the numbers in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/profile.hpp"
#include "report/svg.hpp"
#include "report/table.hpp"

namespace kinjo {

/// A quantity for each pair of nodes: threads on the row's node, memory on the column's.
struct NodeMatrix {
  std::string title;              ///< e.g. `idle latency`
  std::string unit;               ///< of all values
  std::vector<int> cpu_nodes;     ///< rows, OS numbers, ascending
  std::vector<int> memory_nodes;  ///< columns
  /// Row by row; absent where there is no figure.
  std::vector<std::optional<Figure>> cells;

  const std::optional<Figure>& at(std::size_t row, std::size_t column) const {
    return cells[row * memory_nodes.size() + column];
  }
};

/// The matrices of a profile that have at least one figure: idle latency; read, write and copy
/// bandwidth of one thread and of all threads of a node; first touch.
std::vector<NodeMatrix> node_matrices(const NodesProfile& profile);

/// The map: dark is low and light is high, between the least and the greatest value, with a scale
/// beside it. A cell without a figure is crossed; one with a warning has a corner marked, and the
/// warning in its tip and in the legend. The matrix has at least one row and one column.
Svg heat_map_svg(const NodeMatrix& matrix);

/// The same as rows: a row for each row, and a column for each column.
Table heat_map_table(const NodeMatrix& matrix);

}  // namespace kinjo
