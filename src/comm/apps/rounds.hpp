/// Rounds of a program in each of its forms and of the same without communication, in turn, so that
/// a drift of the machine hits all alike.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <kinjo/comm_apps.hpp>

#include "comm/apps/collect.hpp"

namespace kinjo::comm::detail {

/// What an allocation may lose to alignment and to rounding up.
inline constexpr std::size_t kHeapSlack = 4096;

/// Refuses no forms at all, and `Form::direct` on every cell where one cannot load from all others.
/// Collective.
void check_forms(World& world, std::span<const Form> forms);

/// What one form took.
struct FormRounds {
  std::vector<double> seconds;
  std::vector<std::vector<Wait>> waits;  ///< at cell 0: each cell's in the last round
  double traced_seconds = 0;             ///< that the last round took
};

class Rounds {
 public:
  /// A program in its form of that number.
  using Run = std::function<void(std::size_t form)>;

  Rounds(World& world, std::size_t count, Tracing tracing)
      : world_(world), count_(count), tracing_(tracing) {}

  /// Runs every form and `alone` once to begin with, which does not count (`begin_counting`
  /// follows), then `count` times, and notes what they took. Collective.
  void run(std::size_t forms, const Run& form, const std::function<void()>& alone,
           const std::function<void()>& begin_counting);

  const FormRounds& form(std::size_t number) const { return forms_[number]; }
  const std::vector<double>& alone_seconds() const { return alone_seconds_; }

 private:
  /// Seconds from the first cell's begin to the last one's end.
  double timed(const std::function<void()>& work, Tracing tracing);
  void run_traced(const Run& form, std::size_t number);

  World& world_;
  std::size_t count_;
  Tracing tracing_;
  bool shared_clock_ = true;
  double begin_ = 0;         ///< of this cell, in the last round
  std::vector<Wait> waits_;  ///< of this cell, in the last round that was traced
  std::vector<FormRounds> forms_;
  std::vector<double> alone_seconds_;
};

/// What form number `f` took, as a program's result; `mean` is this cell's time a round by what it
/// was spent on. Collective.
template <class Result, class Times>
Result result_of(World& world, const Rounds& rounds, std::span<const Form> forms, std::size_t f,
                 const Times& mean) {
  Result result;
  result.form = forms[f];
  result.seconds = rounds.form(f).seconds;
  result.alone_seconds = rounds.alone_seconds();
  result.cells = collect(world, mean);
  result.waits = rounds.form(f).waits;
  result.traced_seconds = rounds.form(f).traced_seconds;
  return result;
}

}  // namespace kinjo::comm::detail
