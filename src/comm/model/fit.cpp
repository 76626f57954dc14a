/// Iteratively reweighted least squares of relative errors: minimise Σ w_i ((a + b x_i) / y_i −
/// 1)², where w_i is 1 for errors up to 1.345 deviations and falls as 1/|error| beyond (Huber
/// 1964). The deviation is taken from the median of the errors, which half of the points may not
/// disturb.
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <kinjo/comm_model.hpp>
#include <kinjo/error.hpp>

namespace kinjo::comm {

namespace {

constexpr double kHuber = 1.345;
constexpr double kMedianToDeviation = 1.4826;  // of a normal distribution
constexpr int kRounds = 30;

/// y = at_zero + slope x, neither negative.
struct Line {
  double at_zero = 0;
  double slope = 0;
  double relative_error(const MessageTime& p) const {
    return std::abs((at_zero + slope * p.bytes) / p.seconds - 1);
  }
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The slope alone, or the constant alone, where both together would make one of them negative.
Line through_zero(std::span<const MessageTime> points, std::span<const double> weights) {
  double xy = 0, xx = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = points[i].bytes / points[i].seconds;
    xy += weights[i] * x;
    xx += weights[i] * x * x;
  }
  return {0, xy / xx};
}

Line constant(std::span<const MessageTime> points, std::span<const double> weights) {
  double y = 0, yy = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double u = 1 / points[i].seconds;
    y += weights[i] * u;
    yy += weights[i] * u * u;
  }
  return {y / yy, 0};
}

/// The normal equations of both, in u = 1/y and x = bytes/y, whose right sides are 1.
Line weighted_line(std::span<const MessageTime> points, std::span<const double> weights) {
  double uu = 0, ux = 0, xx = 0, u1 = 0, x1 = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double u = 1 / points[i].seconds, x = points[i].bytes * u, w = weights[i];
    uu += w * u * u;
    ux += w * u * x;
    xx += w * x * x;
    u1 += w * u;
    x1 += w * x;
  }
  const double determinant = uu * xx - ux * ux;
  if (!(determinant > 1e-12 * uu * xx)) return constant(points, weights);
  const Line line{(u1 * xx - x1 * ux) / determinant, (x1 * uu - u1 * ux) / determinant};
  if (line.slope < 0) return constant(points, weights);
  if (line.at_zero < 0) return through_zero(points, weights);
  return line;
}

Line robust_line(std::span<const MessageTime> points) {
  std::vector<double> weights(points.size(), 1), errors(points.size());
  Line line = weighted_line(points, weights);
  for (int round = 0; round < kRounds; ++round) {
    std::transform(points.begin(), points.end(), errors.begin(),
                   [&](const MessageTime& p) { return line.relative_error(p); });
    const double limit = kHuber * kMedianToDeviation * median(errors);
    if (!(limit > 0)) return line;
    for (std::size_t i = 0; i < points.size(); ++i) {
      weights[i] = errors[i] > limit ? limit / errors[i] : 1;
    }
    line = weighted_line(points, weights);
  }
  return line;
}

void check(std::span<const MessageTime> points, const char* what) {
  for (const MessageTime& p : points) {
    if (std::isfinite(p.bytes) && p.bytes >= 1 && std::isfinite(p.seconds) && p.seconds > 0)
      continue;
    throw Error(
        Errc::invalid_argument,
        fmt::format("{} of {} s for {} bytes: expected a positive time, and a byte at least", what,
                    p.seconds, p.bytes));
  }
}

void check(const MessageTimes& times) {
  check(times.one_way, "a one-way time");
  check(times.overhead, "an overhead");
  check(times.receive_overhead, "a receiver's overhead");
  const auto differs = [&](const MessageTime& p) { return p.bytes != times.one_way.front().bytes; };
  if (times.one_way.empty() || std::none_of(times.one_way.begin(), times.one_way.end(), differs)) {
    throw Error(Errc::invalid_argument,
                "a LogGP fit needs one-way times of two different sizes at least");
  }
  if (times.interval_s && !(std::isfinite(*times.interval_s) && *times.interval_s >= 0)) {
    throw Error(
        Errc::invalid_argument,
        fmt::format("an interval of {} s between messages: expected 0 or more", *times.interval_s));
  }
}

