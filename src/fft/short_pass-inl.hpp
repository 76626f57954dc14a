/// Per target: the passes of short transforms.
///
/// In a first pass neighbouring columns are in a vector, with twiddles of their own, and are
/// transposed on their way to rows; from there on a vector is a part of a row.
#if defined(KINJO_FFT_SHORT_PASS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_FFT_SHORT_PASS_INL
#undef KINJO_FFT_SHORT_PASS_INL
#else
#define KINJO_FFT_SHORT_PASS_INL
#endif

#include <algorithm>
#include <type_traits>
#include <utility>

#include "fft/numbers-inl.hpp"
#include "fft/pass-inl.hpp"
#include "fft/short_kernels.hpp"
#include "simd/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

using fft::detail::ShortPass;

/// Neighbouring numbers whose parts alternate, imaginary ones first if exchanged.
template <bool kExchanged, class D>
HWY_INLINE Complex<hn::Vec<D>> short_input(D d, const hn::TFromD<D>* from) {
  const Complex<hn::Vec<D>> x = take_numbers(d, from);
  return kExchanged ? Complex<hn::Vec<D>>{x.im, x.re} : x;
}
template <bool kExchanged, class D>
HWY_INLINE void short_output(D d, const Complex<hn::Vec<D>>& x, hn::Vec<D> scale,
                             hn::TFromD<D>* to) {
  const Complex<hn::Vec<D>> y = {hn::Mul(x.re, scale), hn::Mul(x.im, scale)};
  give_numbers(d, kExchanged ? Complex<hn::Vec<D>>{y.im, y.re} : y, to, false);
}

/// The numbers of a vector when `count` are covered by vectors from multiples of the lanes on: the
/// last of them begins earlier if it must, and there may be fewer of them than lanes.
template <class D>
constexpr std::size_t vector_at(D, std::size_t at, std::size_t count) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  return count < kLanes ? 0 : std::min(at, count - kLanes);
}

/// Blocks for the outputs of a butterfly.
template <class D>
constexpr std::size_t blocks_of(D, std::size_t radix) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  return (radix + kLanes - 1) / kLanes;
}

/// Calls put(b, i, part, v) for each vector, part 0 of real ones and 1 of imaginary ones, of the
/// i-th column's b-th block, of which y[k] has the k-th numbers, a lane for each column.
template <class D, class Put>
HWY_INLINE void short_blocks(D d, std::size_t radix, const Complex<hn::Vec<D>>* y, const Put& put) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
#pragma GCC unroll 16
  for (std::size_t at = 0; at < radix; at += kLanes) {
    const Complex<hn::Vec<D>>* const square = y + vector_at(d, at, radix);
    const auto number = [&](std::size_t lane)
                            KINJO_FFT_INLINE { return number_of_lane<T>(kLanes, lane); };
    transpose(
        d, [&](std::size_t k) KINJO_FFT_INLINE { return square[number(k)].re; },
        [&](std::size_t i, hn::Vec<D> v) KINJO_FFT_INLINE { put(at / kLanes, number(i), 0, v); });
    transpose(
        d, [&](std::size_t k) KINJO_FFT_INLINE { return square[number(k)].im; },
        [&](std::size_t i, hn::Vec<D> v) KINJO_FFT_INLINE { put(at / kLanes, number(i), 1, v); });
  }
}

/// Where rows begin that lie `step` apart. Of every fourth one the address is in a register, which
/// the compiler cannot see through: from there it reaches the other three by their multiples of
/// `step`, where it would else add up an address for each row. kRows is 0 if it is not known.
template <std::size_t kRows, class T>
class SpacedRows {
 public:
  HWY_INLINE SpacedRows(T* first, std::size_t step) : step_(step) {
    for (T*& four : fours_) {
      asm("" : "+r"(first));
      four = first;
      first += 4 * step;
    }
  }
  HWY_INLINE T* operator[](std::size_t row) const {
    const std::size_t four = kRows == 0 ? 0 : row / 4;
    return fours_[four] + (row - 4 * four) * step_;
  }

 private:
  T* fours_[kRows == 0 ? 1 : (kRows + 3) / 4];
  std::size_t step_;
};

