/// How a line is cut where nobody says.
#pragma once

#include <cstddef>
#include <vector>

#include <kinjo/fft_plan.hpp>

namespace kinjo::fft::detail {

/// What the choice depends on.
struct Conditions {
  std::size_t element_bytes = 16;  ///< of a complex number
  std::size_t threads = 1;         ///< that share the last cache
  std::size_t lanes = 1;           ///< lines that can be transformed side by side
  std::size_t stride = 1;          ///< from one element of a line to the next
  std::size_t l1 = 0, l2 = 0, l3 = 0;
  bool direct = true;     ///< lines may be transformed directly
  bool together = false;  ///< several threads, all held to CPUs of one cache domain
};
/// For this machine's caches.
Conditions conditions_here(std::size_t element_bytes, std::size_t threads, std::size_t lanes);

/// Whether sweeps can make a line of n: no prime factor above `kLargestPrime`.
bool is_smooth(std::size_t n);

/// Whether a line of n numbers can be transformed as in fft/direct_transform.hpp: n = w·m with a
/// cache line's w numbers, m ≥ 2w, no prime factor above 7.
bool has_whole_rows(std::size_t n, std::size_t element_bytes);
/// Whether one can be transformed by itself: so, or as in fft/short_transform.hpp.
bool can_be_direct(std::size_t n);

/// Throws `Error` (`invalid_argument`) for what is no sizeof(T).
void check_element_bytes(std::size_t element_bytes);

/// Throws `Error` (`invalid_argument`) if a cut that somebody gave cannot be used for such lines:
/// what plans refuse, and wisdom too.
void check_cut(const Cut& cut, const Line& line, std::size_t element_bytes);

/// The cut of a smooth n.
Cut choose_cut(std::size_t n, const Conditions& conditions);
/// The divisor of n nearest to `wish` by their ratio.
std::size_t nearest_divisor(std::size_t n, double wish);

/// Where arrays are taken to be while they are transformed.
enum class Residence { cache, memory };
/// Of n numbers, three arrays of them.
Residence residence_of(std::size_t n, const Conditions& conditions);
/// Between the sweeps of a line of n: as above, but in memory too what all threads' L2s do not hold
/// with something to spare. Rows that are written through the last cache are fetched first, and
/// their lines drive each other out of L2: that takes longer than to write past the caches and read
/// again.
Residence residence_of_sweeps(std::size_t n, const Conditions& conditions);
/// Of all n numbers of lines of `length` that one sweep takes: as the first, but behind large L2s
/// in memory too what is many times what these hold, if a few lines do not fit L1.
Residence residence_of_lines(std::size_t n, std::size_t length, const Conditions& conditions);
/// Lines at a time for a sweep of `length` where `lanes` of them lie side by side: up to 256 bytes
/// of a row as long as the buffer takes no more than half of L2, 512 bytes if it takes a quarter,
/// or all of an L2 that is large: a last cache that is far wants wide rows. For memory up to 256
/// bytes as long as it stays in the thread's share of the last cache.
std::size_t choose_width(std::size_t length, std::size_t lanes, const Conditions& conditions,
                         Residence residence);

/// The length of at least `least`, without other prime factors than 2, 5 and 7, whose transform is
/// predicted to take the least time.
std::size_t padded_length(std::size_t least);

}  // namespace kinjo::fft::detail
