#include "fft/sweep.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/contract.hpp"
#include "fft/roots.hpp"
#include "memory/claim.hpp"

namespace kinjo::fft::detail {

template <class T>
Sweep<T>::Sweep(SweepShape shape, std::size_t width, InCache method, std::span<const T> filter)
    : shape_(std::move(shape)),
      columns_(shape_.length, width, method),
      chunks_((shape_.lanes.count + width - 1) / width),
      outer_(count_turns(shape_.outer)) {
  if (shape_.twiddle_order != 0) make_table();
  if (!filter.empty()) make_filter(filter);
}

template <class T>
void Sweep<T>::make_table() {
  const std::size_t width = columns_.width(), row = 2 * width;
  low_rows_ = std::min(shape_.length, kTwiddleBlock);
  high_rows_ = (shape_.length + kTwiddleBlock - 1) / kTwiddleBlock;
  const std::size_t rows = high_rows_ + low_rows_;
  table_ = alloc(chunks_ * rows * row * sizeof(T), {.pages = Pages::transparent});
  const Roots roots(shape_.twiddle_order);
  T* at = static_cast<T*>(table_.data());
  for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
    for (std::size_t r = 0; r < rows; ++r, at += row) {
      const std::size_t k = r < high_rows_ ? r * kTwiddleBlock : r - high_rows_;
      for (std::size_t l = 0; l < width; ++l) {
        const std::size_t lane = std::min(chunk * width + l, shape_.lanes.count - 1);
        const auto root = roots.template rounded<T>(k * lane % shape_.twiddle_order);
        at[l] = root.real();
        at[width + l] = root.imag();
      }
    }
  }
}

template <class T>
void Sweep<T>::make_filter(std::span<const T> filter) {
  const std::size_t width = columns_.width(), lanes = shape_.lanes.count;
  const std::size_t numbers = lanes * shape_.length;
  KINJO_ASSERT(filter.size() == 2 * numbers);
  filter_ = alloc(chunks_ * shape_.length * 2 * width * sizeof(T), {.pages = Pages::transparent});
  T* at = static_cast<T*>(filter_.data());
  for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
    for (std::size_t k = 0; k < shape_.length; ++k, at += 2 * width) {
      for (std::size_t l = 0; l < width; ++l) {
        const std::size_t lane = std::min(chunk * width + l, lanes - 1);
        at[l] = filter[k * lanes + lane];
        at[width + l] = filter[numbers + k * lanes + lane];
      }
    }
  }
}

template <class T>
typename Sweep<T>::Chunk Sweep<T>::chunk(std::size_t item, const Frame<T>& frame) const {
  const std::size_t chunk = item % chunks_;
  const std::size_t first = chunk * columns_.width();
  const Tiles &tiles_in = shape_.tiles_in, &tiles_out = shape_.tiles_out;
  const Turn turn = turn_of(shape_.outer, item / chunks_);
  const std::size_t in =
      turn.in + (tiles_in.step != 0 ? chunk * tiles_in.step : first * shape_.lanes.in);
  const std::size_t out =
      turn.out + (tiles_out.step != 0 ? chunk * tiles_out.step : first * shape_.lanes.out);
  Chunk c = {};
  if (filters()) {
    c.filter = static_cast<const T*>(filter_.data()) + chunk * shape_.length * 2 * columns_.width();
  }
  const Storage<const T> source = from(frame, shape_.source).from(in);
  const Storage<T> target = to(frame, shape_.target).from(out);
  c.source = source.lines(shape_.lanes.in, shape_.element_in);
  c.target = target.lines(shape_.lanes.out, shape_.element_out);
  if (tiles_in.step != 0) {
    c.source.fold = tiles_in.fold;
    c.source.far = static_cast<std::ptrdiff_t>(tiles_in.far) * source.step;
  }
  if (tiles_out.step != 0) {
    c.target.fold = tiles_out.fold;
    c.target.far = static_cast<std::ptrdiff_t>(tiles_out.far) * target.step;
  }
  if (shape_.claims) {
    const Storage<T> tiles = to(frame, shape_.source).from(in);
    c.claimed = {first_part(tiles.lines(1, 1)),
                 tiles_in.step * static_cast<std::size_t>(source.step)};
  }
  c.lines = std::min(columns_.width(), shape_.lanes.count - first);
  if (shape_.scaled) c.factors.scale = frame.scale;
  if (shape_.in_memory) c.factors.write = kinjo::detail::Store::streaming;
  if (shape_.twiddle_order != 0) {
    const std::size_t row = 2 * columns_.width();
    c.factors.high = static_cast<const T*>(table_.data()) + chunk * (high_rows_ + low_rows_) * row;
    c.factors.low = c.factors.high + high_rows_ * row;
    c.table = {c.factors.high, (high_rows_ + low_rows_) * row};
  }
  return c;
}

template <class T>
std::size_t Sweep<T>::scratch_size() const {
  return (shape_.overlap == fft::Overlap::on || filters() ? 2 : 1) *
         whole_lines<T>(columns_.work_size());
}

template <class T>
void Sweep<T>::run(Range items, const Frame<T>& frame, T* scratch) const {
  if (filters()) return run_filtering(items, frame, scratch);
  if (shape_.overlap == fft::Overlap::on) return run_overlapped(items, frame, scratch);
  if (shape_.in_memory) return run_in_memory(items, frame, scratch);
  for (std::size_t i = items.begin; i < items.end; ++i) {
    const Chunk c = chunk(i, frame);
    kinjo::detail::claim(c.claimed);
    columns_.run(c.source, c.target, c.lines, scratch, c.factors);
  }
}

