#include "paths/order/sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "graph/random.hpp"

namespace kinjo::paths::detail {

namespace {

/// Frontiers of more vertices are beyond reach, all alike; products of two powers are doubles.
constexpr std::size_t kMost = 240;

constexpr std::array<double, kMost + 1> powers(double base) {
  std::array<double, kMost + 1> table{1};
  for (std::size_t i = 1; i <= kMost; ++i) table[i] = base * table[i - 1];
  return table;
}
constexpr auto kOfThree = powers(3), kOfFour = powers(4);

/// The share of a normal distribution that is no more than `value`.
double share_up_to(double value, double mean, double variance) {
  return std::erfc((mean - value) / std::sqrt(2 * variance)) / 2;
}

/// What a finished vertex adds to the fingerprint.
std::uint64_t weight_of(Vertex v) { return graph::detail::mix(v + std::uint64_t{1}); }

/// By vertex, its last edge.
std::vector<std::size_t> last_edges(const Neighbours& neighbours,
                                    const std::vector<std::uint32_t>& order) {
  std::vector<std::size_t> last(neighbours.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Edge& e = neighbours.edges()[order[i]];
    last[e.from] = last[e.to] = i;
  }
  return last;
}

}  // namespace

double Front::states(std::size_t cover) const {
  const double all = kOfThree[std::min(narrow_, kMost)] * kOfFour[std::min(wide_, kMost)];
  if (2 * cover >= size()) return all;
  // Two of three and two of four are ends; a sum of so many is about normally distributed.
  const auto a = static_cast<double>(narrow_), b = static_cast<double>(wide_);
  const double most = 2 * static_cast<double>(cover) + 0.5;
  return std::max(1.0, all * share_up_to(most, a * 2 / 3 + b / 2, a * 2 / 9 + b / 4));
}

double cost_of(const Neighbours& neighbours, const std::vector<std::uint32_t>& order) {
  const std::vector<std::size_t> last = last_edges(neighbours, order);
  std::vector<std::uint32_t> degrees(neighbours.size());  // edges may be parallel
  for (const Edge& e : neighbours.edges()) {
    ++degrees[e.from];
    ++degrees[e.to];
  }
  std::vector<std::uint32_t> undecided = degrees;
  std::vector<bool> covers(neighbours.size());
  std::size_t cover = 0;
  const auto take = [&](Vertex v) {
    cover += covers[v] ? 0 : 1;
    covers[v] = true;
  };
  Front front;
  double cost = 0;
  for (const std::uint32_t e : order) {
    const auto [from, to] = neighbours.edges()[e];
    for (const Vertex v : {from, to}) {
      front.change(degrees[v], undecided[v], undecided[v] - 1);
      if (--undecided[v] == 0) take(v);
    }
    // Who leaves first serves longer than it is in the frontier.
    take(last[from] < last[to] ? from : to);
    cost += front.states(cover);
  }
  return cost;
}

Sweep::Sweep(const Neighbours& neighbours) : neighbours_(&neighbours) {
  remaining_.resize(neighbours.size());
  for (Vertex v = 0; v < remaining_.size(); ++v) remaining_[v] = neighbours.degree(v);
}

Sweep::Step Sweep::step(Vertex v) const {
  if (is_finished(v)) return {0, front_.size()};
  Front front = front_;
  std::uint32_t undecided = remaining_[v];
  std::size_t cover = finished_;
  bool covers = false;
  double cost = 0;
  std::uint32_t others[kTurns] = {};
  for (const Vertex u : neighbours_->of(v)) others[turn_of(u)] += is_finished(u) ? 0 : 1;
  for (const Turn turn : {closing, inside, fresh}) {
    if (others[turn] == 0) continue;
    for (const Vertex u : neighbours_->of(v)) {
      if (is_finished(u) || turn_of(u) != turn) continue;
      front.change(neighbours_->degree(u), remaining_[u], remaining_[u] - 1);
      front.change(neighbours_->degree(v), undecided, undecided - 1);
      --undecided;
      cover += remaining_[u] == 1 ? 1 : 0;
      // The vertex itself covers edges to those that remain, and is finished with the last.
      covers = covers || remaining_[u] > 1 || undecided == 0;
      cost += front.states(cover + (covers ? 1 : 0));
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

std::uint64_t Sweep::fingerprint_after(Vertex v) const {
  if (is_finished(v)) return fingerprint_;
  std::uint64_t fingerprint = fingerprint_ + weight_of(v);
  for (const Vertex u : neighbours_->of(v)) {
    if (remaining_[u] == 1) fingerprint += weight_of(u);
  }
  return fingerprint;
}

void Sweep::set_remaining(Vertex v, std::uint32_t remaining) {
  const auto weight = [&] { return is_finished(v) ? weight_of(v) : 0; };
  fingerprint_ -= weight();
  finished_ += remaining == 0 ? 1 : 0;
  finished_ -= is_finished(v) ? 1 : 0;
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
