/// Problems by rule: each rule says how many entries its matrices have, and then which.
#include <kinjo/sdp_generators.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/random.hpp"
#include "base/text.hpp"

namespace kinjo::sdp {

namespace {

/// Of more entries nobody waits for the solution.
constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 28;
constexpr std::uint64_t kMostSide = std::uint64_t{1} << 16;

using kinjo::detail::Random;

/// A square matrix in rows.
struct Matrix {
  std::size_t n;
  std::vector<double> values;

  explicit Matrix(std::size_t order) : n(order), values(order * order) {}
  double& operator()(std::size_t i, std::size_t j) { return values[i * n + j]; }
};

Matrix draw(std::size_t n, double scale, Random& random) {
  Matrix matrix(n);
  for (double& value : matrix.values) value = scale * random.uniform();
  return matrix;
}

/// Matrix i of `control` adds in its first block what the variable is multiplied by.
class ControlBuilder {
 public:
  ControlBuilder(std::size_t states, std::uint64_t seed)
      : n_(states),
        random_(seed),
        scale_(1 / std::sqrt(static_cast<double>(n_))),
        a_(draw(n_, 0.5 * scale_, random_)),
        b_(draw(n_, scale_, random_)),
        c_(draw(n_, scale_, random_)),
        builder_(blocks(), costs()) {
    for (std::size_t i = 0; i < n_; ++i) a_(i, i) -= 1;  // stable: ‖A + I‖ stays below 1
  }

  Problem finish() {
    std::size_t matrix = 1;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = i; j < n_; ++j) add_p(matrix++, i, j);
    }
    for (std::size_t k = 0; k < n_; ++k) add_d(matrix++, k);
    for (std::size_t i = 0; i < n_; ++i) {
      builder_.add(matrix, 0, i, i, -1);  // −tI
      builder_.add(0, 1, i, i, -1);       // I in I − P
    }
    return builder_.finish();
  }

 private:
  std::vector<Block> blocks() const {
    const auto n = static_cast<std::uint32_t>(n_);
    return {{2 * n, BlockKind::symmetric}, {n, BlockKind::symmetric}};
  }
  std::vector<double> costs() const {
    std::vector<double> costs(n_ * (n_ + 1) / 2 + n_ + 1);
    costs.back() = -1;
    return costs;
  }

  /// A value at (row, column) of a matrix that is not symmetric, together with its transpose.
  void add_both(std::size_t matrix, std::size_t row, std::size_t column, double value) {
    builder_.add(matrix, 0, std::min(row, column), std::max(row, column),
                 row == column ? 2 * value : value);
  }
  /// P = e_i e_jᵀ + e_j e_iᵀ (once if i = j) has rows e_jᵀ at i and e_iᵀ at j.
  void add_p(std::size_t matrix, std::size_t i, std::size_t j) {
    add_row(matrix, i, j);
    if (i != j) add_row(matrix, j, i);
    builder_.add(matrix, 1, i, j, -1);
  }
  /// −(e_i e_jᵀA and its transpose), and −e_i e_jᵀB beside them.
  void add_row(std::size_t matrix, std::size_t i, std::size_t j) {
    for (std::size_t k = 0; k < n_; ++k) {
      add_both(matrix, i, k, -a_(j, k));
      builder_.add(matrix, 0, i, n_ + k, -b_(j, k));
    }
  }
  /// −c cᵀ for row k of C, and 1 in D.
  void add_d(std::size_t matrix, std::size_t k) {
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = i; j < n_; ++j) builder_.add(matrix, 0, i, j, -c_(k, i) * c_(k, j));
    }
    builder_.add(matrix, 0, n_ + k, n_ + k, 1);
  }

  std::size_t n_;
  Random random_;
  double scale_;
  Matrix a_, b_, c_;
  ProblemBuilder builder_;
};

std::vector<Block> one_block(std::size_t order) {
  return {{static_cast<std::uint32_t>(order), BlockKind::symmetric}};
}

struct Sizes {
  std::uint64_t first = 0, second = 0;
};

struct Rule {
  std::string_view name;
  const char* expected;  ///< behind "expected "
  char separator;        ///< between the two numbers; 0 if there is one
  bool one_for_both;     ///< one number stands for two that are the same
  std::uint64_t least;   ///< of the first number
  std::uint64_t (*entries)(const Sizes&);
  Problem (*make)(const Sizes&, std::uint64_t seed);
};

constexpr Rule kRules[] = {
    {"maxcut", "maxcut:RxC or maxcut:N with at least 3, such as maxcut:10x8", 'x', true, 3,
     [](const Sizes& s) { return 4 * s.first * s.second; },
     [](const Sizes& s, std::uint64_t seed) { return max_cut(s.first, s.second, seed); }},
    {"theta", "theta:VERTICES,EDGES with at most one edge for each pair, such as theta:50,100", ',',
     false, 2, [](const Sizes& s) { return s.first * s.first / 2 + s.second; },
     [](const Sizes& s, std::uint64_t seed) { return theta(s.first, s.second, seed); }},
    {"control", "control:STATES, such as control:10", 0, true, 1,
     [](const Sizes& s) { return 5 * s.first * s.first * s.first; },
     [](const Sizes& s, std::uint64_t seed) { return control(s.first, seed); }},
    {"random", "random:ORDER,CONSTRAINTS, such as random:20,30", ',', false, 1,
     [](const Sizes& s) { return s.first * (s.first + 1) / 2 * (s.second + 1); },
     [](const Sizes& s, std::uint64_t seed) { return random_dense(s.first, s.second, seed); }},
};

