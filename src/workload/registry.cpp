#include "workload/registry.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/network.hpp>

#include "base/text.hpp"
#include "workload/blas1.hpp"
#include "workload/blas1_size.hpp"
#include "workload/cells.hpp"
#include "workload/cells_settings.hpp"
#include "workload/choose.hpp"
#include "workload/fft.hpp"
#include "workload/fft_settings.hpp"
#include "workload/gemm.hpp"
#include "workload/graph500.hpp"
#include "workload/paths.hpp"
#include "workload/sdp.hpp"
#include "workload/stream.hpp"

namespace kinjo {

namespace {

constexpr const char* kStreamParameters = "elements, pages, stores";

std::unique_ptr<Subject> make_stream(const Topology& machine, const WorkloadOptions& options) {
  StreamSettings settings{.bind = options.bind};
  for (const auto& [name, value] : options.parameters) {
    if (name == "elements") {
      settings.elements = parse_stream_elements(value);
    } else if (name == "pages") {
      settings.pages = choose_pages(value);
    } else if (name == "stores") {
      settings.stores = choose<StreamStores>(name, value,
                                             {{"automatic", StreamStores::automatic},
                                              {"cached", StreamStores::cached},
                                              {"streaming", StreamStores::streaming}});
    } else {
      throw Error(Errc::invalid_argument, fmt::format("stream has no parameter '{}': expected {}",
                                                      name, kStreamParameters));
    }
  }
  settings.elements = settle_stream_size(machine, settings.elements).elements;
  return std::make_unique<StreamSubject>(settings);
}

constexpr const char* kBlas1Parameters = "kernel, size, precision, mode, pages";

/// Dot in memory unless asked otherwise: what placement is about.
std::unique_ptr<Subject> make_blas1(const Topology& machine, const WorkloadOptions& options) {
  Blas1Settings settings{.bind = options.bind, .verify = true};
  Blas1Kernel kernel = Blas1Kernel::dot;
  std::size_t size = 0;
  for (const auto& [name, value] : options.parameters) {
    if (name == "kernel") {
      kernel = find_blas1_kernel(value);
    } else if (name == "size") {
      size = parse_blas1_size(value);
    } else if (name == "precision") {
      settings.precision = choose_precision(name, value);
    } else if (name == "mode") {
      settings.mode = choose<blas1::Mode>(
          name, value, {{"fast", blas1::Mode::fast}, {"reproducible", blas1::Mode::reproducible}});
    } else if (name == "pages") {
      settings.pages = choose_pages(value);
    } else {
      throw Error(Errc::invalid_argument,
                  fmt::format("blas1 has no parameter '{}': expected {}", name, kBlas1Parameters));
    }
  }
  const std::size_t bytes = bytes_of(settings.precision);
  if (size == 0) size = fitting_blas1_size(memory_blas1_size(machine, bytes), bytes);
  check_blas1_size(size, bytes);
  return std::make_unique<Blas1Subject>(machine, settings, kernel, size);
}

std::unique_ptr<Subject> make_fft(const Topology& machine, const WorkloadOptions& options) {
  FftSettings settings{.bind = options.bind, .verify = true};
  FftSize size{{std::size_t{1} << 22}};
  for (const auto& [name, value] : options.parameters) {
    if (name == "size") {
      size = parse_fft_size(value);
    } else {
      set_fft(settings, name, value);
    }
  }
  check_fft_size(size, settings.memory());
  return std::make_unique<FftSubject>(machine, settings, size);
}

constexpr const char* kGemmParameters = "size, plan, precision, pages";

std::unique_ptr<Subject> make_gemm(const Topology& machine, const WorkloadOptions& options) {
  GemmSettings settings{.bind = options.bind, .verify = true};
  GemmShape shape{2048, 2048, 2048};
  std::string plan = kChosenPlan;
  for (const auto& [name, value] : options.parameters) {
    if (name == "size") {
      shape = parse_gemm_shape(value);
    } else if (name == "plan") {
      plan = value;
    } else if (name == "precision") {
      settings.precision = choose_precision(name, value);
    } else if (name == "pages") {
      settings.pages = choose_pages(value);
    } else {
      throw Error(Errc::invalid_argument,
                  fmt::format("gemm has no parameter '{}': expected {}", name, kGemmParameters));
    }
  }
  check_gemm_shape(shape, bytes_of(settings.precision));
  return std::make_unique<GemmSubject>(machine, settings, shape, plan);
}

/// Fewer roots than the specification asks, unless they are set: a sweep takes many samples.
std::unique_ptr<Subject> make_graph500(const Topology&, const WorkloadOptions& options) {
  constexpr std::size_t kSweepRoots = 16;
  Graph500Settings settings{.roots = kSweepRoots, .bind = options.bind};
  for (const auto& [name, value] : options.parameters) set_graph500(settings, name, value);
  check_graph500(settings);
  return std::make_unique<Graph500Subject>(settings);
}

std::unique_ptr<Subject> make_paths(const Topology&, const WorkloadOptions& options) {
  PathsSettings settings{.bind = options.bind};
  for (const auto& [name, value] : options.parameters) set_paths(settings, name, value);
  // One that cannot be made is refused before others of a list are swept.
  if (paths::is_rule(settings.graph)) paths::network_by_rule(settings.graph);
  return std::make_unique<PathsSubject>(settings);
}

std::unique_ptr<Subject> make_sdp(const Topology&, const WorkloadOptions& options) {
  SdpSettings settings{.bind = options.bind};
  for (const auto& [name, value] : options.parameters) {
    if (name == "preset") set_sdp(settings, name, value);  // sets what others may set anew
  }
  for (const auto& [name, value] : options.parameters) {
    if (name != "preset") set_sdp(settings, name, value);
  }
  return std::make_unique<SdpSubject>(settings);
}

/// S4's product, a cell for each thread.
std::unique_ptr<Subject> make_cells(const Topology&, const WorkloadOptions& options) {
  CellsSettings settings{.sizes = {}, .rounds = 1, .bind = options.bind};
  for (const auto& [name, value] : options.parameters) set_cells(settings, name, value);
  if (settings.sizes.empty()) settings.sizes = default_cells_sizes(settings.app);
  return std::make_unique<CellsSubject>(settings);
}

constexpr Workload kWorkloads[] = {
    {"blas1", "a kernel of BLAS-1 on vectors", kBlas1Parameters, make_blas1},
    {"cells", "a program of cells", kCellsParameters, make_cells},
    {"fft", "a Fourier transform", kFftParameters, make_fft},
    {"gemm", "a product of matrices", kGemmParameters, make_gemm},
    {"graph500", "breadth-first search of a Kronecker graph", kGraph500Parameters, make_graph500},
    {"paths", "counting paths and other sets of edges", kPathsParameters, make_paths, "graph",
     listed_graphs},
    {"sdp", "semidefinite programming", kSdpParameters, make_sdp},
    {"stream", "memory bandwidth (STREAM)", kStreamParameters, make_stream},
};

}  // namespace

std::span<const Workload> workloads() { return kWorkloads; }

const Workload& find_workload(const std::string& name) {
  std::string names;
  for (const Workload& workload : kWorkloads) {
    if (name == workload.name) return workload;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", workload.name);
  }
  throw Error(
      Errc::invalid_argument,
      fmt::format("unknown workload '{}': expected {}, or a command after --", name, names));
}

std::vector<WorkloadSweep> sweeps_of(const Workload& workload,
                                     const WorkloadParameters& parameters) {
  const auto list = std::ranges::find_if(
      parameters, [&](const auto& p) { return workload.list && p.first == workload.list; });
  if (list == parameters.end()) return {{workload.name, parameters}};
  const auto at = static_cast<std::size_t>(list - parameters.begin());
  const auto parts = workload.parts(list->second);
  std::vector<WorkloadSweep> sweeps;
  for (const std::string& part : parts) {
    WorkloadSweep& sweep = sweeps.emplace_back(WorkloadSweep{workload.name, parameters});
    sweep.parameters[at].second = part;
    if (parts.size() > 1) sweep.name += ' ' + part;
  }
  return sweeps;
}

}  // namespace kinjo
