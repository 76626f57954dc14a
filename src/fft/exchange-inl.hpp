/// Per target: STORE and LOAD in one, rows of a buffer that go out while others come in.
///
/// What has just been read in order to go out is in L1 when it is overwritten, so that rows in L2
/// are not fetched once more; and stores past the caches go on while loads wait for memory. That
/// takes both in turn within what a CPU looks ahead, some hundred instructions: so rows go out and
/// come in one by one, or as many as a transposed square has, and as few instructions as possible
/// are spent on each.
#if defined(KINJO_FFT_EXCHANGE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_FFT_EXCHANGE_INL
#undef KINJO_FFT_EXCHANGE_INL
#else
#define KINJO_FFT_EXCHANGE_INL
#endif

#include "fft/line-inl.hpp"
#include "fft/pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

using fft::detail::ExchangeJob;
using fft::detail::PassJob;

/// Rows of columns on that memory is asked for, in L2: they are no stream that a CPU would notice.
inline constexpr std::size_t kExchangedAhead = 16;

/// What is done to single rows, of kVectors vectors for either part; 0 stands for any number.
template <std::size_t kVectors, class D>
class RowExchange {
 public:
  using T = hn::TFromD<D>;
  using Squares = SquareTag<D>;
  static constexpr std::size_t kLanes = hn::MaxLanes(D()), kSide = hn::MaxLanes(Squares());
  /// Elements of a line in a square; none if single lanes stand for vectors.
  static constexpr std::size_t kSquare = kSide / 2;

  HWY_INLINE explicit RowExchange(const ExchangeJob<T>& job)
      : width_(kVectors == 0 ? job.out.width : kVectors * kLanes),
        buffer_(job.in.to),
        results_(job.results),
        offsets_(job.offsets),
        elements_(job.elements),
        target_(job.out.target),
        out_(job.out.target),
        source_(job.in.source),
        in_(job.in.source) {}

  /// Whether all rows can go out past the caches, if that is wanted.
  HWY_INLINE bool streams(Store wanted) const {
    Lines<T> numbers = target_;
    numbers.real = out_.first;  // whichever part comes first
    return HWY_NAMESPACE::streams<Shape::complex_columns>(D(), numbers, wanted);
  }
  HWY_INLINE bool gives_imaginary_first() const { return out_.imaginary_first; }

  /// The i-th row, as numbers whose parts alternate.
  template <Finish kFinish, bool kStreaming, bool kImaginaryFirst>
  HWY_INLINE void give(const fft::detail::Store<T>& store, std::size_t i) const {
    const D d;
    const std::size_t element = results_[i];
    const T* const row = buffer_ + offsets_[i];
    T* const to = out_.first + target_.offset(element);
    const auto factors = factors_of<kFinish>(store, width_, element);
    for (std::size_t lane = 0; lane < width_; lane += kLanes) {
      const Complex<hn::Vec<D>> x = {hn::LoadU(d, row + lane), hn::LoadU(d, row + width_ + lane)};
      put_parts<kImaginaryFirst>(finished<kFinish>(d, x, factors, lane), to + 2 * lane, kStreaming);
    }
  }

  /// The last pass's butterfly over the i-th row and those with the next kRadix − 1 elements to
  /// come, which all go out.
  template <Finish kFinish, std::size_t kRadix, bool kStreaming, bool kImaginaryFirst>
  HWY_INLINE void finish(const PassJob<T>& pass, const T* factors, T scale, std::size_t i) const {
    const D d;
    const GroupTwiddles<D, kRadix> twiddles(d, factors);
    const ElementFactors<T> scaled = {nullptr, nullptr, width_, scale};
    T* const row = buffer_ + offsets_[i];
    T* const to = out_.first + target_.offset(results_[i]);
    const std::ptrdiff_t apart = target_.offset(elements_ / kRadix);
    for (std::size_t lane = 0; lane < width_; lane += kLanes) {
      const auto in = [&](std::size_t q) KINJO_FFT_INLINE {
        return twiddles.times_input(q, input(d, row + q * pass.to_step + lane, width_));
      };
      const auto out = [&](std::size_t p, const Complex<hn::Vec<D>>& y) KINJO_FFT_INLINE {
        put_parts<kImaginaryFirst>(finished<kFinish>(d, y, scaled, lane),
                                   to + static_cast<std::ptrdiff_t>(p) * apart + 2 * lane,
                                   kStreaming);
      };
      butterfly<kRadix>(d, pass, in, out);
    }
  }

