/// DIMACS's graphs: of the colouring challenge, and of the one on shortest paths.
///
///     .col   c comment                   .gr    c comment
///            p edge VERTICES EDGES              p sp VERTICES ARCS
///            e U V                              a U V WEIGHT
///
/// Vertices are counted from 1. `p col` and `p edges` say the same as `p edge`; lines of a `.col`
/// that begin with n, d, v or x say nothing of edges and are passed over.
#pragma once

#include <string>
#include <string_view>

#include <kinjo/network.hpp>

namespace kinjo::paths::detail {

enum class Dimacs { colouring, shortest_paths };

/// An edge for each `e` or `a`; loops and repetitions stay. There must be as many as the `p` line
/// says. Throws `Error` (`cannot read 'FILE': line N: …`).
Network parse_dimacs(std::string_view text, const std::string& file, Dimacs kind);

}  // namespace kinjo::paths::detail
