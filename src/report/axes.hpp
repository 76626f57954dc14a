/// Scales of figures: where a value lies, which values get a tick, and how numbers are written.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kinjo {

/// `value` with three significant digits, for people: `0.0123`, `1.5`, `12.3`, `12300`; with an
/// exponent below 10^-4 and from 10^7 on; `-` if it is not finite.
std::string short_number(double value);

enum class ScaleKind { linear, logarithmic };

/// Maps values from `low` to `high` onto coordinates from `from` to `to` (which may run downwards).
/// Requires finite bounds, low < high, and low > 0 on a logarithmic scale.
class Scale {
 public:
  Scale(ScaleKind kind, double low, double high, double from, double to);

  /// The coordinate of a value; it may lie beyond the ends. A value that a logarithmic scale cannot
  /// show (0 or less) lies at its low end.
  double at(double value) const;

  ScaleKind kind() const { return kind_; }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  ScaleKind kind_;
  double low_;
  double high_;
  double from_;
  double to_;
};

/// At most `most` (at least 2) round values from `low` to `high`, both of which may lie between
/// ticks: multiples of 1, 2 or 5 times a power of ten.
std::vector<double> linear_ticks(double low, double high, std::size_t most);

/// Round values from `low` to `high`, both above 0: powers of `base` if at least two lie there,
/// else those times 2 and 5 (base 10), else linear ones. Every nth power if they are more than
/// `most`.
std::vector<double> log_ticks(double low, double high, std::size_t most, double base = 10);

/// The values of all ticks with as many decimals as tell them apart.
std::vector<std::string> tick_texts(const std::vector<double>& ticks);

/// Bounds for a linear axis that shows all of 0 and `highest`, the next round value above it.
double round_above(double highest);

}  // namespace kinjo
