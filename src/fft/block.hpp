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
  /// `work`: how many numbers each of the inner stages' two work arrays has.
  Block(std::vector<Loop> parts, Where source, Where target, std::array<std::size_t, 2> work,
        Stages<T> inner);

  std::size_t items() const override { return items_; }
  void run(Range items, const Frame<T>& frame, T* scratch) const override;
  void step(StepKind kind, std::size_t item, const Frame<T>& frame, T* scratch,
            SweepProfile& profile) const override;
  std::size_t scratch_size() const override;
  std::size_t table_bytes() const override;
  std::string describe() const override;

 private:
  std::size_t work_size() const;
  Frame<T> inside(std::size_t item, const Frame<T>& frame, T* scratch) const;

  std::vector<Loop> parts_;
  Where source_, target_;
  std::array<std::size_t, 2> work_;
  Stages<T> inner_;
  std::size_t items_ = 1;
};

}  // namespace kinjo::fft::detail
