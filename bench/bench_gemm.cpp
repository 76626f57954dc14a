/// Matrix multiplication beside other libraries, in turn, with the machine's limit from the same
/// run.
///
/// Usage: bench_gemm [--openblas FILE] [--blis FILE] [--mkl FILE] [--sizes LIST]
///                   [--threads 1|all|both] [--rounds N] [--type double|float] [--plan PLAN]
///                   [--orders nn|nt|tn|tt] [--clock wall|cpu] [--processes one|own]
///
/// A size is n, or m×n×k written as 100000x64x64. FILE is a shared library. Peers take their
/// settings from the environment (OPENBLAS_CORETYPE, BLIS_ARCH_TYPE, MKL_THREADING_LAYER);
/// docs/performance_gemm.md has the command of its tables. The limit is the peak of fused
/// multiply-adds in registers, times the threads. `--plan` takes the place of the chosen plan. On a
/// machine that others use as well, the clock of the process's CPU time still tells one thread's
/// speed. With several threads give each peer a process of its own: theirs spin between calls.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>

#include <kinjo/error.hpp>
#include <kinjo/gemm.hpp>
#include <kinjo/simd.hpp>

#include "blas_peer.hpp"
#include "measure/statistics.hpp"
#include "race.hpp"
#include "simd/operation_kernels.hpp"

namespace {

using namespace kinjo::bench;
namespace gemm = kinjo::gemm;

Options default_options() {
  return Options({{"--openblas", ""},
                  {"--blis", ""},
                  {"--mkl", ""},
                  {"--threads", "both"},
                  {"--rounds", "15"},
                  {"--type", "double"},
                  {"--plan", ""},
                  {"--orders", "nn"},
                  {"--clock", "wall"},
                  {"--processes", "one"},
                  {"--sizes", "64,65,127,128,256,257,512,1024,2048,100000x64x64,2000x2000x64"}});
}

struct Size {
  std::size_t m, n, k;
  double flops() const {
    return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }
};

Size read_size(const std::string& text) {
  const auto parts = split(text, 'x');
  const auto number = [&](std::size_t i) {
    return read_number(parts[std::min(i, parts.size() - 1)], "size");
  };
  return {number(0), number(1), number(2)};
}

/// Row-major matrices back to back, in huge pages; A and B transposed in memory where asked.
template <class T>
struct Data {
  kinjo::Buffer memory[3];
  gemm::View<T> a, b, c;
  bool transposed_a, transposed_b;