/// Loads a first chunk; how many passes are done then.
template <class T>
std::size_t Sweep<T>::begin(const Chunk& chunk, T* buffer) const {
  if (shape_.overlap != fft::Overlap::off) {
    return columns_.load_and_begin(chunk.source, chunk.lines, buffer);
  }
  columns_.load(chunk.source, chunk.lines, buffer);
  return 0;
}

/// From a pass on: the last passes of a chunk are done block by block, and where a block has gone
/// out the next chunk comes in; or it does when all have gone out. Returns how many of the next
/// chunk's passes are done then.
template <class T>
std::size_t Sweep<T>::pass_on(std::size_t pass, T* buffer, const Chunk& present,
                              const Chunk& next) const {
  if (shape_.overlap != fft::Overlap::off) {
    return columns_.compute_and_exchange(pass, buffer, present.target, present.lines,
                                         present.factors, {next.source, next.lines, next.table});
  }
  columns_.compute(buffer);
  columns_.store(buffer, present.target, present.lines, present.factors);
  columns_.load(next.source, next.lines, buffer);
  return 0;
}

template <class T>
void Sweep<T>::run_in_memory(Range items, const Frame<T>& frame, T* scratch) const {
  if (items.empty()) return;
  Chunk c = chunk(items.begin, frame);
  std::size_t done = begin(c, scratch);
  for (std::size_t i = items.begin + 1; i < items.end; ++i) {
    const Chunk next = chunk(i, frame);
    done = pass_on(done, scratch, c, next);
    c = next;
  }
  columns_.compute_from(done, scratch);
  columns_.store(scratch, c.target, c.lines, c.factors);
}

/// With two buffers: after each piece of the present chunk's transform a part of the next chunk is
/// copied into the other buffer. It must be a copy: prefetched into a cache, rows that lie a power
/// of two apart would drive each other out.
template <class T>
void Sweep<T>::run_overlapped(Range items, const Frame<T>& frame, T* scratch) const {
  if (items.empty()) return;
  T* present = scratch;
  T* next = other(scratch);
  Chunk c = chunk(items.begin, frame);
  columns_.load(c.source, c.lines, present);
  const std::size_t pieces = columns_.pieces();
  for (std::size_t i = items.begin; i < items.end; ++i) {
    const bool more = i + 1 < items.end;
    const Chunk ahead = more ? chunk(i + 1, frame) : c;
    std::size_t loaded = 0;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      columns_.compute_piece(present, piece);
      const std::size_t wanted = more ? shape_.length * (piece + 1) / pieces : 0;
      if (loaded < wanted) {
        columns_.load_part(ahead.source, ahead.lines, next, loaded, wanted - loaded);
        loaded = wanted;
      }
    }
    // Lines of one element have no pieces.
    if (more && pieces == 0) columns_.load(ahead.source, ahead.lines, next);
    columns_.store(present, c.target, c.lines, c.factors);
    std::swap(present, next);
    c = ahead;
  }
}

/// Each chunk goes from one buffer to the other between its transforms, and the next one takes its
/// place there.
template <class T>
void Sweep<T>::run_filtering(Range items, const Frame<T>& frame, T* scratch) const {
  if (items.empty()) return;
  T* present = scratch;
  T* filtered = other(scratch);
  Chunk c = chunk(items.begin, frame);
  std::size_t done = begin(c, present);
  for (std::size_t i = items.begin;; ++i) {
    columns_.compute_from(done, present);
    columns_.filter(present, c.filter, filtered);
    if (i + 1 == items.end) break;
    const Chunk next = chunk(i + 1, frame);
    done = pass_on(0, filtered, c, next);
    c = next;
    std::swap(present, filtered);
  }
  columns_.compute(filtered);
  columns_.store(filtered, c.target, c.lines, c.factors);
}

template <class T>
void Sweep<T>::compute(const Chunk& chunk, T* scratch) const {
  columns_.compute(scratch);
  if (!filters()) return;
  columns_.filter(scratch, chunk.filter, other(scratch));
  columns_.compute(other(scratch));
}

template <class T>
void Sweep<T>::step(StepKind kind, std::size_t item, const Frame<T>& frame, T* scratch,
                    std::span<SweepProfile> profiles) const {
  SweepProfile& profile = profiles.front();
  const Chunk c = chunk(item, frame);
  const std::uint64_t bytes = c.lines * shape_.length * 2 * sizeof(T);
  if (kind == StepKind::load) {
    counted(profile.load, bytes, [&] { columns_.load(c.source, c.lines, scratch); });
  } else if (kind == StepKind::compute) {
    counted(profile.compute, filters() ? bytes : 0, [&] { compute(c, scratch); });
  } else {
    // Later ones of the outer loops find it in a cache.
    const std::uint64_t table =
        item < chunks_ ? (high_rows_ + low_rows_) * 2 * columns_.width() * sizeof(T) : 0;
    counted(profile.store, bytes + table, [&] {
      columns_.store(filters() ? other(scratch) : scratch, c.target, c.lines, c.factors);
    });
  }
}

template <class T>
std::string Sweep<T>::describe() const {
  return fmt::format("{} lines of {}, {} at a time, {}{}{}\n", shape_.lanes.count * outer_,
                     shape_.length, columns_.width(),
                     columns_.method() == InCache::in_place ? "in place" : "stockham",
                     filters() ? ", filtered and transformed back" : "",
                     shape_.in_memory ? ", streaming stores" : "");
}

template class Sweep<float>;
template class Sweep<double>;

}  // namespace kinjo::fft::detail
