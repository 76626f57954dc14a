/// Per target: the last rows of a job, if they are few of a vector's lanes.
///
/// A tile would do a whole vector's work for them: 65 rows of doubles would cost as much as 72. If
/// the broadcast side lies in place and contiguous along p, each of their elements is an inner
/// product of two contiguous vectors, once the row of X has been copied: an eighth (of doubles) of
/// a vector's work for each row, and the adding up of lanes.
#if defined(KINJO_GEMM_REST_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_GEMM_REST_INL
#undef KINJO_GEMM_REST_INL
#else
#define KINJO_GEMM_REST_INL
#endif

#include <algorithm>

#include "gemm/kernels.hpp"
#include "simd/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

/// The inner dimension up to which a row of X is copied: 4 KiB of doubles stay in L1.
constexpr std::size_t kMostInnerOfRest = 512;

/// The most rows that are cheaper so: more are worth a tile.
template <class T>
constexpr std::size_t kMostRowsOfRest = std::max<std::size_t>(hn::MaxLanes(hn::ScalableTag<T>()) /
                                                                  4,
                                                              1);

/// How many of the last rows are inner products: 0 if a tile is to do them.
template <class T>
HWY_INLINE std::size_t rows_of_rest(const TileJob<T>& j) {
  constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
  const std::size_t rest = j.rows % kLanes;
  const bool lies_well = j.x_step != 0 && j.y_step == 1;
  const bool fits = kLanes <= j.inner && j.inner <= kMostInnerOfRest;
  return lies_well && fits && rest <= kLanes / 4 ? rest : 0;
}

template <class T>
HWY_INLINE void update_element(const TileJob<T>& j, T sum, T* c) {
  *c = j.beta == 0 ? j.alpha * sum : j.alpha * sum + j.beta * *c;
}

/// Row r of C in columns c to c + 7: `x` is the row of X.
template <class T>
HWY_INLINE void eight_products(const TileJob<T>& j, const T* x, std::size_t r, std::size_t c) {
  using D = hn::ScalableTag<T>;
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  const D d;
  const T *const y0 = j.y + c * j.y_column, *const y4 = y0 + 4 * j.y_column;
  const std::size_t one = j.y_column, two = 2 * one, three = 3 * one;
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  const auto add = [&](std::size_t p, const auto& load) HWY_ATTR {
    const auto v = load(x + p);
    s0 = hn::MulAdd(v, load(y0 + p), s0);
    s1 = hn::MulAdd(v, load(y0 + one + p), s1);
    s2 = hn::MulAdd(v, load(y0 + two + p), s2);
    s3 = hn::MulAdd(v, load(y0 + three + p), s3);
    s4 = hn::MulAdd(v, load(y4 + p), s4);
    s5 = hn::MulAdd(v, load(y4 + one + p), s5);
    s6 = hn::MulAdd(v, load(y4 + two + p), s6);
    s7 = hn::MulAdd(v, load(y4 + three + p), s7);
  };
  std::size_t p = 0;
  for (; p + kLanes <= j.inner; p += kLanes) {
    add(p, [&](const T* at) HWY_ATTR { return hn::LoadU(d, at); });
  }
  if (p < j.inner) {
    add(p, [&](const T* at) HWY_ATTR { return load_first(d, at, j.inner - p); });
  }
  T* const to = j.c + r + c * j.ldc;
  update_element(j, fold(d, s0), to);
  update_element(j, fold(d, s1), to + j.ldc);
  update_element(j, fold(d, s2), to + 2 * j.ldc);
  update_element(j, fold(d, s3), to + 3 * j.ldc);
  update_element(j, fold(d, s4), to + 4 * j.ldc);
  update_element(j, fold(d, s5), to + 5 * j.ldc);
  update_element(j, fold(d, s6), to + 6 * j.ldc);
  update_element(j, fold(d, s7), to + 7 * j.ldc);
}

/// Row r of C in column c.
template <class T>
HWY_INLINE void one_product(const TileJob<T>& j, const T* x, std::size_t r, std::size_t c) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
  const T* const y = j.y + c * j.y_column;
  auto sum = hn::Zero(d);
  std::size_t p = 0;
  for (; p + kLanes <= j.inner; p += kLanes) {
    sum = hn::MulAdd(hn::LoadU(d, x + p), hn::LoadU(d, y + p), sum);
  }
  if (p < j.inner) {
    const std::size_t left = j.inner - p;
    sum = hn::MulAdd(load_first(d, x + p, left), load_first(d, y + p, left), sum);
  }
  update_element(j, fold(d, sum), j.c + r + c * j.ldc);
}

/// The rows of a job from `begin` on, whose products are made in the course of the tiles: columns
/// of the broadcast side that tiles have just used are in L1.
template <class T>
class Rest {
 public:
  HWY_INLINE Rest(const TileJob<T>& job, std::size_t begin) : job_(job), begin_(begin) {
    for (std::size_t r = begin; r < job.rows; ++r) {
      T* const row = x_[r - begin];
      for (std::size_t p = 0; p < job.inner; ++p) row[p] = job.x[r + p * job.x_step];
    }
  }

  /// The columns up to `end`; of those that are not the last, eight at a time.
  HWY_INLINE void reach(std::size_t end) {
    if (begin_ == job_.rows) return;
    for (; next_ + 8 <= end; next_ += 8) {
      for (std::size_t r = begin_; r < job_.rows; ++r) {
        eight_products(job_, x_[r - begin_], r, next_);
      }
    }
    for (; end == job_.columns && next_ < end; ++next_) {
      for (std::size_t r = begin_; r < job_.rows; ++r) {
        one_product(job_, x_[r - begin_], r, next_);
      }
    }
  }

 private:
  const TileJob<T>& job_;
  std::size_t begin_, next_ = 0;
  T x_[kMostRowsOfRest<T>][kMostInnerOfRest];
};

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
