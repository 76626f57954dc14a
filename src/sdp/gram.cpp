#include "sdp/gram.hpp"

#include <algorithm>
#include <tuple>

namespace kinjo::sdp::detail {

namespace {

/// What one constraint has at one place.
struct Item {
  Index row, column, constraint;
  double value;
};

/// B_ij += weight · v_i v_j for all pairs of constraints that have an entry at the same place.
void add_places(std::vector<Item>& items, Schur& matrix) {
  const auto place = [](const Item& item) { return std::tuple(item.row, item.column); };
  std::ranges::sort(items, {}, [&](const Item& i) { return std::tuple(place(i), i.constraint); });
  for (std::size_t begin = 0, end = 0; begin < items.size(); begin = end) {
    while (end < items.size() && place(items[end]) == place(items[begin])) ++end;
    const double weight = items[begin].row == items[begin].column ? 1 : 2;
    for (std::size_t a = begin; a < end; ++a) {
      for (std::size_t b = a; b < end; ++b) {
        matrix.values()[matrix.place(items[a].constraint, items[b].constraint)] +=
            weight * items[a].value * items[b].value;
      }
    }
  }
}

}  // namespace

Gram::Gram(Team& team, const Model& model, const Crew& crew) : matrix_(team, model) {
  matrix_.clear(crew);
  std::vector<Item> items;
  for (const Cone& cone : model.cones) {
    items.clear();
    for (std::size_t k = 0; k < cone.constraints.size(); ++k) {
      for (std::size_t e = cone.begins[k]; e < cone.begins[k + 1]; ++e) {
        const Term& t = cone.terms[e];
        items.push_back({t.row, t.column, cone.constraints[k], t.value});
      }
    }
    add_places(items, matrix_);
  }
  items.clear();
  for (Index i = 0; i < model.constraints; ++i) {
    for (std::size_t e = model.linear.begins[i]; e < model.linear.begins[i + 1]; ++e) {
      const Linear::Item& item = model.linear.items[e];
      items.push_back({item.row, item.row, i, item.value});
    }
  }
  add_places(items, matrix_);
  usable_ = matrix_.factorise(crew);
}

bool Gram::solve(std::vector<double>& r) { return usable_ && matrix_.solve(r) < 1e-3; }

}  // namespace kinjo::sdp::detail
