#include "measure/clock_probe.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/cycle_clock.hpp"
#include "measure/agreement.hpp"
#include "measure/calibration.hpp"
#include "measure/keep.hpp"
#include "measure/sampling.hpp"
#include "measure/together.hpp"
#include "simd/operation_kernels.hpp"

namespace kinjo {

namespace {

using detail::Operation;

using Form = OperationForm;

const char* to_string(Form form) {
  switch (form) {
    case Form::integer:
      return "integer";
    case Form::scalar:
      return "scalar";
    case Form::vector:
      return "vector";
  }
  return "unknown";
}

struct Chain {
  Operation operation;
  Form form;
};

std::vector<Chain> chains() {
  std::vector<Chain> all = {{Operation::add, Form::integer}, {Operation::multiply, Form::integer}};
  for (Form form : {Form::scalar, Form::vector}) {
    all.push_back({Operation::add, form});
    all.push_back({Operation::multiply, form});
    if (detail::has_fma()) all.push_back({Operation::fma, form});
  }
  return all;
}

/// n operations of a chain. The values neither overflow nor become subnormal, however long it is.
void work_through(Chain chain, std::size_t n) {
  const double y = chain.operation == Operation::fma ? 0.5 : 1;
  switch (chain.form) {
    case Form::integer:
      return keep(detail::integer_chain(chain.operation, 1, 3, n));
    case Form::scalar:
      return keep(detail::scalar_chain(chain.operation, 1, y, 0.5, n));
    case Form::vector: {
      std::vector<double> lanes(detail::vector_lanes(), 1.0);
      detail::vector_chain(chain.operation, lanes.data(), y, 0.5, n);
      return keep(lanes.front());
    }
  }
}

/// Work that thread 0 of a team does and times.
template <class Work>
TimedWork timed_in(Team& team, Work work) {
  return [&team, work](std::size_t repetitions) {
    double took = 0;
    team.run([&](const Place& me) {
      if (me.thread != 0) return;
      const double begin = now_seconds();
      work(repetitions);
      took = now_seconds() - begin;
    });
    return took;
  };
}

class ClockProbe {
 public:
  ClockProbe(const Topology& machine, const ProbeOptions& options, const ProgressSink& progress)
      : machine_(machine),
        options_(options),
        progress_(progress),
        chains_(chains()),
        one_(threads_on(machine, {machine.allowed_cpus().first()})) {}

  ClockProfile run() {
    ClockProfile profile{.counter = detail::counter_name(),
                         .invariant = detail::counter_is_invariant()};
    measure_frequency(profile);
    announce("cost of reading the counter");
    profile.read_ns = measure_reading();
    measure_agreement(profile);
    for (const Chain& chain : chains_) profile.latencies.push_back(measure_latency(chain));
    announce("core frequency");
    profile.core_frequency_hz = measure_core_frequency(one_, options_);
    announce("peak of one thread");
    profile.peak_gflops_one = measure_peak(one_);
    announce("peak of all threads");
    Team all(threads_on(machine_, machine_.allowed_cpus()));
    profile.peak_gflops_all = measure_peak(all);
    return profile;
  }

 private:
  /// Frequency, reading, agreement, core frequency and two peaks, besides the chains.
  std::size_t steps() const { return 6 + chains_.size(); }

  void announce(const std::string& what) {
    if (progress_) progress_({done_, steps(), what});
    ++done_;
  }

  void measure_frequency(ClockProfile& profile) {
    announce("frequency of the counter");
    constexpr int kTries = 50;
    constexpr double kLeastWindow = 0.01;  // keeps a bracket of 50 ns below 5 ppm
    const std::size_t windows = std::max<std::size_t>(options_.samples, 1);
    const double window =
        std::max(kLeastWindow, options_.budget_seconds / static_cast<double>(windows));
    std::vector<BracketedReading> readings;
    one_.run([&](const Place&) {
      readings.push_back(read_bracketed(kTries));
      for (std::size_t w = 0; w < windows; ++w) {
        // Asleep, so that a counter that stops with the core is found out.
        std::this_thread::sleep_for(std::chrono::duration<double>(window));
        readings.push_back(read_bracketed(kTries));
      }
    });
    const Calibration calibration = calibrate(readings, reference_step_ns());
    profile.frequency_hz = {.summary = summarize(calibration.samples_hz), .unit = "Hz"};
    profile.frequency_error_ppm = error_ppm(calibration, profile.frequency_hz.summary.median);
    if (!calibration.steady) {
      profile.frequency_hz.warning =
          "no one frequency agrees with all readings: the counter and CLOCK_MONOTONIC_RAW drift "
          "against each other";
    }
  }

