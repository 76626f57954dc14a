/// What commands share that run a computation under several configurations.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/memory.hpp>
#include <kinjo/topology.hpp>

#include "measure/record.hpp"

namespace kinjo::cli {

/// Policies, numbers of threads, and how threads are held.
struct ConfigurationOptions {
  std::vector<std::string> policies;
  std::string threads;
  bool oversubscribe = false;
  std::string bind = "cpu";

  void add_to(CLI::App& command);
  /// Every policy with every number of threads. Without numbers, all of them where policies are
  /// swept (`all`), else every allowed CPU. `policies` must not be empty.
  std::vector<Mapping> mappings(const Topology& machine) const;
  /// The same where policies are asked for; else one thread is left alone and several are
  /// scattered, and without numbers there is one.
  std::vector<Mapping> mappings_or_alone(const Topology& machine) const;

 private:
  std::vector<Policy> parsed_policies() const;
  std::vector<std::size_t> thread_counts(std::size_t cpus) const;
};

/// The parts of all values of an option, which may be lists between commas.
std::vector<std::string> parts_of(const std::vector<std::string>& values);

/// A value of a record's result, or null.
const Value* find_result(const Record& record, const std::string& name);

/// Notes refusals, and what a verifier found: `DESCRIPTION, compact with 2 threads: FAULT`.
void note_faults(std::span<const Record> records,
                 const std::function<std::string(const Record&)>& describe);

/// 0, or 1 if a record's verification failed.
int status_of(std::span<const Record> records);

/// The option `--pages`, whose value `parse_pages` reads.
void add_pages(CLI::App& command, std::string& pages);
Pages parse_pages(const std::string& pages);

}  // namespace kinjo::cli
