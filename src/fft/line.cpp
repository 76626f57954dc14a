/// A line of n = f1·f2·… in sweeps. With j = j1·(n/f1) + … the index of what comes in and k = k1 +
/// f1·k2 + … that of the result,
///
///   - sweep s transforms along j_s, for all other digits: lines of f_s elements, neighbouring ones
///   of
///     which begin at neighbouring places; element k_s of lane l is multiplied with
///     exp(−2πi·k_s·l/(f_s·f_(s+1)·…)), and goes where j_s was;
///   - the last sweep has contiguous lines, and puts its result in the order of k.
///
/// So each sweep but the first works inside of blocks that the sweep before has separated. This is
/// S2's figure 4 for two sweeps, and its "3j-step" for more.
#include "fft/line.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "base/contract.hpp"
#include "fft/bluestein.hpp"
#include "fft/chirp.hpp"
#include "fft/direct_stage.hpp"
#include "fft/sweep.hpp"
#include "fft/work_arrays.hpp"

namespace kinjo::fft::detail {

std::size_t LineShape::lines() const { return count_turns(loops); }

namespace {

/// One line from `source` by way of `middle` to `target`.
struct Route {
  Where source, middle, target;
  std::size_t stride_in = 1, stride_out = 1;
  bool scaled = true;
};

template <class T>
class Builder {
 public:
  Builder(const LineOptions& options, Tables<T>& tables) : options_(options), tables_(tables) {}

  /// Sweeps of a single line.
  Stages<T> sweeps(const Cut& cut, const Route& route) const {
    if (cut.factors.size() == 2) return two_sweeps(cut, route);
    Stages<T> stages;
    if (cut.in_cache == fft::InCache::direct) {
      stages.push_back(std::make_unique<Direct<T>>(
          DirectShape{cut.factors[0], {Loop{}}, route.source, route.target, route.scaled, false}));
      return stages;
    }
    std::size_t n = 1, before = 1;
    for (const std::size_t factor : cut.factors) n *= factor;
    for (std::size_t s = 0; s < cut.factors.size(); ++s) {
      const std::size_t length = cut.factors[s], behind = n / before / length;
      SweepShape shape;
      shape.length = length;
      shape.in_memory = residence_of_sweeps(n, options_.conditions) == Residence::memory;
      shape.source = s == 0 ? route.source : route.middle;
      shape.target = behind == 1 ? route.target : route.middle;
      const std::size_t stride = s == 0 ? route.stride_in : 1;
      shape.element_in = behind * stride;
      if (behind > 1) {
        shape.lanes = {behind, stride, 1};
        shape.element_out = behind;
        shape.twiddle_order = length * behind;
        if (before > 1) shape.outer = {{before, length * behind, length * behind}};
      } else {
        finish(cut, n, route, shape);
      }
      stages.push_back(sweep(shape, cut, width(shape, cut)));
      before *= length;
    }
    return stages;
  }

  struct Pair {
    SweepShape first, second;
    std::size_t first_width, second_width;
  };

  /// Two sweeps with tiles between them, so that both of them meet contiguous memory there.
  Pair pair(const Cut& cut, const Route& route) const {
    const std::size_t n1 = cut.factors[0], n2 = cut.factors[1];
    SweepShape first, second;
    first.length = n1;
    first.in_memory = second.in_memory =
        residence_of_sweeps(n1 * n2, options_.conditions) == Residence::memory;
    first.element_in = n2 * route.stride_in;
    first.lanes = {n2, route.stride_in, 1};
    first.twiddle_order = n1 * n2;
    first.source = route.source;
    first.target = second.source = route.middle;
    second.length = n2;
    second.lanes = {n1, 1, route.stride_out};
    second.element_out = n1 * route.stride_out;
    second.target = route.target;
    second.scaled = route.scaled;
    second.claims = options_.conditions.together && !second.in_memory;
    const std::size_t w1 = std::bit_ceil(width(first, cut));
    const std::size_t w2 = std::bit_ceil(width(second, cut));
    const std::size_t tile = w1 * w2, across = (n2 + w1 - 1) / w1;
    first.element_out = second.lanes.in = w1;
    first.tiles_out = {tile, across * tile, static_cast<unsigned>(std::countr_zero(w2))};
    second.tiles_in = {across * tile, tile, static_cast<unsigned>(std::countr_zero(w1))};
    return {first, second, w1, w2};
  }

  Stages<T> two_sweeps(const Cut& cut, const Route& route) const {
    const Pair sweeps = pair(cut, route);
    Stages<T> stages;
    stages.push_back(sweep(sweeps.first, cut, sweeps.first_width));
    stages.push_back(sweep(sweeps.second, cut, sweeps.second_width));
    return stages;
  }

