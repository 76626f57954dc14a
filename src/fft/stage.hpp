/// What a plan does between two barriers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <kinjo/fft_plan.hpp>
#include <kinjo/partition.hpp>

#include "base/cycle_clock.hpp"
#include "fft/loops.hpp"
#include "fft/storage.hpp"

namespace kinjo::fft::detail {

/// S2's steps of a sweep. A stage without loads and stores of its own is all computing.
enum class StepKind { load, compute, store };

/// How a stage is one line.
struct OneLine {
  std::size_t scratch;     ///< elements that it needs
  bool from_out = false;   ///< it reads what the stage before has written
  bool exchanged = false;  ///< it takes imaginary parts for real ones, where it reads and writes
};

/// Items that may be done in any order, by any thread.
template <class T>
class Stage {
 public:
  Stage() = default;
  virtual ~Stage() = default;
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  virtual std::size_t items() const = 0;
  /// Does some items. `scratch` is the thread's own, `scratch_size()` elements aligned to 64 bytes.
  virtual void run(Range items, const Frame<T>& frame, T* scratch) const = 0;
  /// What each sweep of an item does, in lines; most stages are one sweep.
  virtual std::vector<std::string> sweeps() const { return {describe()}; }
  /// One step of one item, counted, for each of the sweeps. Bytes are those that go between memory
  /// and caches that hold no array: of each table once for all items. Between an item's steps its
  /// scratch memory stays as it is.
  virtual void step(StepKind kind, std::size_t item, const Frame<T>& frame, T* scratch,
                    std::span<SweepProfile> profiles) const = 0;
  virtual std::size_t scratch_size() const = 0;
  virtual std::size_t table_bytes() const = 0;
  /// If it is one line to `out`, so that `run_line` is the same as `run`.
  virtual std::optional<OneLine> one_line() const { return std::nullopt; }
  /// Of numbers whose parts alternate, imaginary ones first where exchanged; without a frame, to
  /// make and read which takes as long as a transform of eight numbers.
  virtual void run_line(const T* in, T* out, bool exchanged, T scale, T* scratch) const {
    static_cast<void>(in), static_cast<void>(out), static_cast<void>(exchanged);
    static_cast<void>(scale), static_cast<void>(scratch);
  }
  /// Whether its stores go past the caches.
  virtual bool goes_past_caches() const { return false; }
  /// Of tables that it reads, also those that are someone else's.
  virtual std::size_t read_table_bytes() const { return table_bytes(); }
  /// Lines, each with a line's end.
  virtual std::string describe() const = 0;
};

/// Does `f` and adds its ticks to those of a step.
template <class F>
void counted(Step& step, std::uint64_t bytes, F&& f) {
  const std::uint64_t begin = kinjo::detail::read_counter();
  f();
  step.ticks += kinjo::detail::read_counter() - begin;
  step.bytes += bytes;
}

/// A stage without loads and stores of its own, nor scratch memory.
template <class T>
class ComputingStage : public Stage<T> {
 public:
  void step(StepKind kind, std::size_t item, const Frame<T>& frame, T* scratch,
            std::span<SweepProfile> profiles) const final {
    if (kind != StepKind::compute) return;
    counted(profiles.front().compute, 0, [&] { this->run({item, item + 1}, frame, scratch); });
  }
  std::size_t scratch_size() const final { return 0; }
  std::size_t table_bytes() const override { return 0; }
};

/// Elements rounded up to whole cache lines.
template <class T>
constexpr std::size_t whole_lines(std::size_t elements) {
  constexpr std::size_t kLine = 64 / sizeof(T);
  return (elements + kLine - 1) / kLine * kLine;
}

}  // namespace kinjo::fft::detail
