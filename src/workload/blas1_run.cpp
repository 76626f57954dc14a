#include "workload/blas1_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <kinjo/lab.hpp>

#include "blas1/check.hpp"
#include "measure/keep.hpp"
#include "measure/sampling.hpp"
#include "workload/subject.hpp"

namespace kinjo {

namespace {

constexpr double kBurstSeconds = 0.5e-3;
constexpr double kLookSeconds = 0.2e-3;

/// Factors of axpy and scale while they are timed: y stays what it is, nearly and but for its sign.
constexpr double kSmall = 0x1p-40;
constexpr double kTurn = -1;
/// While they are checked.
constexpr double kFactor = 0.7;

/// What a kernel returns whose result is in memory.
struct Written {};

template <class F>
double time_calls(std::size_t calls, const F& call) {
  const double begin = now_seconds();
  for (std::size_t c = 0; c < calls; ++c) keep(call());
  return now_seconds() - begin;
}

template <class T>
class TypedRun : public Blas1Run {
 public:
  TypedRun(const Blas1Settings& settings, const Mapping& mapping, std::size_t elements)
      : settings_(settings),
        alone_(runs_alone(mapping)),
        team_(mapping, {.bind = settings.bind, .caller = Caller::joins}),
        x_(team_, elements, {.pages = settings.pages}),
        y_(team_, elements, {.pages = settings.pages}) {
    fill(x_, 0);
    fill(y_, 1);
  }

  Blas1Sample sample(Blas1Kernel kernel, bool beyond_caches) override {
    KernelLimitProbe probe(team_, cost_of(kernel, settings_.mode), sizeof(T), memory(),
                           beyond_caches);
    double best = std::numeric_limits<double>::infinity();
    with_call(kernel, static_cast<T>(kernel == Blas1Kernel::axpy ? kSmall : kTurn),
              [&](const auto& call) {
                double once = time_calls(1, call);
                for (int i = 0; i < 4; ++i) once = std::min(once, time_calls(1, call));
                const auto calls =
                    static_cast<std::size_t>(std::max(1.0, kBurstSeconds / std::max(once, 1e-8)));
                for (int burst = 0; burst < kBlas1Bursts; ++burst) {
                  call();
                  best = std::min(best, time_calls(calls, call) / static_cast<double>(calls));
                  probe.look(kLookSeconds);
                }
              });
    return {best / static_cast<double>(x_.size()), probe.limit(),
            settings_.verify ? check(kernel) : ""};
  }

  ArrayAudit audit() const override {
    ArrayAudit sum = x_.audit();
    for (const auto& [node, audit] : y_.audit().by_owner_node) sum.by_owner_node[node] += audit;
    return sum;
  }
  const PlacementReport& placement() const override {
    return kinjo::detail::first_refused<PlacementReport>({x_.placement(), y_.placement()});
  }
  const PagesReport& pages() const override {
    return kinjo::detail::first_refused<PagesReport>({x_.pages(), y_.pages()});
  }

 private:
  using Array = PartitionedArray<T>;
  static constexpr std::size_t kChunk = 4096;  // elements that are checked at a time

  /// Numbers of x have even indices, those of y odd ones.
  static T original(std::size_t i, std::uint64_t which) { return random_number<T>(2 * i + which); }

  void fill(Array& array, std::uint64_t which) {
    team_.parallel_for(array.partition(), [&](Range range, const Place&) {
      for (std::size_t i = range.begin; i < range.end; ++i) array[i] = original(i, which);
    });
  }

  /// Each thread's part; pages are whole, so the first part has 512 bytes in any case.
  std::vector<KernelMemory> memory() {
    std::vector<KernelMemory> parts;
    for (std::size_t p = 0; p < team_.size(); ++p) {
      const Range range = x_.partition().piece(p, 0);
      const std::size_t bytes = range.size() * sizeof(T);
      parts.push_back({x_.data() + range.begin, y_.data() + range.begin,
                       p == 0 ? std::max<std::size_t>(bytes, 512) : bytes});
    }
    return parts;
  }

