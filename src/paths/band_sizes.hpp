/// How many states a band will have, by those that were like it: for a grid in the order of its
/// rows that of the row before. A table that becomes too small looks all of its states up once
/// more, and of one that is too large less fits the caches.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "paths/bands.hpp"
#include "paths/repeats.hpp"

namespace kinjo::paths::detail {

/// Shared by the threads of a chain, each of which notes its own bands.
template <Specification S>
class BandSizes {
 public:
  BandSizes(const S& specification, const std::vector<BandItems>& bands)
      : specification_(specification), bands_(bands), sizes_(bands.size()) {}

  void note(std::size_t band, std::size_t states) {
    sizes_[band].store(static_cast<std::uint32_t>(states), std::memory_order_relaxed);
  }

  /// What one thread knows of bands.
  class Expected {
   public:
    explicit Expected(const BandSizes& all) : all_(all) {}

    /// Of the band; `last` is how many the thread's last one had.
    std::size_t of(std::size_t band, std::size_t last) {
      if (last < kMany) return last;
      if (alike_.empty()) {
        alike_ = last_alike(run_classes_of(classes_of(all_.specification_), all_.bands_));
        alike_.resize(all_.bands_.size(), kNoRun);
      }
      for (std::uint32_t before = alike_[band]; before != kNoRun; before = alike_[before]) {
        const std::uint32_t states = all_.sizes_[before].load(std::memory_order_relaxed);
        if (states == 0) continue;  // another thread is not done with it
        // One of so few is from where the bands of each row have many times those of the last.
        return states < kMany ? last : states;
      }
      return last;
    }

   private:
    /// Before there are so many, to look for what is alike takes longer than to look all up again.
    static constexpr std::size_t kMany = std::size_t{1} << 12;

    const BandSizes& all_;
    std::vector<std::uint32_t> alike_;  ///< by band, the last one before it
  };

 private:
  const S& specification_;
  const std::vector<BandItems>& bands_;
  std::vector<std::atomic<std::uint32_t>> sizes_;  ///< 0: not done
};

}  // namespace kinjo::paths::detail
