#include "launch/launch.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/initial_affinity.hpp"
#include "base/run_places.h"
#include "base/text.hpp"
#include "launch/preloading.hpp"

namespace kinjo::detail {

namespace {

std::string locate_program(const std::string& command) {
  const FoundProgram found = find_program(command);
  if (found.error == 0) return found.path;
  const bool missing = found.error == ENOENT;
  throw LaunchError(missing ? kProgramNotFound : kNotExecutable,
                    missing ? Errc::not_found : Errc::not_permitted,
                    fmt::format("cannot start {}: {}", command,
                                missing ? "not found" : "not an executable file"));
}

}  // namespace

OpenMp parse_openmp(const std::string& text) {
  if (text == "auto") return OpenMp::automatic;
  if (text == "yes") return OpenMp::yes;
  if (text == "no") return OpenMp::no;
  throw Error(Errc::invalid_argument,
              fmt::format("unknown answer '{}' to --openmp: expected auto, yes or no", text));
}

// ---- Preparing ----------------------------------------------------------------------------------

Launch::Launch(LaunchRequest request)
    : request_(std::move(request)),
      path_(locate_program(request_.command.at(0))),
      executable_(find_executable(path_)) {
  Environment environment = Environment::inherited();
  clear_preload(environment);
  environment.set(request_.variables);
  free_ = prepare_free(environment);
  if (!request_.mapping.binds()) return;
  held_ = all_place_cpus(request_.mapping, request_.level);
  method_ = choose_method();
  pinned_ = prepare_pinned(environment);
}

bool Launch::uses_openmp() const {
  if (request_.openmp != OpenMp::automatic) return request_.openmp == OpenMp::yes;
  for (const std::string& library : executable_.elf.needed) {
    if (is_openmp_runtime(library)) return true;
  }
  return false;
}

LaunchMethod Launch::choose_method() const {
  if (uses_openmp()) return LaunchMethod::environment;
  return preload_obstacle(executable_).empty() ? LaunchMethod::preload : LaunchMethod::process;
}

std::string Launch::describe_openmp(const Variables& variables) const {
  std::string shown;
  for (const auto& [name, value] : variables) shown += fmt::format(" {}={}", name, value);
  return fmt::format("an OpenMP program, told by{}", shown);
}

Launch::Outcome Launch::prepare_free(const Environment& environment) const {
  Outcome outcome{environment, {}};
  if (request_.verbose && !request_.mapping.binds()) {
    outcome.lines.push_back("policy none: nothing is pinned");
  }
  // Without a policy the number of threads is still ours to tell, if somebody asked for it.
  if (!request_.tell_threads || !uses_openmp()) return outcome;
  const Variables threads = {{"OMP_NUM_THREADS", std::to_string(request_.mapping.size())}};
  outcome.environment.set(threads);
  if (request_.verbose) outcome.lines.push_back(describe_openmp(threads));
  return outcome;
}

Launch::Outcome Launch::prepare_pinned(const Environment& environment) {
  Outcome outcome{environment, {}};
  const Mapping& mapping = request_.mapping;
  const std::string places = places_text(mapping, request_.level);
  if (request_.verbose) {
    outcome.lines.push_back(fmt::format("policy {}, {} threads, each bound to its {}: places {}",
                                        mapping.policy().name(), mapping.size(),
                                        to_string(request_.level), places));
  }
  // Also where nothing is preloaded: a program that uses kinjo deals the CPUs of all places itself.
  outcome.environment.set(KINJO_RUN_PLACES, places);
  switch (method_) {
    case LaunchMethod::environment:
      prepare_openmp(outcome);
      break;
    case LaunchMethod::preload:
      prepare_preload(outcome);
      break;
    case LaunchMethod::process:
    case LaunchMethod::nothing:
      obstacle_ =
          fmt::format("{} {}; its threads are not pinned one by one, all of them may use CPUs {}",
                      executable_.path, preload_obstacle(executable_), held_.to_string());
      outcome.lines.push_back(obstacle_);
      break;
  }
  return outcome;
}

void Launch::prepare_openmp(Outcome& outcome) const {
  // These would overrule OMP_PLACES in one runtime or the other.
  outcome.environment.unset("GOMP_CPU_AFFINITY");
  outcome.environment.unset("KMP_AFFINITY");
  const Variables variables = openmp_variables(request_.mapping, request_.level);
  outcome.environment.set(variables);
  if (!request_.verbose) return;
  outcome.lines.push_back(describe_openmp(variables));
  // The runtime then says itself where its threads are. Who has asked for another form keeps it.
  for (const auto& [name, value] :
       Variables{{"OMP_DISPLAY_AFFINITY", "TRUE"},
                 {"OMP_AFFINITY_FORMAT", "kinjo: process %P: OpenMP thread %n runs on CPUs %A"}}) {
    if (!outcome.environment.find(name)) outcome.environment.set(name, value);
  }
}

void Launch::prepare_preload(Outcome& outcome) {
  const std::string library = find_preload_library();
  set_preload(outcome.environment, library, request_.verbose);
  // Runtimes that are loaded later, or by a program that a script starts, count the CPUs of the
  // main thread's mask, which is one place; this tells them how many there are.
  outcome.environment.set("OMP_NUM_THREADS", std::to_string(request_.mapping.size()));
  // Nor may they move threads from their places: libomp and libiomp5 give each thread the main
  // thread's mask unless they are told to leave masks alone.
  for (const char* name : {"OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY"}) {
    outcome.environment.unset(name);
  }
  outcome.environment.set("KMP_AFFINITY", "disabled");
  allow_sanitizer(outcome.environment);
  complaint_ = fmt::format(
      "kinjo: {} ran without the preloaded library {}; its threads were not pinned one by one, all "
      "of them could use CPUs {}\n",
      path_, library, held_.to_string());
  if (request_.verbose) {
    outcome.lines.push_back(fmt::format("threads are pinned by the preloaded library {}", library));
  }
}

// ---- Becoming -----------------------------------------------------------------------------------

Launch::Failure Launch::become(const Note& note, const Begins& begins) const {
  try {
    place_memory(note);
    const bool held = request_.mapping.binds() ? hold_process(note) : leave_place(note);
    const Outcome& outcome = held ? pinned_ : free_;
    for (const std::string& line : outcome.lines) note(line);
    return execute(outcome.environment, held ? method_ : LaunchMethod::nothing, begins);
  } catch (const std::bad_alloc&) {
    return {kLaunchFailed, "there is not enough memory"};
  } catch (const std::exception& error) {
    return {kLaunchFailed, error.what()};
  }
}

void Launch::place_memory(const Note& note) const {
  const auto& memory = request_.memory;
  if (!memory) {
    if (request_.verbose) note("memory policy: as inherited");
    return;
  }
  if (const std::string refusal = apply_memory(*memory); !refusal.empty()) return note(refusal);
  if (!request_.verbose) return;
  note(fmt::format("memory policy {}{}{}", memory->text, memory->nodes.empty() ? "" : ", nodes ",
                   memory->nodes.to_string()));
}

bool Launch::hold_process(const Note& note) const {
  try {
    set_thread_affinity(held_);
    return true;
  } catch (const Error& refusal) {
    note(fmt::format("{}; threads run where the system puts them instead", refusal.what()));
    return false;
  }
}

bool Launch::leave_place(const Note& note) const {
  const char* const places = std::getenv(KINJO_RUN_PLACES);
  if (places == nullptr) return false;
  try {
    // It was meant for the main thread, not for the whole of another program.
    const CpuSet now = thread_affinity();
    const CpuSet all = with_all_places(now, places);
    if (!(all == now)) set_thread_affinity(all);
  } catch (const Error& refusal) {
    note(fmt::format("{}; the program is held to the place that `kinjo run` gave to kinjo",
                     refusal.what()));
  }
  return false;
}

Launch::Failure Launch::execute(Environment environment, LaunchMethod method,
                                const Begins& begins) const {
  std::optional<PreloadWatcher> watcher;
  if (method == LaunchMethod::preload) {
    watcher.emplace(complaint_);
    watcher->announce(environment);
  }
  std::vector<char*> arguments;
  for (const std::string& argument : request_.command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  const std::vector<char*> variables = environment.pointers();
  if (begins) begins();
  // execvpe gives a file without a known format to the shell, as env does; an ELF file for another
  // machine is no shell script.
  if (executable_.elf.kind == ElfFile::Kind::foreign) {
    execve(path_.c_str(), arguments.data(), variables.data());
  } else {
    execvpe(path_.c_str(), arguments.data(), variables.data());
  }
  const int error = errno;
  return {error == ENOENT ? kProgramNotFound : kNotExecutable,
          fmt::format("cannot start {}: exec returned {}", path_, errno_name(error))};
}

}  // namespace kinjo::detail
