// Reduction of few values over all cells, many times, as computations ask for it; all cells have
// the same bits.
//
// Few cells (`kTellAllCells`) put their values to all others and combine them in the order of
// cells: one flight, P − 1 puts. More of them go by recursive doubling (Thakur, Rabenseifner, Gropp
// 2005): in round r a cell exchanges what it has with the one whose rank differs in bit r, and the
// lower one's stands on the left, so both combine the same two halves: log2 P flights and puts.
// Where P is 2^k + e, the first 2e cells are e pairs, whose even cell takes part for both and tells
// the odd one in the end.
//
// Contributions lie in slots of the target, one for each that may come (`Reserve`).
#include <algorithm>
#include <bit>

#include "comm/waiting.hpp"
#include "comm/world_impl.hpp"

namespace kinjo::comm {
namespace detail {

namespace {

double combine(double a, double b, ReduceOp op) {
  switch (op) {
    case ReduceOp::sum:
      return a + b;
    case ReduceOp::min:
      return std::min(a, b);
    case ReduceOp::max:
      return std::max(a, b);
  }
  return a;
}

/// One reduction of at most `Reserve::kSlotValues` values.
class Reducing {
 public:
  Reducing(WorldImpl& world, std::span<double> values, ReduceOp op, const Deadline& deadline)
      : world_(world), values_(values), op_(op), deadline_(deadline), number_(++world.reductions) {}

  void tell_all();
  void double_up();

 private:
  /// The values are no longer than what every transport copies before it returns.
  void put(int to, std::size_t slot) {
    static_assert(Reserve::kSlotBytes <= kMediumBytes);
    const Signal arrived{.flag = world_.reserve.slot_flag(number_, slot), .value = number_};
    world_.put(to, world_.reserve.slot_values(number_, slot), values_.data(), values_.size_bytes(),
               &arrived, nullptr, deadline_);
  }
  /// What has come into a slot.
  const double* take(std::size_t slot) {
    const Offset flag = world_.reserve.slot_flag(number_, slot);
    wait_for(
        world_, Wait::For::barrier, Needs::all, deadline_,
        [&] { return world_.load_flag(flag) == number_; },
        [] { return std::string("a reduction"); });
    return reinterpret_cast<const double*>(world_.own() +
                                           world_.reserve.slot_values(number_, slot));
  }
  void join_right(const double* theirs) {
    for (double& value : values_) value = combine(value, *theirs++, op_);
  }
  void join_left(const double* theirs) {
    for (double& value : values_) value = combine(*theirs++, value, op_);
  }
  void exchange_by_bits(int rank, int pairs, int ranks);

  WorldImpl& world_;
  std::span<double> values_;
  ReduceOp op_;
  const Deadline& deadline_;
  std::uint64_t number_;
};

void Reducing::tell_all() {
  const int me = world_.cells.cell, count = world_.cells.count;
  // The cell's own contribution takes the same way, so that all are read from one place.
  for (int i = 0; i < count; ++i) put((me + i) % count, static_cast<std::size_t>(me));
  std::copy_n(take(0), values_.size(), values_.begin());
  for (int from = 1; from < count; ++from) join_right(take(static_cast<std::size_t>(from)));
}

void Reducing::exchange_by_bits(int rank, int pairs, int ranks) {
  std::size_t slot = Reserve::kFirstRound;
  for (int bit = 1; bit < ranks; bit *= 2, ++slot) {
    const int other = rank ^ bit;
    put(other < pairs ? 2 * other : other + pairs, slot);
    const double* const theirs = take(slot);
    (other > rank) ? join_right(theirs) : join_left(theirs);
  }
}

void Reducing::double_up() {
  const int me = world_.cells.cell, count = world_.cells.count;
  const int ranks = static_cast<int>(std::bit_floor(static_cast<unsigned>(count)));
  const int pairs = count - ranks;
  const bool is_paired = me < 2 * pairs;
  if (is_paired && me % 2 == 1) {
    put(me - 1, Reserve::kFromPair);
    std::copy_n(take(Reserve::kToPair), values_.size(), values_.begin());
    return;
  }
  if (is_paired) join_right(take(Reserve::kFromPair));
  exchange_by_bits(is_paired ? me / 2 : me - pairs, pairs, ranks);
  if (is_paired) put(me + 1, Reserve::kToPair);
}

}  // namespace

void WorldImpl::all_reduce(std::span<double> values, ReduceOp op, const Deadline& deadline) {
  for (std::size_t begin = 0; begin < values.size(); begin += Reserve::kSlotValues) {
    const std::size_t count = std::min(Reserve::kSlotValues, values.size() - begin);
    Reducing reducing(*this, values.subspan(begin, count), op, deadline);
    cells.count <= kTellAllCells ? reducing.tell_all() : reducing.double_up();
  }
}

}  // namespace detail

void World::all_reduce(std::span<double> values, ReduceOp op, Timeout timeout) {
  impl_->check_caller("all_reduce");
  impl_->all_reduce(values, op, detail::Deadline(timeout));
}

}  // namespace kinjo::comm
