/// kinjo run: starts an unmodified program with its threads pinned and its memory placed.
///
/// Everything is arranged beforehand (the process's mask, its memory policy, its environment) and
/// the program then takes this process's place, so that signals and its exit status need nobody to
/// pass them on.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <kinjo/binding.hpp>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "command.hpp"
#include "launch/environment.hpp"
#include "launch/preloading.hpp"
#include "launch/program.hpp"
#include "memory/memory_choice.hpp"

namespace kinjo::cli {

namespace {

struct RunOptions {
  PlacementOptions placement;
  std::string bind = "cpu";
  std::string memory;  ///< empty: as inherited
  std::string openmp = "auto";
  bool verbose = false;
  std::vector<std::string> command;
};

/// By what the program's threads are pinned.
enum class Method {
  nothing,      ///< policy none, or the system refuses
  process,      ///< all threads together, to the CPUs of all places
  environment,  ///< the OpenMP runtime
  preload,      ///< the preloaded library
};

enum class OpenMp { automatic, yes, no };

OpenMp parse_openmp(const std::string& text) {
  if (text == "auto") return OpenMp::automatic;
  if (text == "yes") return OpenMp::yes;
  if (text == "no") return OpenMp::no;
  throw Error(Errc::invalid_argument,
              fmt::format("unknown answer '{}' to --openmp: expected auto, yes or no", text));
}

/// One start of a program, from its options to exec.
class Launch {
 public:
  explicit Launch(const RunOptions& options)
      : options_(options),
        level_(parse_bind_level(options.bind)),
        openmp_(parse_openmp(options.openmp)),
        machine_(Topology::discover()),
        mapping_(options.placement.mapping(machine_)) {
    if (!options.memory.empty()) memory_ = detail::parse_memory(options.memory, machine_);
  }

  /// Returns only if the program could not be started, with the status to end with.
  int start();

 private:
  void place_memory() const;
  Method choose_method() const;
  bool uses_openmp() const;
  /// Holds the process to the CPUs of all places; false if the system refuses.
  bool hold_process() const;
  void use_environment() const;
  void use_preload();
  int exec() const;
  void explain(const std::string& line) const {
    if (options_.verbose) note(line);
  }

