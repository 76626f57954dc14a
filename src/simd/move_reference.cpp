/// The level `scalar` of moving: one double at a time. Compiled without automatic vectorisation.
#include <bit>
#include <cstdint>

#include "simd/move_kernels.hpp"

namespace kinjo::detail {

namespace {

std::uint64_t bits(const double* p) { return std::bit_cast<std::uint64_t>(*p); }

/// Each pass reads and writes anew, as far as the compiler knows.
void forget() { asm volatile("" ::: "memory"); }

/// Four values at a time, so that no chain of `and` is what limits the loads.
template <class Load>
void load_all(std::size_t n, std::size_t passes, const Load& load) {
  std::uint64_t v0 = ~std::uint64_t{0}, v1 = v0, v2 = v0, v3 = v0;
  for (; passes > 0; --passes) {
    for (std::size_t i = 0; i < n; i += 4) {
      v0 &= load(i);
      v1 &= load(i + 1);
      v2 &= load(i + 2);
      v3 &= load(i + 3);
    }
    forget();
  }
  asm volatile("" : : "r"(v0), "r"(v1), "r"(v2), "r"(v3));
}

template <class Value>
void store_all(double* y, std::size_t n, std::size_t passes, const Value& value) {
  for (; passes > 0; --passes) {
    for (std::size_t i = 0; i < n; ++i) y[i] = std::bit_cast<double>(value(i));
    forget();
  }
}

void load(const double* x, double*, std::size_t n, std::size_t passes) {
  load_all(n, passes, [=](std::size_t i) { return bits(x + i); });
}
void load_two(const double* x, double* y, std::size_t n, std::size_t passes) {
  load_all(n, passes, [=](std::size_t i) { return bits(x + i) & bits(y + i); });
}
void store(const double*, double* y, std::size_t n, std::size_t passes) {
  store_all(y, n, passes, [](std::size_t) { return std::bit_cast<std::uint64_t>(0.75); });
}
void load_store(const double* x, double* y, std::size_t n, std::size_t passes) {
  store_all(y, n, passes, [=](std::size_t i) { return bits(x + i); });
}
void load_two_store(const double* x, double* y, std::size_t n, std::size_t passes) {
  store_all(y, n, passes, [=](std::size_t i) { return bits(x + i) & bits(y + i); });
}

}  // namespace

const MoveKernelSet kMoveReference = {1,
                                      {{{load, nullptr},
                                        {load_two, nullptr},
                                        {store, nullptr},
                                        {load_store, nullptr},
                                        {load_two_store, nullptr},
                                        {load_store, nullptr}}}};

}  // namespace kinjo::detail
