/// What a thread must know about where it is.
#pragma once

namespace kinjo {

/// The place of one thread, a row of a `Mapping`. All numbers are −1 where the policy leaves the
/// thread to the system.
struct Place {
  int thread = -1;        ///< 0 … threads−1
  int cpu = -1;           ///< OS number of the CPU
  int node = -1;          ///< OS number of the node, −1: the CPU has no node with memory
  int package = -1;       ///< OS number of the package
  int core = -1;          ///< rank of the core in its package
  int smt = -1;           ///< rank in the core
  int rank_in_node = -1;  ///< 0 … node_threads−1, in the order of threads
  int node_threads = 0;   ///< threads of the mapping on this node

  bool operator==(const Place&) const = default;
};

namespace detail {
/// The calling thread's place; set by `Binding` and `Team` alone.
inline constexpr Place kNowhere{};
inline constinit thread_local const Place* tls_here = &kNowhere;
}  // namespace detail

/// The calling thread's place: one load from thread-local memory, no system call. A thread that
/// nobody has bound is at the default `Place`, whose numbers are −1.
inline const Place& here() noexcept { return *detail::tls_here; }

}  // namespace kinjo
