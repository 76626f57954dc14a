/// BLAS level 1: sums, norms, products, and their kin, on one thread or over a team.
///
/// *Vectors.* Every function takes `View`s: anything contiguous of float or double (`std::vector`,
/// `std::span`, `std::array`), or a pointer, a number of elements and a stride. Element types are
/// not mixed.
///
/// *Modes.* `Mode::fast` adds in as many sums as the CPU keeps under way; the last bits of a result
/// depend on the level of vector instructions and on the data's alignment. `Mode::reproducible`
/// adds in an order that depends on the number of elements alone (docs/blas1.md defines it): the
/// same bits for every number of threads, level, alignment, stride and machine, up to the payload
/// and the sign of a NaN, here and below.
///
/// A fast `axpy` of contiguous vectors rounds a·x + y once where the level has a fused multiply-add
/// and the CPU gains by it (AMD's Zen 5, which adds on ports apart, does not); elsewhere, and a
/// reproducible one everywhere, it rounds the product and the sum each. `scale`, `copy` and
/// `max_abs_index` have the same bits everywhere in any case.
///
/// *Error.* With u = 2⁻⁵³ (float: 2⁻²⁴) and n terms t_i, |result − Σ t_i| ≤ k·u·Σ|t_i| up to terms
/// of u², where k = n + 1 for `fast` (about n/64 where vectors are wide), and k = 15 + log₂(n /
/// 512) for `reproducible` on doubles (n / 1024 on floats), at least 15; log₂ rounded up. An
/// element that `axpy` writes is at most u·(|a·x_i| + |a·x_i + y_i|) away.
///
/// *Threads.* Functions of one thread lock nothing and allocate nothing. All throw `Error` as
/// `simd_level` does.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <ranges>
#include <type_traits>

#include <kinjo/partitioned_array.hpp>
#include <kinjo/team.hpp>

namespace kinjo::blas1 {

enum class Mode {
  fast,          ///< bits depend on level, alignment and stride
  reproducible,  ///< the same bits everywhere
};

/// `size` elements of type T (const or not), `stride` elements apart, as BLAS has them: `data` is
/// the lowest address; with a negative stride element 0 is the one at the highest. Stride 0 repeats
/// one element; it is refused where a vector is written.
template <class T>
struct View {
  T* data = nullptr;
  std::size_t size = 0;
  std::ptrdiff_t stride = 1;

