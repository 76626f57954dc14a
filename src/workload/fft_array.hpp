/// An array of a transform, with its pages as asked.
#pragma once

#include <optional>

#include <kinjo/lab.hpp>
#include <kinjo/team.hpp>

#include "workload/fft_run.hpp"

namespace kinjo {

/// `size` numbers of T over a team; a region of the laboratory's counter.
template <class T>
class FftArray {
 public:
  FftArray(Team& team, const char* name, std::size_t size, FftPlacement placement, Pages pages)
      : size_(size) {
    if (placement == FftPlacement::none) {
      buffer_ = alloc(size * sizeof(T), {.pages = pages});
      team.run([&](const Place& me) {
        if (me.thread == 0) std::uninitialized_value_construct_n(data(), size);
      });
    } else {
      const Layout layout = placement == FftPlacement::block ? Layout::block : Layout::cyclic;
      placed_.emplace(team, size, ArrayOptions{.layout = layout, .pages = pages});
    }
    mark_.emplace(name, data(), size * sizeof(T));
  }

  std::size_t size() const { return size_; }
  T* data() { return placed_ ? placed_->data() : static_cast<T*>(buffer_.data()); }
  const T* data() const { return placed_ ? placed_->data() : static_cast<T*>(buffer_.data()); }

  /// Calls f(index) for every number, in the threads that own them.
  template <class F>
  void fill(Team& team, const F& f) {
    const auto part = [&](Range range, const Place&) {
      for (std::size_t i = range.begin; i < range.end; ++i) data()[i] = f(i);
    };
    if (placed_) return team.parallel_for(placed_->partition(), part);
    team.parallel_for(Partition::block(size_, team.size()), part);
  }

  ArrayAudit audit() const {
    return placed_ ? placed_->audit() : ArrayAudit{{{-1, buffer_.audit()}}};
  }
  const PlacementReport& placement() const {
    return placed_ ? placed_->placement() : buffer_.placement();
  }
  const PagesReport& pages() const { return placed_ ? placed_->pages() : buffer_.pages(); }

 private:
  std::size_t size_;
  std::optional<PartitionedArray<T>> placed_;
  Buffer buffer_;
  std::optional<RegionMark> mark_;
};

}  // namespace kinjo
