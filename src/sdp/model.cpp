#include "sdp/model.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "sdp/touched_rows.hpp"

namespace kinjo::sdp::detail {

namespace {

/// Components of the rows of one block by union and find.
class Components {
 public:
  explicit Components(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }
  Index find(Index i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// The lower row stays the root, so that components come in the order of their first rows.
  void join(Index a, Index b) {
    a = find(a);
    b = find(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<Index> parent_;
};

/// Where a touched row of the problem went.
struct Target {
  static constexpr Index kNowhere = ~Index{0};
  static constexpr Index kLinear = kNowhere - 1;
  Index cone = kNowhere;
  Index row = 0;
};

class Splitter {
 public:
  explicit Splitter(const Problem& problem) : problem_(problem), rows_(checked_order(problem)) {
    const std::size_t blocks = problem.blocks().size();
    firsts_.resize(blocks + 1, 0);
    for (std::size_t b = 0; b < blocks; ++b) {
      firsts_[b + 1] = firsts_[b] + problem.blocks()[b].order;
    }
  }

  Model split() {
    model_.constraints = problem_.constraints();
    model_.costs.assign(problem_.costs().begin(), problem_.costs().end());
    model_.blocks.assign(problem_.blocks().begin(), problem_.blocks().end());
    find_targets();
    make_room();
    deal();
    return std::move(model_);
  }

 private:
  /// Throws `Error` (`invalid_argument`) for more rows than an `Index` can tell apart.
  static std::uint64_t checked_order(const Problem& problem) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
    const std::uint64_t order = problem.order();
    if (order < kMost) return order;
    throw Error(Errc::invalid_argument,
                fmt::format("the blocks have {} rows: expected fewer than {}", order, kMost));
  }

  /// The number of a touched row.
  Index place(Index block, Index row) const { return rows_.number(firsts_[block] + row); }

  template <class F>
  void each_entry(F&& f) const {
    for (std::size_t i = 0; i <= problem_.constraints(); ++i) {
      for (const Entry& e : problem_.matrix(i)) f(e);
    }
  }

  void find_targets() {
    each_entry([&](const Entry& e) {
      rows_.touch(firsts_[e.block] + e.row);
      rows_.touch(firsts_[e.block] + e.column);
    });
    targets_.resize(rows_.count());
    Components components(targets_.size());
    each_entry(
        [&](const Entry& e) { components.join(place(e.block, e.row), place(e.block, e.column)); });
    std::vector<Index> sizes(targets_.size(), 0);
    for (Index r = 0; r < targets_.size(); ++r) ++sizes[components.find(r)];
    Index block = 0, number = 0;
    rows_.each([&](std::uint64_t row) {
      while (row >= firsts_[block + 1]) ++block;
      assign(block, static_cast<Index>(row - firsts_[block]), number, components.find(number),
             sizes);
      ++number;
    });
  }

  void assign(Index block, Index local, Index row, Index root, const std::vector<Index>& sizes) {
    if (sizes[root] == 1) {
      targets_[row] = {Target::kLinear, static_cast<Index>(model_.linear.order())};
      model_.linear.origins.push_back({block, local});
      return;
    }
    if (root == row) {
      targets_[row].cone = static_cast<Index>(model_.cones.size());
      model_.cones.emplace_back().origin = block;
    }
    Cone& cone = model_.cones[targets_[root].cone];
    targets_[row] = {targets_[root].cone, static_cast<Index>(cone.order())};
    cone.rows.push_back(local);
  }

  /// Lists that grew by doubling would hold as much again.
  void make_room() {
    std::vector<std::size_t> terms(model_.cones.size(), 0);
    for (std::size_t i = 1; i <= problem_.constraints(); ++i) {
      for (const Entry& e : problem_.matrix(i)) {
        const Index cone = targets_[place(e.block, e.row)].cone;
        if (cone < terms.size()) ++terms[cone];
      }
    }
    terms_.resize(terms.size());
    for (std::size_t c = 0; c < terms.size(); ++c) terms_[c].reserve(terms[c]);
  }

  void deal() {
    model_.linear.constant.resize(model_.linear.order());
    model_.linear.begins.push_back(0);
    for (const Entry& e : problem_.matrix(0)) {
      const Target a = targets_[place(e.block, e.row)], b = targets_[place(e.block, e.column)];
      if (a.cone == Target::kLinear) {
        model_.linear.constant[a.row] = e.value;
      } else {
        model_.cones[a.cone].constant.push_back({a.row, b.row, e.value});
      }
    }
    for (std::size_t i = 1; i <= problem_.constraints(); ++i) deal(i);
    for (std::size_t c = 0; c < terms_.size(); ++c) {
      Cone& cone = model_.cones[c];
      cone.begins.push_back(terms_[c].size());
      cone.constant.shrink_to_fit();
      arrange(cone, std::move(terms_[c]));
    }
  }

  void deal(std::size_t matrix) {
    const auto i = static_cast<Index>(matrix - 1);
    for (const Entry& e : problem_.matrix(matrix)) {
      const Target a = targets_[place(e.block, e.row)], b = targets_[place(e.block, e.column)];
      if (a.cone == Target::kLinear) {
        model_.linear.items.push_back({a.row, e.value});
        continue;
      }
      Cone& cone = model_.cones[a.cone];
      if (cone.constraints.empty() || cone.constraints.back() != i) {
        cone.constraints.push_back(i);
        cone.begins.push_back(terms_[a.cone].size());
      }
      terms_[a.cone].push_back({a.row, b.row, e.value});
    }
    model_.linear.begins.push_back(model_.linear.items.size());
  }

  const Problem& problem_;
  Model model_;
  TouchedRows rows_;
  std::vector<std::uint64_t> firsts_;     ///< of each block among all rows
  std::vector<Target> targets_;           ///< of touched rows
  std::vector<std::vector<Term>> terms_;  ///< of each cone, until it is arranged
};

}  // namespace

std::size_t Model::order() const {
  std::size_t sum = linear.order();
  for (const Cone& cone : cones) sum += cone.order();
  return sum;
}

Model make_model(const Problem& problem) { return Splitter(problem).split(); }

Problem problem_of(const Model& model) {
  // By matrix, so that the builder need not sort them.
  struct Part {
    const Cone* cone;
    std::size_t slot;
  };
  std::vector<std::vector<Part>> parts(model.constraints);
  std::size_t entries = model.linear.order() + model.linear.items.size();
  for (const Cone& cone : model.cones) {
    entries += cone.constant.size() + cone.values.size();
    for (std::size_t k = 0; k < cone.constraints.size(); ++k) {
      parts[cone.constraints[k]].push_back({&cone, k});
    }
  }
  ProblemBuilder builder(model.blocks, model.costs);
  builder.reserve(entries);
  const auto add = [&](std::size_t matrix, const Cone& cone, const Term& t) {
    builder.add(matrix, cone.origin, cone.rows[t.row], cone.rows[t.column], t.value);
  };
  const auto add_linear = [&](std::size_t matrix, Index row, double value) {
    const Linear::Origin at = model.linear.origins[row];
    builder.add(matrix, at.block, at.row, at.row, value);
  };
  for (const Cone& cone : model.cones) {
    for (const Term& t : cone.constant) add(0, cone, t);
  }
  for (Index r = 0; r < model.linear.order(); ++r) add_linear(0, r, model.linear.constant[r]);
  for (std::size_t i = 0; i < model.constraints; ++i) {
    for (const auto& [cone, slot] : parts[i]) {
      for (std::size_t e = cone->begins[slot]; e < cone->begins[slot + 1]; ++e) {
        add(i + 1, *cone, cone->term(e));
      }
    }
    for (std::size_t e = model.linear.begins[i]; e < model.linear.begins[i + 1]; ++e) {
      add_linear(i + 1, model.linear.items[e].row, model.linear.items[e].value);
    }
  }
  return builder.finish();
}

std::uint64_t matrix_bytes(std::span<const Block> blocks) {
  double numbers = 0;  // the square of an order may take more than 64 bits
  for (const Block& block : blocks) {
    const double order = block.order;
    numbers += block.kind == BlockKind::diagonal ? order : order * order;
  }
  return static_cast<std::uint64_t>(std::min(sizeof(double) * numbers, 0x1p60));
}

}  // namespace kinjo::sdp::detail