/// A median for each size, by growing size.
std::vector<MessageTime> by_size(std::vector<MessageTime> points) {
  std::ranges::stable_sort(points, std::less<>(), &MessageTime::bytes);
  std::vector<MessageTime> sizes;
  for (auto first = points.begin(); first != points.end();) {
    const auto last = std::find_if(first, points.end(),
                                   [&](const MessageTime& p) { return p.bytes != first->bytes; });
    std::vector<double> seconds;
    for (auto p = first; p != last; ++p) seconds.push_back(p->seconds);
    sizes.push_back({first->bytes, median(std::move(seconds))});
    first = last;
  }
  return sizes;
}

/// Between the two sizes beside `bytes`. Below the smallest: its own; beyond the largest: on the
/// line from the smallest through the largest.
double interpolated(const std::vector<MessageTime>& sizes, double bytes) {
  const auto on_line = [bytes](const MessageTime& a, const MessageTime& b) {
    return a.seconds + (b.seconds - a.seconds) * (bytes - a.bytes) / (b.bytes - a.bytes);
  };
  if (sizes.size() == 1 || bytes <= sizes.front().bytes) return sizes.front().seconds;
  if (bytes > sizes.back().bytes) return on_line(sizes.front(), sizes.back());
  const auto above = std::find_if(sizes.begin(), sizes.end(),
                                  [&](const MessageTime& p) { return p.bytes >= bytes; });
  return on_line(above[-1], *above);
}

/// The time for each byte beyond the smallest size's, up to `bytes`.
double slope(const std::vector<MessageTime>& sizes, double bytes) {
  const double more = bytes - sizes.front().bytes;
  return std::max(0.0, (interpolated(sizes, bytes) - sizes.front().seconds) / more);
}

}  // namespace

LogGp log_gp_at(const MessageTimes& times, double bytes) {
  check(times);
  const auto way = by_size(times.one_way), call = by_size(times.overhead),
             answer = by_size(times.receive_overhead);
  const double least = way.front().bytes;
  // A program of short messages alone has the line through the two smallest sizes.
  const double size = bytes > least ? bytes : way[1].bytes;
  LogGp p;
  p.gap_per_byte_s = slope(way, size);
  if (!call.empty()) {
    if (size > call.front().bytes) {
      p.overhead_per_byte_s = std::min(slope(call, size), p.gap_per_byte_s);
      p.gap_per_byte_s -= p.overhead_per_byte_s;
    }
    const double sender =
        std::max(0.0, call.front().seconds - call.front().bytes * p.overhead_per_byte_s);
    const double receiver = answer.empty() ? sender : answer.front().seconds;
    p.overhead_s = std::min((sender + receiver) / 2, way.front().seconds / 2);
  }
  p.gap_s = times.interval_s.value_or(p.overhead_s);
  p.latency_s = std::max(0.0, way.front().seconds - 2 * p.overhead_s -
                                  least * p.overhead_per_byte_s - (least - 1) * p.gap_per_byte_s);
  return p;
}

SizedError sized_error(const MessageTimes& times) {
  check(times);
  const auto way = by_size(times.one_way);
  std::vector<double> errors;
  for (std::size_t i = 1; i + 1 < way.size(); ++i) {
    auto others = way;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    errors.push_back(std::abs(interpolated(others, way[i].bytes) / way[i].seconds - 1));
  }
  if (errors.empty()) return {};
  return {median(errors), *std::max_element(errors.begin(), errors.end())};
}

LogGpFit fit_log_gp(const MessageTimes& times) {
  check(times);
  const Line way = robust_line(times.one_way);
  LogGpFit fit;
  LogGp& p = fit.parameters;
  if (!times.overhead.empty()) {
    const Line call = robust_line(times.overhead);
    const double receiver =
        times.receive_overhead.empty() ? call.at_zero : robust_line(times.receive_overhead).at_zero;
    // The calls at both ends are parts of the message's way.
    p.overhead_s = std::min((call.at_zero + receiver) / 2, way.at_zero / 2);
    p.overhead_per_byte_s = std::min(call.slope, way.slope);
  }
  p.gap_per_byte_s = way.slope - p.overhead_per_byte_s;
  p.latency_s = std::max(0.0, way.at_zero - 2 * p.overhead_s + p.gap_per_byte_s);
  p.gap_s = times.interval_s.value_or(p.overhead_s);
  std::vector<double> errors;
  for (const MessageTime& t : times.one_way) {
    errors.push_back(std::abs(one_way_seconds(p, t.bytes) / t.seconds - 1));
  }
  fit.worst_error = *std::max_element(errors.begin(), errors.end());
  fit.median_error = median(std::move(errors));
  return fit;
}

}  // namespace kinjo::comm
