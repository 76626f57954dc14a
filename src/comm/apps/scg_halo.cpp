#include "comm/apps/scg_halo.hpp"

namespace kinjo::comm::detail {

Halo::Halo(World& world, Offset p, std::size_t n, std::size_t rows, std::size_t rows_above)
    : world_(world),
      p_(p),
      n_(n),
      rows_(rows),
      rows_above_(rows_above),
      me_(world.cell()),
      cells_(world.cells()),
      halos_(world.allocate_array<double>(4 * n)),
      zeros_(world.allocate_array<double>(n)),
      flags_(world.allocate_array<std::uint64_t>(16)) {}

Offset Halo::halo(Side side) const { return halos_.at((2 * side + iteration_ % 2) * n_); }

Offset Halo::own_row(Side side) const {
  return p_ + (side == kAbove ? 0 : rows_ - 1) * n_ * sizeof(double);
}

Offset Halo::their_row(Side side) const {
  return p_ + (side == kAbove ? rows_above_ - 1 : 0) * n_ * sizeof(double);
}

void Halo::begin(Form form) {
  form_ = form;
  ++iteration_;
  for (const Side side : {kAbove, kBelow}) {
    if (has(side)) begin(side);
  }
}

void Halo::begin(Side side) {
  const Side other = side == kAbove ? kBelow : kAbove;  // which side this cell is on over there
  const Signal come{.flag = flag(other), .value = iteration_};
  const std::size_t bytes = n_ * sizeof(double);
  const int to = neighbour(side);
  switch (form_) {
    case Form::put:
      world_.put_signal(to, halo(other), world_.local(own_row(side)), bytes, come, &copied_);
      break;
    case Form::send:
      world_.send(to, static_cast<int>(other), world_.local(own_row(side)), bytes);
      break;
    case Form::get:
    case Form::direct:
      world_.signal(to, come);  // the row may be read
  }
}

const double* Halo::end(Side side) {
  if (!has(side)) return zeros();
  const int from = neighbour(side);
  const std::size_t bytes = n_ * sizeof(double);
  auto* const here = static_cast<double*>(world_.local(halo(side)));
  if (form_ == Form::send) {
    world_.receive(from, static_cast<int>(side), here, bytes);
    return here;
  }
  world_.wait_flag(flag(side), Until::at_least, iteration_);
  if (form_ == Form::direct) return static_cast<const double*>(world_.ptr(from, their_row(side)));
  if (form_ == Form::get) world_.get(from, here, their_row(side), bytes, copied_);
  return here;
}

Halo::Rows Halo::end() {
  const Rows rows{end(kAbove), end(kBelow)};
  world_.wait(copied_);
  return rows;
}

}  // namespace kinjo::comm::detail
