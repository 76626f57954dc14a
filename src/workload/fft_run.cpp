#include "workload/fft_run.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <kinjo/fft.hpp>

#include "base/cycle_clock.hpp"
#include "fft/verify.hpp"
#include "measure/sampling.hpp"
#include "simd/stream_kernels.hpp"
#include "workload/fft_array.hpp"
#include "workload/subject.hpp"

namespace kinjo {

namespace {

constexpr double kBurstSeconds = 10e-3;
constexpr double kLongSeconds = 0.25;
constexpr int kQuickRuns = 3;

std::size_t points_of(const FftSize& size) {
  return std::accumulate(size.shape.begin(), size.shape.end(), std::size_t{1}, std::multiplies<>());
}

/// Numbers of the half spectrum of a real transform.
std::size_t spectrum_of(const FftSize& size) {
  return points_of(size) / size.shape.back() * (size.shape.back() / 2 + 1);
}

template <class T>
class TypedFftRun : public FftRun {
 public:
  TypedFftRun(const FftSettings& settings, const Mapping& mapping, const FftSize& size)
      : settings_(settings),
        size_(size),
        alone_(runs_alone(mapping)),
        team_(mapping, {.bind = settings.bind, .caller = Caller::joins}),
        in_(team_, "in", points_of(size) * (settings.real ? 1 : 2), settings.placement,
            settings.pages) {
    const std::size_t out = 2 * (settings.real ? spectrum_of(size) : points_of(size));
    if (!settings.in_place) {
      out_.emplace(team_, "out", out, settings.placement, settings.pages);
    } else if (settings.verify) {
      copy_.emplace(team_, "copy", out, settings.placement, settings.pages);
    }
    fill();
    make_plan({});
  }

  void make_plan(const std::vector<fft::Cut>& cuts) override {
    fft::Options options{.in_cache = settings_.in_cache,
                         .overlap = settings_.overlap,
                         .deal = settings_.deal,
                         .cuts = cuts};
    if (settings_.in_place) options.forward = fft::Scale::by_root_n;
    const auto plan = [&]<class Plan>(std::optional<Plan>& to) {
      if (alone_) {
        to.emplace(size_.shape, options);
      } else {
        to.emplace(team_, size_.shape, options);
      }
    };
    if (settings_.real) {
      plan(real_);
    } else {
      plan(complex_);
    }
  }

  FftSample sample() override {
    FftSample sample;
    if (settings_.verify) check(sample);
    transform();  // touches the plan's own arrays, which takes longer than a transform
    double seconds = burst(1);
    double limit = look();
    if (seconds < kLongSeconds) {
      const double calls =
          std::max(1.0, kBurstSeconds / std::max(std::min(seconds, burst(1)), 1e-8));
      seconds = std::numeric_limits<double>::infinity();
      for (int i = 0; i < kFftBursts; ++i) {
        seconds = std::min(seconds, burst(static_cast<std::size_t>(calls)));
        limit = std::min(limit, look());
      }
    }
    sample.seconds = seconds;
    sample.limit = limit;
    if (complex_) sample.phases = phases();
    return sample;
  }

  double quick() override {
    transform();
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kQuickRuns; ++i) best = std::min(best, burst(1));
    return best;
  }

  std::string plan_text() const override {
    return complex_ ? complex_->describe() : real_->describe();
  }
  std::size_t plan_bytes() const override {
    return complex_ ? complex_->table_bytes() + complex_->work_bytes()
                    : real_->table_bytes() + real_->work_bytes();
  }

  ArrayAudit audit() const override {
    ArrayAudit sum = in_.audit();
    if (out_) {
      for (const auto& [node, audit] : out_->audit().by_owner_node)
        sum.by_owner_node[node] += audit;
    }
    return sum;
  }
  const PlacementReport& placement() const override {
    return kinjo::detail::first_refused<PlacementReport>({in_.placement(), result().placement()});
  }
  const PagesReport& pages() const override {
    return kinjo::detail::first_refused<PagesReport>({in_.pages(), result().pages()});
  }

 private:
  using Complex = std::complex<T>;

  void fill() {
    in_.fill(team_, [](std::size_t i) { return random_number<T>(i); });
  }
  const FftArray<T>& result() const { return out_ ? *out_ : in_; }
  T* target() { return out_ ? out_->data() : in_.data(); }
  Complex* complex_target() { return reinterpret_cast<Complex*>(target()); }

  void transform() {
    if (real_) return real_->forward(in_.data(), complex_target());
    complex_->forward(reinterpret_cast<const Complex*>(in_.data()), complex_target());
  }

  double burst(std::size_t calls) {
    const double before = now_seconds();
    for (std::size_t i = 0; i < calls; ++i) transform();
    return (now_seconds() - before) / static_cast<double>(calls);
  }

