#include "tune/suite.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

#include "base/text.hpp"

namespace kinjo {

namespace {

constexpr double kDouble = sizeof(double);
constexpr double kFullWork = 4;  ///< of a run, as a multiple of a quick one's
/// What one thread verifies must not take longer on larger machines: there sizes stop growing.
constexpr double kMostQuickWork = 32;
constexpr double kMostFullWork = 256;
constexpr double kLeastWork = 1.0 / 4096;

std::uint64_t whole(double number) { return static_cast<std::uint64_t>(number); }

/// 2^k at most `base` × `work`, at least `least`.
std::uint64_t power(double base, double work, std::uint64_t least) {
  return std::max(least, std::bit_floor(std::max<std::uint64_t>(1, whole(base * work))));
}

/// The edge of a cube whose volume grows with the work, a multiple of `step`.
std::uint64_t edge(double base, double work, std::uint64_t step) {
  const double steps = base * std::cbrt(work) / static_cast<double>(step);
  return step * std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(steps)));
}

/// How much a run is to do, in CPUs' worth.
struct Work {
  double cpus = 1;
  double most = kMostQuickWork;
  /// Of a computation whose result one thread verifies.
  double checked() const { return std::min(cpus, most); }
};

/// Elements of a vector that caches do not hold, unless the CPUs are too few to go through it: four
/// times the caches (STREAM's rule), and 16 M for each CPU.
std::uint64_t vector_elements(const SuiteMachine& machine, const Work& work) {
  const double rule = std::max(1e6, 4 * static_cast<double>(machine.cache_bytes) / kDouble);
  return std::max<std::uint64_t>(4096, whole(std::min(rule, 16e6 * work.cpus)));
}

SuiteEntry stream(const SuiteMachine& machine, const Work& work) {
  const std::uint64_t elements = vector_elements(machine, work);
  return {"stream", {{"elements", fmt::to_string(elements)}}, 1, 3 * 8 * elements};
}

SuiteEntry blas1(const SuiteMachine& machine, const Work& work) {
  const std::uint64_t most = whole(0x1p20 * work.most);
  const std::uint64_t elements = std::min(most, std::bit_ceil(vector_elements(machine, work)));
  return {"blas1", {{"kernel", "dot"}, {"size", fmt::to_string(elements)}}, 1, 2 * 8 * elements};
}

SuiteEntry gemm(const SuiteMachine&, const Work& work) {
  const std::uint64_t rows = edge(1024, work.checked(), 128);
  return {"gemm", {{"size", fmt::to_string(rows)}}, 1, 5 * 8 * rows * rows};
}

SuiteEntry fft(const SuiteMachine&, const Work& work) {
  const std::uint64_t points = power(0x1p19, work.checked(), 4096);
  const int exponent = std::countr_zero(points);
  return {"fft", {{"size", fmt::format("2^{}", exponent)}}, 1.5, 3 * 16 * points};
}

/// Generating and building the graph take longer than searching it, and are part of each run.
SuiteEntry graph500(const SuiteMachine&, const Work& work) {
  const std::uint64_t vertices = power(0x1p15, work.checked(), 1024);
  const int scale = std::min(28, std::countr_zero(vertices));
  return {"graph500", {{"scale", fmt::to_string(scale)}, {"roots", "8"}}, 2, 1100 * vertices};
}

/// Each further row of the grid takes some three times as long; what is smaller by two rows one
/// thread counts alone.
SuiteEntry paths(const SuiteMachine&, const Work& work) {
  const int rows = std::clamp(
      12 + static_cast<int>(std::floor(std::log(work.checked()) / std::log(3.2))), 5, 16);
  const std::uint64_t bytes = whole(4e6 + 2 * std::pow(3.2, rows));
  return {"paths", {{"graph", fmt::format("grid:{}", rows)}}, 1.5, bytes};
}

/// Constraints decide: factorising their matrix takes their cube.
SuiteEntry sdp(const SuiteMachine&, const Work& work) {
  const std::uint64_t edges = edge(400, work.checked(), 20);
  const std::uint64_t vertices = std::max<std::uint64_t>(20, edges / 8);
  return {"sdp",
          {{"problem", fmt::format("theta:{},{}", vertices, edges)}},
          1.5,
          3 * 8 * edges * edges + 100 * vertices * vertices};
}

SuiteEntry cells(const SuiteMachine&, const Work& work) {
  const std::uint64_t rows = edge(768, work.checked(), 64);
  return {"cells", {{"app", "gemm"}, {"size", fmt::to_string(rows)}}, 1, 8 * 8 * rows * rows};
}

/// How each workload is sized, by how many CPUs' work a run is to be.
using Sizing = SuiteEntry (*)(const SuiteMachine&, const Work&);
constexpr Sizing kSizings[] = {stream, blas1, gemm, fft, graph500, paths, sdp, cells};

SuiteEntry fitting(Sizing sizing, const SuiteMachine& machine, Work work) {
  SuiteEntry entry = sizing(machine, work);
  while (machine.memory_bytes != 0 && entry.bytes > machine.memory_bytes / 4 &&
         work.cpus > kLeastWork) {
    work.cpus /= 2;
    entry = sizing(machine, work);
  }
  return entry;
}

}  // namespace

const char* to_string(SuiteSize size) noexcept {
  return size == SuiteSize::quick ? "quick" : "full";
}

SuiteSize parse_suite(const std::string& text) {
  for (const SuiteSize size : {SuiteSize::quick, SuiteSize::full}) {
    if (text == to_string(size)) return size;
  }
  throw Error(Errc::invalid_argument,
              fmt::format("unknown suite '{}': expected quick or full", detail::printable(text)));
}

SuiteMachine suite_machine(const Topology& machine) {
  return {.cpus = std::max<std::size_t>(1, machine.allowed_cpus().count()),
          .cache_bytes = machine.last_level_cache_bytes(),
          .memory_bytes = available_memory_bytes()};
}

std::vector<SuiteEntry> suite_entries(const SuiteMachine& machine, SuiteSize size) {
  const bool full = size == SuiteSize::full;
  const Work work{static_cast<double>(machine.cpus) * (full ? kFullWork : 1),
                  full ? kMostFullWork : kMostQuickWork};
  std::vector<SuiteEntry> entries;
  for (const Sizing sizing : kSizings) entries.push_back(fitting(sizing, machine, work));
  return entries;
}

std::vector<std::size_t> suite_threads(SuiteSize size, std::size_t cpus) {
  std::vector<std::size_t> counts;
  for (std::size_t part = size == SuiteSize::full ? 16 : 4; part > 0; part /= 2) {
    const std::size_t count = std::max<std::size_t>(1, cpus / part);
    if (counts.empty() || counts.back() != count) counts.push_back(count);
  }
  return counts;
}

double suite_seconds(SuiteSize size) { return size == SuiteSize::quick ? 300 : 3600; }

double suite_measuring_seconds(SuiteSize size) { return size == SuiteSize::quick ? 20 : 60; }

}  // namespace kinjo
