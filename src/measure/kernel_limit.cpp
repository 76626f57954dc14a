#include "measure/kernel_limit.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "measure/keep.hpp"
#include "measure/sampling.hpp"
#include "measure/together.hpp"

namespace kinjo {

namespace {

using detail::Moves;

constexpr std::size_t kStep = 64 * sizeof(double);  // what the loops ask for

Moves moves_of(const KernelCost& cost) {
  if (cost.stores == 0) return cost.loads == 1 ? Moves::load : Moves::load_two;
  return cost.loads == 1 ? Moves::load_store : Moves::load_two_store;
}

/// The less of both; 0 stands for none yet.
void lower(double& least, double seconds) {
  if (least == 0 || seconds < least) least = seconds;
}

/// Repetitions that take about `seconds`, after `few` that took `took`; never less than those, for
/// they may have been slow only because a thread began late.
std::size_t repetitions_for(double seconds, std::size_t few, double took) {
  constexpr double kMost = 1e9;
  const double wanted = seconds / std::max(took, 1e-9) * static_cast<double>(few);
  return std::max(few, static_cast<std::size_t>(std::min(wanted, kMost)));
}

}  // namespace

const char* to_string(BoundBy bound) noexcept {
  switch (bound) {
    case BoundBy::loads:
      return "loads";
    case BoundBy::stores:
      return "stores";
    case BoundBy::arithmetic:
      return "arithmetic";
    case BoundBy::memory:
      return "memory";
  }
  return "unknown";
}

double KernelLimit::seconds() const { return std::max(moves, arithmetic); }

BoundBy KernelLimit::bound_by() const {
  if (arithmetic > moves) return BoundBy::arithmetic;
  if (beyond_caches) return BoundBy::memory;
  return stores > loads ? BoundBy::stores : BoundBy::loads;
}

KernelLimitProbe::KernelLimitProbe(Team& team, const KernelCost& cost, std::size_t element_bytes,
                                   std::vector<KernelMemory> memory, bool beyond_caches)
    : team_(team), cost_(cost), element_bytes_(element_bytes), memory_(std::move(memory)) {
  KINJO_ASSERT(memory_.size() == team.size() && memory_[0].bytes >= kStep);
  limit_.beyond_caches = beyond_caches;
}

void KernelLimitProbe::look(double seconds) {
  const Moves moves = moves_of(cost_);
  time_moves(moves, seconds, limit_.moves);
  if (limit_.beyond_caches) {
    if (moves == Moves::load_store && !cost_.in_place) {
      time_moves(Moves::load_stream, seconds, limit_.moves);
    }
  } else if (cost_.stores > 0) {
    time_moves(cost_.loads == 1 ? Moves::load : Moves::load_two, seconds, limit_.loads);
    time_moves(Moves::store, seconds, limit_.stores);
  }
  if (cost_.arithmetic) time_arithmetic(seconds);
}

/// Elements that the loops work on.
std::size_t KernelLimitProbe::elements() const {
  std::size_t bytes = 0;
  for (const KernelMemory& part : memory_) bytes += part.bytes / kStep * kStep;
  return bytes / element_bytes_;
}

double KernelLimitProbe::time_of(detail::MoveLoop loop, std::size_t passes) {
  return run_together(team_, [&](const Place& me) {
    const KernelMemory& part = memory_[static_cast<std::size_t>(me.thread)];
    const std::size_t n = part.bytes / kStep * (kStep / sizeof(double));
    auto* const y = static_cast<double*>(part.y);
    if (n > 0) loop(cost_.in_place ? y : static_cast<const double*>(part.x), y, n, passes);
  });
}

/// Every width of the loop; the first passes show how many the look is to have, and bring the data
/// where it will be.
void KernelLimitProbe::time_moves(Moves moves, double seconds, double& least) {
  constexpr std::size_t kFewBytes = std::size_t{1} << 20;
  const std::size_t few = std::max<std::size_t>(1, kFewBytes / (elements() * element_bytes_));
  for (const detail::MoveLoop loop : detail::move_loops(moves)) {
    const std::size_t passes = repetitions_for(seconds, few, time_of(loop, few));
    const double pass = time_of(loop, passes) / static_cast<double>(passes);
    lower(least, pass / static_cast<double>(elements()));
  }
}

void KernelLimitProbe::time_arithmetic(double seconds) {
  const bool doubles = element_bytes_ == sizeof(double);
  const auto time = [&](std::size_t steps) {
    return run_together(team_, [&](const Place&) {
      // Every lane stays or grows slowly: no overflow, no subnormal number.
      if (doubles) {
        keep(detail::burst(*cost_.arithmetic, 1.0, 1.0, 0x1p-40, steps));
      } else {
        keep(detail::burst(*cost_.arithmetic, 1.0F, 1.0F, 0x1p-20F, steps));
      }
    });
  };
  const double flops =
      static_cast<double>(team_.size()) * (doubles ? detail::burst_flops<double>(*cost_.arithmetic)
                                                   : detail::burst_flops<float>(*cost_.arithmetic));
  constexpr std::size_t kFew = 5000;
  const std::size_t steps = repetitions_for(seconds, kFew, time(kFew));
  lower(limit_.arithmetic, time(steps) / static_cast<double>(steps) / flops * cost_.flops);
}

}  // namespace kinjo
