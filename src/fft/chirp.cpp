#include "fft/chirp.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace kinjo::fft::detail {

namespace {

constexpr std::size_t kItem = 1024;

}  // namespace

template <class T>
Chirp<T>::Chirp(ChirpShape shape, const T* factors) : shape_(shape), factors_(factors) {}

template <class T>
std::size_t Chirp<T>::items() const {
  return (shape_.count + shape_.padding + kItem - 1) / kItem;
}

template <class T>
void Chirp<T>::run(Range items, const Frame<T>& frame, T*) const {
  const std::size_t begin = items.begin * kItem;
  const std::size_t end = std::min(items.end * kItem, shape_.count + shape_.padding);
  const std::size_t last = std::clamp(shape_.count, begin, end);
  const Storage<const T> source = from(frame, shape_.source);
  const Storage<T> target = to(frame, shape_.target);
  const T scale = shape_.scaled ? frame.scale : T{1};
  const T *const c = factors_, *const s = factors_ + shape_.count;
  const std::ptrdiff_t in = source.step * static_cast<std::ptrdiff_t>(shape_.stride_in);
  const std::ptrdiff_t out = target.step * static_cast<std::ptrdiff_t>(shape_.stride_out);
  for (std::size_t i = begin; i < last; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    const T re = source.real[at * in] * scale, im = source.imaginary[at * in] * scale;
    target.real[at * out] = re * c[i] - im * s[i];
    target.imaginary[at * out] = re * s[i] + im * c[i];
  }
  for (std::size_t i = last; i < end; ++i) {
    target.real[static_cast<std::ptrdiff_t>(i) * out] = 0;
    target.imaginary[static_cast<std::ptrdiff_t>(i) * out] = 0;
  }
}

template <class T>
void Chirp<T>::step(StepKind kind, std::size_t item, const Frame<T>& frame, T* scratch,
                    std::span<SweepProfile> profiles) const {
  const std::size_t begin = item * kItem;
  const std::size_t end = std::min(begin + kItem, shape_.count + shape_.padding);
  const std::size_t multiplied = std::clamp(shape_.count, begin, end) - begin;
  constexpr std::size_t kNumber = 2 * sizeof(T);
  if (kind == StepKind::load) {
    // One loop loads, multiplies and stores; numbers and factors are read.
    counted(profiles.front().load, 2 * multiplied * kNumber, [&] {
      run({item, item + 1}, frame, scratch);
    });
  } else if (kind == StepKind::store) {
    profiles.front().store.bytes += (end - begin) * kNumber;
  }
}

template <class T>
std::string Chirp<T>::describe() const {
  return fmt::format("{} numbers times factors{}\n", shape_.count,
                     shape_.padding != 0 ? fmt::format(", {} zeros behind", shape_.padding) : "");
}

template class Chirp<float>;
template class Chirp<double>;

}  // namespace kinjo::fft::detail
