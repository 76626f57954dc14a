/// Lines that are transformed one by one, each as fft/direct_transform.hpp or, if it has no whole
/// rows, fft/short_transform.hpp does it.
#pragma once

#include <variant>
#include <vector>

#include "fft/direct_transform.hpp"
#include "fft/short_transform.hpp"
#include "fft/stage.hpp"

namespace kinjo::fft::detail {

/// Lines of n numbers that lie next to each other, everywhere that the loops lead to.
struct DirectShape {
  std::size_t n = 1;
  std::vector<Loop> loops;
  Where source, target;
  bool scaled = false;     ///< by the frame's factor
  bool in_memory = false;  ///< the arrays are there rather than in a cache: results go past these
};

template <class T>
class Direct final : public Stage<T> {
 public:
  explicit Direct(DirectShape shape);

  std::size_t items() const override { return items_; }
  void run(Range items, const Frame<T>& frame, T* scratch) const override;
  void step(StepKind kind, std::size_t item, const Frame<T>& frame, T* scratch,
            std::span<SweepProfile> profiles) const override;
  std::optional<OneLine> one_line() const override;
  void run_line(const T* in, T* out, bool exchanged, T scale, T* scratch) const override;
  std::size_t scratch_size() const override;
  std::size_t table_bytes() const override;
  bool goes_past_caches() const override;
  std::string describe() const override;

 private:
  using Write = kinjo::detail::Store;
  struct Ends {
    Lines<const T> source;
    Lines<T> target;
  };
  /// What has just been read is in a cache: it costs nothing to write it there.
  Write write(const Ends& line) const {
    const bool is_read = first_part(line.source) == first_part(line.target);
    return shape_.in_memory && !is_read ? Write::streaming : Write::cached;
  }
  Ends ends(Turn turn, const Frame<T>& frame) const;

  DirectShape shape_;
  std::variant<DirectTransform<T>, ShortTransform<T>> transform_;
  std::size_t items_;
};

}  // namespace kinjo::fft::detail
