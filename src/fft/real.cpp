/// Transforms of real numbers.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>
#include <kinjo/fft.hpp>

#include "fft/problem.hpp"

namespace kinjo {

using fft::detail::Problem;

template <class T>
struct RealFft<T>::Impl {
  Problem real, spectrum;
  Fft<T> complex;

  std::size_t halved() const { return real.axes.back(); }
};

template <class T>
RealFft<T>::RealFft(const std::vector<std::size_t>& shape, const fft::Options& options) {
  Problem real = fft::detail::check_problem(shape, options, 2 * sizeof(T));
  std::vector<std::size_t> half = shape;
  half[real.axes.back()] = half[real.axes.back()] / 2 + 1;
  fft::Options of_spectrum = options;
  of_spectrum.distance = options.spectrum_distance;
  Problem spectrum = fft::detail::check_problem(half, of_spectrum, 2 * sizeof(T));
  fft::Options one = options;
  one.batch = 1;
  one.distance = 0;
  impl_.reset(new Impl{real, spectrum, Fft<T>(shape, one)});
}
template <class T>
RealFft<T>::RealFft(std::size_t n, const fft::Options& options)
    : RealFft(std::vector{n}, options) {}
template <class T>
RealFft<T>::RealFft(Team&, const std::vector<std::size_t>& shape, const fft::Options& options)
    : RealFft(shape, options) {}
template <class T>
RealFft<T>::RealFft(Team&, std::size_t n, const fft::Options& options)
    : RealFft(std::vector{n}, options) {}
template <class T>
RealFft<T>::~RealFft() = default;
template <class T>
RealFft<T>::RealFft(RealFft&&) noexcept = default;
template <class T>
RealFft<T>& RealFft<T>::operator=(RealFft&&) noexcept = default;

template <class T>
void RealFft<T>::forward(const T* in, Complex* out) const {
  if (!in || !out) throw Error(Errc::invalid_argument, "fft: an array has no memory");
  const Problem &real = impl_->real, &spectrum = impl_->spectrum;
  const std::size_t axis = impl_->halved(), n = real.shape[axis], stride = real.stride(axis);
  const std::size_t kept = n / 2 + 1;
  std::vector<Complex> whole(real.size);
  for (std::size_t b = 0; b < real.batch; ++b) {
    std::copy_n(in + b * real.distance, real.size, whole.begin());
    impl_->complex.forward(whole.data(), whole.data());
    for (std::size_t i = 0; i < spectrum.size; ++i) {
      const std::size_t block = i / (kept * stride), rest = i % (kept * stride);
      out[b * spectrum.distance + i] = whole[block * n * stride + rest];
    }
  }
}

template <class T>
void RealFft<T>::backward(const Complex* in, T* out) const {
  if (!in || !out) throw Error(Errc::invalid_argument, "fft: an array has no memory");
  const Problem &real = impl_->real, &spectrum = impl_->spectrum;
  const std::size_t axis = impl_->halved();
  std::vector<Complex> whole(real.size);
  std::vector<std::size_t> at(real.shape.size());
  for (std::size_t b = 0; b < real.batch; ++b) {
    const Complex* const from = in + b * spectrum.distance;
    for (std::size_t i = 0; i < real.size; ++i) {
      std::size_t rest = i;
      for (std::size_t d = real.shape.size(); d-- > 0;) {
        at[d] = rest % real.shape[d];
        rest /= real.shape[d];
      }
      const bool mirrored = at[axis] > real.shape[axis] / 2;
      std::size_t index = 0;
      for (std::size_t d = 0; d < real.shape.size(); ++d) {
        bool reversed = false;
        for (const std::size_t a : real.axes) reversed |= mirrored && a == d && at[d] != 0;
        index = index * spectrum.shape[d] + (reversed ? real.shape[d] - at[d] : at[d]);
      }
      whole[i] = mirrored ? std::conj(from[index]) : from[index];
    }
    impl_->complex.backward(whole.data(), whole.data());
    for (std::size_t i = 0; i < real.size; ++i) out[b * real.distance + i] = whole[i].real();
  }
}

template <class T>
std::size_t RealFft<T>::size() const {
  return impl_->real.size;
}
template <class T>
std::size_t RealFft<T>::spectrum_size() const {
  return impl_->spectrum.size;
}
template <class T>
std::size_t RealFft<T>::batch() const {
  return impl_->real.batch;
}
template <class T>
const std::vector<std::size_t>& RealFft<T>::shape() const {
  return impl_->real.shape;
}
template <class T>
std::vector<std::size_t> RealFft<T>::spectrum_shape() const {
  return impl_->spectrum.shape;
}
template <class T>
std::size_t RealFft<T>::table_bytes() const {
  return impl_->complex.table_bytes();
}
template <class T>
std::size_t RealFft<T>::work_bytes() const {
  return impl_->complex.work_bytes();
}
template <class T>
std::string RealFft<T>::describe() const {
  return fmt::format("real {}\n", fmt::join(shape(), " × "));
}

template class RealFft<float>;
template class RealFft<double>;

}  // namespace kinjo
