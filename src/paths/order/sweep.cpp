#include "paths/order/sweep.hpp"

#include <algorithm>
#include <array>

#include "graph/random.hpp"

namespace kinjo::paths::detail {

namespace {

/// Frontiers of more vertices are beyond reach, all alike; products of two powers are doubles.
constexpr std::size_t kMost = 240;

std::array<double, kMost + 1> powers(double base) {
  std::array<double, kMost + 1> table{1};
  for (std::size_t i = 1; i <= kMost; ++i) table[i] = base * table[i - 1];
  return table;
}

}  // namespace

double Front::states() const {
  static const auto kOfThree = powers(3), kOfFour = powers(4);
  return kOfThree[std::min(narrow_, kMost)] * kOfFour[std::min(wide_, kMost)];
}

double cost_of(const Neighbours& neighbours, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> degrees(neighbours.size());
  for (const Edge& e : neighbours.edges()) {
    ++degrees[e.from];
    ++degrees[e.to];
  }
  std::vector<std::uint32_t> undecided = degrees;
  Front front;
  double cost = 0;
  for (const std::uint32_t e : order) {
    for (const Vertex v : {neighbours.edges()[e].from, neighbours.edges()[e].to}) {
      front.change(degrees[v], undecided[v], undecided[v] - 1);
      --undecided[v];
    }
    cost += front.states();
  }
  return cost;
}

Sweep::Sweep(const Neighbours& neighbours) : neighbours_(&neighbours) {
  remaining_.resize(neighbours.size());
  for (Vertex v = 0; v < remaining_.size(); ++v) remaining_[v] = neighbours.degree(v);
}

Sweep::Turn Sweep::turn_of(Vertex end) const {
  if (is_new(end)) return remaining_[end] == 1 ? Turn::inside : Turn::fresh;
  return remaining_[end] == 1 ? Turn::closing : Turn::inside;
}

Sweep::Step Sweep::step(Vertex v) const {
  if (is_finished(v)) return {0, front_.size()};
  Front front = front_;
  std::uint32_t undecided = remaining_[v];
  double cost = 0;
  for (const Turn turn : kTurns) {
    for (const Vertex u : neighbours_->of(v)) {
      if (is_finished(u) || turn_of(u) != turn) continue;
      front.change(neighbours_->degree(u), remaining_[u], remaining_[u] - 1);
      front.change(neighbours_->degree(v), undecided, undecided - 1);
      --undecided;
      cost += front.states();
    }
  }
  return {cost, front.size()};
}

void Sweep::ends(Vertex v, std::vector<Vertex>& out) const {
  out.clear();
  if (is_finished(v)) return;
  for (const Vertex u : neighbours_->of(v)) {
    if (!is_finished(u)) out.push_back(u);
  }
}

std::vector<Vertex> Sweep::decisions(Vertex v) const {
  std::vector<Vertex> others;
  ends(v, others);
  std::ranges::stable_sort(others, {}, [&](Vertex u) { return turn_of(u); });
  return others;
}

void Sweep::set_remaining(Vertex v, std::uint32_t remaining) {
  const auto weight = [&] { return is_finished(v) ? graph::detail::mix(v + std::uint64_t{1}) : 0; };
  fingerprint_ -= weight();
  front_.change(neighbours_->degree(v), remaining_[v], remaining);
  remaining_[v] = remaining;
  fingerprint_ += weight();
}

void Sweep::finish(Vertex v) {
  if (is_finished(v)) return;
  for (const Vertex u : neighbours_->of(v)) {
    if (!is_finished(u)) set_remaining(u, remaining_[u] - 1);
  }
  set_remaining(v, 0);
}

void Sweep::undo(Vertex v, std::span<const Vertex> ends) {
  for (const Vertex u : ends) set_remaining(u, remaining_[u] + 1);
  set_remaining(v, static_cast<std::uint32_t>(ends.size()));
}

}  // namespace kinjo::paths::detail