template <class D, std::size_t kRadix, bool kExchanged>
void short_first(const ShortPass<hn::TFromD<D>>& given, const hn::TFromD<D>* from,
                 hn::TFromD<D>* to, hn::TFromD<D>) {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  constexpr std::size_t kMost = kRadix == 0 ? fft::kLargestPrime : kRadix;
  const D d;
  const ShortPass<T> job = given;
  const std::size_t radix = kRadix == 0 ? job.radix : kRadix;
  T line[2 * kLanes * (kMost + 1)];
  if (job.groups < kLanes) {
    // Lanes without a column have what follows in the line, or zeros.
    std::fill_n(std::copy_n(from, 2 * radix * job.groups, line), 2 * kLanes, T(0));
    from = line;
  }
  const T* twiddles = job.twiddles;
  for (std::size_t at = 0; at < job.groups; at += kLanes) {
    const std::size_t column = vector_at(d, at, job.groups);
    const SpacedRows<kRadix, const T> rows(from + 2 * column, 2 * job.groups);
    Complex<V> y[kMost];
    const auto in = [&](std::size_t q)
                        KINJO_FFT_INLINE { return short_input<kExchanged>(d, rows[q]); };
    const auto out = [&](std::size_t k, const Complex<V>& x) KINJO_FFT_INLINE {
      const T* const w = twiddles + 2 * kLanes * (k - 1);
      y[k] = k == 0 ? x : times(x, Complex<V>{hn::LoadU(d, w), hn::LoadU(d, w + kLanes)});
    };
    butterfly<kRadix>(d, job, in, out);
    short_blocks(d, radix, y,
                 [&](std::size_t b, std::size_t i, std::size_t part, V v) KINJO_FFT_INLINE {
                   const std::size_t block = b * job.groups + column + i;
                   hn::StoreU(v, d, to + kLanes * (2 * block + part));
                 });
    twiddles += 2 * kLanes * (radix - 1);
  }
}

template <class D, std::size_t kRadix>
void short_middle(const ShortPass<hn::TFromD<D>>& given, const hn::TFromD<D>* from,
                  hn::TFromD<D>* to, hn::TFromD<D>) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const D d;
  const ShortPass<T> job = given;
  const std::size_t radix = kRadix == 0 ? job.radix : kRadix;
  const std::size_t blocks = job.length / job.first * blocks_of(d, job.first);
  const std::size_t step = 2 * kLanes * job.groups, out_step = blocks * step;
  const T* twiddles = job.twiddles;
  for (std::size_t p = 0; p < job.groups; ++p) {
    for (std::size_t i = 0; i < blocks; ++i) {
      const T* const in_blocks = from + i * radix * step;
      T* const out_blocks = to + i * step;
      const auto in = [&](std::size_t q)
                          KINJO_FFT_INLINE { return input(d, in_blocks + q * step, kLanes); };
      const auto out = [&](std::size_t k, Complex<hn::Vec<D>> y) KINJO_FFT_INLINE {
        if (k != 0) {
          const T* const w = twiddles + 2 * (k - 1);
          y = times(y, Complex<hn::Vec<D>>{hn::Set(d, w[0]), hn::Set(d, w[1])});
        }
        T* const at = out_blocks + k * out_step;
        hn::StoreU(y.re, d, at);
        hn::StoreU(y.im, d, at + kLanes);
      };
      butterfly<kRadix>(d, job, in, out);
    }
    from += 2 * kLanes;
    to += 2 * kLanes;
    twiddles += 2 * (radix - 1);
  }
}

template <class D, std::size_t kRadix, bool kExchanged>
void short_last(const ShortPass<hn::TFromD<D>>& given, const hn::TFromD<D>* from, hn::TFromD<D>* to,
                hn::TFromD<D> factor) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const D d;
  const ShortPass<hn::TFromD<D>> job = given;
  const std::size_t radix = kRadix == 0 ? job.radix : kRadix;
  const auto scale = hn::Set(d, factor);
  for (std::size_t row = 0; row < job.length; row += job.first) {
    for (std::size_t at = 0; at < job.first; at += kLanes) {
      const auto in = [&](std::size_t q)
                          KINJO_FFT_INLINE { return input(d, from + 2 * kLanes * q, kLanes); };
      hn::TFromD<D>* const numbers = to + 2 * (row + vector_at(d, at, job.first));
      const auto out = [&](std::size_t k, const Complex<hn::Vec<D>>& y) KINJO_FFT_INLINE {
        short_output<kExchanged>(d, y, scale, numbers + 2 * k * job.length);
      };
      butterfly<kRadix>(d, job, in, out);
      from += 2 * kLanes * radix;
    }
  }
}

template <class D, std::size_t kRadix, bool kExchangedIn, bool kExchangedOut>
void short_only(const ShortPass<hn::TFromD<D>>& given, const hn::TFromD<D>* from, hn::TFromD<D>* to,
                hn::TFromD<D> factor) {
  const D d;
  const ShortPass<hn::TFromD<D>> job = given;
  const auto scale = hn::Set(d, factor);
  const auto in = [&](std::size_t q)
                      KINJO_FFT_INLINE { return short_input<kExchangedIn>(d, from + 2 * q); };
  const auto out = [&](std::size_t k, const Complex<hn::Vec<D>>& y)
                       KINJO_FFT_INLINE { short_output<kExchangedOut>(d, y, scale, to + 2 * k); };
  butterfly<kRadix>(d, job, in, out);
}

