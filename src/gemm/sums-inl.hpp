/// Per target: sums in registers. They have names, since arrays of vectors end up in memory.
#if defined(KINJO_GEMM_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KINJO_GEMM_SUMS_INL
#undef KINJO_GEMM_SUMS_INL
#else
#define KINJO_GEMM_SUMS_INL
#endif

#include <hwy/highway.h>

// Lambdas that the compiler must not leave to calls: the sums would have to go to memory.
#ifndef KINJO_GEMM_INLINE
#define KINJO_GEMM_INLINE HWY_ATTR __attribute__((always_inline))
#endif

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {

/// The sums of up to eight columns, of which each has several.
template <class Column>
struct Sums {
  Column c0, c1, c2, c3, c4, c5, c6, c7;
};

/// Calls `f(column, its number)` for the first kColumns.
template <int kColumns, class Column, class F>
HWY_INLINE void for_columns(Sums<Column>& s, const F& f) {
  f(s.c0, 0);
  if constexpr (kColumns > 1) f(s.c1, 1);
  if constexpr (kColumns > 2) f(s.c2, 2);
  if constexpr (kColumns > 3) f(s.c3, 3);
  if constexpr (kColumns > 4) f(s.c4, 4);
  if constexpr (kColumns > 5) f(s.c5, 5);
  if constexpr (kColumns > 6) f(s.c6, 6);
  if constexpr (kColumns > 7) f(s.c7, 7);
}

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
