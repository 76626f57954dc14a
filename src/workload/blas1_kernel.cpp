#include "workload/blas1_kernel.hpp"

#include <array>

#include <fmt/format.h>
#include <kinjo/error.hpp>

namespace kinjo {

namespace {

using detail::Arithmetic;

struct Entry {
  Blas1Kernel kernel;
  const char* name;
  int vectors;
  KernelCost cost;
};

/// In the order of the enumeration. A norm's root is once for all elements. A sum of magnitudes
/// clears sign bits, a search compares: neither counts as a flop. Arithmetic is the fast mode's.
constexpr std::array<Entry, 9> kEntries = {{
    {Blas1Kernel::sum, "sum", 1, {.flops = 1, .arithmetic = Arithmetic::add}},
    {Blas1Kernel::sum_of_squares, "sum_of_squares", 1, {.flops = 2, .arithmetic = Arithmetic::fma}},
    {Blas1Kernel::norm2, "norm2", 1, {.flops = 2, .arithmetic = Arithmetic::fma}},
    {Blas1Kernel::dot, "dot", 2, {.flops = 2, .loads = 2, .arithmetic = Arithmetic::fma}},
    {Blas1Kernel::axpy,
     "axpy",
     2,
     {.flops = 2, .loads = 2, .stores = 1, .arithmetic = Arithmetic::fma}},
    {Blas1Kernel::asum, "asum", 1, {.flops = 1, .arithmetic = Arithmetic::add}},
    {Blas1Kernel::scale,
     "scale",
     1,
     {.flops = 1, .stores = 1, .in_place = true, .arithmetic = Arithmetic::multiply}},
    {Blas1Kernel::copy, "copy", 2, {.stores = 1}},
    {Blas1Kernel::max_abs_index, "max_abs_index", 1, {}},
}};

const Entry& entry_of(Blas1Kernel kernel) { return kEntries[static_cast<std::size_t>(kernel)]; }

constexpr auto kAll = [] {
  std::array<Blas1Kernel, kEntries.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kEntries[i].kernel;
  return all;
}();

constexpr std::size_t kDefaults = 5;

}  // namespace

const char* to_string(Blas1Kernel kernel) noexcept { return entry_of(kernel).name; }

std::span<const Blas1Kernel> all_blas1_kernels() { return kAll; }

std::span<const Blas1Kernel> default_blas1_kernels() { return std::span(kAll).first(kDefaults); }

Blas1Kernel find_blas1_kernel(const std::string& name) {
  std::string names;
  for (const Entry& entry : kEntries) {
    if (name == entry.name) return entry.kernel;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  }
  throw Error(Errc::invalid_argument,
              fmt::format("unknown kernel '{}': expected one of {}", name, names));
}

KernelCost cost_of(Blas1Kernel kernel, blas1::Mode mode) {
  KernelCost cost = entry_of(kernel).cost;
  if (mode == blas1::Mode::reproducible && cost.arithmetic == Arithmetic::fma) {
    cost.arithmetic = Arithmetic::multiply_add;
  }
  return cost;
}

int vectors_of(Blas1Kernel kernel) { return entry_of(kernel).vectors; }

double moves_of(Blas1Kernel kernel) {
  const KernelCost& cost = entry_of(kernel).cost;
  return cost.loads + cost.stores;
}

}  // namespace kinjo
