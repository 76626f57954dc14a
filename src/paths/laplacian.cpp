#include "paths/laplacian.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "paths/residue_field.hpp"

namespace kinjo::paths::detail {

namespace {

/// Entries and vertices between two looks at whether to go on: some milliseconds.
constexpr std::uint64_t kEntriesBetween = std::uint64_t{1} << 14;
constexpr std::uint32_t kVerticesBetween = std::uint32_t{1} << 10;

/// The graph that is left while vertices are eliminated: the neighbours of one become neighbours of
/// each other.
class Elimination {
 public:
  Elimination(const Network& network, Vertex last) : last_(last), neighbours_(network.vertices) {
    for (const Edge& e : network.edges) {
      if (e.from == e.to) continue;
      neighbours_[e.from].push_back(e.to);
      neighbours_[e.to].push_back(e.from);
    }
    for (Vertex v = 0; v < network.vertices; ++v) {
      std::ranges::sort(neighbours_[v]);
      neighbours_[v].erase(std::unique(neighbours_[v].begin(), neighbours_[v].end()),
                           neighbours_[v].end());
      if (v != last) left_.emplace(neighbours_[v].size(), v);
    }
  }

  /// Calls f(vertex, its neighbours that are left) in the order of elimination, and at the end with
  /// the last vertex, unless it says no before. Whether all were told.
  template <class F>
  bool run(const F& f) {
    std::vector<Vertex> merged;
    while (!left_.empty()) {
      const std::size_t degree = left_.begin()->first;
      const Vertex v = left_.begin()->second;
      // All that is left is joined to all: no order is better than another.
      if (degree == left_.size()) return finish(f);
      left_.erase(left_.begin());
      const std::vector<Vertex> others = std::move(neighbours_[v]);
      if (!f(v, others)) return false;
      for (const Vertex a : others) {
        std::vector<Vertex>& mine = neighbours_[a];
        if (a != last_) left_.erase({mine.size(), a});
        merged.clear();
        std::ranges::set_union(mine, others, std::back_inserter(merged));
        std::erase_if(merged, [&](Vertex u) { return u == a || u == v; });
        mine.assign(merged.begin(), merged.end());
        if (a != last_) left_.emplace(mine.size(), a);
      }
    }
    return f(last_, std::vector<Vertex>{});
  }

 private:
  template <class F>
  bool finish(const F& f) {
    std::vector<Vertex> all;
    for (const auto& [degree, v] : left_) all.push_back(v);
    all.push_back(last_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto next = all.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      if (!f(all[i], std::vector<Vertex>(next, all.end()))) return false;
    }
    return true;
  }

  Vertex last_;
  std::vector<std::vector<Vertex>> neighbours_;    ///< of those that are left, ascending
  std::set<std::pair<std::size_t, Vertex>> left_;  ///< but the last one
};

}  // namespace

Laplacian::Laplacian(const Network& network, Vertex last,
                     const std::function<bool(std::uint64_t)>& go_on)
    : is_whole_(eliminate(network, last, go_on)) {
  if (is_whole_) link_columns();
}

bool Laplacian::eliminate(const Network& network, Vertex last,
                          const std::function<bool(std::uint64_t)>& go_on) {
  std::vector<std::uint32_t> ranks(network.vertices);
  std::uint32_t rank = 0;
  std::uint64_t next_look = kEntriesBetween;
  begins_.push_back(0);
  const auto add = [&](Vertex v, const std::vector<Vertex>& others) {
    ranks[v] = rank++;
    columns_.insert(columns_.end(), others.begin(), others.end());
    begins_.push_back(columns_.size());
    if (!go_on || (columns_.size() < next_look && rank % kVerticesBetween != 0)) return true;
    next_look = columns_.size() + kEntriesBetween;
    return go_on(columns_.size());
  };
  if (!Elimination(network, last).run(add)) return false;
  number_by_ranks(network, ranks);
  return true;
}

void Laplacian::number_by_ranks(const Network& network, const std::vector<std::uint32_t>& ranks) {
  for (std::uint32_t& column : columns_) column = ranks[column];
  for (std::size_t r = 0; r < size(); ++r) {
    std::sort(columns_.begin() + static_cast<std::ptrdiff_t>(begins_[r]),
              columns_.begin() + static_cast<std::ptrdiff_t>(begins_[r + 1]));
  }
  degrees_.assign(network.vertices, 0);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const Edge& e : network.edges) {
    if (e.from == e.to) continue;
    const auto [low, high] = std::minmax(ranks[e.from], ranks[e.to]);
    edges.emplace_back(low, high);
    ++degrees_[low];
    ++degrees_[high];
  }
  std::ranges::sort(edges);
  given_begins_.assign(network.vertices + std::size_t{1}, 0);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (i > 0 && edges[i] == edges[i - 1]) {
      ++given_.back().edges;
      continue;
    }
    given_.push_back({edges[i].second, 1});
    ++given_begins_[edges[i].first + 1];
  }
  std::partial_sum(given_begins_.begin(), given_begins_.end(), given_begins_.begin());
}

