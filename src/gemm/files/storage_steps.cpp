#include "gemm/files/storage_steps.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "gemm/strips.hpp"

namespace kinjo::gemm {

Remaining::Remaining(std::size_t size, std::span<const Range> gone) {
  std::size_t begin = 0, before = 0;
  const auto add = [&](std::size_t end) {
    if (begin >= end) return;
    ranges_.push_back({begin, end});
    before_.push_back(before);
    before += end - begin;
  };
  for (const Range& range : gone) {
    add(std::min(range.begin, size));
    begin = range.end;
  }
  add(size);
}

std::size_t Remaining::count() const {
  return ranges_.empty() ? 0 : before_.back() + ranges_.back().size();
}

std::size_t Remaining::at(std::size_t i) const {
  const auto next = std::ranges::upper_bound(before_, i);
  const auto index = static_cast<std::size_t>(next - before_.begin()) - 1;
  return ranges_[index].begin + (i - before_[index]);
}

std::size_t Remaining::below(std::size_t number) const {
  const auto next = std::ranges::upper_bound(ranges_, number, {}, &Range::begin);
  if (next == ranges_.begin()) return 0;
  const auto index = static_cast<std::size_t>(next - ranges_.begin()) - 1;
  return before_[index] + std::min(number, ranges_[index].end) - ranges_[index].begin;
}

std::size_t Blocks::count() const {
  return std::max<std::size_t>(detail::ceil_div(size, block), 1);
}

Range Blocks::range(std::size_t i) const {
  const std::size_t begin = i * block;
  return {begin, begin + std::min(block, size - begin)};
}

StorageSteps::StorageSteps(const StorageChoice& s, const Problem& p,
                           std::span<const Range> finished_panels)
    : outer_{Dimension::m, p.m, s.mc},
      second_{Dimension::n, p.n, s.nc},
      inner_{Dimension::k, p.k, s.kc} {
  if (s.outer == Dimension::n) std::swap(outer_, second_);
  std::size_t panels = 0, steps = 0;
  if (__builtin_mul_overflow(outer_.count(), second_.count(), &panels) ||
      __builtin_mul_overflow(panels, inner_.count(), &steps)) {
    throw Error(
        Errc::bad_input,
        fmt::format("{} × {} panels of {} steps each are more than can be counted: expected "
                    "larger blocks of R",
                    outer_.count(), second_.count(), inner_.count()));
  }
  left_ = Remaining(panels, finished_panels);
  // A block of the outer dimension has none left if it lies in one range of finished panels.
  std::vector<Range> over;
  for (const Range& range : finished_panels) {
    const std::size_t begin = detail::ceil_div(range.begin, second_.count());
    const std::size_t end = range.end / second_.count();
    if (begin < end) over.push_back({begin, end});
  }
  outer_left_ = Remaining(outer_.count(), over);
}

StorageStep StorageSteps::step(std::size_t i) const {
  const std::size_t panel = this->panel(i), k = i % in_panel();
  const Range outer = outer_.range(panel / second_.count());
  const Range second = second_.range(panel % second_.count());
  const bool m_outside = outer_.dimension == Dimension::m;
  return {m_outside ? outer : second, m_outside ? second : outer, inner_.range(k), k == 0,
          k + 1 == in_panel()};
}

UnitOrder::UnitOrder(const StorageSteps& steps, Dimension along, bool is_long, std::size_t slots)
    : steps_(steps), is_outer_(along == steps.outer().dimension), is_long_(is_long) {
  const std::size_t needed = this->needed();
  order_ = order_of(needed <= slots);
  const bool each_once = order_ == Order::by_outer || order_ == Order::by_second;
  fetches_ = each_once                   ? needed
             : order_ == Order::by_panel ? steps.panels_left().count()
                                         : steps.count();
}

UnitOrder::Order UnitOrder::order_of(bool all_stay) const {
  if (is_outer_ && (all_stay || parts() == 1)) return Order::by_outer;
  if (all_stay) return Order::by_second;
  return parts() == 1 ? Order::by_panel : Order::by_step;
}

std::size_t UnitOrder::needed() const {
  if (is_outer_) return steps_.outer_left().count() * parts();
  const auto ranges = steps_.panels_left().ranges();
  if (ranges.empty()) return 0;
  const std::size_t between = ranges.back().end - ranges.front().begin;
  return std::min(between, steps_.second().count()) * parts();
}

/// The block of the second dimension that is needed first.
std::size_t UnitOrder::first_second() const { return steps_.panel(0) % steps_.second().count(); }

std::size_t UnitOrder::of_step(std::size_t step) const {
  if (order_ == Order::by_step) return step;
  if (order_ == Order::by_panel) return step / steps_.in_panel();
  const std::size_t part = is_long_ ? 0 : step % steps_.in_panel();
  const std::size_t panel = steps_.panel(step), count = steps_.second().count();
  if (order_ == Order::by_outer) return steps_.outer_left().below(panel / count) * parts() + part;
  return (panel % count + count - first_second()) % count * parts() + part;
}

std::size_t UnitOrder::first_step(std::size_t fetch) const {
  if (order_ == Order::by_step) return fetch;
  const std::size_t k = steps_.in_panel();
  if (order_ == Order::by_panel) return fetch * k;
  const std::size_t number = fetch / parts(), part = fetch % parts();
  const std::size_t panel = order_ == Order::by_outer
                                ? steps_.outer_left().at(number) * steps_.second().count()
                                : steps_.panel(0) + number;
  return steps_.panels_left().below(panel) * k + part;
}

UnitOrder::Unit UnitOrder::unit(std::size_t fetch) const {
  if (order_ == Order::by_panel || order_ == Order::by_step) {
    const StorageStep step = steps_.step(first_step(fetch));
    const bool is_m = (steps_.outer().dimension == Dimension::m) == is_outer_;
    return {is_m ? step.m : step.n, is_long_ ? Range{0, steps_.inner().size} : step.k};
  }
  const std::size_t number = fetch / parts(), part = fetch % parts();
  const Range inner = is_long_ ? Range{0, steps_.inner().size} : steps_.inner().range(part);
  if (order_ == Order::by_outer) {
    return {steps_.outer().range(steps_.outer_left().at(number)), inner};
  }
  return {steps_.second().range((first_second() + number) % steps_.second().count()), inner};
}

}  // namespace kinjo::gemm
