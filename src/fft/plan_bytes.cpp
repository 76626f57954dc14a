#include "fft/plan_bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

#include "base/text.hpp"
#include "fft/cutting.hpp"
#include "fft/problem.hpp"
#include "fft/real_problem.hpp"
#include "fft/real_stages.hpp"
#include "fft/wide_transform.hpp"

namespace kinjo::fft::detail {

namespace {

/// Twiddles are 3 % of a line, and places and empty rows take something too.
constexpr double kWithTwiddles = 17.0 / 16;
/// Lines side by side that a thread's buffer holds at most.
constexpr double kMostSideBySide = 33;

/// Of one axis.
struct Parts {
  double tables = 0;
  double making = 0;  ///< of the tables, besides them
  double work = 0;    ///< work arrays and buffers, of all threads
};

class Estimate {
 public:
  Estimate(const fft::Shape& shape, const Options& options, const PlanConditions& conditions)
      : problem_(check_problem(shape.lengths(), options, conditions.element_bytes)),
        lines_(lines_of(shape, options, conditions.input)),
        conditions_(conditions),
        caches_(conditions_here(conditions.element_bytes, conditions.threads, 1)),
        bytes_(static_cast<double>(conditions.element_bytes)),
        copied_(is_real() &&
                !check_real_problem(shape.lengths(), options, conditions.element_bytes).pairs()) {}

  double bytes() const {
    double tables = 0, most = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Parts parts = is_smooth(lines_[i].n) ? sweeps(i) : convolution(i);
      // Of real numbers there is one plan to the spectrum and one back.
      const double plans = is_real() ? 2 : 1;
      tables += plans * parts.tables;
      most = std::max({most, parts.making, plans * parts.work});
    }
    return tables + most + between();
  }

 private:
  bool is_real() const { return conditions_.input == Input::real; }
  /// Real numbers that cannot be taken in pairs where they lie.
  bool is_copied(const Line& line) const { return copied_ && &line == &lines_.back(); }
  /// What a thread has copied of them at a time.
  double copies(const Line& line) const {
    if (!is_copied(line)) return 0;
    const std::size_t n = problem_.shape[problem_.axes.back()];
    const std::size_t lanes = lanes_together(n, problem_.stride(problem_.axes.back()), caches_);
    return bytes_ * static_cast<double>(lanes * copied_line(n, conditions_.element_bytes / 2));
  }
  double array() const {
    return bytes_ * static_cast<double>(problem_.size) * static_cast<double>(problem_.batch);
  }
  /// Where several axes are transformed, the spectrum before the real numbers.
  double between() const {
    return is_real() && lines_.size() > 1 ? array() / 2 * kWithTwiddles : 0;
  }

  /// Threads that each do lines of their own at a time: what they need then fits the last cache,
  /// but for real numbers that are copied, whose lines are always done so.
  double threads_apart(double work, std::size_t axis) const {
    constexpr double kAlways = 256 << 10;
    const std::size_t count = problem_.size / problem_.shape[problem_.axes[axis]] * problem_.batch;
    const auto threads = static_cast<double>(std::min(conditions_.threads, count));
    const bool apart =
        work * threads <= std::max(2 * static_cast<double>(caches_.l3), kAlways * threads);
    return apart || is_copied(lines_[axis]) ? threads : 1;
  }

  /// Whether lines side by side go through cache whole.
  bool is_one_sweep(const Line& line) const {
    const std::size_t unit = 128 / conditions_.element_bytes;
    return line.lanes >= unit && line.n <= caches_.l3 / 4 / (unit * conditions_.element_bytes);
  }

  /// What all threads' buffers take, each of some columns of a line that is cut.
  double buffers_of_columns(double line_bytes) const {
    const double one =
        std::min(line_bytes, std::max(line_bytes / 16, static_cast<double>(caches_.l2) / 2));
    return one * static_cast<double>(conditions_.threads);
  }