  /// Numbers in a work array between sweeps.
  std::size_t middle_size(const Cut& cut) const {
    std::size_t n = 1;
    for (const std::size_t factor : cut.factors) n *= factor;
    if (cut.factors.size() != 2) return n;
    SweepShape first, second;
    first.length = second.lanes.count = cut.factors[0];
    second.length = first.lanes.count = cut.factors[1];
    first.in_memory = second.in_memory =
        residence_of_sweeps(n, options_.conditions) == Residence::memory;
    const std::size_t w1 = std::bit_ceil(width(first, cut));
    const std::size_t w2 = std::bit_ceil(width(second, cut));
    return (first.length + w2 - 1) / w2 * w2 * ((second.length + w1 - 1) / w1 * w1);
  }

  std::size_t width(const SweepShape& shape, const Cut& cut) const {
    const std::size_t unit = 64 / sizeof(T);
    // Of more lines than there are the rest would be computed for nobody.
    const std::size_t wish =
        cut.width != 0 ? std::min(cut.width, shape.lanes.count)
                       : choose_width(shape.length, shape.lanes.count, options_.conditions,
                                      shape.in_memory ? Residence::memory : Residence::cache);
    return (wish + unit - 1) / unit * unit;
  }

  std::unique_ptr<Stage<T>> sweep(SweepShape shape, const Cut& cut, std::size_t width,
                                  std::span<const T> filter = {}) const {
    const InCache method = cut.in_cache == fft::InCache::automatic  ? options_.in_cache
                           : cut.in_cache == fft::InCache::in_place ? InCache::in_place
                                                                    : InCache::stockham;
    const fft::Overlap wish =
        cut.overlap != fft::Overlap::automatic ? cut.overlap : options_.overlap;
    // Tiles lie behind each other: what comes next is on its way before it is asked for.
    const bool can_load_ahead = shape.in_memory && shape.tiles_in.step == 0;
    shape.overlap = wish == fft::Overlap::on && !can_load_ahead ? fft::Overlap::automatic : wish;
    return std::make_unique<Sweep<T>>(shape, width, method, filter);
  }

  /// By a convolution of length m with two work arrays.
  Stages<T> bluestein(std::size_t n, std::size_t m, const Cut& cut, const Route& route) const {
    const auto made = bluestein_tables<T>(n, m);
    const T* const chirp = keep(made.chirp);
    const Where one{Array::work, false}, two{Array::more_work, false};
    const bool two_sweeps = cut.factors.size() == 2;
    Stages<T> stages;
    stages.push_back(std::make_unique<Chirp<T>>(
        ChirpShape{n, m - n, route.stride_in, 1, route.source, one, false}, chirp));
    append(stages, two_sweeps ? filtering(made.filter, cut, one, two)
                              : sweeps_and_filter(keep(made.filter), m, cut, one, two));
    stages.push_back(std::make_unique<Chirp<T>>(
        ChirpShape{n, 0, 1, route.stride_out, two_sweeps ? two : one, route.target, route.scaled},
        chirp));
    return stages;
  }

 private:
  /// The last sweep: lanes are the first factor's, so that neighbouring lines end at neighbouring
  /// places.
  void finish(const Cut& cut, std::size_t n, const Route& route, SweepShape& shape) const {
    const std::size_t first = cut.factors.front(), count = cut.factors.size();
    shape.scaled = route.scaled;
    shape.element_out = n / shape.length * route.stride_out;
    if (count == 1) return;
    shape.lanes = {first, n / first, route.stride_out};
    if (count == 3) {
      shape.outer = {{cut.factors[1], shape.length, first * route.stride_out}};
    }
  }

  /// The convolution of `one`, by way of `two`, to `one`.
  Stages<T> sweeps_and_filter(const T* filter, std::size_t m, const Cut& cut, Where one,
                              Where two) const {
    const Where one_back{one.array, true}, two_back{two.array, true};
    Stages<T> stages = sweeps(cut, {one, two, one, 1, 1, false});
    stages.push_back(std::make_unique<Chirp<T>>(ChirpShape{m, 0, 1, 1, one, one, false}, filter));
    append(stages, sweeps(cut, {one_back, two_back, one_back, 1, 1, false}));
    return stages;
  }