  Figure measure_reading() {
    const TimedWork work = timed_in(one_, [](std::size_t n) {
      for (std::size_t i = 0; i < n; ++i) keep(detail::read_counter());
    });
    return measure(options_, "ns", work, [](double seconds) { return seconds * 1e9; });
  }

  void measure_agreement(ClockProfile& profile) {
    announce("agreement of the counters");
    if (!machine_.support().bind_threads || machine_.allowed_cpus().count() < 2) return;
    constexpr std::size_t kMost = 5000;
    const int first = machine_.allowed_cpus().first();
    std::vector<OffsetBounds> others;
    for (int cpu : machine_.allowed_cpus()) {
      if (cpu == first) continue;
      Team pair(threads_on(machine_, {first, cpu}));
      others.push_back(bound_offset(exchange_messages(pair, kMost, options_.budget_seconds)));
    }
    const Agreement agreement = judge_offsets(others);
    profile.agrees = agreement.agrees;
    profile.disagreement_ns = agreement.most_counts / profile.frequency_hz.summary.median * 1e9;
  }

  OperationLatency measure_latency(Chain chain) {
    announce(fmt::format("latency of {} {}", to_string(chain.form), to_string(chain.operation)));
    return measure_operation_latency(one_, chain.operation, chain.form, options_);
  }

  Figure measure_peak(Team& team) {
    const double operations =
        detail::burst_flops<double>(detail::Arithmetic::fma) * static_cast<double>(team.size());
    const TimedWork work = [&](std::size_t repetitions) {
      // Every lane nears 1, its fixed point, and stays there.
      return run_together(team, [&](const Place&) {
        keep(detail::burst(detail::Arithmetic::fma, 1.0, 0.5, 0.5, repetitions));
      });
    };
    return measure(options_, "GFLOP/s", work,
                   [&](double seconds) { return operations / seconds / 1e9; });
  }

  const Topology& machine_;
  const ProbeOptions& options_;
  const ProgressSink& progress_;
  const std::vector<Chain> chains_;
  Team one_;
  std::size_t done_ = 0;
};

}  // namespace

OperationLatency measure_operation_latency(Team& team, Operation operation, OperationForm form,
                                           const ProbeOptions& options) {
  const auto seconds_of = [&](Chain c) {
    return timed_in(team, [c](std::size_t n) { work_through(c, n); });
  };
  const TimedWork unit = seconds_of({Operation::add, Form::integer});
  const TimedWork work = seconds_of({operation, form});
  const double least = least_sample_seconds(options);
  const std::size_t unit_steps = calibrate_repetitions(unit, least);
  const std::size_t steps = calibrate_repetitions(work, least);
  const Figure cycles = take_samples(options, "cycles", [&] {
    const double cycle = unit(unit_steps) / static_cast<double>(unit_steps);
    return work(steps) / static_cast<double>(steps) / cycle;
  });
  return {to_string(operation), to_string(form), cycles};
}

Figure measure_core_frequency(Team& team, const ProbeOptions& options) {
  const TimedWork work = timed_in(team, [](std::size_t n) {
    work_through({Operation::add, Form::integer}, n);
  });
  return measure(options, "Hz", work, [](double seconds) { return 1 / seconds; });
}

ClockProfile probe_clock(const Topology& machine, const ProbeOptions& options,
                         const ProgressSink& progress) {
  return ClockProbe(machine, options, progress).run();
}

double clock_probe_seconds(const Topology& machine, const ProbeOptions& options) {
  constexpr double kExchanges = 2e-3;  // between two CPUs, in the worst case of a large machine
  const double figures = 4 + static_cast<double>(chains().size());
  return (figures + 1) * std::max(options.budget_seconds,
                                  static_cast<double>(options.samples) * options.sample_seconds) +
         kExchanges * static_cast<double>(machine.allowed_cpus().count());
}

}  // namespace kinjo
