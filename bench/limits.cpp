#include "limits.hpp"

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limits.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before these.
#include <hwy/highway.h>

#include "simd/lanes-inl.hpp"

// One struct for all targets, although this file is read once for each.
#ifndef KINJO_BENCH_LIMITS
#define KINJO_BENCH_LIMITS
namespace kinjo::bench {
struct Limits {
  void (*load_one)(const double*, std::size_t, std::size_t);
  void (*load_two)(const double*, const double*, std::size_t, std::size_t);
  void (*load_and_store)(const double*, double*, std::size_t, std::size_t);
  void (*load_two_and_store)(const double*, double*, std::size_t, std::size_t);
  double (*add_registers)(std::size_t);
  double (*multiply_add_registers)(std::size_t);
};
}  // namespace kinjo::bench
#endif

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {
namespace {

using Doubles = hn::ScalableTag<double>;
using Integers = hn::RebindToSigned<Doubles>;
constexpr std::size_t kWidth = hn::MaxLanes(Doubles());

template <class V>
HWY_INLINE void keep(V& v) {
  asm volatile("" : "+m"(v));
}

HWY_INLINE auto bits(const double* p) { return hn::BitCast(Integers(), hn::LoadU(Doubles(), p)); }

template <class Load>
HWY_INLINE void load_all(std::size_t n, std::size_t passes, const Load& load) {
  auto v0 = hn::Zero(Integers());
  auto v1 = v0, v2 = v0, v3 = v0, v4 = v0, v5 = v0, v6 = v0, v7 = v0;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < n; i += 8 * kWidth) {
      v0 = hn::And(v0, load(i));
      v1 = hn::And(v1, load(i + kWidth));
      v2 = hn::And(v2, load(i + 2 * kWidth));
      v3 = hn::And(v3, load(i + 3 * kWidth));
      v4 = hn::And(v4, load(i + 4 * kWidth));
      v5 = hn::And(v5, load(i + 5 * kWidth));
      v6 = hn::And(v6, load(i + 6 * kWidth));
      v7 = hn::And(v7, load(i + 7 * kWidth));
    }
    // Each pass reads anew, as far as the compiler knows.
    asm volatile("" ::: "memory");
  }
  keep(v0), keep(v1), keep(v2), keep(v3), keep(v4), keep(v5), keep(v6), keep(v7);
}

void load_one(const double* x, std::size_t n, std::size_t passes) {
  load_all(n, passes, [=](std::size_t i) HWY_ATTR { return bits(x + i); });
}

void load_two(const double* x, const double* y, std::size_t n, std::size_t passes) {
  load_all(n, passes, [=](std::size_t i) HWY_ATTR { return hn::And(bits(x + i), bits(y + i)); });
}

template <class Value>
HWY_INLINE void store_all(double* y, std::size_t n, std::size_t passes, const Value& value) {
  const Doubles d;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < n; i += 4 * kWidth) {
      const auto v0 = value(i);
      const auto v1 = value(i + kWidth);
      const auto v2 = value(i + 2 * kWidth);
      const auto v3 = value(i + 3 * kWidth);
      hn::StoreU(hn::BitCast(d, v0), d, y + i);
      hn::StoreU(hn::BitCast(d, v1), d, y + i + kWidth);
      hn::StoreU(hn::BitCast(d, v2), d, y + i + 2 * kWidth);
      hn::StoreU(hn::BitCast(d, v3), d, y + i + 3 * kWidth);
    }
    asm volatile("" ::: "memory");
  }
}

void load_and_store(const double* x, double* y, std::size_t n, std::size_t passes) {
  store_all(y, n, passes, [=](std::size_t i) HWY_ATTR { return bits(x + i); });
}

void load_two_and_store(const double* x, double* y, std::size_t n, std::size_t passes) {
  store_all(y, n, passes,
            [=](std::size_t i) HWY_ATTR { return hn::And(bits(x + i), bits(y + i)); });
}

/// 12 chains cover every CPU's latency × ports, and leave registers to the operands.
template <class Step>
HWY_INLINE double run_chains(std::size_t passes, double flops, const Step& step) {
  const Doubles d;
  auto v0 = hn::Set(d, 1);
  auto v1 = v0, v2 = v0, v3 = v0, v4 = v0, v5 = v0, v6 = v0, v7 = v0, v8 = v0, v9 = v0, va = v0,
       vb = v0;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    v0 = step(v0), v1 = step(v1), v2 = step(v2), v3 = step(v3);
    v4 = step(v4), v5 = step(v5), v6 = step(v6), v7 = step(v7);
    v8 = step(v8), v9 = step(v9), va = step(va), vb = step(vb);
  }
  keep(v0), keep(v1), keep(v2), keep(v3), keep(v4), keep(v5), keep(v6), keep(v7);
  keep(v8), keep(v9), keep(va), keep(vb);
  return flops * 12 * static_cast<double>(kWidth * passes);
}

double add_registers(std::size_t passes) {
  const auto one = hn::Set(Doubles(), 1e-3);
  return run_chains(passes, 1, [=](auto v) HWY_ATTR { return hn::Add(v, one); });
}

double multiply_add_registers(std::size_t passes) {
  const auto a = hn::Set(Doubles(), 0.999), b = hn::Set(Doubles(), 1e-3);
  return run_chains(passes, 2, [=](auto v) HWY_ATTR { return hn::MulAdd(v, a, b); });
}

}  // namespace

extern const bench::Limits kLimits = {load_one,           load_two,      load_and_store,
                                      load_two_and_store, add_registers, multiply_add_registers};

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

namespace {
const KernelTable<bench::Limits> kTable = {nullptr, KINJO_SIMD_TARGETS(kLimits)};
}

}  // namespace kinjo::detail

namespace kinjo::bench {

namespace {
/// The level in use; for `scalar`, the lowest with vectors.
const Limits& limits() {
  if (simd_level() != SimdLevel::scalar) return detail::chosen(detail::kTable);
  for (const Limits* l : detail::kTable) {
    if (l) return *l;
  }
  return *detail::kTable[0];
}
}  // namespace

void load_one(const double* x, std::size_t n, std::size_t passes) {
  limits().load_one(x, n, passes);
}
void load_two(const double* x, const double* y, std::size_t n, std::size_t passes) {
  limits().load_two(x, y, n, passes);
}
void load_and_store(const double* x, double* y, std::size_t n, std::size_t passes) {
  limits().load_and_store(x, y, n, passes);
}
void load_two_and_store(const double* x, double* y, std::size_t n, std::size_t passes) {
  limits().load_two_and_store(x, y, n, passes);
}
double add_registers(std::size_t passes) { return limits().add_registers(passes); }
double multiply_add_registers(std::size_t passes) {
  return limits().multiply_add_registers(passes);
}

}  // namespace kinjo::bench
#endif