const Rule* rule_of(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return nullptr;
  const auto* const found = std::ranges::find(kRules, text.substr(0, colon), &Rule::name);
  return found == std::end(kRules) ? nullptr : found;
}

std::optional<Sizes> parse_sizes(const Rule& rule, std::string_view text) {
  const auto parts =
      rule.separator == 0 ? std::vector{text} : kinjo::detail::split(text, rule.separator);
  if (parts.size() > 2 || (parts.size() == 1 && !rule.one_for_both)) return std::nullopt;
  const auto first = kinjo::detail::parse_count(parts.front()),
             second = kinjo::detail::parse_count(parts.back());
  if (!first || !second || *first < rule.least || *first > kMostSide) return std::nullopt;
  if (rule.name == "theta" && *second > *first * (*first - 1) / 2) return std::nullopt;
  if (rule.name == "maxcut" && (*second < rule.least || *second > kMostSide)) return std::nullopt;
  return Sizes{*first, *second};
}

/// Different pairs of vertices, in their order.
std::vector<std::pair<std::size_t, std::size_t>> draw_edges(std::size_t vertices, std::size_t count,
                                                            Random& random) {
  // Knuth's selection sampling (TAOCP 2, algorithm S) needs no memory of what was drawn.
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  std::uint64_t left = vertices * (vertices - 1) / 2;
  for (std::size_t u = 0; u < vertices; ++u) {
    for (std::size_t v = u + 1; v < vertices; ++v, --left) {
      if (random.below(left) < count - edges.size()) edges.push_back({u, v});
    }
  }
  return edges;
}

}  // namespace

Problem max_cut(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  const std::size_t n = rows * columns;
  ProblemBuilder builder(one_block(n), std::vector<double>(n, 1.0));
  Random random(seed);
  for (std::size_t v = 0; v < n; ++v) {
    const std::size_t row = v / columns, column = v % columns;
    const std::size_t right = row * columns + (column + 1) % columns,
                      below = (row + 1) % rows * columns + column;
    for (const std::size_t other : {right, below}) {
      const double quarter = random.next() >> 63 != 0 ? 0.25 : -0.25;
      builder.add(0, 0, v, v, quarter);
      builder.add(0, 0, other, other, quarter);
      builder.add(0, 0, std::min(v, other), std::max(v, other), -quarter);
    }
    builder.add(v + 1, 0, v, v, 1);
  }
  return builder.finish();
}

Problem theta(std::size_t vertices, std::size_t edges, std::uint64_t seed) {
  std::vector<double> costs(edges + 1);
  costs.front() = 1;
  ProblemBuilder builder(one_block(vertices), std::move(costs));
  for (std::size_t u = 0; u < vertices; ++u) {
    builder.add(1, 0, u, u, 1);
    for (std::size_t v = u; v < vertices; ++v) builder.add(0, 0, u, v, 1);
  }
  Random random(seed);
  std::size_t matrix = 2;
  for (const auto& [u, v] : draw_edges(vertices, edges, random)) {
    builder.add(matrix++, 0, u, v, 1);
  }
  return builder.finish();
}

Problem control(std::size_t states, std::uint64_t seed) {
  return ControlBuilder(states, seed).finish();
}

Problem random_dense(std::size_t order, std::size_t constraints, std::uint64_t seed) {
  // Y = I is feasible by the choice of c; x = 1 with X = nI by that of F_0.
  Random random(seed);
  std::vector<Matrix> matrices;
  std::vector<double> costs;
  for (std::size_t i = 0; i < constraints; ++i) {
    matrices.push_back(draw(order, 1, random));
    costs.push_back(0);
    for (std::size_t k = 0; k < order; ++k) costs.back() += matrices.back()(k, k);
  }
  ProblemBuilder builder(one_block(order), std::move(costs));
  for (std::size_t row = 0; row < order; ++row) {
    for (std::size_t column = row; column < order; ++column) {
      double sum = row == column ? -static_cast<double>(order) : 0;
      for (std::size_t i = 0; i < constraints; ++i) {
        builder.add(i + 1, 0, row, column, matrices[i](row, column));
        sum += matrices[i](row, column);
      }
      builder.add(0, 0, row, column, sum);
    }
  }
  return builder.finish();
}

bool is_rule(std::string_view text) { return rule_of(text) != nullptr; }

Problem problem_by_rule(const std::string& text, std::uint64_t seed) {
  const Rule* rule = rule_of(text);
  if (rule == nullptr) {
    throw Error(Errc::invalid_argument,
                fmt::format("'{}' as a problem: expected a file, maxcut:RxC, theta:VERTICES,EDGES, "
                            "control:STATES or random:ORDER,CONSTRAINTS",
                            kinjo::detail::printable(text)));
  }
  const auto sizes = parse_sizes(*rule, std::string_view(text).substr(rule->name.size() + 1));
  if (!sizes) {
    throw Error(Errc::invalid_argument,
                fmt::format("'{}' as a problem: expected {}", kinjo::detail::printable(text),
                            rule->expected));
  }
  if (sizes->second > kMostEntries || rule->entries(*sizes) > kMostEntries) {
    throw Error(Errc::out_of_memory,
                fmt::format("a problem '{}' has more than {} entries", text, kMostEntries));
  }
  return rule->make(*sizes, seed);
}

}  // namespace kinjo::sdp
