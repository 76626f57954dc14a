#include "fft/block.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace kinjo::fft::detail {

template <class T>
Block<T>::Block(std::vector<Loop> parts, std::size_t numbers, Where source, Where target,
                std::array<std::size_t, 2> work, Stages<T> inner)
    : parts_(std::move(parts)),
      numbers_(numbers),
      source_(source),
      target_(target),
      work_(work),
      inner_(std::move(inner)),
      items_(count_turns(parts_)) {}

template <class T>
Frame<T> Block<T>::inside(std::size_t item, const Frame<T>& frame, T* scratch) const {
  const Turn turn = turn_of(parts_, item);
  Frame<T> inner;
  inner.in = from(frame, source_).from(turn.in);
  inner.out = to(frame, target_).from(turn.out);
  inner.scale = frame.scale;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    inner.work[i] = interleaved_storage(scratch);
    scratch += 2 * whole_lines<T>(work_[i]);
  }
  return inner;
}

template <class T>
void Block<T>::run(Range items, const Frame<T>& frame, T* scratch) const {
  T* const rest = scratch + work_size();
  for (std::size_t i = items.begin; i < items.end; ++i) {
    const Frame<T> inner = inside(i, frame, scratch);
    for (const auto& stage : inner_) stage->run({0, stage->items()}, inner, rest);
  }
}

template <class T>
std::vector<std::string> Block<T>::sweeps() const {
  std::vector<std::string> all;
  for (const auto& stage : inner_) {
    for (std::string& sweep : stage->sweeps()) all.push_back(std::move(sweep));
  }
  return all;
}

namespace {

/// All steps of a stage one after the other.
template <class T>
void step_all(const Stage<T>& stage, const Frame<T>& frame, T* scratch,
              std::span<SweepProfile> profiles) {
  for (std::size_t i = 0; i < stage.items(); ++i) {
    for (const StepKind kind : {StepKind::load, StepKind::compute, StepKind::store}) {
      stage.step(kind, i, frame, scratch, profiles);
    }
  }
}

}  // namespace

/// In cache, the first sweep reads the part from memory, the last one writes it back, and what goes
/// between them counts for nothing.
template <class T>
void Block<T>::step(StepKind kind, std::size_t item, const Frame<T>& frame, T* scratch,
                    std::span<SweepProfile> profiles) const {
  if (kind != StepKind::compute) return;
  T* const rest = scratch + work_size();
  const Frame<T> inner = inside(item, frame, scratch);
  const std::vector<SweepProfile> before(profiles.begin(), profiles.end());
  std::size_t sweep = 0;
  for (const auto& stage : inner_) {
    const std::size_t count = stage->sweeps().size();
    step_all(*stage, inner, rest, profiles.subspan(sweep, count));
    sweep += count;
  }
  if (goes_past_caches()) return;
  for (std::size_t s = 0; s < profiles.size(); ++s) {
    for (const auto step : {&SweepProfile::load, &SweepProfile::compute, &SweepProfile::store}) {
      (profiles[s].*step).bytes = (before[s].*step).bytes;
    }
  }
  const std::uint64_t bytes = numbers_ * 2 * sizeof(T);
  profiles.front().load.bytes += bytes + (item == 0 ? read_table_bytes() : 0);
  profiles.back().store.bytes += bytes;
}

template <class T>
bool Block<T>::goes_past_caches() const {
  return std::ranges::any_of(inner_, [](const auto& stage) { return stage->goes_past_caches(); });
}

template <class T>
std::size_t Block<T>::work_size() const {
  return 2 * (whole_lines<T>(work_[0]) + whole_lines<T>(work_[1]));
}

template <class T>
std::size_t Block<T>::scratch_size() const {
  std::size_t most = 0;
  for (const auto& stage : inner_) most = std::max(most, stage->scratch_size());
  return work_size() + most;
}

template <class T>
std::size_t Block<T>::table_bytes() const {
  std::size_t sum = 0;
  for (const auto& stage : inner_) sum += stage->table_bytes();
  return sum;
}

template <class T>
std::size_t Block<T>::read_table_bytes() const {
  std::size_t sum = 0;
  for (const auto& stage : inner_) sum += stage->read_table_bytes();
  return sum;
}

template <class T>
std::string Block<T>::describe() const {
  std::string text = fmt::format("{} part{}{}:\n", items_, items_ == 1 ? "" : "s",
                                 goes_past_caches() ? ", by one thread each" : ", in cache each");
  for (const auto& stage : inner_) {
    std::string lines = stage->describe();
    for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1) {
      lines.insert(at, "  ");
    }
    text += lines;
  }
  return text;
}

template class Block<float>;
template class Block<double>;

}  // namespace kinjo::fft::detail
