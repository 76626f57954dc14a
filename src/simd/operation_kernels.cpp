/// Chains eight operations long in the loop's body, so that its counter and branch are done beside
/// them.
///
/// The burst: a core does up to two or three fused multiply-adds a cycle of four or five cycles'
/// latency each (x86), or four of four (ARM), so 12 independent vectors on x86 and 16 elsewhere
/// keep it busy; a product that is added afterwards takes no more of them. They are named, not an
/// array, so that each stays in a register (the 16 of x86 before AVX-512 hold 12 and two operands),
/// and begin at different values, so that the compiler cannot find them all to be the same.
///
/// Compiled once for each target, see stream_kernels.cpp.
#include "simd/operation_kernels.hpp"

#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/operation_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before highway.
#include <hwy/highway.h>

#include "simd/lanes-inl.hpp"

// Highway's SCALAR stands for SSE2 here, which does not fuse.
#undef KINJO_FUSES
#define KINJO_FUSES (HWY_TARGET != HWY_SCALAR && HWY_NATIVE_FMA)

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {
namespace {

using Wide = hn::ScalableTag<double>;
using WideVector = hn::Vec<Wide>;

template <class T, class Op>
HWY_INLINE T repeat(T x, std::size_t n, const Op& op) {
  for (; n >= 8; n -= 8) x = op(op(op(op(op(op(op(op(x))))))));
  for (; n > 0; --n) x = op(x);
  return x;
}

HWY_INLINE double fused(double x, double y, double z) {
#if KINJO_FUSES
  return __builtin_fma(x, y, z);  // one instruction here; else it would be a call
#else
  return x * y + z;
#endif
}

double scalar(Operation operation, double x, double y, double z, std::size_t n) {
  switch (operation) {
    case Operation::add:
      return repeat(x, n, [=](double v) HWY_ATTR { return v + y; });
    case Operation::multiply:
      return repeat(x, n, [=](double v) HWY_ATTR { return v * y; });
    case Operation::fma:
      return repeat(x, n, [=](double v) HWY_ATTR { return fused(v, y, z); });
  }
  return x;
}

void vector(Operation operation, double* x, double y, double z, std::size_t n) {
  const Wide d;
  const WideVector b = hn::Set(d, y), c = hn::Set(d, z);
  WideVector v = hn::LoadU(d, x);
  switch (operation) {
    case Operation::add:
      v = repeat(v, n, [=](WideVector a) HWY_ATTR { return hn::Add(a, b); });
      break;
    case Operation::multiply:
      v = repeat(v, n, [=](WideVector a) HWY_ATTR { return hn::Mul(a, b); });
      break;
    case Operation::fma:
      v = repeat(v, n, [=](WideVector a) HWY_ATTR { return hn::MulAdd(a, b, c); });
      break;
  }
  hn::StoreU(v, d, x);
}

#if HWY_ARCH_X86
constexpr std::size_t kVectors = 12;
#else
constexpr std::size_t kVectors = 16;
#endif

template <class Op, class... Vector>
HWY_INLINE void step(const Op& op, Vector&... v) {
  ((v = op(v)), ...);
}

template <class D, class Op>
HWY_INLINE hn::TFromD<D> run_burst(D d, hn::TFromD<D> x, std::size_t n, const Op& op) {
  const auto start = [=](int i) HWY_ATTR { return hn::Set(d, x + static_cast<hn::TFromD<D>>(i)); };
  auto v0 = start(0), v1 = start(1), v2 = start(2), v3 = start(3), v4 = start(4), v5 = start(5),
       v6 = start(6), v7 = start(7), v8 = start(8), v9 = start(9), v10 = start(10), v11 = start(11);
  auto sum = hn::Zero(d);
  if constexpr (kVectors == 16) {
    auto v12 = start(12), v13 = start(13), v14 = start(14), v15 = start(15);
    for (; n > 0; --n) {
      step(op, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15);
    }
    sum = hn::Add(hn::Add(v12, v13), hn::Add(v14, v15));
  } else {
    for (; n > 0; --n) step(op, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11);
  }
  sum = hn::Add(sum, hn::Add(hn::Add(v0, v1), hn::Add(v2, v3)));
  sum = hn::Add(sum, hn::Add(hn::Add(v4, v5), hn::Add(v6, v7)));
  sum = hn::Add(sum, hn::Add(hn::Add(v8, v9), hn::Add(v10, v11)));
  return fold(d, sum);
}

template <class T>
T burst(Arithmetic arithmetic, T x, T y, T z, std::size_t n) {
  const hn::ScalableTag<T> d;
  const auto b = hn::Set(d, y), c = hn::Set(d, z);
  switch (arithmetic) {
    case Arithmetic::add:
      return run_burst(d, x, n, [=](auto v) HWY_ATTR { return hn::Add(v, c); });
    case Arithmetic::multiply:
      return run_burst(d, x, n, [=](auto v) HWY_ATTR { return hn::Mul(v, b); });
    case Arithmetic::fma:
      return run_burst(d, x, n, [=](auto v) HWY_ATTR { return hn::MulAdd(v, b, c); });
    case Arithmetic::multiply_add:
      break;
  }
  return run_burst(d, x, n, [=](auto v) HWY_ATTR { return hn::Add(hn::Mul(v, b), c); });
}

}  // namespace

extern const OperationKernelSet kOperations = {
    hn::MaxLanes(Wide()), kVectors, KINJO_FUSES != 0, scalar, vector, burst<double>, burst<float>};

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

namespace {

const KernelTable<OperationKernelSet> kTable = {&kOperationReference,
                                                KINJO_SIMD_TARGETS(kOperations)};

/// Hides from the compiler where `x` comes from, at the cost of no instruction.
inline void hide(std::uint64_t& x) { asm volatile("" : "+r"(x)); }

template <class Op>
std::uint64_t repeat_hidden(std::uint64_t x, std::size_t n, const Op& op) {
  const auto once = [&] {
    x = op(x);
    hide(x);
  };
  for (; n >= 8; n -= 8) {
    once(), once(), once(), once();
    once(), once(), once(), once();
  }
  for (; n > 0; --n) once();
  return x;
}

}  // namespace

const char* to_string(Operation operation) noexcept {
  switch (operation) {
    case Operation::add:
      return "add";
    case Operation::multiply:
      return "multiply";
    case Operation::fma:
      return "fma";
  }
  return "unknown";
}

std::uint64_t integer_chain(Operation operation, std::uint64_t x, std::uint64_t y, std::size_t n) {
  // Both operands come from registers: some cores add small constants without spending a cycle.
  if (operation == Operation::add) {
    return repeat_hidden(x, n, [=](std::uint64_t v) { return v + y; });
  }
  return repeat_hidden(x, n, [=](std::uint64_t v) { return v * y; });
}

double scalar_chain(Operation operation, double x, double y, double z, std::size_t n) {
  return chosen(kTable).scalar(operation, x, y, z, n);
}
void vector_chain(Operation operation, double* x, double y, double z, std::size_t n) {
  chosen(kTable).vector(operation, x, y, z, n);
}
std::size_t vector_lanes() { return chosen(kTable).lanes; }
bool has_fma() { return chosen(kTable).fuses; }
double burst(Arithmetic arithmetic, double x, double y, double z, std::size_t n) {
  return chosen(kTable).burst(arithmetic, x, y, z, n);
}
float burst(Arithmetic arithmetic, float x, float y, float z, std::size_t n) {
  return chosen(kTable).burst_float(arithmetic, x, y, z, n);
}
std::size_t burst_vectors() { return chosen(kTable).vectors; }

}  // namespace kinjo::detail
#endif
