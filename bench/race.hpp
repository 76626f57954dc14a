/// Several ways of doing the same, timed in turn so that the machine's drift hits all alike, and
/// how such a comparison is asked for on a command line.
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "processes.hpp"
#include "run_main.hpp"

namespace kinjo::bench {

/// The clock of `time_of`. On a machine that others use as well, that of the process's CPU time
/// still tells one thread's speed.
inline clockid_t chosen_clock = CLOCK_MONOTONIC;

/// Seconds that `f` takes, by the chosen clock.
template <class F>
double time_of(F&& f) {
  const auto now = [] {
    timespec t{};
    clock_gettime(chosen_clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double start = now();
  f();
  return now() - start;
}

/// Frees the calling thread, and what it starts meanwhile, from the CPU to which a team has pinned
/// it: threads and programs take over the CPUs of who starts them, and a peer's would all crowd
/// there.
class FreeAffinity {
 public:
  FreeAffinity() {
    sched_getaffinity(0, sizeof pinned_, &pinned_);
    sched_setaffinity(0, sizeof all_, &all_);
  }
  ~FreeAffinity() { sched_setaffinity(0, sizeof pinned_, &pinned_); }
  FreeAffinity(const FreeAffinity&) = delete;
  FreeAffinity& operator=(const FreeAffinity&) = delete;

 private:
  static cpu_set_t at_start() {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    return set;
  }
  inline static const cpu_set_t all_ = at_start();
  cpu_set_t pinned_;
};

/// One way.
struct Contestant {
  std::string name;
  std::function<void()> call;
  std::vector<double> samples;  // seconds of a call
};

struct RaceOptions {
  std::size_t rounds;
  std::size_t threads;    // that a contestant keeps busy
  double sample_seconds;  // at least, of each contestant in each round
};

/// Seconds of a sample of which what the caches held before is no part that could be seen.
constexpr double kNeedsNoWarmth = 0.25;

/// Takes a sample of each contestant in each round, by `seconds_of`, which takes a function and
/// returns the time that it took. The order turns too, so that nobody always follows the same one.
/// All but the first run free from the team's pins. In processes of their own (`Processes`) only
/// the first knows the samples; the others' are ones.
template <class SecondsOf>
void race(std::vector<Contestant>& all, const RaceOptions& options, SecondsOf&& seconds_of) {
  Processes& processes = Processes::all();
  // OpenBLAS's threads spin for 2^26 cycles after their work, and would take
  // the next one's CPUs; processes are stopped instead.
  const auto rest = std::chrono::milliseconds(options.threads > 1 && processes.alone() ? 60 : 0);
  const auto sample = [&](Contestant& c, std::size_t calls) {
    const auto free = &c == &all[0] ? nullptr : std::make_unique<FreeAffinity>();
    std::this_thread::sleep_for(rest);
    const auto call = [&] {
      for (std::size_t i = 0; i < calls; ++i) c.call();
    };
    const double cold = seconds_of(call);
    if (cold > kNeedsNoWarmth) return cold / static_cast<double>(calls);
    return seconds_of(call) / static_cast<double>(calls);
  };
  const auto take = [&](Contestant& c, std::size_t calls) {
    const bool own = processes.own(c.name);
    if (!processes.is_child()) return own ? sample(c, calls) : processes.turn(c.name, calls);
    if (own) processes.take_turn([&](std::size_t told) { return sample(c, told); });
    return 1.0;
  };
  for (Contestant& c : all) take(c, 1);
  const double once = take(all[0], 1);
  const auto calls =
      static_cast<std::size_t>(std::max(1.0, options.sample_seconds / std::max(once, 1e-8)));
  for (std::size_t r = 0; r < options.rounds; ++r) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      Contestant& c = all[(k + r) % all.size()];
      c.samples.push_back(take(c, calls));
    }
  }
}

/// The parts of a list.
inline std::vector<std::string> split(const std::string& text, char separator = ',') {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// Options that each take a value, with their defaults.
class Options {
 public:
  explicit Options(std::map<std::string, std::string> defaults) : values_(std::move(defaults)) {}

  /// Ends the program with status 2 where `argv` has an option that is not among the defaults.
  void read(int argc, char** argv) {
    for (int i = 1; i < argc; i += 2) {
      const auto known = values_.find(argv[i]);
      if (known == values_.end() || i + 1 == argc) {
        std::fprintf(stderr, "%s: unexpected argument '%s'\n", argv[0], argv[i]);
        std::exit(2);
      }
      known->second = argv[i + 1];
    }
  }
  const std::string& operator[](const std::string& name) const { return values_.at(name); }
  /// Throws `Error` where the value is none.
  std::size_t number(const std::string& name) const { return read_number(values_.at(name), name); }

 private:
  std::map<std::string, std::string> values_;
};

/// A peer's option, which names its library, and the contestants that come from it.
using PeerNames = std::vector<std::pair<std::string, std::string>>;

/// With `--processes own`, a process for each contestant whose library was named.
inline void start_processes(const Options& options, const PeerNames& peers) {
  if (options["--processes"] != "own") return;
  std::vector<std::string> names;
  for (const auto& [option, name] : peers) {
    if (!options[option].empty()) names.push_back(name);
  }
  Processes::all().start(names);
}

}  // namespace kinjo::bench