  const RunOptions& options_;
  BindLevel level_;
  OpenMp openmp_;
  Topology machine_;
  Mapping mapping_;
  std::optional<detail::MemoryChoice> memory_;
  std::string path_;
  detail::Executable executable_;
  std::optional<detail::PreloadWatcher> watcher_;
};

int Launch::start() {
  const detail::FoundProgram found = detail::find_program(options_.command[0]);
  if (found.error != 0) {
    note(fmt::format("cannot start {}: {}", options_.command[0],
                     found.error == ENOENT ? "not found" : "not an executable file"));
    return found.error == ENOENT ? kNotFound : kNotExecutable;
  }
  detail::clear_preload_environment();
  path_ = found.path;
  executable_ = detail::find_executable(path_);
  place_memory();
  switch (choose_method()) {
    case Method::nothing:
      // Without a policy the number of threads is still ours to tell, if somebody asked for it.
      if (uses_openmp() && !options_.placement.threads.empty()) use_environment();
      break;
    case Method::process:
      break;
    case Method::environment:
      use_environment();
      break;
    case Method::preload:
      use_preload();
      break;
  }
  return exec();
}

void Launch::place_memory() const {
  if (!memory_) return explain("memory policy: as inherited");
  if (const std::string refusal = detail::apply_memory(*memory_); !refusal.empty()) {
    return note(refusal);
  }
  explain(fmt::format("memory policy {}{}{}", memory_->text,
                      memory_->nodes.empty() ? "" : ", nodes ", memory_->nodes.to_string()));
}

Method Launch::choose_method() const {
  if (!mapping_.binds()) {
    explain("policy none: nothing is pinned");
    return Method::nothing;
  }
  if (!hold_process()) return Method::nothing;
  explain(fmt::format("policy {}, {} threads, each bound to its {}: places {}",
                      mapping_.policy().name(), mapping_.size(), to_string(level_),
                      detail::places_text(mapping_, level_)));
  if (uses_openmp()) return Method::environment;
  if (const std::string obstacle = detail::preload_obstacle(executable_); !obstacle.empty()) {
    note(fmt::format("{} {}; its threads are not pinned one by one, all of them may use CPUs {}",
                     executable_.path, obstacle,
                     detail::all_place_cpus(mapping_, level_).to_string()));
    return Method::process;
  }
  return Method::preload;
}

bool Launch::uses_openmp() const {
  if (openmp_ != OpenMp::automatic) return openmp_ == OpenMp::yes;
  for (const std::string& library : executable_.elf.needed) {
    if (detail::is_openmp_runtime(library)) return true;
  }
  return false;
}

bool Launch::hold_process() const {
  try {
    set_thread_affinity(detail::all_place_cpus(mapping_, level_));
    return true;
  } catch (const Error& refusal) {
    note(fmt::format("{}; threads run where the system puts them instead", refusal.what()));
    return false;
  }
}

void Launch::use_environment() const {
  // These would overrule OMP_PLACES in one runtime or the other.
  unsetenv("GOMP_CPU_AFFINITY");
  unsetenv("KMP_AFFINITY");
  std::string shown;
  for (const auto& [name, value] : detail::openmp_variables(mapping_, level_)) {
    setenv(name.c_str(), value.c_str(), 1);
    shown += fmt::format(" {}={}", name, value);
  }
  explain(fmt::format("an OpenMP program, told by{}", shown));
  if (!options_.verbose || !mapping_.binds()) return;
  // The runtime then says itself where its threads are. Who has asked for another form keeps it.
  setenv("OMP_DISPLAY_AFFINITY", "TRUE", 0);
  setenv("OMP_AFFINITY_FORMAT", "kinjo: process %P: OpenMP thread %n runs on CPUs %A", 0);
}

void Launch::use_preload() {
  const std::string library = detail::find_preload_library();
  detail::set_preload_environment(library, detail::places_text(mapping_, level_), options_.verbose);
  // Runtimes that are loaded later, or by a program that a script starts, count the CPUs of the
  // main thread's mask, which is one place; this tells them how many there are.
  setenv("OMP_NUM_THREADS", std::to_string(mapping_.size()).c_str(), 1);
  watcher_.emplace(fmt::format(
      "kinjo: {} ran without the preloaded library {}; its threads were not pinned one by one, all "
      "of them could use CPUs {}\n",
      path_, library, detail::all_place_cpus(mapping_, level_).to_string()));
  explain(fmt::format("threads are pinned by the preloaded library {}", library));
}

int Launch::exec() const {
  std::vector<char*> arguments;
  for (const std::string& argument : options_.command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  // execvp gives a file without a known format to the shell, as env does; an ELF file for another
  // machine is no shell script.
  if (executable_.elf.kind == detail::ElfFile::Kind::foreign) {
    execv(path_.c_str(), arguments.data());
  } else {
    execvp(path_.c_str(), arguments.data());
  }
  const int error = errno;
  if (watcher_) watcher_->dismiss();
  note(fmt::format("cannot start {}: exec returned {}", path_, detail::errno_name(error)));
  return error == ENOENT ? kNotFound : kNotExecutable;
}

const char* const kFooter =
    "Example: two threads on different nodes, memory dealt page by page to all nodes\n"
    "  kinjo run --policy scatter --threads 2 --memory interleave -- ./solve input.dat\n\n"
    "Exit status: the program's own; 125 if kinjo fails, 126 if the program cannot be executed,\n"
    "127 if it is not found. See docs/run.md for what cannot be pinned.";

void add_options(CLI::App& command, RunOptions& options) {
  options.placement.add_to(command);
  command.add_option("--bind", options.bind, "what a thread is held to: cpu, core or node")
      ->envname("KINJO_BIND")
      ->capture_default_str();
  command
      .add_option("--memory", options.memory,
                  "local, interleave, interleave:NODES, bind:NODES or preferred:NODES; default: as "
                  "inherited")
      ->envname("KINJO_MEMORY")
      ->type_name("POLICY");
  command
      .add_option("--openmp", options.openmp,
                  "whether it is an OpenMP program, pinned by its own runtime: auto, yes or no")
      ->capture_default_str();
  command.add_flag("-v,--verbose", options.verbose, "say what is pinned where, and how");
  command
      .add_option("CMD", options.command,
                  "the program and its arguments; options that follow -- are the program's own")
      ->required()
      ->type_name("ARGS");
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("run", "Start a program with its threads pinned and its memory placed");
  const auto options = std::make_shared<RunOptions>();
  add_options(*command, *options);
  command->footer(kFooter);
  command->callback([options, &status] { status = Launch(*options).start(); });
}

}  // namespace kinjo::cli
