#include "fft/axes.hpp"

namespace kinjo::fft::detail {

namespace {

/// The array from an axis on.
Problem part_from(const Problem& whole, std::size_t first) {
  Problem part;
  part.shape.assign(whole.shape.begin() + static_cast<std::ptrdiff_t>(first), whole.shape.end());
  for (const std::size_t axis : whole.axes) {
    if (axis >= first) part.axes.push_back(axis - first);
  }
  part.size = part.distance = whole.stride(first) * whole.shape[first];
  part.batch = 1;
  return part;
}

LineShape lines_along(const Problem& problem, std::size_t axis, Where source, bool last) {
  return {problem.shape[axis],
          problem.stride(axis),
          loops_around(problem, problem, axis),
          source,
          Where{Array::out, false},
          last};
}

/// The parts from an axis on, as they lie in the array.
std::vector<Loop> loops_of_parts(const Problem& whole, const Problem& part) {
  std::vector<Loop> loops{{whole.size / part.size, part.size, part.size}};
  if (whole.batch > 1) loops.push_back({whole.batch, whole.distance, whole.distance});
  return loops;
}

template <class T>
void add_parts(Program<T>& program, const Problem& problem, std::size_t together) {
  const std::size_t others = problem.axes.size() - together, first = problem.axes[others];
  const Problem part = part_from(problem, first);
  const Where in{Array::in, false}, out{Array::out, false};
  Stages<T> inner;
  for (std::size_t i = problem.axes.size(); i-- > others;) {
    const LineShape lines =
        lines_along(part, problem.axes[i] - first, inner.empty() ? in : out, i == 0);
    LineOptions options = program.line_options(lines, i);
    options.whole_lines = true;
    LinePlan<T> plan = plan_lines<T>(lines, options, program.tables());
    for (auto& stage : plan.stages) inner.push_back(std::move(stage));
  }
  program.add(std::make_unique<Block<T>>(loops_of_parts(problem, part), part.size, in, out,
                                         std::array<std::size_t, 2>{}, std::move(inner)));
}

}  // namespace

std::size_t axes_together(const Problem& problem, const Conditions& conditions) {
  const std::size_t all = problem.size * problem.batch;
  if (residence_of(all, conditions) == Residence::cache) return 0;
  for (std::size_t together = problem.axes.size(); together > 1; --together) {
    const std::size_t part = part_from(problem, problem.axes[problem.axes.size() - together]).size;
    const std::size_t parts = problem.size / part * problem.batch;
    const bool enough = conditions.threads == 1 || parts >= 4 * conditions.threads;
    if (enough && residence_of(part * conditions.threads, conditions) == Residence::cache) {
      return together;
    }
  }
  return 0;
}

template <class T>
void add_axes(Program<T>& program, const Problem& problem) {
  const std::size_t together = axes_together(problem, program.conditions());
  if (together != 0) add_parts(program, problem, together);
  Where source{together == 0 ? Array::in : Array::out, false};
  for (std::size_t i = problem.axes.size() - together; i-- > 0;) {
    program.add(lines_along(problem, problem.axes[i], source, i == 0), i);
    source = {Array::out, false};
  }
}

template void add_axes(Program<float>&, const Problem&);
template void add_axes(Program<double>&, const Problem&);

}  // namespace kinjo::fft::detail
