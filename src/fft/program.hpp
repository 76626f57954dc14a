/// All stages of a plan, and how a team runs them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/team.hpp>

#include "fft/line.hpp"
#include "fft/problem.hpp"
#include "fft/work_arrays.hpp"

namespace kinjo::fft::detail {

/// The loops around the lines of an axis, innermost first, without those of one turn. `in` and
/// `out` are the array as it is read and as it is written; they differ in lengths at most.
std::vector<Loop> loops_around(const Problem& in, const Problem& out, std::size_t axis);

/// Stages with barriers between them. Made by `add`, and complete after `finish`, which gets the
/// memory.
template <class T>
class Program {
 public:
  Program(Team* team, const Options& options);

  /// What comes next: lines of a transformed axis, which is the `number`-th one, or a stage.
  void add(const LineShape& lines, std::size_t number);
  void add(std::unique_ptr<Stage<T>> stage);
  /// Throws `Error` (`out_of_memory`).
  void finish();
  LineOptions line_options(const LineShape& shape, std::size_t number) const;
  /// For lines by themselves.
  Conditions conditions() const;
  /// Where stages keep what they share.
  Tables<T>& tables() { return tables_; }

  /// From `in` to `out` of the frame, which may be the same. Throws `Error` (`out_of_memory`).
  void run(const Frame<T>& frame) const;
  /// Whether all of a plan is one line, so that `run_line` may be called.
  bool is_line() const { return !line_.empty(); }
  /// The same as `run`, of numbers whose parts alternate; exchanged as of `Stage::run_line`.
  void run_line(const T* in, T* out, bool exchanged, T scale) const;
  /// The same, counted.
  Profile profile(Storage<const T> in, Storage<T> out, T scale) const;

  std::size_t table_bytes() const;
  std::size_t work_bytes() const;
  std::string describe() const;

 private:
  template <class F>
  void for_each_stage(Storage<const T> in, Storage<T> out, T scale, F&& run_stage) const;
  Partition share_out(std::size_t items) const;
  template <class F>
  void run_threads(F&& f) const;
  void run_here(const Stage<T>& stage, const Frame<T>& frame, std::size_t items) const;
  void run_stage(const Stage<T>& stage, const Frame<T>& frame) const;
  void profile_stage(const Stage<T>& stage, const Frame<T>& frame, Profile& profile) const;
  T* scratch() const;
  std::size_t threads() const { return team_ ? team_->size() : 1; }

  Team* team_;
  bool together_;  ///< `Conditions::together`
  Options options_;
  std::vector<LinePlan<T>> lines_;
  Tables<T> tables_;
  std::unique_ptr<WorkArrays<T>> work_;
  std::size_t scratch_size_ = 0;
  /// All stages of a plan that has one item in each and no work array; else empty.
  std::vector<const Stage<T>*> single_;
  struct LineStage {
    const Stage<T>* stage;
    OneLine how;
  };
  std::vector<LineStage> line_;  ///< the same, if they are one line each, else empty
  std::size_t line_scratch_ = 0;
};

}  // namespace kinjo::fft::detail