  /// Calls `use(call)` with what calls the kernel once, by the functions of one thread or of a
  /// team, and returns its result.
  template <class Use>
  void with_call(Blas1Kernel kernel, T factor, const Use& use) {
    const blas1::Mode mode = settings_.mode;
    const auto either = [&](const auto& one, const auto& team) { alone_ ? use(one) : use(team); };
    const blas1::View<const T> x(x_.all());
    const blas1::View<T> y(y_.all());
    const blas1::View<const T> read_y(y_.all());
    switch (kernel) {
      case Blas1Kernel::sum:
        return either([=] { return blas1::sum(x, mode); },
                      [=, this] { return blas1::sum(team_, x_, mode); });
      case Blas1Kernel::sum_of_squares:
        return either([=] { return blas1::sum_of_squares(x, mode); },
                      [=, this] { return blas1::sum_of_squares(team_, x_, mode); });
      case Blas1Kernel::norm2:
        return either([=] { return blas1::norm2(x, mode); },
                      [=, this] { return blas1::norm2(team_, x_, mode); });
      case Blas1Kernel::asum:
        return either([=] { return blas1::asum(x, mode); },
                      [=, this] { return blas1::asum(team_, x_, mode); });
      case Blas1Kernel::dot:
        return either([=] { return blas1::dot(x, read_y, mode); },
                      [=, this] { return blas1::dot(team_, x_, y_, mode); });
      case Blas1Kernel::max_abs_index:
        return either([=] { return *blas1::max_abs_index(x); },
                      [=, this] { return blas1::max_abs_index(team_, x_); });
      case Blas1Kernel::axpy:
        return either([=] { return blas1::axpy(factor, x, y, mode), Written(); },
                      [=, this] { return blas1::axpy(team_, factor, x_, y_, mode), Written(); });
      case Blas1Kernel::scale:
        return either([=] { return blas1::scale(factor, y), Written(); },
                      [=, this] { return blas1::scale(team_, factor, y_), Written(); });
      case Blas1Kernel::copy:
        return either([=] { return blas1::copy(x, y), Written(); },
                      [=, this] { return blas1::copy(team_, x_, y_), Written(); });
    }
  }

  /// Runs the kernel once on fresh numbers; what the verifier says.
  std::string check(Blas1Kernel kernel) {
    fill(y_, 1);
    std::optional<std::string> fault;
    with_call(kernel, static_cast<T>(kFactor), [&](const auto& call) {
      const auto counted = [&] {
        KINJO_PHASE("kernel");
        return call();
      };
      const auto result = counted();
      if constexpr (std::is_same_v<decltype(result), const T>) {
        fault = check_value(kernel, result);
      } else if constexpr (std::is_same_v<decltype(result), const std::size_t>) {
        fault = detail::check_max_abs_index(std::as_const(x_).all(), result);
      } else {
        fault = check_written(kernel);
        fill(y_, 1);
      }
    });
    return fault.value_or("");
  }

  std::optional<std::string> check_value(Blas1Kernel kernel, T result) const {
    const blas1::Mode mode = settings_.mode;
    const std::span<const T> x = x_.all();
    switch (kernel) {
      case Blas1Kernel::sum:
        return detail::check_sum(x, result, mode);
      case Blas1Kernel::sum_of_squares:
        return detail::check_sum_of_squares(x, result, mode);
      case Blas1Kernel::norm2:
        return detail::check_norm2(x, result, mode);
      case Blas1Kernel::asum:
        return detail::check_asum(x, result, mode);
      default:
        return detail::check_dot(x, y_.all(), result, mode);
    }
  }

  /// Part by part, so that what y held need not be kept.
  std::optional<std::string> check_written(Blas1Kernel kernel) const {
    const T factor = static_cast<T>(kFactor);
    const blas1::Mode mode = settings_.mode;
    std::vector<T> before(kChunk);
    for (std::size_t first = 0; first < x_.size(); first += kChunk) {
      const std::size_t count = std::min(kChunk, x_.size() - first);
      for (std::size_t i = 0; i < count; ++i) before[i] = original(first + i, 1);
      const std::span<const T> x = x_.all().subspan(first, count);
      const std::span<const T> after = y_.all().subspan(first, count);
      const std::span<const T> held(before.data(), count);
      const auto fault =
          kernel == Blas1Kernel::axpy    ? detail::check_axpy(first, factor, x, held, after, mode)
          : kernel == Blas1Kernel::scale ? detail::check_scale(first, factor, held, after)
                                         : detail::check_copy(first, x, after);
      if (fault) return fault;
    }
    return std::nullopt;
  }

  Blas1Settings settings_;
  bool alone_;
  Team team_;
  Array x_;
  Array y_;
};

}  // namespace

std::unique_ptr<Blas1Run> make_blas1_run(const Blas1Settings& settings, const Mapping& mapping,
                                         std::size_t elements) {
  if (settings.precision == Precision::double_) {
    return std::make_unique<TypedRun<double>>(settings, mapping, elements);
  }
  return std::make_unique<TypedRun<float>>(settings, mapping, elements);
}

}  // namespace kinjo