  /// The i-th row ← element i of columns whose parts alternate.
  HWY_INLINE void take_column(std::size_t i) const {
    const D d;
    const T* const from = in_.first + source_.offset(i);
    const auto ahead_by = static_cast<std::ptrdiff_t>(kExchangedAhead) * source_.element;
    const T* const ahead = i + kExchangedAhead < elements_ ? from + ahead_by : from;
    T* const row = buffer_ + offsets_[i];
    const std::size_t real = in_.imaginary_first ? width_ : 0;
    for (std::size_t lane = 0; lane < width_; lane += kLanes) {
      prefetch<Near::l2>(ahead + 2 * lane, 2 * kLanes);
      const auto x = take_pairs(d, from + 2 * lane);
      hn::StoreU(x.re, d, row + real + lane);
      hn::StoreU(x.im, d, row + (width_ - real) + lane);
    }
  }

  /// kSquare rows ← elements of lines from i on, all of one tile if there are any. The next tile is
  /// asked for on the way, from its first cache line to the last, which is a stream.
  template <bool kTiles>
  HWY_INLINE void take_square(std::size_t i) const {
    const Squares squares;
    const T* const from = in_.first + source_.offset(i);
    const std::size_t in_tile = kTiles ? i % (std::size_t{1} << source_.fold) : 0;
    const T* const ahead = kTiles ? from + source_.far + 2 * in_tile * (width_ - 1) : nullptr;
    const std::size_t first = in_.imaginary_first ? width_ : 0, second = width_ - first;
    T* rows[kSquare];
    for (std::size_t k = 0; k < kSquare; ++k) rows[k] = buffer_ + offsets_[i + k];
    for (std::size_t lane = 0; lane < width_; lane += kSide) {
      const auto in = [&](std::size_t k) KINJO_FFT_INLINE {
        if constexpr (kTiles) __builtin_prefetch(ahead + (lane + k) * kSide, 0, 2);
        return hn::LoadU(squares, from + static_cast<std::ptrdiff_t>(lane + k) * source_.line);
      };
      const auto out = [&](std::size_t k, auto v) KINJO_FFT_INLINE {
        hn::StoreU(v, squares, rows[k / 2] + (k % 2 == 0 ? first : second) + lane);
      };
      transpose(squares, in, out);
    }
  }
  /// The i-th row ← element i of lines.
  HWY_INLINE void take_element(std::size_t i) const {
    const T* const from = in_.first + source_.offset(i);
    T* const row = buffer_ + offsets_[i];
    const std::size_t first = in_.imaginary_first ? width_ : 0;
    for (std::size_t lane = 0; lane < width_; ++lane) {
      const T* const at = from + static_cast<std::ptrdiff_t>(lane) * source_.line;
      row[first + lane] = at[0];
      row[width_ - first + lane] = at[1];
    }
  }

  /// Where the tile of element i ends, or `end` if that comes first.
  HWY_INLINE std::size_t tile_end(std::size_t i, std::size_t end) const {
    return std::min(end, ((i >> source_.fold) + 1) << source_.fold);
  }

 private:
  template <bool kImaginaryFirst>
  static HWY_INLINE void put_parts(const Complex<hn::Vec<D>>& x, T* to, bool streaming) {
    put_pairs(kImaginaryFirst ? Complex<hn::Vec<D>>{x.im, x.re} : x, D(), to, streaming);
  }

  std::size_t width_;
  T* buffer_;
  const std::uint32_t* results_;
  const std::uint32_t* offsets_;
  std::size_t elements_;
  Lines<T> target_;
  Pairs<T> out_;
  Lines<const T> source_;
  Pairs<const T> in_;
};

/// Calls f<kStreaming, kImaginaryFirst>() for how rows go out.
template <class Rows, class F>
HWY_INLINE void for_way_out(const Rows& rows, bool streaming, const F& f) {
  const auto by_order = [&](auto streams) KINJO_FFT_INLINE {
    if (rows.gives_imaginary_first()) return f(streams, std::true_type());
    f(streams, std::false_type());
  };
  if (streaming) return by_order(std::true_type());
  by_order(std::false_type());
}

/// Rows [begin, end) ← elements of lines, `give(i)` before row i is taken.
template <bool kTiles, class Rows, class Give>
HWY_INLINE void take_lines(const Rows& rows, std::size_t begin, std::size_t end, const Give& give) {
  for (std::size_t i = begin; i < end;) {
    const std::size_t stop = rows.tile_end(i, end);
    if constexpr (Rows::kSquare > 0) {
      for (; i + Rows::kSquare <= stop; i += Rows::kSquare) {
        for (std::size_t k = 0; k < Rows::kSquare; ++k) give(i + k);
        rows.template take_square<kTiles>(i);
      }
    }
    for (; i < stop; ++i) {
      give(i);
      rows.take_element(i);
    }
  }
}

