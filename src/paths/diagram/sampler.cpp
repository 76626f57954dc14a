/// Drawing sets: counts of sets as floating-point numbers with exponents of their own, from the
/// last item up, and of each node the share of its hi branch as a fraction of 2⁶⁴, which is
/// compared with a random number on the way down.
#include <bit>

#include <kinjo/diagram_members.hpp>
#include <kinjo/error.hpp>

#include "graph/random.hpp"
#include "paths/diagram/column.hpp"
#include "paths/diagram/room.hpp"

namespace kinjo::paths {

using detail::Column;
using detail::DiagramData;

namespace {

/// mantissa · 2^exponent, the mantissa being 0 or in [1/2, 1).
struct Scaled {
  double mantissa;
  std::int32_t exponent;
};

/// value · 2^−by; beyond 60 it is too small to be seen.
double scaled_down(double value, std::int32_t by) {
  if (by > 60) return 0;
  return value * std::bit_cast<double>(static_cast<std::uint64_t>(1023 - by) << 52);
}

Scaled operator+(const Scaled& a, const Scaled& b) {
  const bool a_is_greater = b.mantissa == 0 || (a.mantissa != 0 && a.exponent >= b.exponent);
  const Scaled &great = a_is_greater ? a : b, &small = a_is_greater ? b : a;
  if (small.mantissa == 0) return great;
  const double sum = great.mantissa + scaled_down(small.mantissa, great.exponent - small.exponent);
  return sum < 1 ? Scaled{sum, great.exponent} : Scaled{sum / 2, great.exponent + 1};
}

/// part / whole as a fraction of 2⁶⁴, at most 1 − 2⁻⁶⁴.
std::uint64_t share(const Scaled& part, const Scaled& whole) {
  constexpr double kWhole = 18446744073709551616.0;  // 2⁶⁴
  const double ratio = scaled_down(part.mantissa / whole.mantissa, whole.exponent - part.exponent);
  return ratio >= 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(ratio * kWhole);
}

}  // namespace

struct Sampler::Impl {
  Impl(std::shared_ptr<const DiagramData> data, const detail::Window& window)
      : diagram(std::move(data)), hi_shares(*diagram) {
    detail::RecentColumn<Scaled> counts{window};
    counts[kTop] = {0.5, 1};
    detail::visit_upward(*diagram, [&](std::size_t, NodeRef ref, const detail::PackedNode& node) {
      counts[ref] = counts[node.lo()] + counts[node.hi()];
      hi_shares[ref] = share(counts[node.hi()], counts[ref]);
    });
  }

  std::shared_ptr<const DiagramData> diagram;
  Column<std::uint64_t> hi_shares;
};

Sampler::Sampler(const Diagram& diagram, std::uint64_t seed, std::uint64_t memory_limit)
    : seed_(seed) {
  if (diagram.empty()) {
    throw Error(Errc::invalid_argument, "cannot draw a set: the family has none");
  }
  const detail::Window window(*diagram.data());
  detail::Room room(*diagram.data(), memory_limit, "drawing sets");
  room.take(Column<std::uint64_t>::bytes_of(*diagram.data()) +
            detail::RecentColumn<Scaled>::bytes_of(window));
  impl_ = std::make_unique<const Impl>(diagram.data(), window);
}
Sampler::~Sampler() = default;
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;

Set Sampler::draw(std::uint64_t number) const {
  const DiagramData& diagram = *impl_->diagram;
  graph::detail::Stream random({.first = seed_, .second = 0}, number);
  Set set;
  std::size_t item = 0;
  for (NodeRef ref = diagram.root; ref >= kFirstNode;) {
    item = diagram.item_from(item, ref);
    const detail::PackedNode& node = diagram[ref];
    // A share of one cannot be told from one almost so great.
    const bool takes = node.lo() == kBottom || random.next() < impl_->hi_shares[ref];
    if (takes) set.push_back(static_cast<Item>(item));
    ref = takes ? node.hi() : node.lo();
  }
  return set;
}

}  // namespace kinjo::paths
