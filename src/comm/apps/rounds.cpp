#include "comm/apps/rounds.hpp"

#include <algorithm>
#include <cmath>

#include "comm/apps/collect.hpp"

namespace kinjo::comm::detail {

void check_forms(World& world, std::span<const Form> forms) {
  if (forms.empty()) throw Error(Errc::invalid_argument, "no form: expected at least one");
  if (std::ranges::find(forms, Form::direct) == forms.end()) return;
  bool all = true;
  for (int c = 0; c < world.cells(); ++c) all &= world.path(c) != Path::network;
  need_everywhere(world, all, Errc::not_supported,
                  "form direct loads from other cells' memory: expected cells of one host");
}

double Rounds::timed(const std::function<void()>& work, Tracing tracing) {
  world_.barrier();
  if (tracing == Tracing::on) world_.start_trace();
  const double begin = clock_seconds();
  work();
  const double end = clock_seconds();
  if (tracing == Tracing::on) waits_ = world_.trace();
  begin_ = begin;
  return whole_seconds(world_, begin, end, shared_clock_);
}

void Rounds::run_traced(const Run& form, std::size_t number) {
  FormRounds& rounds = forms_[number];
  rounds.traced_seconds = timed([&] { form(number); }, Tracing::on);
  rounds.seconds.push_back(rounds.traced_seconds);
  if (shared_clock_) {  // from the first cell's begin on, as the seconds are
    const double late = begin_ - world_.all_reduce(begin_, ReduceOp::min);
    for (Wait& wait : waits_) {
      wait.begin_ns += std::llround(late * 1e9);
      wait.end_ns += std::llround(late * 1e9);
    }
  }
  rounds.waits = collect(world_, waits_);
}

void Rounds::run(std::size_t forms, const Run& form, const std::function<void()>& alone,
                 const std::function<void()>& begin_counting) {
  shared_clock_ = share_clock(world_);
  forms_.resize(forms);
  for (std::size_t f = 0; f < forms; ++f) {
    world_
        .barrier();  // all have filled their memory, and none still reads what the next one writes
    form(f);         // also fills memory with pages and data
  }
  world_.barrier();
  alone();
  begin_counting();
  for (std::size_t round = 0; round < count_; ++round) {
    const bool traced = round + 1 == count_ && tracing_ == Tracing::on;
    for (std::size_t i = 0; i <= forms; ++i) {
      const std::size_t turn = (i + round) % (forms + 1);  // nobody always follows the same one
      if (turn == forms) {
        alone_seconds_.push_back(timed(alone, Tracing::off));
      } else if (traced) {
        run_traced(form, turn);
      } else {
        forms_[turn].seconds.push_back(timed([&] { form(turn); }, Tracing::off));
      }
    }
  }
}

}  // namespace kinjo::comm::detail
