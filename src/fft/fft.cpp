/// Plans as the public header has them.
#include <kinjo/fft.hpp>

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

#include "fft/problem.hpp"

namespace kinjo {

using fft::detail::Problem;

namespace {

/// One line by the definition, factor by factor.
class Line {
 public:
  explicit Line(std::size_t n) : roots_(n), in_(n), out_(n) {
    for (std::size_t i = 0; i < n; ++i) {
      const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(i) /
                                static_cast<long double>(n);
      roots_[i] = {std::cos(angle), std::sin(angle)};
    }
  }
  std::vector<std::complex<long double>>& in() { return in_; }
  const std::vector<std::complex<long double>>& run() {
    transform(in_.data(), 1, out_.data(), in_.size());
    return out_;
  }

 private:
  void transform(const std::complex<long double>* in, std::size_t stride,
                 std::complex<long double>* out, std::size_t n) {
    if (n == 1) {
      out[0] = in[0];
      return;
    }
    std::size_t p = 2;
    while (n % p != 0) p = p * p > n ? n : p + 1;
    const std::size_t m = n / p, whole = roots_.size();
    for (std::size_t j = 0; j < p; ++j) transform(in + j * stride, stride * p, out + j * m, m);
    std::vector<std::complex<long double>> parts(p);
    for (std::size_t k = 0; k < m; ++k) {
      for (std::size_t j = 0; j < p; ++j) parts[j] = out[j * m + k] * roots_[whole / n * (j * k)];
      for (std::size_t q = 0; q < p; ++q) {
        std::complex<long double> sum = 0;
        for (std::size_t j = 0; j < p; ++j) sum += parts[j] * roots_[whole / p * (j * q % p)];
        out[q * m + k] = sum;
      }
    }
  }
  std::vector<std::complex<long double>> roots_, in_, out_;
};

}  // namespace

template <class T>
struct Fft<T>::Impl {
  Problem problem;
  T forward = 1, backward = 1;

  /// Element i of transform b at real[b·step·distance + i·step].
  void run(const T* in_re, const T* in_im, T* out_re, T* out_im, std::size_t step, T scale) const {
    if (!in_re || !in_im || !out_re || !out_im) {
      throw Error(Errc::invalid_argument, "fft: an array has no memory");
    }
    for (std::size_t b = 0; b < problem.batch; ++b) {
      const std::size_t first = b * problem.distance * step;
      for (std::size_t i = 0; i < problem.size; ++i) {
        const T re = in_re[first + i * step] * scale, im = in_im[first + i * step] * scale;
        out_re[first + i * step] = re;
        out_im[first + i * step] = im;
      }
      for (const std::size_t axis : problem.axes) {
        along(axis, out_re + first, out_im + first, step);
      }
    }
  }

  void along(std::size_t axis, T* re, T* im, std::size_t step) const {
    const std::size_t n = problem.shape[axis], stride = problem.stride(axis);
    Line line(n);
    for (std::size_t l = 0; l < problem.size / n; ++l) {
      const std::size_t first = l / stride * stride * n + l % stride;
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t at = (first + j * stride) * step;
        line.in()[j] = {re[at], im[at]};
      }
      const auto& result = line.run();
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t at = (first + j * stride) * step;
        re[at] = static_cast<T>(result[j].real());
        im[at] = static_cast<T>(result[j].imag());
      }
    }
  }
};

template <class T>
Fft<T>::Fft(const std::vector<std::size_t>& shape, const fft::Options& options) {
  const Problem p = fft::detail::check_problem(shape, options, 2 * sizeof(T));
  impl_.reset(new Impl{p, static_cast<T>(fft::detail::factor_of(options.forward, p.transformed)),
                       static_cast<T>(fft::detail::factor_of(options.backward, p.transformed))});
}
template <class T>
Fft<T>::Fft(std::size_t n, const fft::Options& options) : Fft(std::vector{n}, options) {}
template <class T>
Fft<T>::Fft(Team&, const std::vector<std::size_t>& shape, const fft::Options& options)
    : Fft(shape, options) {}
template <class T>
Fft<T>::Fft(Team&, std::size_t n, const fft::Options& options) : Fft(std::vector{n}, options) {}
template <class T>
Fft<T>::~Fft() = default;
template <class T>
Fft<T>::Fft(Fft&&) noexcept = default;
template <class T>
Fft<T>& Fft<T>::operator=(Fft&&) noexcept = default;

template <class T>
void Fft<T>::forward(const Complex* in, Complex* out) const {
  const T* from = reinterpret_cast<const T*>(in);
  T* to = reinterpret_cast<T*>(out);
  impl_->run(from, from + 1, to, to + 1, 2, impl_->forward);
}
template <class T>
void Fft<T>::backward(const Complex* in, Complex* out) const {
  const T* from = reinterpret_cast<const T*>(in);
  T* to = reinterpret_cast<T*>(out);
  impl_->run(from + 1, from, to + 1, to, 2, impl_->backward);
}
template <class T>
void Fft<T>::forward(ConstSplit in, Split out) const {
  impl_->run(in.real, in.imaginary, out.real, out.imaginary, 1, impl_->forward);
}
template <class T>
void Fft<T>::backward(ConstSplit in, Split out) const {
  impl_->run(in.imaginary, in.real, out.imaginary, out.real, 1, impl_->backward);
}
template <class T>
fft::Profile Fft<T>::profile(const Complex* in, Complex* out) const {
  forward(in, out);
  const std::uint64_t bytes = 2 * sizeof(T) * size() * batch();
  fft::SweepProfile steps{{1, bytes}, {1, 0}, {1, bytes}};
  return {{{"all", {steps}}}};
}
template <class T>
std::size_t Fft<T>::size() const {
  return impl_->problem.size;
}
template <class T>
std::size_t Fft<T>::batch() const {
  return impl_->problem.batch;
}
template <class T>
const std::vector<std::size_t>& Fft<T>::shape() const {
  return impl_->problem.shape;
}
template <class T>
std::size_t Fft<T>::table_bytes() const {
  return 0;
}
template <class T>
std::size_t Fft<T>::work_bytes() const {
  return 0;
}
template <class T>
std::string Fft<T>::describe() const {
  return fmt::format("{}\n", fmt::join(shape(), " × "));
}

template class Fft<float>;
template class Fft<double>;

}  // namespace kinjo