/// A first pass of kFirst and a last one of kLast.
template <class D, std::size_t kFirst, std::size_t kLast, bool kExchanged>
void short_pair(const ShortPass<hn::TFromD<D>>& given, const hn::TFromD<D>* from, hn::TFromD<D>* to,
                hn::TFromD<D> factor) {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  static_assert(kFirst >= kLanes && kLast >= kLanes);
  const D d;
  const ShortPass<T> job = given;
  Complex<V> blocks[blocks_of(d, kFirst)][kLast];
#pragma GCC unroll 16
  for (std::size_t at = 0; at < kLast; at += kLanes) {
    const std::size_t column = vector_at(d, at, kLast);
    Complex<V> y[kFirst];
    const T* const twiddles = job.twiddles + 2 * at * (kFirst - 1);
    const auto in = [&](std::size_t q) KINJO_FFT_INLINE {
      return short_input<kExchanged>(d, from + 2 * (q * kLast + column));
    };
    const auto out = [&](std::size_t k, const Complex<V>& x) KINJO_FFT_INLINE {
      const T* const w = twiddles + 2 * kLanes * (k - 1);
      y[k] = k == 0 ? x : times(x, Complex<V>{hn::LoadU(d, w), hn::LoadU(d, w + kLanes)});
    };
    butterfly<kFirst>(d, job, in, out);
    short_blocks(d, kFirst, y,
                 [&](std::size_t b, std::size_t i, std::size_t part, V v) KINJO_FFT_INLINE {
                   Complex<V>& block = blocks[b][column + i];
                   (part == 0 ? block.re : block.im) = v;
                 });
  }
  const V scale = hn::Set(d, factor);
#pragma GCC unroll 16
  for (std::size_t at = 0; at < kFirst; at += kLanes) {
    const auto in = [&](std::size_t q) KINJO_FFT_INLINE { return blocks[at / kLanes][q]; };
    const auto out = [&](std::size_t k, const Complex<V>& y) KINJO_FFT_INLINE {
      short_output<kExchanged>(d, y, scale, to + 2 * (k * kFirst + vector_at(d, at, kFirst)));
    };
    butterfly<kLast>(d, job, in, out);
  }
}

/// Null where vectors have more lanes than the radix, which first passes do not use.
template <class D, std::size_t kRadix, bool kExchanged>
constexpr typename fft::detail::ShortKernels<hn::TFromD<D>>::Pass first_or_null() {
  if constexpr (kRadix == 0 || hn::MaxLanes(D()) <= kRadix) {
    return short_first<D, kRadix, kExchanged>;
  } else {
    return nullptr;
  }
}

/// Vectors that can be transposed, those of half as many lanes, and single numbers.
template <class D>
struct ShortTags {
  using T = hn::TFromD<D>;
  using Square = SquareTag<D>;
  using Half = TransposeTag<T, std::max<std::size_t>(hn::MaxLanes(Square()) / 2, 1)>;
  using One = hn::CappedTag<T, 1>;
};

template <class D, std::size_t kRadix>
constexpr typename fft::detail::ShortKernels<hn::TFromD<D>>::Radix short_radix() {
  using Square = typename ShortTags<D>::Square;
  using Half = typename ShortTags<D>::Half;
  using One = typename ShortTags<D>::One;
  return {{{{first_or_null<Square, kRadix, false>(), first_or_null<Half, kRadix, false>()},
            {first_or_null<Square, kRadix, true>(), first_or_null<Half, kRadix, true>()}}},
          {short_middle<Square, kRadix>, short_middle<Half, kRadix>},
          {{{short_last<Square, kRadix, false>, short_last<Half, kRadix, false>},
            {short_last<Square, kRadix, true>, short_last<Half, kRadix, true>}}},
          {{{short_only<One, kRadix, false, false>, short_only<One, kRadix, false, true>},
            {short_only<One, kRadix, true, false>, short_only<One, kRadix, true, true>}}}};
}

/// In squares as of a first pass, or smaller ones.
template <class D, std::size_t kIndex>
constexpr typename fft::detail::ShortKernels<hn::TFromD<D>>::Pair short_pair() {
  using Square = typename ShortTags<D>::Square;
  constexpr fft::detail::ShortPair pair = fft::detail::kShortPairs[kIndex];
  constexpr std::size_t kLanes = std::min(pair.most_lanes, hn::MaxLanes(Square()));
  if constexpr (kLanes < pair.least_lanes) {
    return {0, {nullptr, nullptr}};
  } else {
    using Tag = std::conditional_t<kLanes == hn::MaxLanes(Square()), Square,
                                   TransposeTag<hn::TFromD<D>, kLanes>>;
    return {kLanes,
            {short_pair<Tag, pair.first, pair.last, false>,
             short_pair<Tag, pair.first, pair.last, true>}};
  }
}

template <class D, std::size_t... kRadix, std::size_t... kPair>
constexpr fft::detail::ShortKernels<hn::TFromD<D>> short_kernels(std::index_sequence<kRadix...>,
                                                                 std::index_sequence<kPair...>) {
  using Tags = ShortTags<D>;
  return {{hn::MaxLanes(typename Tags::Square()), hn::MaxLanes(typename Tags::Half())},
          {short_radix<D, fft::detail::kShortRadices[kRadix]>()...},
          {short_pair<D, kPair>()...}};
}
template <class D>
constexpr fft::detail::ShortKernels<hn::TFromD<D>> short_kernels() {
  return short_kernels<D>(std::make_index_sequence<std::size(fft::detail::kShortRadices)>(),
                          std::make_index_sequence<std::size(fft::detail::kShortPairs)>());
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
