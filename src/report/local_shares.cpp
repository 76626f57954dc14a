#include "report/local_shares.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/contract.hpp"
#include "report/configuration.hpp"
#include "report/local_shares_data.hpp"

namespace kinjo {

namespace {

using Json = nlohmann::ordered_json;

PolicyShare read_policy(const std::string& policy, const Json& phases,
                        const std::vector<std::string>& apart) {
  PolicyShare read{policy, {}};
  for (const auto& [phase, bytes] : phases.items()) {
    read.phases.push_back({phase, bytes.at(0).get<std::uint64_t>(),
                           bytes.at(1).get<std::uint64_t>(), std::ranges::count(apart, phase) > 0});
  }
  return read;
}

WorkloadShare read_workload(const Json& json) {
  WorkloadShare read{
      json.at("workload").get<std::string>(), json.at("command").get<std::string>(), {}};
  const auto apart = json.at("apart").get<std::vector<std::string>>();
  for (const auto& [policy, phases] : json.at("policies").items()) {
    read.policies.push_back(read_policy(policy, phases, apart));
  }
  return read;
}

std::string percent(double share) {
  // 99.97 must not become 100.
  return fmt::format("{:.{}f} %", 100 * share, share > 0.995 && share < 1 ? 2 : 1);
}

/// Of one phase; nothing was moved where it moved nothing.
std::string phase_cell(const PolicyShare& policy, const std::string& name) {
  const auto at = std::ranges::find(policy.phases, name, &PhaseShare::phase);
  if (at == policy.phases.end() || at->local + at->other == 0) return "-";
  return percent(static_cast<double>(at->local) / static_cast<double>(at->local + at->other));
}

/// `compact = compact-plus`.
std::string heading(const LocalShares& shares, const std::string& policy) {
  std::string text = policy;
  for (const auto& [other, as] : shares.same) {
    if (as == policy) text += " = " + other;
  }
  return text;
}

/// The policies of all workloads: those of the first one, since all were counted alike.
std::vector<std::string> policies_of(const LocalShares& shares) {
  std::vector<std::string> names;
  if (shares.workloads.empty()) return names;
  for (const PolicyShare& policy : shares.workloads.front().policies)
    names.push_back(policy.policy);
  return names;
}

std::vector<std::string> header(const LocalShares& shares, std::vector<std::string> first) {
  for (const std::string& policy : policies_of(shares)) first.push_back(heading(shares, policy));
  return first;
}

/// Phases of all policies, in the order in which they are met.
std::vector<const PhaseShare*> phases_of(const WorkloadShare& workload) {
  std::vector<const PhaseShare*> all;
  for (const PolicyShare& policy : workload.policies) {
    for (const PhaseShare& phase : policy.phases) {
      const bool known =
          std::ranges::any_of(all, [&](const PhaseShare* p) { return p->phase == phase.phase; });
      if (!known) all.push_back(&phase);
    }
  }
  return all;
}

}  // namespace

double PolicyShare::share() const {
  double local = 0, all = 0;
  for (const PhaseShare& phase : phases) {
    if (phase.apart) continue;
    local += static_cast<double>(phase.local);
    all += static_cast<double>(phase.local + phase.other);
  }
  return all > 0 ? local / all : 0;
}

LocalShares parse_local_shares(std::string_view text) {
  const Json json = Json::parse(text);
  LocalShares shares{.kinjo = json.at("kinjo").get<std::string>(),
                     .counted = json.at("counted").get<std::string>(),
                     .machine = json.at("machine").get<std::string>(),
                     .nodes = json.at("nodes").get<std::size_t>(),
                     .cpus = json.at("cpus").get<std::size_t>(),
                     .threads = json.at("threads").get<std::size_t>()};
  for (const auto& [policy, as] : json.at("same").items()) {
    shares.same.emplace_back(policy, as.get<std::string>());
  }
  for (const Json& workload : json.at("workloads")) {
    shares.workloads.push_back(read_workload(workload));
  }
  return shares;
}

LocalShares stored_local_shares(const std::vector<std::string>& workloads) {
  LocalShares shares = parse_local_shares(local_shares_data());
  std::vector<WorkloadShare> chosen;
  for (const std::string& name : workloads) {
    const auto at = std::ranges::find(shares.workloads, name, &WorkloadShare::workload);
    const bool again = std::ranges::find(chosen, name, &WorkloadShare::workload) != chosen.end();
    const bool counted = at != shares.workloads.end() && !at->policies.empty();
    if (counted && !again) chosen.push_back(*at);
  }
  shares.workloads = std::move(chosen);
  return shares;
}

std::string counted_as(const Record& record) {
  // Built by a chain of threads, which place their memory in another way than those that count.
  const bool diagram = value_text_of(record.parameters, "method") == "diagram";
  return record.workload == "paths" && diagram ? "paths-diagram" : record.workload;
}

std::string local_shares_sentence(const LocalShares& shares) {
  return fmt::format(
      "Counted in the laboratory, not on this machine: which share of the bytes that a computation "
      "loads and stores lies on the node of its thread, on the virtual machine {} with {} nodes "
      "and {} CPUs, {} threads (kinjo {}, {}).",
      shares.machine, shares.nodes, shares.cpus, shares.threads, shares.kinjo, shares.counted);
}

Table local_shares_table(const LocalShares& shares) {
  Table table(header(shares, {"workload"}));
  for (const WorkloadShare& workload : shares.workloads) {
    std::vector<std::string> row = {workload.workload};
    for (const PolicyShare& policy : workload.policies) row.push_back(percent(policy.share()));
    table.add(row);
  }
  return table;
}

Table phase_shares_table(const LocalShares& shares) {
  Table table(header(shares, {"workload", "phase"}));
  for (const WorkloadShare& workload : shares.workloads) {
    for (const PhaseShare* phase : phases_of(workload)) {
      std::vector<std::string> row = {workload.workload,
                                      phase->phase + (phase->apart ? " (apart)" : "")};
      for (const PolicyShare& policy : workload.policies) {
        row.push_back(phase_cell(policy, phase->phase));
      }
      table.add(row);
    }
  }
  return table;
}

}  // namespace kinjo