/// Rows [begin, end) ← what comes in, `give(i)` before row i is taken.
template <class Rows, class T, class Give>
HWY_INLINE void take_rows(const Rows& rows, const fft::detail::LoadJob<T>& in, std::size_t begin,
                          std::size_t end, const Give& give) {
  if (is_by_column(in.shape)) {
    for (std::size_t i = begin; i < end; ++i) {
      give(i);
      rows.take_column(i);
    }
  } else if (in.source.fold != Lines<T>::kNoFold) {
    take_lines<true>(rows, begin, end, give);
  } else {
    take_lines<false>(rows, begin, end, give);
  }
}

template <Finish kFinish, std::size_t kVectors, class D>
void exchange_rows(const ExchangeJob<hn::TFromD<D>>& job, std::size_t begin, std::size_t end) {
  const RowExchange<kVectors, D> rows(job);
  const fft::detail::Store<hn::TFromD<D>> store = job.out.factors;
  for_way_out(
      rows, rows.streams(store.write), [&](auto streaming, auto imaginary_first) KINJO_FFT_INLINE {
        take_rows(rows, job.in, begin, end, [&](std::size_t i) KINJO_FFT_INLINE {
          rows.template give<kFinish, decltype(streaming)::value, decltype(imaginary_first)::value>(
              store, i);
        });
      });
}

/// Vectors of either part in most rows, which are of 256 bytes.
template <class D>
inline constexpr std::size_t kUsualVectors = 128 / (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>));

/// Calls `f` with the vectors that either part of a row has as a constant: the usual number, or 0
/// for any other.
template <class D, class F>
HWY_INLINE void for_vectors(std::size_t width, F&& f) {
  constexpr std::size_t kUsual = kUsualVectors<D>;
  if (width == kUsual * hn::MaxLanes(D())) return f(std::integral_constant<std::size_t, kUsual>());
  f(std::integral_constant<std::size_t, 0>());
}

template <class D>
void exchange(const ExchangeJob<hn::TFromD<D>>& job, std::size_t begin, std::size_t end) {
  for_finish(job.out.factors, [&](auto finish) {
    for_vectors<D>(job.out.width, [&](auto vectors) {
      exchange_rows<decltype(finish)::value, decltype(vectors)::value, D>(job, begin, end);
    });
  });
}

template <Finish kFinish, std::size_t kRadix, std::size_t kVectors, class D>
void exchange_butterflies(const ExchangeJob<hn::TFromD<D>>& job, const PassJob<hn::TFromD<D>>& pass,
                          std::size_t block) {
  using T = hn::TFromD<D>;
  const RowExchange<kVectors, D> rows(job);
  const bool streaming = rows.streams(job.out.factors.write);
  const std::size_t groups = pass.groups, below = job.elements / (kRadix * groups);
  const T scale = job.out.factors.scale;
  const T* twiddles = pass.twiddles + 2 * (kRadix - 1) * groups * block;
  for_way_out(rows, streaming, [&](auto streams, auto imaginary_first) KINJO_FFT_INLINE {
    for (std::size_t g = 0; g < groups; ++g, twiddles += 2 * (kRadix - 1)) {
      const std::size_t first = job.elements_of_rows[block + g * below];
      rows.template finish<kFinish, kRadix, decltype(streams)::value,
                           decltype(imaginary_first)::value>(pass, twiddles, scale, first);
      take_rows(rows, job.in, first, first + kRadix, [](std::size_t) KINJO_FFT_INLINE {});
    }
  });
}

template <class D, std::size_t kRadix>
void exchange_pass(const ExchangeJob<hn::TFromD<D>>& job, const PassJob<hn::TFromD<D>>& pass,
                   std::size_t block) {
  const auto with = [&](auto finish) {
    for_vectors<D>(job.out.width, [&](auto vectors) {
      exchange_butterflies<decltype(finish)::value, kRadix, decltype(vectors)::value, D>(job, pass,
                                                                                         block);
    });
  };
  if (job.out.factors.scale != 1) return with(std::integral_constant<Finish, Finish::scale>());
  with(std::integral_constant<Finish, Finish::nothing>());
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
