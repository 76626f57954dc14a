/// The cuts of a line that are worth trying.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/fft_plan.hpp>

#include "fft/cutting.hpp"
#include "fft/program.hpp"
#include "fft/real_problem.hpp"

namespace kinjo::fft {

namespace {

using namespace detail;

/// The cuts of one line, each once.
class Candidates {
 public:
  Candidates(const Line& line, std::size_t element_bytes, std::size_t threads)
      : line_(line),
        unit_(64 / element_bytes),
        conditions_(conditions_here(2 * element_bytes, threads, line.lanes)) {
    conditions_.stride = line.stride;
  }

  std::vector<Cut> list() {
    const Cut chosen = choose_cut(line_.n, conditions_);
    add(chosen);
    if (line_.n <= 64) add({{line_.n}});
    if (direct_fits()) add({{line_.n}, 0, fft::InCache::direct, Overlap::automatic});
    if (one_sweep_fits()) add_widths({line_.n});
    for (const double ratio : {1.0, 0.25, 4.0}) {
      const double wish = ratio * std::sqrt(static_cast<double>(line_.n));
      const std::size_t first = nearest_divisor(line_.n, wish);
      if (first != 1 && first != line_.n) add_widths({first, line_.n / first});
    }
    Conditions in_sweeps = conditions_;
    in_sweeps.direct = false;
    Cut stockham = choose_cut(line_.n, in_sweeps);
    stockham.in_cache = fft::InCache::stockham;
    add(stockham);
    return cuts_;
  }

 private:
  /// Whether neighbouring lines can go through cache whole, so that the array is read once.
  bool one_sweep_fits() const {
    const std::size_t bytes = line_.n * conditions_.element_bytes * unit_;
    return line_.lanes > 1 && bytes <= conditions_.l3 / 2 / conditions_.threads;
  }
  bool direct_fits() const {
    const std::size_t bytes = line_.n * conditions_.element_bytes;
    return line_.stride == 1 && can_be_direct(line_.n) && bytes <= 8 * conditions_.l2;
  }
  void add(const Cut& cut) {
    if (std::find(cuts_.begin(), cuts_.end(), cut) == cuts_.end()) cuts_.push_back(cut);
  }
  void add_widths(const std::vector<std::size_t>& factors) {
    const bool in_memory =
        residence_of_lines(line_.n * line_.lanes, line_.n, conditions_) == Residence::memory;
    for (std::size_t width = unit_; width <= 8 * unit_; width *= 2) {
      add({factors, width});
      if (in_memory) add({factors, width, fft::InCache::automatic, Overlap::on});
    }
  }

  Line line_;
  std::size_t unit_;
  Conditions conditions_;
  std::vector<Cut> cuts_;
};

/// Those of an axis that is read from `in` and written to `out`.
Line line_of(const Problem& in, const Problem& out, std::size_t axis) {
  return {in.shape[axis], in.stride(axis), loops_around(in, out, axis).front().count};
}

}  // namespace

std::vector<Line> lines_of(const fft::Shape& shape, const Options& options, Input input) {
  std::vector<Line> lines;
  if (input == Input::complex) {
    const Problem p = check_problem(shape.lengths(), options, 1);
    for (const std::size_t axis : p.axes) lines.push_back(line_of(p, p, axis));
    return lines;
  }
  const RealProblem p = check_real_problem(shape.lengths(), options, 1);
  for (const std::size_t axis : p.real.axes) {
    if (axis != p.axis) {
      lines.push_back(line_of(p.spectrum, p.spectrum, axis));
    } else if (p.pairs()) {
      lines.push_back(line_of(p.halves(), p.spectrum, axis));
    } else {
      lines.push_back({p.line_numbers(), 1, 1});
    }
  }
  return lines;
}

std::vector<Cut> candidates(const Line& line, std::size_t element_bytes, std::size_t threads) {
  check_element_bytes(element_bytes);
  if (threads == 0) {
    throw Error(Errc::invalid_argument, "fft: candidates for 0 threads: expected at least 1");
  }
  if (line.n == 0 || !is_smooth(line.n)) return {};
  return Candidates(line, element_bytes, threads).list();
}

std::uint64_t Profile::bytes() const {
  std::uint64_t sum = 0;
  for (const Sweep& sweep : sweeps) {
    for (const SweepProfile& thread : sweep.threads) {
      sum += thread.load.bytes + thread.compute.bytes + thread.store.bytes;
    }
  }
  return sum;
}

}  // namespace kinjo::fft