  /// The same in three sweeps, from `one` to `two`. The lines of the second sweep there are those
  /// of the first one back, if it cuts the other way, so both are one, with the filter between
  /// them. Back is forward with real and imaginary parts exchanged.
  Stages<T> filtering(const std::vector<T>& spectrum, const Cut& cut, Where one, Where two) const {
    Cut other_way = cut;
    std::swap(other_way.factors[0], other_way.factors[1]);
    const Pair there = pair(cut, {one, two, two, 1, 1, false});
    const Pair back = pair(other_way, {two, one, {two.array, true}, 1, 1, false});
    KINJO_ASSERT(there.second_width == back.first_width);
    SweepShape middle = there.second;
    middle.target = back.first.target;
    middle.lanes.out = back.first.lanes.out;
    middle.element_out = back.first.element_out;
    middle.tiles_out = back.first.tiles_out;
    middle.twiddle_order = back.first.twiddle_order;
    Stages<T> stages;
    stages.push_back(sweep(there.first, cut, there.first_width));
    stages.push_back(sweep(middle, cut, there.second_width, spectrum));
    stages.push_back(sweep(back.second, cut, back.second_width));
    return stages;
  }

  const T* keep(std::vector<T> table) const {
    tables_.push_back(std::make_shared<const std::vector<T>>(std::move(table)));
    return tables_.back()->data();
  }

  static void append(Stages<T>& stages, Stages<T> more) {
    for (auto& stage : more) stages.push_back(std::move(stage));
  }

  const LineOptions& options_;
  Tables<T>& tables_;
};

/// Whether each line is transformed by one thread in its own cache.
bool line_by_line(const LineShape& shape, std::size_t n, const Conditions& c) {
  const std::size_t bytes = n * c.element_bytes;
  if (bytes <= (std::size_t{64} << 10)) return true;
  const bool enough = c.threads == 1 || shape.lines() >= 4 * c.threads;
  return enough && 2 * bytes <= c.l3 / c.threads;
}

}  // namespace

template <class T>
LinePlan<T> plan_lines(const LineShape& shape, const LineOptions& options, Tables<T>& tables) {
  if (options.cut) {
    check_cut(*options.cut, {shape.n, shape.stride, shape.loops.front().count}, 2 * sizeof(T));
  }
  const bool smooth = is_smooth(shape.n);
  Conditions conditions = options.conditions;
  const std::size_t n = smooth ? shape.n : padded_length(2 * shape.n - 1);
  if (!smooth) conditions.lanes = conditions.stride = 1;
  const Cut cut = options.cut ? *options.cut : choose_cut(n, conditions);
  const bool apart = options.whole_lines || line_by_line(shape, n, conditions);
  LineOptions of_line = options;
  // What one thread does by itself lies in its own share of a cache.
  if (apart) of_line.conditions.together = false;
  const Builder<T> builder(of_line, tables);
  const bool in_memory =
      residence_of_lines(n * shape.lines(), n, options.conditions) == Residence::memory;
  LinePlan<T> plan;
  if (smooth && cut.in_cache == fft::InCache::direct) {
    plan.stages.push_back(std::make_unique<Direct<T>>(
        DirectShape{n, shape.loops, shape.source, shape.target, shape.scaled, in_memory}));
    return plan;
  }
  if (smooth && cut.factors.size() == 1) {
    SweepShape sweep;
    sweep.length = n;
    sweep.element_in = sweep.element_out = shape.stride;
    sweep.lanes = shape.loops.front();
    sweep.outer.assign(shape.loops.begin() + 1, shape.loops.end());
    sweep.source = shape.source;
    sweep.target = shape.target;
    sweep.scaled = shape.scaled;
    sweep.in_memory = in_memory;
    plan.stages.push_back(builder.sweep(sweep, cut, builder.width(sweep, cut)));
    return plan;
  }
  const std::size_t middle = builder.middle_size(cut);
  const std::array<std::size_t, 2> work{middle, smooth ? 0 : middle};
  if (!apart) check_room<T>(work);
  const Where in{Array::in, false}, out{Array::out, false}, between{Array::work, false};
  const Route route{apart ? in : shape.source,
                    between,
                    apart ? out : shape.target,
                    shape.stride,
                    shape.stride,
                    shape.scaled};
  Stages<T> stages =
      smooth ? builder.sweeps(cut, route) : builder.bluestein(shape.n, n, cut, route);
  if (apart) {
    plan.stages.push_back(std::make_unique<Block<T>>(shape.loops, shape.n, shape.source,
                                                     shape.target, work, std::move(stages)));
  } else {
    plan.repeats = shape.loops;
    plan.stages = std::move(stages);
    plan.work = work;
  }
  return plan;
}

template LinePlan<float> plan_lines(const LineShape&, const LineOptions&, Tables<float>&);
template LinePlan<double> plan_lines(const LineShape&, const LineOptions&, Tables<double>&);

}  // namespace kinjo::fft::detail
