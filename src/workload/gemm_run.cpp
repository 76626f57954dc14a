#include "workload/gemm_run.hpp"

#include <time.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include <kinjo/gemm.hpp>
#include <kinjo/lab.hpp>

#include "measure/kernel_limit.hpp"
#include "measure/sampling.hpp"
#include "workload/subject.hpp"

namespace kinjo {

namespace {

constexpr double kBurstSeconds = 10e-3;
constexpr double kLongSeconds = 0.25;
constexpr double kLookSeconds = 1e-3;

double thread_cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class T>
class TypedGemmRun : public GemmRun {
 public:
  TypedGemmRun(const GemmSettings& settings, const Mapping& mapping, const GemmShape& shape)
      : settings_(settings),
        alone_(runs_alone(mapping)),
        team_(mapping, {.bind = settings.bind, .caller = Caller::joins}),
        a_(team_, shape.m, shape.k, gemm::Order::row_major, settings.pages),
        b_(team_, shape.k, shape.n, gemm::Order::row_major, settings.pages),
        c_(team_, shape.m, shape.n, gemm::Order::row_major, settings.pages) {
    fill(a_, [](std::size_t i) { return random_number<T>(2 * i); });
    fill(b_, [](std::size_t i) { return random_number<T>(2 * i + 1); });
  }

  GemmSample sample(const gemm::Plan& plan) override {
    // What is not written stays NaN, and the verifier finds it.
    if (settings_.verify) fill(c_, [](std::size_t) { return std::numeric_limits<T>::quiet_NaN(); });
    GemmSample best = burst(plan, 1);  // also fills caches, and the copies' memory with pages
    double limit = 0;
    for (int i = 0; i < kGemmBursts; ++i) limit = look(limit);  // one may fall into a pause
    if (best.seconds < kLongSeconds) {
      const double once = std::min(best.seconds, burst(plan, 1).seconds);
      const double calls = std::max(1.0, kBurstSeconds / std::max(once, 1e-8));
      best.seconds = std::numeric_limits<double>::infinity();
      for (int i = 0; i < kGemmBursts; ++i) {
        const GemmSample found = burst(plan, static_cast<std::size_t>(calls));
        if (found.seconds < best.seconds) best = found;
        limit = look(limit);
      }
    }
    best.limit = limit;
    if (settings_.verify) best.fault = check();
    return best;
  }

  ArrayAudit audit() override {
    ArrayAudit sum = a_.array().audit();
    for (Matrix* matrix : {&b_, &c_}) {
      for (const auto& [node, audit] : matrix->array().audit().by_owner_node) {
        sum.by_owner_node[node] += audit;
      }
    }
    return sum;
  }
  const PlacementReport& placement() override {
    return kinjo::detail::first_refused<PlacementReport>(
        {a_.array().placement(), b_.array().placement(), c_.array().placement()});
  }
  const PagesReport& pages() override {
    return kinjo::detail::first_refused<PagesReport>(
        {a_.array().pages(), b_.array().pages(), c_.array().pages()});
  }

 private:
  using Matrix = gemm::PlacedMatrix<T>;

  template <class Number>
  void fill(Matrix& matrix, const Number& number) {
    PartitionedArray<T>& array = matrix.array();
    team_.parallel_for(array.partition(), [&](Range range, const Place&) {
      for (std::size_t i = range.begin; i < range.end; ++i) array[i] = number(i);
    });
  }

  gemm::View<const T> a() { return a_.view(); }
  gemm::View<const T> b() { return b_.view(); }

  void multiply(const gemm::Plan& plan) {
    KINJO_PHASE("multiply");
    if (alone_) {
      gemm::multiply(T{1}, a(), b(), T{0}, c_.view(), plan);
    } else {
      gemm::multiply(team_, T{1}, a(), b(), T{0}, c_.view(), plan);
    }
  }

  /// CPU time of all threads of the team until now.
  double cpu_seconds() {
    struct alignas(128) Time {  // a line of its own for each thread
      double seconds = 0;
    };
    std::vector<Time> times(team_.size());
    team_.run([&](const Place& me) {
      times[static_cast<std::size_t>(me.thread)].seconds = thread_cpu_seconds();
    });
    return std::accumulate(times.begin(), times.end(), 0.0,
                           [](double sum, const Time& time) { return sum + time.seconds; });
  }

  GemmSample burst(const gemm::Plan& plan, std::size_t calls) {
    const double cpu_before = cpu_seconds(), before = now_seconds();
    for (std::size_t i = 0; i < calls; ++i) multiply(plan);
    const double seconds = now_seconds() - before, cpu = cpu_seconds() - cpu_before;
    const auto count = static_cast<double>(calls);
    return {.seconds = seconds / count, .cpu_seconds = cpu / count};
  }

  /// The operations in a second that the team does now, or those seen before if they are more.
  double look(double before) {
    return std::max(before,
                    1 / seconds_of_flop(team_, detail::Arithmetic::fma, sizeof(T), kLookSeconds));
  }

  std::string check() {
    const gemm::View<const T> c = c_.view();
    return gemm::verify_gemm(T{1}, a(), b(), T{0}, {}, c).fault;
  }

  GemmSettings settings_;
  bool alone_;
  Team team_;
  Matrix a_, b_, c_;
};

}  // namespace

gemm::Problem gemm_problem(const GemmShape& shape, Precision precision, const Mapping& mapping) {
  gemm::Problem problem;
  problem.m = shape.m;
  problem.n = shape.n;
  problem.k = shape.k;
  problem.element_bytes = bytes_of(precision);
  problem.threads = mapping.size();
  problem.nodes = runs_alone(mapping) ? 1 : mapping.nodes().size();
  return problem;
}

gemm::Plan gemm_plan(const std::string& text, const gemm::Problem& problem) {
  return text == kChosenPlan ? gemm::Plan::choose(problem) : gemm::Plan::parse(text, problem);
}

std::unique_ptr<GemmRun> make_gemm_run(const GemmSettings& settings, const Mapping& mapping,
                                       const GemmShape& shape) {
  if (settings.precision == Precision::double_) {
    return std::make_unique<TypedGemmRun<double>>(settings, mapping, shape);
  }
  return std::make_unique<TypedGemmRun<float>>(settings, mapping, shape);
}

}  // namespace kinjo
