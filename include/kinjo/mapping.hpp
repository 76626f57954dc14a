/// The table thread → place, made once, before any thread runs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <kinjo/place.hpp>
#include <kinjo/policy.hpp>
#include <kinjo/topology.hpp>

namespace kinjo {

/// What to do with more threads than CPUs.
enum class Oversubscribe {
  refuse,  ///< throw
  wrap,    ///< deal the CPUs again from the first; `Mapping::rounds()` says how often
};

/// How many threads a policy has where nobody says: one for each CPU that it may deal.
std::size_t default_threads(const Topology& machine, const Policy& policy);

/// A pure function of a topology, a policy and a number of threads: no system call, no state.
/// A value; it does not refer to the topology afterwards.
class Mapping {
 public:
  /// More threads than any machine runs: whoever asks for more has mistyped, and what is kept of
  /// each would take all memory.
  static constexpr std::size_t kMostThreads = std::size_t{1} << 20;

  /// Deals the machine's allowed CPUs to `threads` threads. Throws `Error` (`invalid_argument`) if
  /// `threads` is 0 or more than `kMostThreads`, if it exceeds the CPUs while `oversubscribe`
  /// refuses that, or if the policy names a CPU that does not exist or may not be used.
  Mapping(const Topology& machine, const Policy& policy, std::size_t threads,
          Oversubscribe oversubscribe = Oversubscribe::refuse);

  /// One thread that nobody places, as policy `none` has it on any machine: none is read for it,
  /// which takes longer than many a small computation.
  static Mapping alone();

  std::size_t size() const { return places_.size(); }
  const Place& operator[](std::size_t thread) const { return places_[thread]; }
  std::span<const Place> places() const { return places_; }
  auto begin() const { return places_.begin(); }
  auto end() const { return places_.end(); }

  const Policy& policy() const { return policy_; }

  /// True unless the policy is `none`.
  bool binds() const { return policy_.kind() != Policy::Kind::none; }

  /// How many times the CPUs were dealt: 1, or more if oversubscribed.
  std::size_t rounds() const { return rounds_; }

  /// The nodes that have threads, in the order in which threads first reach them; −1 stands for
  /// threads without a node.
  std::span<const int> nodes() const { return nodes_; }

  /// The threads on a node, ascending.
  std::vector<int> threads_on(int node) const;

  /// CPUs that share a core with `thread`'s CPU, and all CPUs of its node that may be used.
  const CpuSet& core_cpus(std::size_t thread) const { return core_cpus_[thread]; }
  const CpuSet& node_cpus(std::size_t thread) const { return node_cpus_[thread]; }

 private:
  explicit Mapping(const Policy& policy) : policy_(policy) {}
  void add(const Place& place, const CpuSet& core_cpus, const CpuSet& node_cpus);
  void number_within_nodes();

  Policy policy_;
  std::size_t rounds_ = 1;
  std::vector<Place> places_;
  std::vector<int> nodes_;
  std::vector<CpuSet> core_cpus_;
  std::vector<CpuSet> node_cpus_;
};

}  // namespace kinjo
