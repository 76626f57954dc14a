/// BLAS-1 beside other libraries, in turn, with the machine's limits from the same run.
///
/// Usage: bench_blas1 [--openblas FILE] [--blis FILE] [--mkl FILE] [--kernels LIST] [--sizes LIST]
///                    [--threads 1|all|both] [--rounds N] [--processes one|own]
///
/// FILE is a shared library, e.g. /usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0.
/// With several threads give each peer a process of its own: theirs spin between calls.
/// Peers take their settings from the environment (OPENBLAS_CORETYPE, BLIS_ARCH_TYPE,
/// MKL_THREADING_LAYER); docs/performance_blas1.md has the command of its tables, which are printed
/// last.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>

#include <kinjo/blas1.hpp>
#include <kinjo/simd.hpp>

#include "alternate.hpp"
#include "blas1_tables.hpp"
#include "blas_peer.hpp"
#include "measure/kernel_limit.hpp"
#include "race.hpp"

namespace {

using namespace kinjo::bench;
namespace blas1 = kinjo::blas1;
using Array = kinjo::PartitionedArray<double>;

Options default_options() {
  return Options({{"--openblas", ""},
                  {"--blis", ""},
                  {"--mkl", ""},
                  {"--kernels", ""},
                  {"--sizes", "1024,2048,4096,49152,1048576,134217728"},
                  {"--threads", "both"},
                  {"--rounds", "31"},
                  {"--processes", "one"}});
}

/// What keeps results alive.
volatile double sink_value;
volatile std::size_t sink_index;

/// Data for one size: x and y begin `offset` elements behind a page.
struct Data {
  const double* x;
  double* y;
  std::size_t n;
};

/// One kernel: kinjo's call, each peer's (null if it has none), what it moves and computes.
struct Kernel {
  const char* name;
  double flops, loads, stores;  // for each element; loads and stores in doubles
  std::size_t arrays;           // that it touches
  bool multiplies;
  std::function<void(const Data&)> kinjo;
  std::function<std::function<void(const Data&)>(const BlasPeer&)> peer;
  std::function<void(kinjo::Team&, Array&, Array&)> team;
};

int size_of(const Data& d) { return static_cast<int>(d.n); }

const std::vector<Kernel>& kernels() {
  using Call = std::function<void(const Data&)>;
  const auto view = [](const Data& d) { return blas1::View<const double>(d.x, d.n); };
  const auto out = [](const Data& d) { return blas1::View<double>(d.y, d.n); };
  constexpr double kFactor = 1 + 0x1p-40;  // so that y stays finite
  static const std::vector<Kernel> all = {
      {"sum", 1, 1, 0, 1, false, [=](const Data& d) { sink_value = blas1::sum(view(d)); },
       [](const BlasPeer& p) -> Call {
         if (!p.sum) return {};
         return [f = p.sum](const Data& d) { sink_value = f(size_of(d), d.x, 1); };
       },
       [](kinjo::Team& t, Array& x, Array&) { sink_value = blas1::sum(t, x); }},
      {"sum_of_squares", 2, 1, 0, 1, true,
       [=](const Data& d) { sink_value = blas1::sum_of_squares(view(d)); },
       [](const BlasPeer& p) -> Call {
         return [f = p.dot](const Data& d) { sink_value = f(size_of(d), d.x, 1, d.x, 1); };
       },
       [](kinjo::Team& t, Array& x, Array&) { sink_value = blas1::sum_of_squares(t, x); }},
      {"norm2", 2, 1, 0, 1, true, [=](const Data& d) { sink_value = blas1::norm2(view(d)); },
       [](const BlasPeer& p) -> Call {
         return [f = p.nrm2](const Data& d) { sink_value = f(size_of(d), d.x, 1); };
       },
       [](kinjo::Team& t, Array& x, Array&) { sink_value = blas1::norm2(t, x); }},
      {"asum", 1, 1, 0, 1, false, [=](const Data& d) { sink_value = blas1::asum(view(d)); },
       [](const BlasPeer& p) -> Call {
         return [f = p.asum](const Data& d) { sink_value = f(size_of(d), d.x, 1); };
       },
       [](kinjo::Team& t, Array& x, Array&) { sink_value = blas1::asum(t, x); }},
      {"dot", 2, 2, 0, 2, true,
       [=](const Data& d) {
         sink_value = blas1::dot(view(d), blas1::View<const double>(d.y, d.n));
       },
       [](const BlasPeer& p) -> Call {
         return [f = p.dot](const Data& d) { sink_value = f(size_of(d), d.x, 1, d.y, 1); };
       },
       [](kinjo::Team& t, Array& x, Array& y) { sink_value = blas1::dot(t, x, y); }},
      {"axpy", 2, 2, 1, 2, false, [=](const Data& d) { blas1::axpy(1e-9, view(d), out(d)); },
       [](const BlasPeer& p) -> Call {
         return [f = p.axpy](const Data& d) { f(size_of(d), 1e-9, d.x, 1, d.y, 1); };
       },
       [](kinjo::Team& t, Array& x, Array& y) { blas1::axpy(t, 1e-9, x, y); }},
      {"scale", 1, 1, 1, 1, false, [=](const Data& d) { blas1::scale(kFactor, out(d)); },
       [](const BlasPeer& p) -> Call {
         return [f = p.scal](const Data& d) { f(size_of(d), kFactor, d.y, 1); };
       },
       [](kinjo::Team& t, Array&, Array& y) { blas1::scale(t, kFactor, y); }},
      {"copy", 0, 1, 1, 2, false, [=](const Data& d) { blas1::copy(view(d), out(d)); },
       [](const BlasPeer& p) -> Call {
         return [f = p.copy](const Data& d) { f(size_of(d), d.x, 1, d.y, 1); };
       },
       [](kinjo::Team& t, Array& x, Array& y) { blas1::copy(t, x, y); }},
      {"max_abs_index", 0, 1, 0, 1, false,
       [=](const Data& d) { sink_index = *blas1::max_abs_index(view(d)); },
       [](const BlasPeer& p) -> Call {
         return [f = p.iamax](const Data& d) { sink_index = f(size_of(d), d.x, 1); };
       },
       [](kinjo::Team& t, Array& x, Array&) { sink_index = blas1::max_abs_index(t, x); }},
  };
  return all;
}

/// The name of kinjo's one thread beside its team.
constexpr const char* kAlone = "alone";

double median(std::vector<double> samples) { return kinjo::summarize(samples).median; }

kinjo::KernelCost cost_of(const Kernel& kernel) {
  using kinjo::detail::Arithmetic;
  kinjo::KernelCost cost{.flops = kernel.flops,
                         .loads = static_cast<int>(kernel.loads),
                         .stores = static_cast<int>(kernel.stores),
                         .in_place = kernel.flops == 1 && kernel.stores == 1};
  if (kernel.flops == 1) cost.arithmetic = cost.in_place ? Arithmetic::multiply : Arithmetic::add;
  if (kernel.flops == 2) cost.arithmetic = Arithmetic::multiply_add;
  if (kernel.multiplies) cost.arithmetic = Arithmetic::fma;
  return cost;
}

/// The limit in L1, with one thread.
kinjo::KernelLimit measure_limit(kinjo::Team& team, const Kernel& kernel, const Data& data) {
  const std::size_t bytes = std::min<std::size_t>(data.n, 1024) * sizeof(double);
  kinjo::KernelLimitProbe probe(team, cost_of(kernel), sizeof(double), {{data.x, data.y, bytes}},
                                false);
  for (int i = 0; i < 15; ++i) probe.look(300e-6);
  return probe.limit();
}

/// Prints a line, and returns what the tables need.
Result report(const Kernel& kernel, const Data& data, std::size_t threads, std::size_t offset,
              const std::vector<Contestant>& all, const kinjo::KernelLimit* limit) {
  const double time = median(all[0].samples);
  const auto elements = static_cast<double>(data.n);
  const bool computes = kernel.flops > 0;
  const double work = computes ? kernel.flops : 8 * (kernel.loads + kernel.stores);
  Result result{kernel.name,
                threads,
                offset,
                data.n,
                work * elements / time / 1e9,
                computes ? "GFLOP/s" : "GB/s"};
  std::printf("%-15s %zuT%-3s %10zu %9.2f %-7s", kernel.name, threads, offset == 0 ? "" : " +8",
              data.n, result.rate, result.unit);
  if (limit) {
    result.limit = limit->seconds() * elements / time;
    std::printf("  limit %5.1f %%", 100 * *result.limit);
  }
  for (std::size_t k = 1; k < all.size(); ++k) {
    const auto c = kinjo::compare_paired(all[k].samples, all[0].samples);
    std::printf("  %s %.3f (%.3f to %.3f)", all[k].name.c_str(), c.ratio.median, c.ratio.low,
                c.ratio.high);
    if (all[k].name == kAlone) continue;
    if (!result.advantage || c.ratio.median < *result.advantage) {
      result.advantage = c.ratio.median;
      result.peer = all[k].name[0];
    }
  }
  std::printf("\n");
  std::fflush(stdout);
  return result;
}

bool is_chosen(const Options& options, const Kernel& kernel) {
  const auto wanted = split(options["--kernels"]);
  return wanted.empty() || std::ranges::find(wanted, kernel.name) != wanted.end();
}

void fill(Array& array) {
  for (std::size_t i = 0; i < array.size(); ++i) {
    array[i] = 0.5 + static_cast<double>(i * 2654435761u % 1000003) / 1000003;
  }
}

void compare(const Options& options, const std::vector<BlasPeer>& peers, std::size_t n,
             std::size_t threads, std::vector<Result>& results) {
  const auto& machine = kinjo::Topology::this_machine();
  kinjo::Team team(kinjo::Mapping(machine, kinjo::Policy::scatter(), threads),
                   {.caller = kinjo::Caller::joins});
  constexpr std::size_t kSpare = 64;
  const kinjo::ArrayOptions pages{.pages = kinjo::Pages::transparent};
  Array x(team, n + kSpare, pages), y(team, n + kSpare, pages);
  Array team_x(team, n, pages), team_y(team, n, pages);
  for (Array* array : {&x, &y, &team_x, &team_y}) fill(*array);
  const std::size_t rounds = options.number("--rounds");
  for (const BlasPeer& peer : peers) {
    if (peer.set_threads) peer.set_threads(static_cast<int>(threads));
  }
  for (const Kernel& kernel : kernels()) {
    if (!is_chosen(options, kernel)) continue;
    std::optional<kinjo::KernelLimit> limit;
    // Less than all of L1: the stack and the code's constants want some lines too.
    if (threads == 1 && n >= 64 && 8 * kernel.arrays * n < 32 * 1024) {
      limit = measure_limit(team, kernel, {x.data(), y.data(), n});
      fill(y);  // the limit's loops have changed it
    }
    for (std::size_t offset : {0, 1}) {
      if (offset == 1 && threads > 1) continue;  // a partitioned array begins at a page
      const Data data{x.data() + offset, y.data() + offset, n};
      std::vector<Contestant> all{{"kinjo", [&] { kernel.kinjo(data); }, {}}};
      if (threads > 1) all[0].call = [&] { kernel.team(team, team_x, team_y); };
      for (const BlasPeer& peer : peers) {
        if (const auto call = kernel.peer(peer)) {
          all.push_back({peer.name, [call, &data] { call(data); }, {}});
        }
      }
      // Not a peer: whether the team was worth asking.
      if (threads > 1) all.push_back({kAlone, [&] { kernel.kinjo(data); }, {}});
      // What stood still meanwhile finds its caches, and its other threads, cold.
      const double sample_seconds = Processes::all().alone() ? 300e-6 : 3e-3;
      race(all,
           {n > 10'000'000 ? std::min<std::size_t>(rounds, 15) : rounds, threads, sample_seconds},
           [](auto&& f) { return seconds(f); });
      results.push_back(report(kernel, data, threads, offset, all, limit ? &*limit : nullptr));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options = default_options();
  options.read(argc, argv);
  return run_main("bench_blas1", [&] {
    const std::vector<BlasPeer> peers =
        load_peers(options, [](const BlasPeer& peer) { return peer.dot; });
    std::printf("level %s; peer's time over kinjo's, with 95 %% bounds\n",
                to_string(kinjo::simd_level()));
    const std::size_t cpus = kinjo::Topology::this_machine().allowed_cpus().count();
    const std::string& threads = options["--threads"];
    std::vector<Result> results;
    for (const std::string& size : split(options["--sizes"])) {
      const std::size_t n = read_number(size, "size");
      if (threads != "all") compare(options, peers, n, 1, results);
      if (threads != "1" && cpus > 1) compare(options, peers, n, cpus, results);
    }
    print_tables(results);
  });
}
