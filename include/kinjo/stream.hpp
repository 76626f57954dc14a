/// The STREAM benchmark's four operations on partitioned arrays (S1 section 3.3; McCalpin, STREAM).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <kinjo/lab.hpp>
#include <kinjo/partitioned_array.hpp>
#include <kinjo/team.hpp>

namespace kinjo {

/// The operations, in the order in which STREAM runs them.
enum class StreamOperation { copy, scale, add, triad };
const char* to_string(StreamOperation operation) noexcept;

/// Bytes that STREAM counts for each element: 16 for copy and scale, 24 for add and triad. What the
/// hardware moves besides (lines read before they are written) is not counted.
std::size_t stream_bytes_per_element(StreamOperation operation) noexcept;

/// How results are written to memory.
enum class StreamStores {
  automatic,  ///< streaming if the three arrays exceed the last-level caches
  cached,     ///< ordinary stores
  streaming,  ///< stores past the cache
};

/// In the laboratory the arrays are the regions `a`, `b` and `c`, and the phases are `init`, the
/// operations' names, and `verify`.
///
/// Three arrays of doubles over a team: a = 1, b = 2, c = 0 at first.
///
///     copy   c_i = a_i            scale  b_i = 3 c_i
///     add    c_i = a_i + b_i      triad  a_i = b_i + 3 c_i        i = 0 … elements − 1
///
/// Every round of the four makes the values 15 times as large. Where c has passed 2⁵⁰⁰ the factor
/// is 3 · 2⁻⁵⁰⁰ instead of 3, so that they stay finite however many rounds there are.
class Stream {
 public:
  /// Allocates and initialises; the team must outlive it. Throws as `PartitionedArray` does.
  Stream(Team& team, std::size_t elements, Pages pages = Pages::transparent,
         StreamStores stores = StreamStores::automatic);

  std::size_t elements() const { return a_.size(); }

  /// The arrays. `verify` finds what is written to them from outside.
  PartitionedArray<double>& a() { return a_; }
  PartitionedArray<double>& b() { return b_; }
  PartitionedArray<double>& c() { return c_; }

  /// One pass of one operation over the whole arrays.
  void run(StreamOperation operation);

  /// Checks the arrays as STREAM does: the same operations on three scalars, in the order of the
  /// calls of `run` so far, and the mean deviation of each array below 10⁻¹³ of its scalar.
  /// Returns what is wrong, or nothing.
  std::optional<std::string> verify();

  /// Where the pages of all three arrays are, beside where they were asked to be.
  ArrayAudit audit() const;
  /// What the kernel said to the binding of the first array for which it was refused, if there is
  /// one; else of the first.
  const PlacementReport& placement() const {
    return detail::first_refused<PlacementReport>({a_.placement(), b_.placement(), c_.placement()});
  }
  /// What size of pages was had, likewise.
  const PagesReport& pages() const {
    return detail::first_refused<PagesReport>({a_.pages(), b_.pages(), c_.pages()});
  }
  /// Whether streaming stores are used.
  bool streams() const { return streams_; }

 private:
  template <class F>
  void for_each_part(F&& f);
  void copy();
  void scale();
  void add();
  void triad();

  Team& team_;
  PartitionedArray<double> a_;
  PartitionedArray<double> b_;
  PartitionedArray<double> c_;
  RegionMark mark_a_, mark_b_, mark_c_;
  bool streams_;
  double expected_a_ = 1;
  double expected_b_ = 2;
  double expected_c_ = 0;
};

/// Elements for which each array is four times as large as all last-level caches together, as
/// STREAM's rule asks; at least 10⁶.
std::size_t stream_elements(const Topology& machine);

}  // namespace kinjo
