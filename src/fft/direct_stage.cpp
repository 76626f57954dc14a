#include "fft/direct_stage.hpp"

#include <fmt/format.h>

#include "fft/cutting.hpp"

namespace kinjo::fft::detail {

namespace {

template <class T>
std::variant<DirectTransform<T>, ShortTransform<T>> transform_of(std::size_t n) {
  if (has_whole_rows(n, 2 * sizeof(T))) return DirectTransform<T>(n);
  return ShortTransform<T>(n);
}

}  // namespace

template <class T>
Direct<T>::Direct(DirectShape shape)
    : shape_(std::move(shape)), transform_(transform_of<T>(shape_.n)) {
  for (const Loop& loop : shape_.loops) items_ *= loop.count;
}

template <class T>
inline typename Direct<T>::Ends Direct<T>::ends(std::size_t item, const Frame<T>& frame) const {
  std::size_t in = 0, out = 0;
  // None of the first one, which may be all there is.
  for (auto loop = shape_.loops.begin(); item != 0; ++loop) {
    in += item % loop->count * loop->in;
    out += item % loop->count * loop->out;
    item /= loop->count;
  }
  return {from(frame, shape_.source).from(in).lines(1, 1),
          to(frame, shape_.target).from(out).lines(1, 1)};
}

template <class T>
void Direct<T>::run(Range items, const Frame<T>& frame, T* scratch) const {
  const T scale = shape_.scaled ? frame.scale : T(1);
  std::visit(
      [&](const auto& transform) {
        for (std::size_t i = items.begin; i < items.end; ++i) {
          const Ends line = ends(i, frame);
          transform.run(line.source, line.target, scale, scratch, write(line));
        }
      },
      transform_);
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
  const Ends line = ends(item, frame);
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
