/// The size of a Fourier transform, and whether there is room for it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kinjo {

/// The lengths of its axes, row-major.
struct FftSize {
  std::vector<std::size_t> shape;
  bool operator==(const FftSize&) const = default;

  double points() const;
  /// 5 n log₂ n, by which everybody counts complex transforms; half of it for real ones.
  double flops(bool real) const;
};

/// `16777216`, or `4096x4096`.
std::string to_string(const FftSize& size);

/// Reads that, each number by `detail::parse_count`. Throws `Error` (`invalid_argument`) that says
/// what is accepted.
FftSize parse_fft_size(const std::string& text);

/// What arrays a transform needs.
struct FftMemory {
  std::size_t number_bytes = 16;  ///< of a complex number
  bool real = false;              ///< one side has half as many bytes
  bool in_place = false;
  bool copy = false;  ///< of what was transformed in place, for the verifier
  std::size_t threads = 1;
};

/// Bytes of input and output, or in place of half an array that the limit's copies need, of the
/// copy, and of the plan.
double fft_bytes(const FftSize& size, const FftMemory& memory);

/// Throws `Error` (`out_of_memory`) if they do not fit in 60 % of the memory that is available.
void check_fft_size(const FftSize& size, const FftMemory& memory);

}  // namespace kinjo
