#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/sdp.hpp>

namespace kinjo::sdp {

namespace {

/// How messages name a value of one of the blocks.
std::string place_of(std::size_t matrix, std::size_t block, std::size_t row, std::size_t column) {
  return fmt::format("entry ({}, {}) of block {} of matrix {}", row, column, block, matrix);
}

/// The order of a matrix's entries: by block, column and row. (No function: sorting calls it
/// inline.)
constexpr auto comes_before = [](const Entry& a, const Entry& b) {
  const auto position = [](const Entry& e) { return std::uint64_t{e.column} << 32 | e.row; };
  return a.block != b.block ? a.block < b.block : position(a) < position(b);
};

/// Sorts items by matrix, keeping the order in which each matrix's came; where each matrix's begin.
std::vector<std::size_t> bring_together(auto& items, std::size_t matrices) {
  std::vector<std::size_t> begins(matrices + 1);
  for (const auto& item : items) ++begins[item.matrix + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  const auto matrix_of = [](const auto& item) { return item.matrix; };
  if (std::ranges::is_sorted(items, {}, matrix_of)) return begins;
  std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
  std::remove_reference_t<decltype(items)> sorted(items.size());
  for (const auto& item : items) sorted[next[item.matrix]++] = item;
  items.swap(sorted);
  return begins;
}

}  // namespace

std::uint64_t Problem::order() const {
  std::uint64_t sum = 0;
  for (const Block& block : blocks_) sum += block.order;
  return sum;
}

ProblemBuilder::ProblemBuilder(std::vector<Block> blocks, std::vector<double> costs) {
  if (costs.empty()) {
    throw Error(Errc::invalid_argument, "a problem needs at least one constraint: c is empty");
  }
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (!std::isfinite(costs[i])) {
      throw Error(Errc::invalid_argument,
                  fmt::format("c[{}] is {}: expected a finite number", i, costs[i]));
    }
  }
  problem_.blocks_ = std::move(blocks);
  problem_.costs_ = std::move(costs);
}

void ProblemBuilder::add(std::size_t matrix, std::size_t block, std::size_t row, std::size_t column,
                         double value) {
  const auto refuse = [&](const std::string& why) {
    throw Error(Errc::invalid_argument, place_of(matrix, block, row, column) + ": " + why);
  };
  if (matrix > problem_.constraints()) {
    refuse(fmt::format("expected a matrix from 0 to {}", problem_.constraints()));
  }
  if (block >= problem_.blocks_.size()) {
    refuse(fmt::format("expected a block below {}", problem_.blocks_.size()));
  }
  const Block shape = problem_.blocks_[block];
  if (row >= shape.order || column >= shape.order) {
    refuse(fmt::format("expected indices below {}", shape.order));
  }
  if (row != column && shape.kind == BlockKind::diagonal) refuse("the block is diagonal");
  if (!std::isfinite(value)) refuse(fmt::format("{} is not a finite number", value));
  const auto [low, high] = std::minmax(row, column);
  items_.push_back({static_cast<std::uint32_t>(matrix),
                    {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(low),
                     static_cast<std::uint32_t>(high), value}});
}

Problem ProblemBuilder::finish() {
  std::vector<std::size_t> begins = bring_together(items_, problem_.constraints() + 1);
  std::vector<Entry>& entries = problem_.entries_;
  entries.reserve(items_.size());
  problem_.begins_.assign(1, 0);
  for (std::size_t matrix = 0; matrix + 1 < begins.size(); ++matrix) {
    const std::span mine(items_.data() + begins[matrix], begins[matrix + 1] - begins[matrix]);
    // Stable, so that repeated entries are added up in the order in which they came.
    if (!std::ranges::is_sorted(mine, comes_before, &Item::entry)) {
      std::ranges::stable_sort(mine, comes_before, &Item::entry);
    }
    for (std::size_t i = 0; i < mine.size();) {
      Entry sum = mine[i].entry;
      for (++i; i < mine.size() && !comes_before(mine[i - 1].entry, mine[i].entry); ++i) {
        sum.value += mine[i].entry.value;
      }
      if (!std::isfinite(sum.value)) {
        throw Error(Errc::invalid_argument, place_of(matrix, sum.block, sum.row, sum.column) +
                                                ": expected a finite sum of what was added to it");
      }
      if (sum.value != 0) entries.push_back(sum);
    }
    problem_.begins_.push_back(entries.size());
  }
  items_ = std::vector<Item>();
  // Few were promised in vain as a rule; many where entries came in parts, as facial reduction's.
  if (entries.capacity() > entries.size() + entries.size() / 8) entries.shrink_to_fit();
  return std::exchange(problem_, Problem());
}

BlockMatrix::BlockMatrix(std::span<const Block> blocks) : blocks_(blocks.begin(), blocks.end()) {
  for (const Block& block : blocks_) {
    const std::size_t n = block.order;
    begins_.push_back(begins_.back() + (block.kind == BlockKind::diagonal ? n : n * n));
  }
  values_.resize(begins_.back());
}

}  // namespace kinjo::sdp
