/// Two sweeps meet between two rows: Σ over words of the ways from the first corner to the word
/// times the ways from the word to the last corner. Each number is about half as long as the count.
/// Or one sweep goes over all rows, for each of several primes.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/grid_paths.hpp>
#include <kinjo/memory.hpp>

#include "base/contract.hpp"
#include "base/text.hpp"
#include "paths/grid_residues.hpp"
#include "paths/grid_sweep.hpp"
#include "paths/memory_bound.hpp"

namespace kinjo::paths {

namespace detail {

namespace {

using Direction = GridSweep::Direction;

/// The grid with its shorter side along the rows of vertices.
GridShape shape_of(unsigned rows, unsigned columns) {
  const auto refuse = [&](const std::string& why) {
    throw Error(Errc::invalid_argument,
                fmt::format("a grid of {} × {} squares: {}", rows, columns, why));
  };
  const auto [shorter, longer] = std::minmax({rows, columns});
  if (shorter == 0) refuse("expected at least one in each direction");
  if (shorter > kMostGridColumns) {
    refuse(fmt::format("one of the sides may have {} at most", kMostGridColumns));
  }
  if (longer > kMostGridRows) refuse(fmt::format("a side may have {} at most", kMostGridRows));
  return {shorter + 1, longer + 1};
}

/// Rows of the forward sweep.
unsigned forward_rows(const GridShape& shape) { return (shape.rows() + 1) / 2; }

/// Limbs of a sweep of so many rows, which looks one row ahead (`limbs_of_next_row`). Sums grow by
/// 0.8 bits for each vertex of a row, measured for all widths up to 20, and the first row's by its
/// bound.
unsigned limbs_for(const GridShape& shape, unsigned rows) {
  const double bound = shape.width() - 1;
  const double growth = std::min(bound, 0.8025 * shape.width() - 0.6);
  const double bits = bound * std::min(rows, 2U) + growth * (rows > 2 ? rows - 2 : 0);
  return std::max(1U, static_cast<unsigned>(std::ceil(bits / 64)));
}

/// Primes for the number of choices that there are in all, which is more than that of paths.
std::size_t primes_of(const GridShape& shape) {
  return primes_for(std::size_t{shape.width() - 1} * shape.rows());
}

std::uint64_t workspace_bytes(const GridShape& shape, std::size_t threads, unsigned limbs) {
  const std::uint64_t tables = (shape.blocked_words() + shape.mail_words()) * limbs;
  return (tables + threads * shape.block_words(GridBlocking(threads), limbs)) * sizeof(Limb);
}

GridNeed need_by_halves(const GridShape& shape, std::size_t threads) {
  const unsigned forward = limbs_for(shape, forward_rows(shape));
  const unsigned backward = limbs_for(shape, shape.rows() - forward_rows(shape));
  GridNeed need{.method = GridMethod::halves, .limbs = forward};
  need.bytes = shape.main_words() * (forward + backward) * sizeof(Limb) +
               workspace_bytes(shape, threads, forward) + shape.plan_bytes();
  return need;
}

GridNeed need_by_residues(const GridShape& shape, std::size_t threads) {
  GridNeed need{.method = GridMethod::residues, .limbs = 1, .primes = primes_of(shape)};
  need.bytes =
      shape.main_words() * sizeof(Limb) + workspace_bytes(shape, threads, 1) + shape.plan_bytes();
  return need;
}

GridNeed need_of(const GridShape& shape, std::size_t threads, GridMethod method) {
  GridNeed need = need_by_halves(shape, threads);
  const bool too_long = need.limbs > kMostLimbs;
  if (method == GridMethod::halves && too_long) refuse_long_numbers();
  if (method == GridMethod::residues || too_long) need = need_by_residues(shape, threads);
  need.states = shape.main_words() + shape.blocked_words();
  need.steps =
      std::uint64_t{shape.rows()} * (shape.width() - 1) * std::max<std::size_t>(need.primes, 1);
  return need;
}

/// What fits the limit, or throws.
GridNeed choose(unsigned rows, unsigned columns, const GridShape& shape, std::size_t threads,
                const GridCountOptions& options) {
  std::uint64_t limit = options.memory_limit;
  GridNeed need = need_of(shape, threads, options.method);
  if (limit == 0 && need.bytes > kLittleMemory) limit = available_memory_bytes();
  if (limit == 0 || need.bytes <= limit) return need;
  if (options.method == GridMethod::automatic) {
    need = need_of(shape, threads, GridMethod::residues);
    if (need.bytes <= limit) return need;
  }
  throw Error(
      Errc::out_of_memory,
      fmt::format("counting the paths of a grid of {} × {} squares takes {}: {} may be used", rows,
                  columns, kinjo::detail::format_bytes(need.bytes),
                  kinjo::detail::format_bytes(limit)));
}

/// Σ of products of two lists of numbers, in limbs.
class ProductSum {
 public:
  void add(const Planes& a, std::size_t a_limbs, const Planes& b, std::size_t b_limbs,
           Range words) {
    for (std::size_t w = words.begin; w < words.end; ++w) {
      for (std::size_t i = 0; i < a_limbs; ++i) {
        const Limb factor = a[i][w];
        if (factor == 0) continue;
        Limb carry = 0;
        std::size_t k = i;
        for (std::size_t j = 0; j < b_limbs; ++j, ++k)
          carry = add(k, Wide{factor} * b[j][w] + carry);
        for (; carry != 0; ++k) carry = add(k, carry);
      }
    }
  }
  Count value() const { return Count(sum_); }

 private:
  using Wide = unsigned __int128;

