/// Element by element: numbers times factors, zeros behind.
#pragma once

#include <kinjo/memory.hpp>

#include "fft/stage.hpp"

namespace kinjo::fft::detail {

/// Which numbers: `count` of them are multiplied, and `padding` zeros follow in the target.
struct ChirpShape {
  std::size_t count = 0, padding = 0;
  std::size_t stride_in = 1, stride_out = 1;
  Where source, target;
  bool scaled = false;
};

template <class T>
class Chirp final : public Stage<T> {
 public:
  /// `factors`: `count` complex numbers, real parts first; someone else's.
  Chirp(ChirpShape shape, const T* factors);

  std::size_t items() const override;
  void run(Range items, const Frame<T>& frame, T* scratch) const override;
  void step(StepKind kind, std::size_t item, const Frame<T>& frame, T* scratch,
            std::span<SweepProfile> profiles) const override;
  std::size_t scratch_size() const override { return 0; }
  std::size_t table_bytes() const override { return 0; }
  std::size_t read_table_bytes() const override { return shape_.count * 2 * sizeof(T); }
  std::string describe() const override;

 private:
  ChirpShape shape_;
  const T* factors_;
};

}  // namespace kinjo::fft::detail
