/// STREAM's four loops (McCalpin, 1995; S1 section 4.1) over arrays whose parts lie with their
/// threads. They are verified as STREAM does it: what every element must be is computed for one of
/// them, and the mean deviation compared.
#include <kinjo/stream.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "simd/stream_kernels.hpp"

namespace kinjo {

namespace {

constexpr double kScalar = 3;
constexpr double kLarge = 0x1p500;    // far from overflow: a round multiplies by 15
constexpr double kTolerance = 1e-13;  // STREAM's own for doubles

/// What scale and triad multiply `c` by. A power of two costs no digits, so the check stays as
/// sharp.
double factor(double c) { return c > kLarge ? kScalar / kLarge : kScalar; }

bool wants_streaming(StreamStores stores, std::size_t elements) {
  if (stores != StreamStores::automatic) return stores == StreamStores::streaming;
  return 3 * elements * sizeof(double) > Topology::this_machine().last_level_cache_bytes();
}

/// A partial sum on a line of its own, so that threads do not share one.
struct alignas(128) Deviation {
  double sum = 0;
};

/// Mean deviation of an array from a scalar, over the scalar.
double mean_deviation(Team& team, PartitionedArray<double>& array, double expected) {
  std::vector<Deviation> partial(team.size());
  team.run([&](const Place& me) {
    double sum = 0;
    for (double value : array.local(me)) sum += std::abs(value - expected);
    partial[static_cast<std::size_t>(me.thread)].sum = sum;
  });
  double total = 0;
  for (const Deviation& d : partial) total += d.sum;
  const double mean = total / static_cast<double>(array.size());
  return expected == 0 ? mean : mean / std::abs(expected);
}

}  // namespace

const char* to_string(StreamOperation operation) noexcept {
  switch (operation) {
    case StreamOperation::copy:
      return "copy";
    case StreamOperation::scale:
      return "scale";
    case StreamOperation::add:
      return "add";
    case StreamOperation::triad:
      return "triad";
  }
  return "unknown";
}

std::size_t stream_bytes_per_element(StreamOperation operation) noexcept {
  const bool two = operation == StreamOperation::copy || operation == StreamOperation::scale;
  return (two ? 2 : 3) * sizeof(double);
}

Stream::Stream(Team& team, std::size_t elements, Pages pages, StreamStores stores)
    : team_(team),
      a_(team, elements, {.pages = pages}),
      b_(team, elements, {.pages = pages}),
      c_(team, elements, {.pages = pages}),
      mark_a_("a", a_.data(), elements * sizeof(double)),
      mark_b_("b", b_.data(), elements * sizeof(double)),
      mark_c_("c", c_.data(), elements * sizeof(double)),
      streams_(wants_streaming(stores, elements)) {
  KINJO_PHASE("init");
  team.run([this](const Place& me) {
    std::ranges::fill(a_.local(me), expected_a_);
    std::ranges::fill(b_.local(me), expected_b_);
  });
}

/// Calls `f(a, b, c, n, store)` in every thread with its `n` elements of each array: those that are
/// its own in `a`. Where the pool of huge pages sufficed for some of the arrays only, the others
/// are cut elsewhere.
template <class F>
void Stream::for_each_part(F&& f) {
  const auto store = streams_ ? detail::Store::streaming : detail::Store::cached;
  team_.run([&](const Place& me) {
    const Range mine = a_.partition().piece(static_cast<std::size_t>(me.thread), 0);
    f(a_.data() + mine.begin, b_.data() + mine.begin, c_.data() + mine.begin, mine.size(), store);
  });
}

void Stream::copy() {
  KINJO_PHASE("copy");
  for_each_part([](double* a, double*, double* c, std::size_t n, detail::Store store) {
    detail::stream_copy(a, c, n, store);
  });
  expected_c_ = expected_a_;
}

void Stream::scale() {
  KINJO_PHASE("scale");
  const double s = factor(expected_c_);
  for_each_part([s](double*, double* b, double* c, std::size_t n, detail::Store store) {
    detail::stream_scale(c, b, s, n, store);
  });
  expected_b_ = s * expected_c_;
}

void Stream::add() {
  KINJO_PHASE("add");
  for_each_part([](double* a, double* b, double* c, std::size_t n, detail::Store store) {
    detail::stream_add(a, b, c, n, store);
  });
  expected_c_ = expected_a_ + expected_b_;
}

void Stream::triad() {
  KINJO_PHASE("triad");
  const double s = factor(expected_c_);
  for_each_part([s](double* a, double* b, double* c, std::size_t n, detail::Store store) {
    detail::stream_triad(b, c, a, s, n, store);
  });
  expected_a_ = expected_b_ + s * expected_c_;
}

void Stream::run(StreamOperation operation) {
  switch (operation) {
    case StreamOperation::copy:
      return copy();
    case StreamOperation::scale:
      return scale();
    case StreamOperation::add:
      return add();
    case StreamOperation::triad:
      return triad();
  }
}

std::optional<std::string> Stream::verify() {
  KINJO_PHASE("verify");
  struct Check {
    const char* name;
    PartitionedArray<double>& array;
    double expected;
  };
  for (const Check& check :
       {Check{"a", a_, expected_a_}, Check{"b", b_, expected_b_}, Check{"c", c_, expected_c_}}) {
    const double deviation = mean_deviation(team_, check.array, check.expected);
    if (deviation < kTolerance) continue;  // false for a NaN
    return fmt::format("array {} deviates by {:.3g} of {:.17g} on average, more than {:g}",
                       check.name, deviation, check.expected, kTolerance);
  }
  return std::nullopt;
}

ArrayAudit Stream::audit() const {
  ArrayAudit sum = a_.audit();
  for (const auto* array : {&b_, &c_}) {
    for (const auto& [node, audit] : array->audit().by_owner_node) sum.by_owner_node[node] += audit;
  }
  return sum;
}

std::size_t stream_elements(const Topology& machine) {
  constexpr std::size_t kLeast = 1'000'000;
  return std::max<std::size_t>(kLeast, 4 * machine.last_level_cache_bytes() / sizeof(double));
}

}  // namespace kinjo
