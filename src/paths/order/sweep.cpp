#include "paths/order/sweep.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "graph/random.hpp"

namespace kinjo::paths::detail {

double states(std::size_t size) {
  constexpr std::size_t kMost = 600;  // more is beyond reach, and 3^646 beyond a double
  static const auto kTable = [] {
    std::array<double, kMost + 1> table{1};
    for (std::size_t i = 1; i <= kMost; ++i) table[i] = 3 * table[i - 1];
    return table;
  }();
  return kTable[std::min(size, kMost)];
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
  if (is_finished(v)) return {0, frontier_};
  std::array<std::size_t, 3> turns{};
  for (const Vertex u : neighbours_->of(v)) {
    if (!is_finished(u)) ++turns[static_cast<std::size_t>(turn_of(u))];
  }
  const auto [closing, inside, fresh] = turns;
  std::size_t size = frontier_ + is_new(v);
  double cost = 0;
  for (std::size_t i = 0; i < closing; ++i) cost += states(--size);
  cost += static_cast<double>(inside) * states(size);
  for (std::size_t i = 0; i < fresh; ++i) cost += states(++size);
  // With its last edge the vertex itself leaves.
  return {cost - states(size) + states(size - 1), size - 1};
}

void Sweep::ends(Vertex v, std::vector<Vertex>& out) const {
  out.clear();
  if (is_finished(v)) return;
  for (const Vertex u : neighbours_->of(v)) {
    if (!is_finished(u)) out.push_back(u);
  }
}

std::vector<Vertex> Sweep::decisions(Vertex v, std::span<const std::uint32_t> ranks) const {
  std::vector<Vertex> others;
  ends(v, others);
  std::ranges::sort(others, {}, [&](Vertex u) { return std::pair(turn_of(u), ranks[u]); });
  return others;
}

void Sweep::set_remaining(Vertex v, std::uint32_t remaining) {
  const auto weight = [&] { return is_finished(v) ? graph::detail::mix(v + std::uint64_t{1}) : 0; };
  frontier_ -= in_frontier(v);
  fingerprint_ -= weight();
  remaining_[v] = remaining;
  frontier_ += in_frontier(v);
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
