/// Stages one after the other on parts of an array, each part by one thread in its cache.
#pragma once

#include <memory>
#include <vector>

#include "fft/stage.hpp"

namespace kinjo::fft::detail {

template <class T>
using Stages = std::vector<std::unique_ptr<Stage<T>>>;

template <class T>
class Block final : public Stage<T> {
 public:
  /// Of `numbers` each. `work`: how many numbers each of the inner stages' two work arrays has.
  Block(std::vector<Loop> parts, std::size_t numbers, Where source, Where target,
        std::array<std::size_t, 2> work, Stages<T> inner);

  std::size_t items() const override { return items_; }
  std::vector<std::string> sweeps() const override;
  void run(Range items, const Frame<T>& frame, T* scratch) const override;
  void step(StepKind kind, std::size_t item, const Frame<T>& frame, T* scratch,
            std::span<SweepProfile> profiles) const override;
  std::size_t scratch_size() const override;
  std::size_t table_bytes() const override;
  std::size_t read_table_bytes() const override;
  bool goes_past_caches() const override;
  std::string describe() const override;

 private:
  std::size_t work_size() const;
  Frame<T> inside(std::size_t item, const Frame<T>& frame, T* scratch) const;

  std::vector<Loop> parts_;
  std::size_t numbers_;
  Where source_, target_;
  std::array<std::size_t, 2> work_;
  Stages<T> inner_;
  std::size_t items_;
};

}  // namespace kinjo::fft::detail
