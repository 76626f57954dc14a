/// The last step of construction: loose rows into the parts of a graph.
#pragma once

#include "graph/graph_data.hpp"
#include "graph/row_sort.hpp"

namespace kinjo::graph::detail {

/// What the neighbours in loose rows are numbered by.
enum class Names {
  internal,  ///< as the graph will have them
  callers,   ///< they are renamed while they are copied
};

/// Copies the rows of each part, in the order of internal numbers, into memory of its node, by
/// threads of that node. `graph.parts`, `to_caller` and `to_internal` say which rows; fills in the
/// parts and what they point to, with so many columns of first neighbours. A single part gets the
/// memory of `spare`, if it suffices; its rows stay where they are, and their memory becomes its,
/// if they lie there as they shall.
void assemble(Team& team, LooseRows& rows, Names names, std::size_t columns, Pages pages,
              Buffer spare, GraphData& graph);

}  // namespace kinjo::graph::detail
