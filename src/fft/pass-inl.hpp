/// Per target: passes, which do the butterflies of one radix over the rows of a buffer.
///
/// The lanes of a vector are neighbouring lines, so a butterfly needs no shuffles, and each twiddle
/// is one number spread over a vector. With r the radix, a butterfly of vectors loads 2r vectors
/// and 2(r − 1) twiddles, does 4(r − 1) operations for the twiddles and those of butterfly-inl.hpp,
/// and stores 2r vectors; a line's nominal 5·r·log₂ r operations are kLanes times as many here.
#if defined(KINJO_FFT_PASS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_FFT_PASS_INL
#undef KINJO_FFT_PASS_INL
#else
#define KINJO_FFT_PASS_INL
#endif

#include "fft/butterfly-inl.hpp"
#include "fft/column_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

enum class Twiddles { none, some };
enum class Place { same, other };  // of a butterfly's outputs, and its inputs

/// The butterfly of radix kRadix, or of the job's for 0, which has its roots too.
template <std::size_t kRadix, class D, class Job, class In, class Out>
HWY_INLINE void butterfly(D d, const Job& job, const In& in, const Out& out) {
  if constexpr (kRadix == 2) {
    butterfly_2(d, in, out);
  } else if constexpr (kRadix == 4) {
    butterfly_4(d, in, out);
  } else if constexpr (kRadix == 8) {
    butterfly_8(d, in, out);
  } else if constexpr (kRadix == 9) {
    butterfly_9(d, in, out);
  } else if constexpr (kRadix == 16) {
    butterfly_16(d, in, out);
  } else if constexpr (kRadix == 6) {
    butterfly_coprime<2, 3>(d, in, out);
  } else if constexpr (kRadix == 10) {
    butterfly_coprime<2, 5>(d, in, out);
  } else if constexpr (kRadix == 12) {
    butterfly_coprime<4, 3>(d, in, out);
  } else if constexpr (kRadix == 15) {
    butterfly_coprime<3, 5>(d, in, out);
  } else if constexpr (kRadix == 20) {
    butterfly_coprime<4, 5>(d, in, out);
  } else if constexpr (kRadix == 25) {
    butterfly_25(d, in, out);
  } else if constexpr (kRadix == 0) {
    butterfly_odd<fft::kLargestPrime>(d, job.radix, job.roots, in, out);
  } else {
    butterfly_odd<kRadix>(d, kRadix, job.roots, in, out);
  }
}

/// An input of a butterfly: real parts, and imaginary ones so much further on.
template <class D>
HWY_INLINE Complex<hn::Vec<D>> input(D d, const hn::TFromD<D>* at, std::size_t imaginary) {
  return {in_register(hn::LoadU(d, at)), in_register(hn::LoadU(d, at + imaginary))};
}

/// The twiddles of a group of butterflies of radix kRadix, each spread over a vector: once for all
/// of them where registers are left for it, which are 6 of 16 beside a butterfly of radix 4. They
/// are an eighth of its instructions, and these are what bounds it.
template <class D, std::size_t kRadix>
class GroupTwiddles {
 public:
  using V = hn::Vec<D>;
  HWY_INLINE GroupTwiddles(D d, const hn::TFromD<D>* twiddles) : d_(d), twiddles_(twiddles) {
    if constexpr (kStay) {
      for (std::size_t q = 1; q < kRadix; ++q) kept_[q - 1] = spread(q);
    }
  }
  /// The q-th input, of x.
  HWY_INLINE Complex<V> times_input(std::size_t q, const Complex<V>& x) const {
    if (q == 0) return x;
    if constexpr (kStay) {
      return times(x, kept_[q - 1]);
    } else {
      return times(x, spread(q));
    }
  }

 private:
  static constexpr bool kStay = kRadix != 0 && kRadix <= 4;

  HWY_INLINE Complex<V> spread(std::size_t q) const {
    const hn::TFromD<D>* const w = twiddles_ + 2 * (q - 1);
    return {hn::Set(d_, w[0]), hn::Set(d_, w[1])};
  }

  D d_;
  const hn::TFromD<D>* twiddles_;
  Complex<V> kept_[kStay ? kRadix - 1 : 1];
};

/// How the rows of a buffer are laid out.
enum class Row {
  parts,    ///< as many real parts as the job's width says, and then the imaginary parts
  vectors,  ///< a vector of real parts and one of imaginary parts in turn, a cache line's each
};

template <class D, std::size_t kRadix, Twiddles kTwiddles, Place kPlace, Row kRow = Row::parts>
void pass(const fft::detail::PassJob<hn::TFromD<D>>& given) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const D d;
  // A copy, since what `given` refers to might change with every vector that is stored.
  const fft::detail::PassJob<T> job = given;
  const std::size_t from_step = kPlace == Place::same ? job.to_step : job.from_step;
  const std::size_t radix = kRadix == 0 ? job.radix : kRadix;
  const std::size_t row = kRow == Row::parts ? job.width : 128 / sizeof(T);
  const std::size_t step = kRow == Row::parts ? kLanes : 2 * kLanes;
  const std::size_t imaginary = kRow == Row::parts ? job.width : kLanes;
  for (std::size_t g = 0; g < job.groups; ++g) {
    const GroupTwiddles<D, kTwiddles == Twiddles::some ? kRadix : 0> twiddles(
        d, kTwiddles == Twiddles::some ? job.twiddles + 2 * (radix - 1) * g : nullptr);
    const T* from = job.from + g * job.from_group;
    T* to = job.to + g * job.to_group;
    for (std::size_t i = 0; i < job.count; ++i, from += job.from_next, to += job.to_next) {
      for (std::size_t lane = 0; lane < row; lane += step) {
        T* const out_rows = to + lane;
        const T* const in_rows = kPlace == Place::same ? out_rows : from + lane;
        const auto in = [&](std::size_t q) KINJO_FFT_INLINE {
          const auto x = input(d, in_rows + q * from_step, imaginary);
          return kTwiddles == Twiddles::some ? twiddles.times_input(q, x) : x;
        };
        const auto out = [&](std::size_t p, const Complex<hn::Vec<D>>& y) KINJO_FFT_INLINE {
          T* const at = out_rows + p * job.to_step;
          hn::StoreU(y.re, d, at);
          hn::StoreU(y.im, d, at + imaginary);
        };
        butterfly<kRadix>(d, job, in, out);
      }
    }
  }
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
