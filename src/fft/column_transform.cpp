#include "fft/column_transform.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "fft/roots.hpp"

namespace kinjo::fft::detail {

template <class T>
ColumnTransform<T>::ColumnTransform(std::size_t n, std::size_t width, InCache method)
    : n_(n), width_(width), method_(method) {
  KINJO_ASSERT(n > 0 && width % (64 / sizeof(T)) == 0);
  std::size_t length = 1;
  for (std::size_t radix = 4; length < n;) {
    while (n / length % radix == 0) {
      passes_.push_back({radix, length});
      length *= radix;
    }
    radix = radix == 4 ? 2 : radix == 2 ? 3 : radix + 2;
    KINJO_ASSERT(radix <= kLargestPrime + 2);
  }
  const Roots roots(n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto root = roots.rounded<T>(k);
    roots_.push_back(root.real());
    roots_.push_back(root.imag());
  }
}

template <class T>
std::size_t ColumnTransform<T>::work_size() const {
  return 2 * n_ * width_ * 2;
}

template <class T>
void ColumnTransform<T>::load(Lines<const T> source, std::size_t lines, T* work) const {
  for (std::size_t e = 0; e < n_; ++e) {
    std::size_t row = 0, rest = e, rows = n_;
    for (std::size_t p = passes_.size(); p-- > 0;) {
      rows /= passes_[p].radix;
      row += rest % passes_[p].radix * rows;
      rest /= passes_[p].radix;
    }
    for (std::size_t l = 0; l < width_; ++l) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(l) * source.line +
                                static_cast<std::ptrdiff_t>(e) * source.element;
      work[2 * width_ * row + l] = l < lines ? source.real[at] : T{0};
      work[2 * width_ * row + width_ + l] = l < lines ? source.imaginary[at] : T{0};
    }
  }
}

template <class T>
std::size_t ColumnTransform<T>::pieces() const {
  return passes_.size();
}

template <class T>
void ColumnTransform<T>::compute_piece(T* work, std::size_t piece) const {
  const auto [radix, length] = passes_[piece];
  T re[kLargestPrime], im[kLargestPrime];
  for (std::size_t first = 0; first < n_; first += radix * length) {
    for (std::size_t j = 0; j < length; ++j) {
      for (std::size_t l = 0; l < width_; ++l) {
        T* const x = work + (first + j) * 2 * width_ + l;
        const std::size_t step = length * 2 * width_;
        for (std::size_t q = 0; q < radix; ++q) {
          re[q] = x[q * step];
          im[q] = x[q * step + width_];
        }
        for (std::size_t p = 0; p < radix; ++p) {
          T sum_re = 0, sum_im = 0;
          for (std::size_t q = 0; q < radix; ++q) {
            const std::size_t k = n_ / (radix * length) * (q * (j + p * length)) % n_;
            const T c = roots_[2 * k], s = roots_[2 * k + 1];
            sum_re += c * re[q] - s * im[q];
            sum_im += c * im[q] + s * re[q];
          }
          x[p * step] = sum_re;
          x[p * step + width_] = sum_im;
        }
      }
    }
  }
}

template <class T>
void ColumnTransform<T>::compute(T* work) const {
  for (std::size_t i = 0; i < pieces(); ++i) compute_piece(work, i);
}

template <class T>
void ColumnTransform<T>::store(const T* work, Lines<T> target, std::size_t lines,
                               const Store<T>& factors) const {
  for (std::size_t j = 0; j < n_; ++j) {
    for (std::size_t l = 0; l < lines; ++l) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(l) * target.line +
                                static_cast<std::ptrdiff_t>(j) * target.element;
      T re = work[2 * width_ * j + l] * factors.scale;
      T im = work[2 * width_ * j + width_ + l] * factors.scale;
      if (factors.high) {
        const T* const a = factors.high + j / kTwiddleBlock * 2 * width_ + l;
        const T* const b = factors.low + j % kTwiddleBlock * 2 * width_ + l;
        const T c = a[0] * b[0] - a[width_] * b[width_];
        const T s = a[0] * b[width_] + a[width_] * b[0];
        const T real = re * c - im * s;
        im = re * s + im * c;
        re = real;
      }
      target.real[at] = re;
      target.imaginary[at] = im;
    }
  }
}

template <class T>
void ColumnTransform<T>::run(Lines<const T> source, Lines<T> target, std::size_t lines, T* work,
                             const Store<T>& factors) const {
  load(source, lines, work);
  compute(work);
  store(work, target, lines, factors);
}

template class ColumnTransform<float>;
template class ColumnTransform<double>;

}  // namespace kinjo::fft::detail
