/// The options of `kinjo tune`, from the command line and from a journal.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "command.hpp"

namespace kinjo::cli {

/// What is needed to ask for the same sweep again.
struct TuneSettings {
  std::vector<std::string> policies = {"all"};
  std::string threads = "all";  ///< empty: those of the suite
  std::vector<std::string> memory = {"inherited"};
  std::string bind = "cpu";
  std::string openmp = "auto";
  bool oversubscribe = false;
  std::optional<std::size_t> rounds;
  std::optional<std::size_t> pairs;
  std::optional<double> budget_s;
  std::optional<double> timeout_s;
  double least_gain_percent = 1;
  std::string metric;
  std::string better;  ///< `higher` or `lower`; empty: lower
  std::string ignore;
  std::vector<std::string> thread_variables;
  std::vector<std::string> parameters;  ///< of workloads, `NAME=VALUE` or `WORKLOAD.NAME=VALUE`
  std::string suite;                    ///< `quick` or `full`; empty: none
  std::vector<std::string> words;       ///< workloads, or a command and its arguments
  bool is_command = false;

  nlohmann::ordered_json to_json() const;
  /// Throws nlohmann's exceptions.
  static TuneSettings from_json(const nlohmann::ordered_json& json);

  std::vector<Policy> parsed_policies() const;
  /// Memory policies, the empty text for `inherited`.
  std::vector<std::string> parsed_memory(const Topology& machine) const;
  /// Those that are for every workload and those for this one; what is set last counts.
  std::vector<std::pair<std::string, std::string>> parsed_parameters(
      const std::string& workload) const;
};

struct TuneOptions {
  TuneSettings settings;
  Format format = Format::text;
  std::string journal;
  std::string resume;
  std::string report;
  std::string picture;
  bool verbose = false;
  /// Whether `--bind` was given; a value of KINJO_BIND, which is for all commands, does not count.
  bool bind_given() const;
  const CLI::Option* bind_option = nullptr;
  /// Whether `--threads` was given: a suite has its own numbers.
  bool threads_given() const { return threads_option->count() > 0; }
  const CLI::Option* threads_option = nullptr;
  void add_to(CLI::App& command);
};

}  // namespace kinjo::cli