  /// `count` elements, `step` apart, of which `first` has the lowest address.
  View(T* first, std::size_t count, std::ptrdiff_t step = 1)
      : data(first), size(count), stride(step) {}
  /// All of a vector, a span or an array.
  template <std::ranges::contiguous_range R>
  requires std::is_convertible_v < std::remove_reference_t<std::ranges::range_reference_t<R>>(*)
  [], T (*)[] > View(R&& range) : data(std::ranges::data(range)), size(std::ranges::size(range)) {}
};

namespace detail {

// The work behind the functions below, for float and double. Arguments travel in registers.
template <class T>
T sum(std::size_t n, const T* x, std::ptrdiff_t stride, Mode mode);
template <class T>
T sum_of_squares(std::size_t n, const T* x, std::ptrdiff_t stride, Mode mode);
template <class T>
T asum(std::size_t n, const T* x, std::ptrdiff_t stride, Mode mode);
template <class T>
T norm2(std::size_t n, const T* x, std::ptrdiff_t stride, Mode mode);
template <class T>
T dot(std::size_t n, const T* x, std::ptrdiff_t stride_x, const T* y, std::ptrdiff_t stride_y,
      Mode mode);
template <class T>
void axpy(std::size_t n, T a, const T* x, std::ptrdiff_t stride_x, T* y, std::ptrdiff_t stride_y,
          Mode mode);
template <class T>
void scale(std::size_t n, T a, T* x, std::ptrdiff_t stride);
template <class T>
void copy(std::size_t n, const T* x, std::ptrdiff_t stride_x, T* y, std::ptrdiff_t stride_y);
/// n > 0
template <class T>
std::size_t max_abs_index(std::size_t n, const T* x, std::ptrdiff_t stride);

[[noreturn]] void refuse_sizes(const char* function, std::size_t x, std::size_t y);
/// Throws unless both are the same elements in the same order, or share none.
template <class T>
void need_no_overlap(const char* function, std::size_t n, const T* x, std::ptrdiff_t stride_x,
                     const T* y, std::ptrdiff_t stride_y);

/// The number of elements of both; throws unless they have as many.
template <class X, class Y>
inline std::size_t common_size(const char* function, const View<X>& x, const View<Y>& y) {
  if (x.size != y.size) [[unlikely]]
    refuse_sizes(function, x.size, y.size);
  return x.size;
}

}  // namespace detail

// ---- One thread ------------------------------------------------------------------------------

/// Σ x_i; 0 for no elements.
inline double sum(View<const double> x, Mode mode = Mode::fast) {
  return detail::sum(x.size, x.data, x.stride, mode);
}
inline float sum(View<const float> x, Mode mode = Mode::fast) {
  return detail::sum(x.size, x.data, x.stride, mode);
}

/// Σ x_i²; 0 for no elements. May overflow and underflow where `norm2` does not.
inline double sum_of_squares(View<const double> x, Mode mode = Mode::fast) {
  return detail::sum_of_squares(x.size, x.data, x.stride, mode);
}
inline float sum_of_squares(View<const float> x, Mode mode = Mode::fast) {
  return detail::sum_of_squares(x.size, x.data, x.stride, mode);
}

/// Σ |x_i|; 0 for no elements.
inline double asum(View<const double> x, Mode mode = Mode::fast) {
  return detail::asum(x.size, x.data, x.stride, mode);
}
inline float asum(View<const float> x, Mode mode = Mode::fast) {
  return detail::asum(x.size, x.data, x.stride, mode);
}

/// √Σ x_i², without overflow or underflow of the squares: they are summed as they are, and if that
/// sum is infinite or so small that underflow may have harmed it, again with x scaled by a power of
/// two. NaN if there is a NaN, else infinity if there is an infinity.
inline double norm2(View<const double> x, Mode mode = Mode::fast) {
  return detail::norm2(x.size, x.data, x.stride, mode);
}
inline float norm2(View<const float> x, Mode mode = Mode::fast) {
  return detail::norm2(x.size, x.data, x.stride, mode);
}

/// Σ x_i·y_i; 0 for no elements. Throws `Error` (`invalid_argument`) for different sizes.
inline double dot(View<const double> x, View<const double> y, Mode mode = Mode::fast) {
  return detail::dot(detail::common_size("dot", x, y), x.data, x.stride, y.data, y.stride, mode);
}
inline float dot(View<const float> x, View<const float> y, Mode mode = Mode::fast) {
  return detail::dot(detail::common_size("dot", x, y), x.data, x.stride, y.data, y.stride, mode);
}

/// y ← a·x + y. Throws `Error` (`invalid_argument`) for different sizes, for a `y` whose elements
/// overlap each other (stride 0), and if `x` and `y` overlap without being the same elements in the
/// same order.
inline void axpy(double a, View<const double> x, View<double> y, Mode mode = Mode::fast) {
  detail::axpy(detail::common_size("axpy", x, y), a, x.data, x.stride, y.data, y.stride, mode);
}
inline void axpy(float a, View<const float> x, View<float> y, Mode mode = Mode::fast) {
  detail::axpy(detail::common_size("axpy", x, y), a, x.data, x.stride, y.data, y.stride, mode);
}

/// x ← a·x; a zero that scales an infinity or a NaN gives NaN. Refuses stride 0 as `axpy` does.
inline void scale(double a, View<double> x) { detail::scale(x.size, a, x.data, x.stride); }
inline void scale(float a, View<float> x) { detail::scale(x.size, a, x.data, x.stride); }

/// y ← x, bit for bit. Refuses what `axpy` refuses. Where both exceed the last-level caches, `y` is
/// written past them.
inline void copy(View<const double> x, View<double> y) {
  detail::copy(detail::common_size("copy", x, y), x.data, x.stride, y.data, y.stride);
}
inline void copy(View<const float> x, View<float> y) {
  detail::copy(detail::common_size("copy", x, y), x.data, x.stride, y.data, y.stride);
}

/// The first index with the largest |x_i|; that of the first NaN if there is one; nothing for no
/// elements.
inline std::optional<std::size_t> max_abs_index(View<const double> x) {
  if (x.size == 0) return std::nullopt;
  return detail::max_abs_index(x.size, x.data, x.stride);
}
inline std::optional<std::size_t> max_abs_index(View<const float> x) {
  if (x.size == 0) return std::nullopt;
  return detail::max_abs_index(x.size, x.data, x.stride);
}

// ---- Over a team -----------------------------------------------------------------------------
//
// Part p of an array is worked on by thread p mod `team.size()`, which owns it if the array was
// made with this team. Where a team cannot be done sooner, the caller works alone: up to 256 KiB of
// all arrays together, and up to 2 MiB if the team's threads have to be woken
// (`Team::begins_at_once`). Two arrays must be dealt alike: else `Error` (`invalid_argument`).
// `Mode::fast` takes up to 256 KiB as one vector, and adds the parts of more in a fixed tree over
// their numbers: a sum depends on how the array is dealt, never on which thread comes first.
// `Mode::reproducible`, and `axpy` in either mode, give the bits of one thread. Must not be called
// from inside `team.run`.

/// The elements of vectors.
template <class T>
concept Real = std::same_as<T, float> || std::same_as<T, double>;

/// What the functions of one thread compute, of arrays.
template <Real T>
T sum(Team& team, const PartitionedArray<T>& x, Mode mode = Mode::fast);
template <Real T>
T sum_of_squares(Team& team, const PartitionedArray<T>& x, Mode mode = Mode::fast);
template <Real T>
T asum(Team& team, const PartitionedArray<T>& x, Mode mode = Mode::fast);
template <Real T>
T norm2(Team& team, const PartitionedArray<T>& x, Mode mode = Mode::fast);
template <Real T>
T dot(Team& team, const PartitionedArray<T>& x, const PartitionedArray<T>& y,
      Mode mode = Mode::fast);
template <Real T>
void axpy(Team& team, std::type_identity_t<T> a, const PartitionedArray<T>& x,
          PartitionedArray<T>& y, Mode mode = Mode::fast);
template <Real T>
void scale(Team& team, std::type_identity_t<T> a, PartitionedArray<T>& x);
template <Real T>
void copy(Team& team, const PartitionedArray<T>& x, PartitionedArray<T>& y);
/// As above; an array is never empty.
template <Real T>
std::size_t max_abs_index(Team& team, const PartitionedArray<T>& x);

/// Ordinary contiguous vectors, dealt to the team in blocks of whole pages, wherever their pages
/// are, as above. They throw what the functions of one thread throw, and `Error`
/// (`invalid_argument`) for a stride other than 1.
double sum(Team& team, View<const double> x, Mode mode = Mode::fast);
float sum(Team& team, View<const float> x, Mode mode = Mode::fast);
double sum_of_squares(Team& team, View<const double> x, Mode mode = Mode::fast);
float sum_of_squares(Team& team, View<const float> x, Mode mode = Mode::fast);
double asum(Team& team, View<const double> x, Mode mode = Mode::fast);
float asum(Team& team, View<const float> x, Mode mode = Mode::fast);
double norm2(Team& team, View<const double> x, Mode mode = Mode::fast);
float norm2(Team& team, View<const float> x, Mode mode = Mode::fast);
double dot(Team& team, View<const double> x, View<const double> y, Mode mode = Mode::fast);
float dot(Team& team, View<const float> x, View<const float> y, Mode mode = Mode::fast);
void axpy(Team& team, double a, View<const double> x, View<double> y, Mode mode = Mode::fast);
void axpy(Team& team, float a, View<const float> x, View<float> y, Mode mode = Mode::fast);
void scale(Team& team, double a, View<double> x);
void scale(Team& team, float a, View<float> x);
void copy(Team& team, View<const double> x, View<double> y);
void copy(Team& team, View<const float> x, View<float> y);
std::optional<std::size_t> max_abs_index(Team& team, View<const double> x);
std::optional<std::size_t> max_abs_index(Team& team, View<const float> x);

}  // namespace kinjo::blas1