  Data(const Size& s, const std::string& orders)
      : transposed_a(orders[0] == 't'), transposed_b(orders[1] == 't') {
    a = transposed_a ? make(0, s.k, s.m).transposed() : make(0, s.m, s.k);
    b = transposed_b ? make(1, s.n, s.k).transposed() : make(1, s.k, s.n);
    c = make(2, s.m, s.n);
  }
  gemm::View<T> make(int which, std::size_t rows, std::size_t columns) {
    memory[which] = kinjo::alloc(rows * columns * sizeof(T), {.pages = kinjo::Pages::transparent});
    T* const data = static_cast<T*>(memory[which].data());
    for (std::size_t i = 0; i < rows * columns; ++i) {
      data[i] = static_cast<T>(i * 2654435761u % 1000003) / 1000003 - T(0.5);
    }
    return {data, rows, columns};
  }
};

template <class T>
auto peer_gemm(const BlasPeer& peer) {
  if constexpr (sizeof(T) == 4) {
    return peer.sgemm;
  } else {
    return peer.dgemm;
  }
}

template <class T>
void call_peer(const BlasPeer& peer, const Data<T>& d) {
  constexpr int kRowMajor = 101, kNoTranspose = 111, kTranspose = 112;
  peer_gemm<T>(peer)(kRowMajor, d.transposed_a ? kTranspose : kNoTranspose,
                     d.transposed_b ? kTranspose : kNoTranspose, static_cast<int>(d.c.rows),
                     static_cast<int>(d.c.columns), static_cast<int>(d.a.columns), T(1), d.a.data,
                     static_cast<int>(d.a.ld), d.b.data, static_cast<int>(d.b.ld), T(0), d.c.data,
                     static_cast<int>(d.c.ld));
}

/// Operations a second of one thread on registers alone.
template <class T>
double peak() {
  using kinjo::detail::Arithmetic;
  constexpr std::size_t kSteps = 200'000;
  double best = 0;
  for (int i = 0; i < 20; ++i) {
    volatile T keep = 0;
    const double t =
        time_of([&] { keep = kinjo::detail::burst(Arithmetic::fma, T(1e-9), T(1), T(0), kSteps); });
    (void)keep;
    const double flops = kinjo::detail::burst_flops<T>(Arithmetic::fma);
    best = std::max(best, flops * static_cast<double>(kSteps) / t);
  }
  return best;
}

/// The largest difference of C from a peer's.
template <class T>
double difference(const Data<T>& d, const std::vector<T>& other) {
  double most = 0;
  for (std::size_t i = 0; i < other.size(); ++i) {
    most = std::max(most, static_cast<double>(std::abs(d.c.data[i] - other[i])));
  }
  return most;
}

template <class T>
void compare(const Options& options, const std::vector<BlasPeer>& peers, const Size& size,
             std::size_t threads) {
  kinjo::Team team(
      kinjo::Mapping(kinjo::Topology::this_machine(), kinjo::Policy::scatter(), threads),
      {.caller = kinjo::Caller::joins});
  Data<T> d(size, options["--orders"]);
  const gemm::View<const T> a = d.a, b = d.b;
  const gemm::Problem problem = problem_of(team, a, b, d.c);
  const std::string& text = options["--plan"];
  const gemm::Plan plan =
      text.empty() ? gemm::Plan::choose(problem) : gemm::Plan::parse(text, problem);
  std::vector<Contestant> all{{"kinjo", {}, {}}};
  all[0].call = [&] {
    if (text.empty()) {
      multiply(team, T(1), a, b, T(0), d.c);
    } else {
      multiply(team, T(1), a, b, T(0), d.c, plan);
    }
  };
  for (const BlasPeer& peer : peers) {
    if (peer.set_threads) peer.set_threads(static_cast<int>(threads));
    all.push_back({peer.name, [&] { call_peer<T>(peer, d); }, {}});
  }
  const double limit = peak<T>() * static_cast<double>(threads);
  race(all, {options.number("--rounds"), threads, 2e-3}, [](auto&& f) { return time_of(f); });
  const double rate = size.flops() / kinjo::summarize(all[0].samples).median;
  std::printf("%zu×%zu×%zu %s %zuT  %7.1f GFLOP/s %5.1f %% of the limit", size.m, size.n, size.k,
              options["--orders"].c_str(), threads, rate / 1e9, 100 * rate / limit);
  for (std::size_t k = 1; k < all.size(); ++k) {
    const auto c = kinjo::compare_paired(all[k].samples, all[0].samples);
    std::printf("  %s %.3f (%.3f to %.3f)", all[k].name.c_str(), c.ratio.median, c.ratio.low,
                c.ratio.high);
  }
  if (!peers.empty()) {
    all[1].call();
    const std::vector<T> theirs(d.c.data, d.c.data + size.m * size.n);
    all[0].call();
    std::printf("  differs by %.1e", difference(d, theirs));
  }
  std::printf("  %s\n", plan.to_string().c_str());
  std::fflush(stdout);
}

template <class T>
void compare_all(const Options& options, const std::vector<BlasPeer>& peers) {
  const std::size_t cpus = kinjo::Topology::this_machine().allowed_cpus().count();
  const std::string& threads = options["--threads"];
  for (const std::string& size : split(options["--sizes"], ',')) {
    if (threads != "all") compare<T>(options, peers, read_size(size), 1);
    if (threads != "1" && cpus > 1) compare<T>(options, peers, read_size(size), cpus);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options = default_options();
  options.read(argc, argv);
  if (options["--clock"] == "cpu") chosen_clock = CLOCK_PROCESS_CPUTIME_ID;
  return run_main("bench_gemm", [&] {
    const std::vector<BlasPeer> peers =
        load_peers(options, [](const BlasPeer& peer) { return peer.dgemm && peer.sgemm; });
    std::printf("level %s; peer's time over kinjo's, with 95 %% bounds\n",
                to_string(kinjo::simd_level()));
    if (options["--type"] == "float") {
      compare_all<float>(options, peers);
    } else {
      compare_all<double>(options, peers);
    }
  });
}