void Laplacian::link_columns() {
  above_begins_.assign(size() + 1, 0);
  for (const std::uint32_t column : columns_) ++above_begins_[column + 1];
  std::partial_sum(above_begins_.begin(), above_begins_.end(), above_begins_.begin());
  above_.resize(columns_.size());
  std::vector<std::uint64_t> next(above_begins_.begin(), above_begins_.end() - 1);
  for (std::uint32_t r = 0; r < size(); ++r) {
    for (std::uint64_t i = begins_[r]; i < begins_[r + 1]; ++i) {
      above_[next[columns_[i]]++] = {r, static_cast<std::uint32_t>(i - begins_[r])};
    }
  }
}

double Laplacian::products() const {
  double products = 0;
  for (std::size_t r = 0; r < size(); ++r) {
    const auto length = static_cast<double>(begins_[r + 1] - begins_[r]);
    products += length * (length + 3) / 2;
  }
  return products;
}

std::uint64_t Laplacian::thread_bytes() const {
  return sizeof(std::uint64_t) * (columns_.size() + 2 * size());
}

std::uint64_t Laplacian::bytes() const {
  return sizeof(std::uint32_t) * columns_.size() + sizeof(Above) * above_.size() +
         sizeof(Given) * given_.size() + sizeof(std::uint64_t) * 4 * size();
}

std::optional<std::uint64_t> Laplacian::cofactor(
    std::uint64_t prime, const std::function<bool(std::size_t)>& go_on) const {
  const ResidueField field(prime);
  const std::uint64_t zero = 0;
  std::vector<std::uint64_t> values(columns_.size()), row(size()), inverses(size());
  std::uint64_t product = field.from(1);
  for (std::size_t r = 0; r + 1 < size(); ++r) {
    if (!go_on(r)) return std::nullopt;
    row[r] = field.from(degrees_[r]);
    for (std::uint64_t i = given_begins_[r]; i < given_begins_[r + 1]; ++i) {
      row[given_[i].column] = field.minus(zero, field.from(given_[i].edges));
    }
    for (std::uint64_t a = above_begins_[r]; a < above_begins_[r + 1]; ++a) {
      const std::uint64_t begin = begins_[above_[a].rank] + above_[a].place,
                          end = begins_[above_[a].rank + 1];
      const std::uint64_t factor = field.times(values[begin], inverses[above_[a].rank]);
      for (std::uint64_t i = begin; i < end; ++i) {
        std::uint64_t& element = row[columns_[i]];
        element = field.minus(element, field.times(factor, values[i]));
      }
    }
    if (row[r] == 0) return std::nullopt;
    inverses[r] = field.inverse(row[r]);
    product = field.times(product, row[r]);
    for (std::uint64_t i = begins_[r]; i < begins_[r + 1]; ++i) {
      values[i] = std::exchange(row[columns_[i]], zero);
    }
    row[r] = 0;
  }
  return field.value(product);
}

}  // namespace kinjo::paths::detail
