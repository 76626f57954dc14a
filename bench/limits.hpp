/// What the machine can do at most: loops with the loads and stores of a kernel and next to no
/// arithmetic, and loops of arithmetic alone, at the level of vector instructions in use.
#pragma once

#include <cstddef>

namespace kinjo::bench {

/// `passes` times over n doubles: one load each; two loads; a load and a store; two loads and a
/// store. Arrays are aligned to 64 bytes, n is a multiple of 64.
void load_one(const double* x, std::size_t n, std::size_t passes);
void load_two(const double* x, const double* y, std::size_t n, std::size_t passes);
void load_and_store(const double* x, double* y, std::size_t n, std::size_t passes);
void load_two_and_store(const double* x, double* y, std::size_t n, std::size_t passes);

/// Additions, and multiply-adds (two flops each), of registers only; the number of flops done.
double add_registers(std::size_t passes);
double multiply_add_registers(std::size_t passes);

}  // namespace kinjo::bench
