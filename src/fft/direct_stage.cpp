#include "fft/direct_stage.hpp"

#include <fmt/format.h>

#include "fft/cutting.hpp"

namespace kinjo::fft::detail {

namespace {

/// Lines of fewer numbers take less time as short ones, by up to a fifth at 512 to 960 numbers and
/// more below (Zen 4, every level); 512 at level sse2, and 896 at avx2, take 5 to 9 % longer.
constexpr std::size_t kLeastDirect = 1024;

/// Results of short transforms stay in caches, where those of lines in memory are not to be.
template <class T>
std::variant<DirectTransform<T>, ShortTransform<T>> transform_of(std::size_t n, bool in_memory) {
  const bool is_short = n < kLeastDirect && !in_memory;
  if (has_whole_rows(n, 2 * sizeof(T)) && !is_short) return DirectTransform<T>(n);
  return ShortTransform<T>(n);
}

}  // namespace

template <class T>
Direct<T>::Direct(DirectShape shape)
    : shape_(std::move(shape)),
      transform_(transform_of<T>(shape_.n, shape_.in_memory)),
      items_(count_turns(shape_.loops)) {}

template <class T>
inline typename Direct<T>::Ends Direct<T>::ends(Turn turn, const Frame<T>& frame) const {
  return {from(frame, shape_.source).from(turn.in).lines(1, 1),
          to(frame, shape_.target).from(turn.out).lines(1, 1)};
}

template <class T>
void Direct<T>::run(Range items, const Frame<T>& frame, T* scratch) const {
  const T scale = shape_.scaled ? frame.scale : T(1);
  const auto* const line = std::get_if<ShortTransform<T>>(&transform_);
  const Ends first = ends({}, frame);
  if (line && ShortTransform<T>::are_alike(first.source, first.target)) {
    const T* const in = first_part(first.source);
    T* const out = first_part(first.target);
    const bool exchanged = is_exchanged(first.source);
    return for_each_turn(shape_.loops, items, [&](Turn turn) {
      line->run(in + 2 * turn.in, out + 2 * turn.out, exchanged, scale, scratch);
    });
  }
  const auto run_all = [&](const auto& transform) {
    for_each_turn(shape_.loops, items, [&](Turn turn) {
      const Ends both = ends(turn, frame);
      transform.run(both.source, both.target, scale, scratch, write(both));
    });
  };
  std::visit(run_all, transform_);
}

template <class T>
std::optional<OneLine> Direct<T>::one_line() const {
  const Where source = shape_.source, target = shape_.target;
  const bool from_out = source.array == Array::out;
  const bool is_plain = (from_out || source.array == Array::in) && target.array == Array::out &&
                        source.exchanged == target.exchanged;
  if (items_ != 1 || !is_plain || !shape_.scaled || shape_.in_memory) return std::nullopt;
  const auto* const line = std::get_if<ShortTransform<T>>(&transform_);
  return OneLine{line && line->is_whole() ? 0 : scratch_size(), from_out, source.exchanged};
}

template <class T>
void Direct<T>::run_line(const T* in, T* out, bool exchanged, T scale, T* scratch) const {
  if (const auto* const line = std::get_if<ShortTransform<T>>(&transform_)) {
    return line->run(in, out, exchanged, scale, scratch);
  }
  const std::ptrdiff_t first = exchanged ? 1 : 0, second = 1 - first;
  const Ends line{{in + first, in + second, 2, 2}, {out + first, out + second, 2, 2}};
  std::get<DirectTransform<T>>(transform_)
      .run(line.source, line.target, scale, scratch, write(line));
}

template <class T>
std::size_t Direct<T>::scratch_size() const {
  return std::visit([](const auto& transform) { return transform.work_size(); }, transform_);
}
template <class T>
std::size_t Direct<T>::table_bytes() const {
  return std::visit([](const auto& transform) { return transform.table_bytes(); }, transform_);
}

template <class T>
void Direct<T>::step(StepKind kind, std::size_t item, const Frame<T>& frame, T* scratch,
                     std::span<SweepProfile> profiles) const {
  SweepProfile& profile = profiles.front();
  const Ends line = ends(turn_of(shape_.loops, item), frame);
  const std::uint64_t bytes = shape_.n * 2 * sizeof(T);
  std::visit(
      [&](const auto& transform) {
        if (kind == StepKind::load) {
          const std::uint64_t table = item == 0 ? table_bytes() : 0;
          counted(profile.load, bytes + table, [&] { transform.load(line.source, scratch); });
        } else if (kind == StepKind::compute) {
          counted(profile.compute, 0, [&] { transform.compute(scratch); });
        } else {
          const T scale = shape_.scaled ? frame.scale : T(1);
          counted(profile.store, bytes,
                  [&] { transform.store(line.target, scale, scratch, write(line)); });
        }
      },
      transform_);
}

template <class T>
bool Direct<T>::goes_past_caches() const {
  return shape_.in_memory && std::holds_alternative<DirectTransform<T>>(transform_);
}

template <class T>
std::string Direct<T>::describe() const {
  return fmt::format("{} lines of {}, one at a time, direct{}\n", items_, shape_.n,
                     goes_past_caches() ? ", streaming stores" : "");
}

template class Direct<float>;
template class Direct<double>;

}  // namespace kinjo::fft::detail
