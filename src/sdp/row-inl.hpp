/// Per target: so many doubles in as few vectors as hold them.
#if defined(KINJO_SDP_ROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_SDP_ROW_INL
#undef KINJO_SDP_ROW_INL
#else
#define KINJO_SDP_ROW_INL
#endif

#include <cstddef>

#include "simd/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::sdp::detail::HWY_NAMESPACE {
namespace {

namespace hn = kinjo::detail::HWY_NAMESPACE::hn;
using D = hn::ScalableTag<double>;
constexpr std::size_t kWidth = hn::MaxLanes(D());

/// `Count` numbers in as few vectors as hold them.
template <std::size_t Count>
struct Row {
  static constexpr std::size_t kVectors = Count / kWidth;
  hn::Vec<D> part[kVectors];

  HWY_INLINE static Row zero() {
    Row row;
    for (std::size_t i = 0; i < kVectors; ++i) row.part[i] = hn::Zero(D());
    return row;
  }
  HWY_INLINE static Row load(const double* from) {
    Row row;
    for (std::size_t i = 0; i < kVectors; ++i) row.part[i] = hn::LoadU(D(), from + i * kWidth);
    return row;
  }
  HWY_INLINE void store(double* to) const {
    for (std::size_t i = 0; i < kVectors; ++i) hn::StoreU(part[i], D(), to + i * kWidth);
  }
  /// *this += a · b, lane by lane.
  HWY_INLINE void add_product(const Row& a, const double* b) {
    for (std::size_t i = 0; i < kVectors; ++i) {
      part[i] = hn::MulAdd(a.part[i], hn::LoadU(D(), b + i * kWidth), part[i]);
    }
  }
  HWY_INLINE void add_scaled(double factor, const double* b) {
    const auto f = hn::Set(D(), factor);
    for (std::size_t i = 0; i < kVectors; ++i) {
      part[i] = hn::MulAdd(f, hn::LoadU(D(), b + i * kWidth), part[i]);
    }
  }
  HWY_INLINE void subtract_scaled(double factor, const Row& b) {
    const auto f = hn::Set(D(), factor);
    for (std::size_t i = 0; i < kVectors; ++i) part[i] = hn::NegMulAdd(f, b.part[i], part[i]);
  }
  HWY_INLINE void scale(double factor) {
    const auto f = hn::Set(D(), factor);
    for (std::size_t i = 0; i < kVectors; ++i) part[i] = hn::Mul(part[i], f);
  }
  HWY_INLINE void add(const Row& b) {
    for (std::size_t i = 0; i < kVectors; ++i) part[i] = hn::Add(part[i], b.part[i]);
  }
};

}  // namespace
}  // namespace kinjo::sdp::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