  /// Returns what is carried on.
  Limb add(std::size_t at, Wide value) {
    value += sum_[at];  // (2⁶⁴ − 1)² + 2 (2⁶⁴ − 1) is less than 2¹²⁸
    sum_[at] = static_cast<Limb>(value);
    return static_cast<Limb>(value >> 64);
  }

  std::array<Limb, 2 * kMostLimbs + 1> sum_{};
};

/// A count under way.
class GridCounting {
 public:
  GridCounting(Team& team, const GridShape& shape, const GridNeed& need,
               const GridCountOptions& options)
      : team_(team),
        plan_(shape),
        workspace_(team, shape),
        need_(need),
        primes_(need.primes + (options.spare_prime ? 1 : 0)),
        go_on_(options.go_on) {
    rows_ = shape.rows() * (need.primes == 0 ? 1 : primes_);
  }

  GridCountResult run() {
    const std::optional<Count> count =
        need_.method == GridMethod::halves ? by_halves() : by_residues();
    GridCountResult result;
    result.took = need_;
    result.peak_bytes = peak_bytes_;
    result.interrupted = !count;
    if (count) result.count = *count;
    return result;
  }

 private:
  std::optional<Count> by_halves() {
    GridSweep forward(team_, plan_, workspace_, Direction::forward);
    const unsigned rows = forward_rows(plan_.shape);
    if (!sweep(forward, rows, 0)) return std::nullopt;
    GridSweep backward(team_, plan_, workspace_, Direction::backward);
    if (!sweep(backward, plan_.shape.rows() - rows, forward.bytes())) return std::nullopt;
    return products(forward, backward);
  }

  Count products(GridSweep& forward, GridSweep& backward) {
    std::vector<Count> parts(team_.size());
    const Partition words = Partition::block(plan_.shape.main_words(), team_.size());
    team_.run([&](const Place& me) {
      const auto t = static_cast<std::size_t>(me.thread);
      ProductSum sum;
      sum.add(forward.main(), forward.limbs(), backward.main(), backward.limbs(),
              words.piece(t, 0));
      parts[t] = sum.value();
    });
    Count total;
    for (const Count& part : parts) total += part;
    return total;
  }

  std::optional<Count> by_residues() {
    const std::vector<std::uint64_t> primes = large_primes(primes_);
    const std::uint64_t end = plan_.shape.numbers().number(last_word(plan_.shape.width()), 1, 0);
    std::vector<std::uint64_t> residues;
    for (const std::uint64_t prime : primes) {
      GridSweep forward(team_, plan_, workspace_, Direction::forward, prime);
      if (!sweep(forward, plan_.shape.rows(), 0)) return std::nullopt;
      residues.push_back(forward.main()[0][end]);
    }
    const Count count = from_residues(residues, primes);
    KINJO_ASSERT(count == from_residues(std::span(residues).first(need_.primes), primes));
    return count;
  }

  /// Returns whether it came to the end.
  bool sweep(GridSweep& sweep, unsigned rows, std::uint64_t other_bytes) {
    const auto go_on = [this] {
      return !go_on_ || go_on_({rows_done_, rows_, need_.states, peak_bytes_});
    };
    for (unsigned r = 0; r < rows; ++r) {
      if (!sweep.next_row(go_on)) return false;
      const std::uint64_t bytes =
          workspace_.bytes() + sweep.bytes() + other_bytes + plan_.shape.plan_bytes();
      peak_bytes_ = std::max(peak_bytes_, bytes);
      ++rows_done_;
      if (!go_on()) return false;
    }
    return true;
  }

  Team& team_;
  const GridPlan plan_;
  GridWorkspace workspace_;
  const GridNeed need_;
  const std::size_t primes_;  ///< of residues
  const GoOn& go_on_;
  std::size_t rows_ = 0, rows_done_ = 0;
  std::uint64_t peak_bytes_ = 0;
};

/// Whether rows are so short, a tenth of a millisecond, that a team's threads would wait for each
/// other more than they work.
bool is_for_one_thread(const GridNeed& need, unsigned rows) {
  constexpr std::uint64_t kLeastWork = std::uint64_t{1} << 18;
  return need.states * need.steps / (rows + 1) < kLeastWork;
}

}  // namespace

}  // namespace detail

const char* to_string(GridMethod method) noexcept {
  switch (method) {
    case GridMethod::automatic:
      return "automatic";
    case GridMethod::halves:
      return "halves";
    case GridMethod::residues:
      return "residues";
  }
  return "";
}

GridNeed grid_paths_need(unsigned rows, unsigned columns, std::size_t threads, GridMethod method) {
  return detail::need_of(detail::shape_of(rows, columns), threads, method);
}

std::uint64_t grid_paths_least_bytes(unsigned rows, unsigned columns, std::size_t threads) {
  // Small grids take less by halves, whose sweeps are shorter.
  return std::min(grid_paths_need(rows, columns, threads).bytes,
                  grid_paths_need(rows, columns, threads, GridMethod::residues).bytes);
}

GridCountResult count_grid_paths(Team& team, unsigned rows, unsigned columns,
                                 const GridCountOptions& options) {
  const detail::GridShape shape = detail::shape_of(rows, columns);
  const GridNeed need = detail::choose(rows, columns, shape, team.size(), options);
  if (team.size() == 1 || !detail::is_for_one_thread(need, rows)) {
    return detail::GridCounting(team, shape, need, options).run();
  }
  Team alone(Mapping::alone(), {.caller = Caller::joins});
  return detail::GridCounting(alone, shape, need, options).run();
}

}  // namespace kinjo::paths
