/// Fourier transforms beside other libraries, in turn, with the memory's limit from the same run.
///
/// Usage: bench_fft [--fftw FILE] [--mkl FILE] [--sizes LIST] [--threads 1|all|both]
///                  [--places in|out|both] [--type double|float] [--rounds N]
///                  [--measure-seconds S] [--clock wall|cpu] [--processes one|own]
///                  [--numbers complex|real]
///
/// A size is n, 2^k or AxB. FILE is libfftw3_threads.so.3 (libfftw3f_threads.so.3 for floats),
/// which finds libfftw3 by LD_LIBRARY_PATH, and libmkl_rt.so.3. FFTW runs by both ESTIMATE and
/// MEASURE, the latter with so many seconds for each plan (0: without). The limit is the time of
/// copying the array twice, past the caches: two reads and two writes. Arrays of transforms in
/// place are zero, so that they stay as they are from call to call. Real numbers have one axis, are
/// transformed out of place, and count half of the operations. bench_fft.py has the peers that
/// only Python can reach.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

#include <kinjo/error.hpp>
#include <kinjo/fft.hpp>
#include <kinjo/memory.hpp>
#include <kinjo/simd.hpp>
#include <kinjo/team.hpp>

#include "fft_peer.hpp"
#include "measure/statistics.hpp"
#include "race.hpp"
#include "simd/stream_kernels.hpp"

namespace {

using namespace kinjo::bench;

Options default_options() {
  return Options(
      {{"--fftw", ""},
       {"--mkl", ""},
       {"--threads", "both"},
       {"--places", "both"},
       {"--rounds", "9"},
       {"--type", "double"},
       {"--measure-seconds", "60"},
       {"--clock", "wall"},
       {"--numbers", "complex"},
       {"--processes", "one"},
       {"--sizes",
        "2^10,2^12,2^14,2^16,2^18,2^20,2^22,2^24,2^26,2^27,1000000,1594323,9765625,823543,"
        "1000003,510510,4096x4096,512x512x512"}});
}

struct Size {
  std::string name;
  std::vector<std::size_t> shape;
  std::size_t points() const {
    std::size_t n = 1;
    for (const std::size_t s : shape) n *= s;
    return n;
  }
  /// 5 n log₂ n, as everybody counts.
  double flops() const {
    const auto n = static_cast<double>(points());
    return 5 * n * std::log2(n);
  }
};

Size read_size(const std::string& text) {
  Size size{text, {}};
  for (const std::string& part : split(text, 'x')) {
    const bool power = part.starts_with("2^");
    const std::size_t number = read_number(part.substr(power ? 2 : 0), "size");
    size.shape.push_back(power ? std::size_t{1} << number : number);
  }
  return size;
}

/// Arrays in huge pages, each touched by the team as a partitioned one would be.
template <class T>
struct Data {
  kinjo::Buffer memory[2];
  std::size_t points;
  bool in_place;