  Parts sweeps(std::size_t axis) const {
    const Line& line = lines_[axis];
    const double n_bytes = bytes_ * static_cast<double>(line.n);
    const auto direct =
        line.stride == 1 ? direct_parts(line.n, line.lanes) : std::optional<Parts>();
    const double side_by_side =
        is_one_sweep(line) ? std::min(static_cast<double>(line.lanes), kMostSideBySide) : 1;
    const double buffers = direct ? direct->work
                           : is_one_sweep(line)
                               ? n_bytes * side_by_side * static_cast<double>(conditions_.threads)
                               : buffers_of_columns(n_bytes);
    Parts parts;
    parts.tables = direct ? direct->tables : n_bytes / 16;
    if (is_real() && axis + 1 == lines_.size()) {
      parts.tables += bytes_ * static_cast<double>(real_roots(2 * line.n));
    }
    const double work = n_bytes + copies(line);
    parts.work = work * threads_apart(work, axis) + (direct ? buffers : std::min(buffers, array()));
    return parts;
  }

  /// Of so many lines of that length, what transforming them directly takes, if that is done.
  std::optional<Parts> direct_parts(std::size_t n, std::size_t lines) const {
    Conditions conditions = caches_;
    conditions.lanes = lines;
    if (choose_cut(n, conditions).in_cache != fft::InCache::direct) return std::nullopt;
    const double n_bytes = bytes_ * static_cast<double>(n);
    const auto threads = static_cast<double>(conditions_.threads);
    // A table of 1/8 of the line and one buffer; or two of these, and twiddles of all passes.
    if (has_whole_rows(n, conditions_.element_bytes)) {
      return Parts{.tables = n_bytes / 8, .work = n_bytes * threads};
    }
    return Parts{.tables = n_bytes, .work = 2 * n_bytes * threads};
  }

  Parts convolution(std::size_t axis) const {
    const Line& line = lines_[axis];
    const std::size_t m = padded_length(2 * line.n - 1);
    const double n_bytes = bytes_ * static_cast<double>(line.n),
                 m_bytes = bytes_ * static_cast<double>(m);
    const double half = static_cast<double>((m / 2 + 1) * sizeof(Wide));
    const auto direct = direct_parts(m, 1);
    Parts parts;
    parts.tables = n_bytes + (direct ? 1.125 * m_bytes + direct->tables : m_bytes * kWithTwiddles);
    // The filter in long double, then as numbers, then chunk by chunk: two of these at a time, and
    // one of them stays.
    const double wide = half + std::max(static_cast<double>(transform_even_bytes(m)), m_bytes);
    parts.making = std::max(wide - m_bytes, m_bytes);
    const double work = 2 * m_bytes + copies(line);
    // Besides, a chunk and what the filter has left of it, or each thread's buffer of a line.
    const double buffers = direct ? direct->work : 2 * buffers_of_columns(m_bytes);
    parts.work = kWithTwiddles * work * threads_apart(work, axis) + buffers;
    return parts;
  }

  Problem problem_;
  std::vector<Line> lines_;
  PlanConditions conditions_;
  Conditions caches_;
  double bytes_;
  bool copied_;
};

/// Bytes for people.
std::string text_of(double bytes) {
  return kinjo::detail::format_bytes(static_cast<std::uint64_t>(std::min(bytes, 0x1p63)));
}

}  // namespace

double plan_bytes(const fft::Shape& shape, const Options& options,
                  const PlanConditions& conditions) {
  return Estimate(shape, options, conditions).bytes();
}

void check_plan_bytes(const fft::Shape& shape, const Options& options,
                      const PlanConditions& conditions) {
  // A convolution takes some 16 times its numbers, of which those of 16 MiB are not asked about.
  constexpr double kFew = 0x1p20;
  auto bytes = static_cast<double>(conditions.element_bytes);
  for (const std::size_t length : shape.lengths()) bytes *= static_cast<double>(length);
  if (bytes <= kFew) return;
  const double need = plan_bytes(shape, options, conditions);
  const auto available = static_cast<double>(available_memory_bytes());
  if (available == 0 || need <= available) return;
  throw Error(Errc::out_of_memory,
              fmt::format("fft: a plan of shape {} takes {}: the system has {} available",
                          fmt::join(shape.lengths(), " × "), text_of(need), text_of(available)));
}

}  // namespace kinjo::fft::detail
