/// Which share of each computation's bytes lies on the node of the thread that moves them, as the
/// laboratory has counted it: stored counts of a virtual machine, never measured where a report is
/// made (docs/laboratory.md). `scripts/lab_shares` writes them, local_shares.json keeps them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/record.hpp"
#include "report/picture.hpp"
#include "report/table.hpp"

namespace kinjo {

/// Bytes that a phase's instructions loaded and stored.
struct PhaseShare {
  std::string phase;
  std::uint64_t local = 0;  ///< on the node of the CPU
  std::uint64_t other = 0;
  bool apart = false;  ///< not the computation, or work within a cache, or waiting
};

/// One workload under one policy.
struct PolicyShare {
  std::string policy;
  std::vector<PhaseShare> phases;
  /// Of all phases that are not apart, from 0 to 1; 0 where nothing was moved.
  double share() const;
};

struct WorkloadShare {
  std::string workload;
  std::string command;  ///< that was counted, `POLICY` standing for the policy
  std::vector<PolicyShare> policies;
};

struct LocalShares {
  std::string kinjo;    ///< version that was counted
  std::string counted;  ///< when, `2026-11-22`
  std::string machine;  ///< its name in the laboratory
  std::size_t nodes = 0;
  std::size_t cpus = 0;
  std::size_t threads = 0;
  /// A policy that places these threads as another one does, and that one.
  std::vector<std::pair<std::string, std::string>> same;
  std::vector<WorkloadShare> workloads;
};

/// Reads kinjo-local-shares/1. Throws nlohmann's exceptions: what the program holds is whole.
LocalShares parse_local_shares(std::string_view json);

/// Those that the program holds of the named workloads, in their order; of others nothing.
LocalShares stored_local_shares(const std::vector<std::string>& workloads);

/// The name under which the counts of such a record's computation are stored.
std::string counted_as(const Record& record);

/// One sentence that says what they are, and that they are not this machine's.
std::string local_shares_sentence(const LocalShares& shares);

/// A row for each workload, a column of per cents for each policy.
Table local_shares_table(const LocalShares& shares);

/// A row for each workload and phase.
Table phase_shares_table(const LocalShares& shares);

/// A bar for each workload and policy. There must be a workload.
Picture local_shares_picture(const LocalShares& shares);

}  // namespace kinjo