  /// Seconds of reading and writing the array twice. In place the copy goes onto itself: the lines
  /// are read and written all the same. Small arrays are copied so often that to wake the team
  /// takes no time to speak of.
  double look() {
    using detail::Store;
    const std::size_t bytes = in_.size() * sizeof(T);
    const bool beyond = 2 * bytes > Topology::this_machine().last_level_cache_bytes();
    const std::size_t half = bytes / sizeof(double) / 2;
    const auto* const from = reinterpret_cast<const double*>(in_.data());
    auto* const to = out_ ? reinterpret_cast<double*>(out_->data()) : nullptr;
    if (scratch_.empty() && !to) scratch_.resize(half);
    constexpr std::size_t kMuch = 16 << 20;
    const std::size_t times = std::max<std::size_t>(1, kMuch / std::max<std::size_t>(bytes, 1));
    const double before = now_seconds();
    team_.run([&](const Place& me) {
      const std::size_t count = to ? 2 * half : half;
      const std::size_t part = count / team_.size(),
                        begin = part * static_cast<std::size_t>(me.thread);
      // Without an output there is room for half of the array only: it is copied four times.
      for (std::size_t pass = 0; pass < times * (to ? 2 : 4); ++pass) {
        detail::stream_copy(from + begin, (to ? to : scratch_.data()) + begin, part,
                            beyond ? Store::streaming : Store::cached);
      }
    });
    return (now_seconds() - before) / static_cast<double>(times);
  }

  std::vector<FftPhase> phases() {
    const std::uint64_t counter = detail::read_counter();
    const double before = now_seconds();
    const fft::Profile profile =
        complex_->profile(reinterpret_cast<const Complex*>(in_.data()), complex_target());
    const double second =
        static_cast<double>(detail::read_counter() - counter) / (now_seconds() - before);
    std::vector<FftPhase> phases;
    for (std::size_t s = 0; s < profile.sweeps.size(); ++s) {
      const auto add = [&](const char* name, fft::Step fft::SweepProfile::*step) {
        FftPhase phase{fmt::format("{} {}", name, s + 1)};
        for (const fft::SweepProfile& thread : profile.sweeps[s].threads) {
          phase.seconds += static_cast<double>((thread.*step).ticks) / second;
          phase.bytes += static_cast<double>((thread.*step).bytes);
        }
        phase.seconds /=
            static_cast<double>(std::max<std::size_t>(1, profile.sweeps[s].threads.size()));
        phases.push_back(phase);
      };
      add("load", &fft::SweepProfile::load);
      add("compute", &fft::SweepProfile::compute);
      add("store", &fft::SweepProfile::store);
    }
    return phases;
  }

  /// What is not written stays NaN, and the verifier finds it.
  void check(FftSample& sample) {
    using fft::detail::Numbers;
    fill();
    if (out_) {
      out_->fill(team_, [](std::size_t) { return std::numeric_limits<T>::quiet_NaN(); });
    } else {
      std::copy_n(in_.data(), in_.size(), copy_->data());
    }
    transform();
    const T* const before = out_ ? in_.data() : copy_->data();
    const fft::detail::Signal<T> x{before, before + 1, settings_.real ? 1 : 2,
                                   settings_.real ? Numbers::real : Numbers::complex};
    const fft::detail::Signal<T> y{target(), target() + 1, 2,
                                   settings_.real ? Numbers::half : Numbers::complex};
    const double scale = settings_.in_place ? 1 / std::sqrt(size_.points()) : 1;
    const auto found =
        fft::detail::verify(size_.shape, x, y, fft::detail::Direction::forward, scale);
    sample.error = std::max(found.error, found.column_error);
    sample.error_bound = found.bound;
    sample.fault = found.fault;
  }

  FftSettings settings_;
  FftSize size_;
  bool alone_;
  Team team_;
  FftArray<T> in_;
  std::optional<FftArray<T>> out_, copy_;
  std::vector<double> scratch_;  ///< where the limit's copies go in place
  std::optional<Fft<T>> complex_;
  std::optional<RealFft<T>> real_;
};

}  // namespace

const char* to_string(FftPlacement placement) noexcept {
  switch (placement) {
    case FftPlacement::block:
      return "block";
    case FftPlacement::cyclic:
      return "cyclic";
    case FftPlacement::none:
      return "none";
  }
  return "unknown";
}

std::unique_ptr<FftRun> make_fft_run(const FftSettings& settings, const Mapping& mapping,
                                     const FftSize& size) {
  if (settings.precision == Precision::double_) {
    return std::make_unique<TypedFftRun<double>>(settings, mapping, size);
  }
  return std::make_unique<TypedFftRun<float>>(settings, mapping, size);
}

}  // namespace kinjo
