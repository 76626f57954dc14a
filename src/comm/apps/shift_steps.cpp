#include "comm/apps/shift_steps.hpp"

#include <algorithm>
#include <vector>

#include "comm/apps/phases.hpp"

namespace kinjo::comm::detail {

ShiftSteps::ShiftSteps(World& world, ShiftMatrices& matrices, int ahead)
    : world_(world),
      matrices_(matrices),
      me_(world.cell()),
      cells_(world.cells()),
      ahead_(ahead),
      flags_(world.allocate_array<std::uint64_t>(static_cast<std::size_t>(cells_) * 8)) {}

const double* ShiftSteps::arrived(int d, int count) const {
  const Offset at = d == 0 ? matrices_.own_a() : buffer(d, count);
  return static_cast<const double*>(world_.local(at));
}

void ShiftSteps::run(Form form, ShiftGemmTimes& times) {
  using Step = void (ShiftSteps::*)(int, Lap&, ShiftGemmTimes&);
  const Step step = form == Form::put    ? &ShiftSteps::put_step
                    : form == Form::get  ? &ShiftSteps::get_step
                    : form == Form::send ? &ShiftSteps::send_step
                                         : &ShiftSteps::direct_step;
  ++product_;
  Lap lap;
  for (int d = 0; d < cells_; ++d) (this->*step)(d, lap, times);
  // Only List 1 has its barriers: others may still read this cell's block.
  if (form == Form::get || form == Form::direct) synchronise(lap, times);
}

void ShiftSteps::run_alone(ShiftGemmTimes& times) {
  Lap lap;
  for (int d = 0; d < cells_; ++d) {
    KINJO_CELLS_PHASE("cells alone", matrices_.multiply(owner(d), arrived(d)));
  }
  lap.add_to(times.multiply);
}

void ShiftSteps::multiply(int d, const double* a, Lap& lap, ShiftGemmTimes& times) {
  KINJO_CELLS_PHASE("cells multiply", matrices_.multiply(owner(d), a));
  lap.add_to(times.multiply);
}

void ShiftSteps::synchronise(Lap& lap, ShiftGemmTimes& times) {
  KINJO_CELLS_PHASE("cells barrier", world_.barrier());
  lap.add_to(times.barrier);
}

void ShiftSteps::put_blocks(int d) {
  std::vector<Target> targets;
  for (int s = d; s < std::min(d + ahead_, cells_ - 1); ++s) {
    targets.push_back({.cell = next(s),
                       .to = buffer(s + 1, ahead_ + 1),
                       .signal = {.flag = flag(me_), .value = product_}});
  }
  world_.put_signal_to_all(targets, world_.local(matrices_.own_a()), matrices_.block_bytes(me_));
}

void ShiftSteps::put_step(int d, Lap& lap, ShiftGemmTimes& times) {
  if (d > 0) {
    KINJO_CELLS_PHASE("cells wait", world_.wait_flag(flag(owner(d)), Until::equal, product_));
    lap.add_to(times.wait);
  }
  const bool last = d + 1 == cells_;
  if (d % ahead_ == 0 && !last) {
    KINJO_CELLS_PHASE("cells put", put_blocks(d));
    lap.add_to(times.put);
  }
  multiply(d, arrived(d, ahead_ + 1), lap, times);
  if (last || (d + 1) % ahead_ == 0) synchronise(lap, times);
}

void ShiftSteps::get_step(int d, Lap& lap, ShiftGemmTimes& times) {
  Completion fetched;
  const bool more = d + 1 < cells_;
  if (more) {
    const int from = owner(d + 1);
    void* to = world_.local(buffer(d + 1, 2));
    KINJO_CELLS_PHASE(
        "cells get", world_.get(from, to, matrices_.own_a(), matrices_.block_bytes(from), fetched));
    lap.add_to(times.put);
  }
  multiply(d, arrived(d), lap, times);
  if (more) {
    KINJO_CELLS_PHASE("cells wait", world_.wait(fetched));
    lap.add_to(times.wait);
  }
}

void ShiftSteps::send_block(int d) {
  world_.send(next(d), d, world_.local(matrices_.own_a()), matrices_.block_bytes(me_));
}

void ShiftSteps::send_step(int d, Lap& lap, ShiftGemmTimes& times) {
  if (d > 0) {
    void* to = world_.local(buffer(d, 2));
    KINJO_CELLS_PHASE("cells wait",
                      world_.receive(owner(d), d - 1, to, matrices_.block_bytes(owner(d))));
    lap.add_to(times.wait);
  }
  if (next(d) != me_) {
    KINJO_CELLS_PHASE("cells send", send_block(d));
    lap.add_to(times.put);
  }
  multiply(d, arrived(d), lap, times);
}

void ShiftSteps::direct_step(int d, Lap& lap, ShiftGemmTimes& times) {
  multiply(d, static_cast<const double*>(world_.ptr(owner(d), matrices_.own_a())), lap, times);
}

}  // namespace kinjo::comm::detail
