/// One sweep: lines go through cache, `width` of them at a time.
#pragma once

#include <span>
#include <vector>

#include <kinjo/memory.hpp>

#include "fft/stage.hpp"

namespace kinjo::fft::detail {

/// Lines that are kept in tiles between two sweeps: 2^fold elements of `width` lines next to each
/// other, and tile behind tile. Without tiles `step` is 0.
struct Tiles {
  std::size_t step = 0;  ///< from the tiles of one chunk of lines to those of the next
  std::size_t far = 0;   ///< from one tile of a chunk to the next
  unsigned fold = 0;
};

/// Which lines a sweep takes, and where from and to.
struct SweepShape {
  std::size_t length = 1;
  std::size_t element_in = 1, element_out = 1;  ///< from one element of a line to the next
  Loop lanes;                                   ///< neighbouring lines
  std::vector<Loop> outer;
  /// Not 0: element k of lane l is multiplied with exp(−2πi·kl/order) when it is stored.
  std::size_t twiddle_order = 0;
  Where source, target;
  Tiles tiles_in, tiles_out;
  /// Whether `tiles_in`, which are in a cache, were stored by other threads, and will be again.
  bool claims = false;
  bool scaled = false;  ///< by the frame's factor
  /// Whether the arrays are in memory rather than in a cache: stores go past the caches, and
  /// columns are loaded row after row before anything is computed, since blocks of rows that lie a
  /// power of two apart are the slowest way to read memory.
  bool in_memory = false;
  /// In memory: whether the next lines are loaded while the present ones are computed (without
  /// tiles_in and a filter), after they are stored, or where a part of them has just been stored.
  fft::Overlap overlap = fft::Overlap::automatic;
};

template <class T>
class Sweep final : public Stage<T> {
 public:
  /// With `filter`, lines are transformed, multiplied, and transformed once more with their real
  /// and imaginary parts exchanged: element k of lane l with number l + k·lanes of the filter,
  /// which has lanes·length complex numbers, real parts first.
  Sweep(SweepShape shape, std::size_t width, InCache method, std::span<const T> filter = {});

  std::size_t items() const override { return chunks_ * outer_; }
  void run(Range items, const Frame<T>& frame, T* scratch) const override;
  void step(StepKind kind, std::size_t item, const Frame<T>& frame, T* scratch,
            std::span<SweepProfile> profiles) const override;
  std::size_t scratch_size() const override;
  std::size_t table_bytes() const override { return table_.size() + filter_.size(); }
  bool goes_past_caches() const override { return shape_.in_memory; }
  std::string describe() const override;

 private:
  struct Chunk {
    Lines<const T> source;
    Lines<T> target;
    std::size_t lines;
    Store<T> factors;
    std::span<const T> table;  ///< what `factors` refer to
    const T* filter;
    std::span<T> claimed;  ///< by who loads it
  };
  Chunk chunk(std::size_t item, const Frame<T>& frame) const;
  void run_in_memory(Range items, const Frame<T>& frame, T* scratch) const;
  void run_overlapped(Range items, const Frame<T>& frame, T* scratch) const;
  std::size_t begin(const Chunk& chunk, T* buffer) const;
  std::size_t pass_on(std::size_t pass, T* buffer, const Chunk& present, const Chunk& next) const;
  void run_filtering(Range items, const Frame<T>& frame, T* scratch) const;
  void compute(const Chunk& chunk, T* scratch) const;
  void make_table();
  void make_filter(std::span<const T> filter);
  bool filters() const { return filter_.size() != 0; }
  /// A second buffer in the working memory.
  T* other(T* scratch) const { return scratch + whole_lines<T>(columns_.work_size()); }

  SweepShape shape_;
  ColumnTransform<T> columns_;
  std::size_t chunks_, outer_;
  std::size_t high_rows_ = 0, low_rows_ = 0;
  Buffer table_;   ///< for each chunk the rows of Store's `high`, then those of `low`
  Buffer filter_;  ///< for each chunk the factors of its rows
};

}  // namespace kinjo::fft::detail
