/// Per target: STORE and LOAD in one, rows of a buffer that go out while others come in.
///
/// What has just been read in order to go out is in L1 when it is overwritten, so that rows in L2
/// are not fetched once more; and stores past the caches go on while loads wait for memory.
#if defined(KINJO_FFT_EXCHANGE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_FFT_EXCHANGE_INL
#undef KINJO_FFT_EXCHANGE_INL
#else
#define KINJO_FFT_EXCHANGE_INL
#endif

#include "fft/line-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

using fft::detail::ExchangeJob;

/// Rows [begin, end) of the job as numbers whose parts alternate.
template <Finish kFinish, class D>
HWY_INLINE void give_rows(D d, const ExchangeJob<hn::TFromD<D>>& job, std::size_t begin,
                          std::size_t end, bool streaming) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const std::size_t width = job.out.width;
  const Lines<T> target = job.out.target;
  const Pairs<T> pairs(target);
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t element = job.results[i];
    const T* const row = job.out.from + job.offsets[i];
    T* const to = pairs.first + target.offset(element);
    const auto factors = factors_of<kFinish>(job.out.factors, width, element);
    for (std::size_t lane = 0; lane < width; lane += kLanes) {
      const Complex<hn::Vec<D>> x = {hn::LoadU(d, row + lane), hn::LoadU(d, row + width + lane)};
      const auto y = finished<kFinish>(d, x, factors, lane);
      const auto parts = pairs.imaginary_first ? Complex<hn::Vec<D>>{y.im, y.re} : y;
      put_pairs(parts, d, to + 2 * lane, streaming);
    }
  }
}

/// Rows [begin, end) of the job ← elements of columns whose parts alternate.
template <class D>
HWY_INLINE void take_column_rows(D d, const ExchangeJob<hn::TFromD<D>>& job, std::size_t begin,
                                 std::size_t end) {
  using T = hn::TFromD<D>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const std::size_t width = job.in.width;
  const Pairs<const T> pairs(job.in.source);
  const std::size_t real = pairs.imaginary_first ? width : 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t element = job.first + i;
    const T* const from = pairs.first + job.in.source.offset(element);
    const std::size_t later = element + kRowsAhead;
    const T* const ahead = later < job.elements ? pairs.first + job.in.source.offset(later) : from;
    T* const row = job.in.to + job.offsets[i];
    for (std::size_t lane = 0; lane < width; lane += kLanes) {
      prefetch<Near::l2>(ahead + 2 * lane, 2 * kLanes);
      const auto x = take_pairs(d, from + 2 * lane);
      hn::StoreU(x.re, d, row + real + lane);
      hn::StoreU(x.im, d, row + (width - real) + lane);
    }
  }
}

/// The same of lines in tiles.
template <class D>
HWY_INLINE void take_line_rows(const ExchangeJob<hn::TFromD<D>>& job, std::size_t begin,
                               std::size_t end) {
  using T = hn::TFromD<D>;
  const Pairs<const T> pairs(job.in.source);
  const T* const from = pairs.first + job.in.source.offset(job.first + begin);
  load_transposed(SquareTag<D>(), from, job.in.source.line, 2 * (end - begin), job.in.width,
                  ahead_of_tile(job.in.source), [&](std::size_t t) {
                    return job.in.to + job.offsets[begin + t / 2] +
                           (t % 2 != pairs.imaginary_first ? job.in.width : 0);
                  });
}

template <Finish kFinish, class D>
void exchange_rows(const ExchangeJob<hn::TFromD<D>>& given) {
  const D d;
  const ExchangeJob<hn::TFromD<D>> job = given;
  Lines<hn::TFromD<D>> numbers = job.out.target;
  numbers.real = fft::detail::first_part(numbers);  // whichever part comes first
  const bool streaming = streams<Shape::complex_columns>(d, numbers, job.out.factors.write);
  if (is_by_column(job.in.shape)) {
    give_rows<kFinish>(d, job, 0, job.count, streaming);
    return take_column_rows(d, job, 0, job.count);
  }
  const std::size_t tile = std::size_t{1} << job.in.source.fold;
  for (std::size_t begin = 0, end; begin < job.count; begin = end) {
    end = std::min(job.count, begin + tile - (job.first + begin) % tile);
    give_rows<kFinish>(d, job, begin, end, streaming);
    take_line_rows<D>(job, begin, end);
  }
}

template <class D>
void exchange(const ExchangeJob<hn::TFromD<D>>& job) {
  for_finish(job.out.factors, [&](auto finish) { exchange_rows<decltype(finish)::value, D>(job); });
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
