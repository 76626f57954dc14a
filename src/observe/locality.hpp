/// How much of a process's memory is near its running threads.
///
/// Let T be the running threads (all threads, by the CPU where each ran last, if none runs), t(n)
/// the fraction of them on node n, and m(n) the fraction of the process's memory there. Who uses
/// which page is not known, so there are three answers:
///
///     near       = Σ m(n) over the nodes with t(n) > 0   the memory that some running thread is
///     near if_shared  = Σ t(n) · m(n)       an access is local so often if all threads use all
///     memory alike if_divided = Σ min(t(n), m(n))   the most that can be local if each thread uses
///     one equal part
///                                      of the memory, the best part for it
///
/// if_shared <= if_divided <= near. Four threads on four nodes with a quarter of the memory each
/// have near = 1, if_shared = 1/4, if_divided = 1; with all of it on one node 1, 1/4, 1/4.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

#include "observe/process_view.hpp"

namespace kinjo {

/// Threads by OS number of their node; −1: no node.
using NodeThreads = std::map<int, std::size_t>;

enum class Counted { all, running };
NodeThreads threads_by_node(const ProcessView& view, Counted which);

/// See the top of this file; fractions from 0 to 1.
struct Locality {
  bool none_running = false;  ///< all threads were counted, since none ran
  double near = 0;
  double if_shared = 0;
  double if_divided = 0;
};

/// Absent where the memory is unknown or there is none.
std::optional<Locality> locality(const ProcessView& view);

}  // namespace kinjo