  Data(std::size_t n, bool place) : points(n), in_place(place) {
    for (kinjo::Buffer& buffer : memory) {
      buffer = kinjo::alloc(n * 2 * sizeof(T), {.pages = kinjo::Pages::transparent});
    }
    fill();
  }
  T* in() const { return static_cast<T*>(memory[0].data()); }
  T* out() const { return static_cast<T*>(memory[in_place ? 0 : 1].data()); }
  /// Planning may have overwritten them.
  void fill() const {
    for (std::size_t i = 0; i < 2 * points; ++i) {
      in()[i] = in_place ? T(0) : static_cast<T>(i * 2654435761u % 1000003) / 1000003 - T(0.5);
    }
    std::memset(memory[1].data(), 0, memory[1].size());
  }
};

/// Two reads and two writes of the array by all threads.
void copy_twice(kinjo::Team& team, const void* from, void* to, std::size_t bytes) {
  const std::size_t doubles = bytes / sizeof(double), part = doubles / team.size();
  team.run([&](const kinjo::Place& me) {
    const std::size_t begin = static_cast<std::size_t>(me.thread) * part;
    for (int i = 0; i < 2; ++i) {
      kinjo::detail::stream_copy(static_cast<const double*>(from) + begin,
                                 static_cast<double*>(to) + begin, part,
                                 kinjo::detail::Store::streaming);
    }
  });
}

/// `| 8000 (8200) 1.50 (1.45 to 1.55) `: MFLOP/s, median and best, and the time over kinjo's.
void print_contestant(const Contestant& c, const Contestant& kinjo, double flops) {
  const double best = *std::ranges::min_element(c.samples);
  const double median = kinjo::summarize(c.samples).median;
  std::printf("| %.0f (%.0f) ", flops / median / 1e6, flops / best / 1e6);
  if (&c == &kinjo) return;
  const auto compared = kinjo::compare_paired(c.samples, kinjo.samples);
  std::printf("%.2f (%.2f to %.2f) ", compared.ratio.median, compared.ratio.low,
              compared.ratio.high);
}

void print_head(const std::vector<FftPeer>& peers) {
  std::printf("| size | place | threads | kinjo ");
  for (const FftPeer& peer : peers) std::printf("| %s ", peer.name.c_str());
  std::printf("| two copies |\n| --- | --- | ---: ");
  for (std::size_t i = 0; i < peers.size() + 2; ++i) std::printf("| ---: ");
  std::printf("|\n");
}

/// kinjo's transform of these arrays.
template <class Plan, class Number, class T>
std::function<void()> call_of(kinjo::Team& team, const Size& size, const Data<T>& d) {
  const auto plan = team.size() == 1 ? std::make_shared<const Plan>(size.shape)
                                     : std::make_shared<const Plan>(team, size.shape);
  return [plan, x = reinterpret_cast<const Number*>(d.in()),
          y = reinterpret_cast<std::complex<T>*>(d.out())] { plan->forward(x, y); };
}

template <class T>
void compare(const Options& options, const std::vector<FftPeer>& peers, const Size& size,
             std::size_t threads, bool in_place) {
  kinjo::Team team(
      kinjo::Mapping(kinjo::Topology::this_machine(), kinjo::Policy::scatter(), threads),
      {.caller = kinjo::Caller::joins});
  const Data<T> d(size.points(), in_place);
  const bool real = options["--numbers"] == "real";
  std::vector<Contestant> all{{"kinjo",
                               real ? call_of<kinjo::RealFft<T>, T>(team, size, d)
                                    : call_of<kinjo::Fft<T>, std::complex<T>>(team, size, d),
                               {}}};
  for (const FftPeer& peer : peers) {
    const FreeAffinity free;
    std::function<void()> call;
    if (Processes::all().own(peer.name)) {
      call = peer.plan({size.shape, threads, d.in(), d.out(), real});
    }
    all.push_back({peer.name, call ? call : [] {}, {}});
  }
  d.fill();
  all.push_back(
      {"limit", [&] { copy_twice(team, d.in(), d.memory[1].data(), d.memory[0].size()); }, {}});
  race(all, {options.number("--rounds"), threads, 2e-3}, [](auto&& f) { return time_of(f); });
  std::printf("| %s | %s | %zu ", size.name.c_str(), in_place ? "in" : "out", threads);
  for (const Contestant& c : all) print_contestant(c, all[0], size.flops() / (real ? 2 : 1));
  std::printf("|\n");
  std::fflush(stdout);
}

template <class T>
void compare_all(const Options& options) {
  start_processes(options,
                  {{"--mkl", "MKL"}, {"--fftw", "FFTW estimate"}, {"--fftw", "FFTW measure"}});
  std::vector<FftPeer> peers;
  const auto add = [&](std::vector<FftPeer> more) {
    peers.insert(peers.end(), more.begin(), more.end());
  };
  if (!options["--mkl"].empty()) add(load_mkl<T>(options["--mkl"]));
  if (!options["--fftw"].empty()) {
    add(load_fftw<T>(options["--fftw"], static_cast<double>(options.number("--measure-seconds"))));
  }
  print_head(peers);
  const std::size_t cpus = kinjo::Topology::this_machine().allowed_cpus().count();
  for (const std::string& text : split(options["--sizes"])) {
    const Size size = read_size(text);
    const bool real = options["--numbers"] == "real";
    if (real && size.shape.size() > 1) {
      throw kinjo::Error(kinjo::Errc::invalid_argument,
                         "real numbers have one axis: expected sizes without x");
    }
    for (const bool in_place : {false, true}) {
      if (real && in_place) continue;
      if (options["--places"] == (in_place ? "out" : "in")) continue;
      if (options["--threads"] != "all") compare<T>(options, peers, size, 1, in_place);
      if (options["--threads"] != "1" && cpus > 1) compare<T>(options, peers, size, cpus, in_place);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options = default_options();
  options.read(argc, argv);
  if (options["--clock"] == "cpu") chosen_clock = CLOCK_PROCESS_CPUTIME_ID;
  return run_main("bench_fft", [&] {
    std::printf(
        "level %s; MFLOP/s by 5 n log2 n, median (best), and the time over kinjo's (95 %%)\n\n",
        to_string(kinjo::simd_level()));
    if (options["--type"] == "float") {
      compare_all<float>(options);
    } else {
      compare_all<double>(options);
    }
  });
}
