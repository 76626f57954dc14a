#include "fft/work_arrays.hpp"

#include <optional>

#include <kinjo/lab.hpp>
#include <kinjo/partitioned_array.hpp>

namespace kinjo::fft::detail {

template <class T>
void check_room(std::array<std::size_t, 2> sizes) {
  std::array<Buffer, 2> both;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != 0) both[i] = alloc(2 * sizes[i] * sizeof(T), {.pages = Pages::transparent});
  }
}

template void check_room<float>(std::array<std::size_t, 2>);
template void check_room<double>(std::array<std::size_t, 2>);

/// An array without a team is touched first by whoever transforms.
template <class T>
struct WorkArrays<T>::Lease::Set {
  std::array<Buffer, 2> alone;
  std::array<std::optional<PartitionedArray<T>>, 2> dealt;
  std::array<std::optional<RegionMark>, 2> marks;

  T* data(std::size_t i) { return dealt[i] ? dealt[i]->data() : static_cast<T*>(alone[i].data()); }
};

template <class T>
WorkArrays<T>::WorkArrays(Team* team, std::array<std::size_t, 2> sizes)
    : team_(team), sizes_(sizes) {
  idle_.push_back(make());
}

template <class T>
WorkArrays<T>::~WorkArrays() = default;

template <class T>
std::unique_ptr<typename WorkArrays<T>::Set> WorkArrays<T>::make() const {
  auto set = std::make_unique<Set>();
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    if (sizes_[i] == 0) continue;
    if (team_) {
      set->dealt[i].emplace(*team_, 2 * sizes_[i], ArrayOptions{.pages = Pages::transparent});
    } else {
      set->alone[i] = alloc(2 * sizes_[i] * sizeof(T), {.pages = Pages::transparent});
    }
    set->marks[i].emplace("work", set->data(i), 2 * sizes_[i] * sizeof(T));
  }
  return set;
}

template <class T>
WorkArrays<T>::Lease::Lease(const WorkArrays& arrays) : arrays_(arrays) {
  {
    const std::lock_guard lock(arrays_.mutex_);
    if (!arrays_.idle_.empty()) {
      set_ = std::move(arrays_.idle_.back());
      arrays_.idle_.pop_back();
    }
  }
  if (!set_) set_ = arrays_.make();
}

/// One set is kept; those of calls that met are freed.
template <class T>
WorkArrays<T>::Lease::~Lease() {
  const std::lock_guard lock(arrays_.mutex_);
  if (arrays_.idle_.empty()) arrays_.idle_.push_back(std::move(set_));
}

template <class T>
Storage<T> WorkArrays<T>::Lease::operator[](std::size_t i) const {
  return interleaved_storage(set_->data(i));
}

template class WorkArrays<float>;
template class WorkArrays<double>;

}  // namespace kinjo::fft::detail
