/// What the commands of the program share: how they register, and how they end.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/topology.hpp>

#include "placement/ranks.hpp"

namespace kinjo::cli {

/// Exit statuses. `kinjo run` passes its program's status on, and tells its own failures from it as
/// env and timeout do: those are in launch/launch.hpp.
enum Status : int {
  kDone = 0,
  kBadResult = 1,
  kBadUsage = 2,
};

/// Each command adds itself to the program; its callback leaves the exit status in `status`.
void add_topo(CLI::App& app, int& status);
void add_map(CLI::App& app, int& status);
void add_run(CLI::App& app, int& status);
void add_stream(CLI::App& app, int& status);
void add_blas1(CLI::App& app, int& status);
void add_fft(CLI::App& app, int& status);
void add_bfs(CLI::App& app, int& status);
void add_cells(CLI::App& app, int& status);
void add_gemm(CLI::App& app, int& status);
void add_graph500(CLI::App& app, int& status);
void add_paths(CLI::App& app, int& status);
void add_sdp(CLI::App& app, int& status);
void add_tune(CLI::App& app, int& status);
void add_measure(CLI::App& app, int& status);
/// Needs to know whether what it is given is a command or a process.
enum class Target { process, command };
void add_where(CLI::App& app, int& status, Target target);
/// Two commands about the program itself; help lists them apart, under this heading.
inline constexpr const char* kSetup = "Shell and manual";
void add_completion(CLI::App& app, int& status);
void add_man(CLI::App& app, int& status);

/// Output formats for data.
enum class Format { text, json, csv, svg };

/// Options that mean the same in every command that has them. Defaults come from the environment
/// (`KINJO_INPUT`, `KINJO_POLICY`, `KINJO_THREADS`, `KINJO_BIND`); a flag beats a variable.
struct MachineOption {
  std::string input;  ///< empty: this machine
  void add_to(CLI::App& command);
  Topology load() const;
};
struct PlacementOptions {
  std::string policy = "scatter";
  std::string threads;  ///< empty: one for each allowed CPU
  bool oversubscribe = false;
  /// `counted`: what the command calls its threads.
  void add_to(CLI::App& command, const std::string& counted = "threads");
  Mapping mapping(const Topology& machine) const;
  /// That of one of several processes, which share the machine by the policy.
  Mapping mapping(const Topology& machine, detail::Rank rank) const;
};

/// Where data goes: standard output, or a file that is replaced when all of it is there.
struct OutputOption {
  std::string file;  ///< empty: standard output
  void add_to(CLI::App& command);
  void write(const std::string& text) const;
};

/// A file and the option that names it; an empty path is none.
struct NamedFile {
  const char* option;
  std::string path;
};

/// Throws `Error` (`invalid_argument`) if two of them are one, of which only the last would be
/// left. Devices may be named twice.
void check_apart(const std::vector<NamedFile>& files);

/// Reads a number of threads; throws `Error` that says what is accepted.
std::size_t parse_threads(const std::string& text);

/// Reads `4`, `1,2,4`, or `all`: 1, 2, 4 … and `cpus`.
std::vector<std::size_t> parse_thread_counts(const std::string& text, std::size_t cpus);

/// Reads bytes that may be taken, one or more; throws `Error` that says what is accepted.
std::uint64_t parse_memory_limit(const std::string& text);

/// Checks an option's word: a file's name, or another that is expected and may not be empty.
CLI::Validator not_empty(const std::string& expected = "a name");

/// Checks an option's words: whole numbers, none below `least`, in as many bits as the option has.
CLI::Validator whole_number(std::uint64_t least = 0, std::uint64_t most = ~std::uint64_t{0});

/// Checks an option's word: a number with or without a fraction.
CLI::Validator any_number();

/// Adds `--repeat`; `help` says what is done so often.
void add_repeat(CLI::App& command, std::size_t& repeat, const std::string& help);

/// Adds `--report`: the page's name.
void add_report(CLI::App& command, std::string& report);

/// Adds `--bind`, or `KINJO_BIND`: what threads are held to, for `parse_bind_level`.
void add_bind(CLI::App& command, std::string& bind);

/// Adds `--format` with those of the formats that the command has.
void add_format(CLI::App& command, Format& format, const std::vector<Format>& choices);

/// The options that `add` adds to a command: one of two ways in which it is used.
std::vector<const CLI::Option*> added(CLI::App& command, const std::function<void()>& add);

/// Throws `Error` if any of the options is given: `--NAME WHY`.
void need_none(const std::vector<const CLI::Option*>& options, const std::string& why);

/// One line on standard error for people: notes go there, data to standard output.
void note(const std::string& text);

/// Writes all of `text` to standard output; throws `Error` (`system`) if that fails (a full disk,
/// a closed pipe), so that nothing half-written passes for a result.
void print(const std::string& text);

}  // namespace kinjo::cli
