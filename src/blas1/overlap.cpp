/// x_i and y_j are the same element if i·a − j·b = d, with the steps a, b and the distance d in
/// elements. Solutions exist if g = gcd(a, b) divides d; they are i = i0 + k·b/g, j = j0 + k·a/g,
/// and one of them must have 0 ≤ i < m and 0 ≤ j < n.
#include "blas1/overlap.hpp"

#include <algorithm>

namespace kinjo::detail {

namespace {

// Addresses have 64 bits, and their products must not overflow.
__extension__ typedef __int128 Wide;

struct Span {
  Wide low, high;  // addresses of the first and last element
};

Span span_of(const Progression& x) {
  const Wide first = x.address;
  const Wide last = first + Wide{x.step} * Wide(x.count - 1);
  return {std::min(first, last), std::max(first, last)};
}

/// s·a + t·b = gcd(a, b) ≥ 0.
struct Bezout {
  Wide gcd, s, t;
};

Bezout bezout(Wide a, Wide b) {
  Bezout r0{a, 1, 0}, r1{b, 0, 1};
  while (r1.gcd != 0) {
    const Wide q = r0.gcd / r1.gcd;
    const Bezout r2{r0.gcd - q * r1.gcd, r0.s - q * r1.s, r0.t - q * r1.t};
    r0 = r1;
    r1 = r2;
  }
  return r0.gcd < 0 ? Bezout{-r0.gcd, -r0.s, -r0.t} : r0;
}

Wide floor_div(Wide a, Wide b) {
  const Wide q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}

/// The k with 0 ≤ start + k·step < count, as a closed interval cut out of [low, high].
void restrict_to(Wide start, Wide step, Wide count, Wide& low, Wide& high) {
  if (step == 0) {
    if (start < 0 || start >= count) high = low - 1;
    return;
  }
  Wide first = -floor_div(start, step);  // ⌈−start / step⌉
  Wide last = floor_div(count - 1 - start, step);
  if (step < 0) {
    first = -floor_div(start - (count - 1), step);  // from the other end
    last = floor_div(-start, step);
  }
  low = std::max(low, first);
  high = std::min(high, last);
}

}  // namespace

bool overlap(const Progression& x, const Progression& y, std::size_t element_bytes) {
  if (x.count == 0 || y.count == 0) return false;
  const Wide size = Wide(element_bytes);
  const Span sx = span_of(x), sy = span_of(y);
  if (sx.high + size <= sy.low || sy.high + size <= sx.low) return false;
  const Wide distance = Wide{y.address} - Wide{x.address};
  if (distance % size != 0) return true;
  const Wide a = x.step / size, b = y.step / size, d = distance / size;
  const Bezout solved = bezout(a, -b);
  if (solved.gcd == 0) return d == 0;
  if (d % solved.gcd != 0) return false;
  const Wide times = d / solved.gcd;
  Wide low = -(Wide{1} << 70), high = Wide{1} << 70;
  // Modulo the period, so that the products stay small.
  restrict_to(solved.s * times, b / solved.gcd, Wide(x.count), low, high);
  restrict_to(solved.t * times, a / solved.gcd, Wide(y.count), low, high);
  return low <= high;
}

}  // namespace kinjo::detail
