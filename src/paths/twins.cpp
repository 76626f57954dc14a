#include "paths/twins.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "paths/undecided_edges.hpp"

namespace kinjo::paths::detail {

namespace {

/// Numbers whose sums are equal for equal sets of vertices, and hardly ever for others.
std::uint32_t number_of(Vertex v) {
  const std::uint64_t mixed = (std::uint64_t{v} + 1) * 0x9E3779B97F4A7C15;
  return static_cast<std::uint32_t>((mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9 >> 32);
}

/// Of a frontier's vertices, what must be equal besides neighbours.
class Kinds {
 public:
  Kinds(const Frontier& frontier, const std::vector<bool>& kind) : kind_(kind) {
    for (const Step& step : frontier.steps) {
      vertices_ = std::max<std::size_t>({vertices_, step.a.vertex + 1, step.b.vertex + 1});
    }
  }
  std::size_t vertices() const { return vertices_; }
  bool operator[](Vertex v) const { return !kind_.empty() && kind_[v]; }

 private:
  const std::vector<bool>& kind_;
  std::size_t vertices_ = 0;
};

/// How often numbers occur together, as far as their remainders tell.
class Occurrences {
 public:
  /// Of about so many numbers at a time.
  explicit Occurrences(std::size_t numbers)
      : mask_(std::bit_ceil(std::max<std::size_t>(8 * numbers, 256)) - 1), counts_(mask_ + 1) {}

  /// Pairs that one more makes, or that one less leaves no more.
  std::size_t add(std::uint32_t number) { return counts_[number & mask_]++; }
  std::size_t remove(std::uint32_t number) { return --counts_[number & mask_]; }

 private:
  std::size_t mask_;
  std::vector<std::uint8_t> counts_;
};

/// Goes from item to item and knows of each vertex the sum of what is at the other ends of its
/// undecided edges.
class Sums {
 public:
  Sums(const Frontier& frontier, const Kinds& kind)
      : numbers_(kind.vertices()), open_(kind.vertices()) {
    for (Vertex v = 0; v < numbers_.size(); ++v) {
      numbers_[v] = number_of(v);
      open_[v] = kind[v] ? 1 : 0;
    }
    for (const Step& step : frontier.steps) {
      open_[step.a.vertex] += numbers_[step.b.vertex];
      open_[step.b.vertex] += numbers_[step.a.vertex];
    }
  }
  void step(const Step& step) {
    open_[step.a.vertex] -= numbers_[step.b.vertex];
    open_[step.b.vertex] -= numbers_[step.a.vertex];
  }

  /// Equal for twins that are no neighbours, and for those that are.
  std::uint32_t open(Vertex v) const { return open_[v]; }
  std::uint32_t closed(Vertex v) const { return open_[v] + numbers_[v]; }
  bool are_alike(Vertex a, Vertex b) const { return open(a) == open(b) || closed(a) == closed(b); }

 private:
  std::vector<std::uint32_t> numbers_, open_;  ///< by vertex
};

/// By item, how many pairs of the frontier look like twins after it.
std::vector<std::size_t> likely_pairs(const Frontier& frontier, const Kinds& kind) {
  std::vector<std::size_t> found;
  found.reserve(frontier.steps.size());
  Sums sums(frontier, kind);
  Occurrences open(frontier.slots), closed(frontier.slots);
  std::size_t pairs = 0;
  for (const Step& step : frontier.steps) {
    for (const End* end : {&step.a, &step.b}) {
      if (end->enters) continue;
      pairs -= open.remove(sums.open(end->vertex)) + closed.remove(sums.closed(end->vertex));
    }
    sums.step(step);
    for (const End* end : {&step.a, &step.b}) {
      if (end->leaves) continue;
      pairs += open.add(sums.open(end->vertex)) + closed.add(sums.closed(end->vertex));
    }
    found.push_back(pairs);
  }
  return found;
}

/// Goes from item to item and says who are twins.
class Search {
 public:
  Search(const Frontier& frontier, const Kinds& kind)
      : undecided_(frontier, kind.vertices()),
        kind_(kind),
        sums_(frontier, kind),
        vertices_(frontier.slots, kNobody),
        difference_(kind.vertices()) {}

  void step(const Step& step) {
    undecided_.decide(step);
    sums_.step(step);
    for (const End* end : {&step.a, &step.b}) {
      vertices_[end->slot] = end->leaves ? kNobody : end->vertex;
    }
  }

  TwinClasses classes() {
    TwinClasses classes(vertices_.size());
    for (std::size_t slot = 0; slot < vertices_.size(); ++slot) {
      if (classes.class_of(slot) != TwinClasses::kNone) continue;
      alike_.clear();
      for (std::size_t other = slot; other < vertices_.size(); ++other) {
        if (other == slot || are_twins(vertices_[slot], vertices_[other])) {
          alike_.push_back(static_cast<std::uint16_t>(other));
        }
      }
      if (alike_.size() < 2) continue;
      const Vertex first = vertices_[slot];
      classes.add(alike_, undecided_.of(first).size() == 1 && !kind_[first]);
    }
    return classes;
  }

 private:
  static constexpr Vertex kNobody = ~Vertex{0};

  bool are_twins(Vertex a, Vertex b) {
    return a != kNobody && b != kNobody && sums_.are_alike(a, b) && kind_[a] == kind_[b] &&
           have_equal_neighbours(a, b);
  }
  /// But each other.
  bool have_equal_neighbours(Vertex a, Vertex b) {
    for (const Vertex v : undecided_.of(a)) ++difference_[v];
    for (const Vertex v : undecided_.of(b)) --difference_[v];
    difference_[a] = difference_[b] = 0;
    std::int32_t differ = 0;
    for (const Vertex end : {a, b}) {
      for (const Vertex v : undecided_.of(end)) differ |= std::exchange(difference_[v], 0);
    }
    return differ == 0;
  }

  UndecidedEdges undecided_;
  const Kinds& kind_;
  Sums sums_;
  std::vector<Vertex> vertices_;          ///< by slot
  std::vector<std::int32_t> difference_;  ///< by vertex, nothing between calls
  std::vector<std::uint16_t> alike_;
};

/// Whether there are more pairs after an item than before it, or behind the next, and nowhere near
/// still more.
bool is_peak(const std::vector<std::size_t>& pairs, std::size_t item) {
  const std::size_t before = item == 0 ? 0 : pairs[item - 1], here = pairs[item];
  const std::size_t behind = item + 1 < pairs.size() ? pairs[item + 1] : 0;
  return here >= before && here >= behind && (here > before || here > behind);
}

}  // namespace

void TwinClasses::add(std::span<const std::uint16_t> slots, bool have_last_edge) {
  have_last_edge_.push_back(have_last_edge);
  for (const std::uint16_t slot : slots) class_of_[slot] = static_cast<std::uint16_t>(size());
  slots_.insert(slots_.end(), slots.begin(), slots.end());
  begins_.push_back(static_cast<std::uint16_t>(slots_.size()));
}

std::size_t TwinClasses::pairs() const {
  std::size_t pairs = 0;
  for (std::size_t c = 0; c < size(); ++c) pairs += of(c).size() * (of(c).size() - 1) / 2;
  return pairs;
}

void TwinClasses::sign(std::vector<std::uint64_t>& signature) const {
  signature.insert(signature.end(), slots_.begin(), slots_.end());
  signature.insert(signature.end(), begins_.begin(), begins_.end());
  signature.insert(signature.end(), have_last_edge_.begin(), have_last_edge_.end());
}

Twins::Twins(const Frontier& frontier, std::size_t first, const std::vector<bool>& kind,
             std::size_t fewest_pairs)
    : by_item_(frontier.steps.size(), kNone) {
  const Kinds kinds(frontier, kind);
  const std::vector<std::size_t> pairs = likely_pairs(frontier, kinds);
  if (pairs.empty() || std::ranges::max(pairs) < fewest_pairs) return;
  Search look(frontier, kinds);
  for (std::size_t item = 0; item < pairs.size(); ++item) {
    look.step(frontier.steps[item]);
    if (item < first || pairs[item] < fewest_pairs) continue;
    if (item != first && !is_peak(pairs, item)) continue;
    TwinClasses classes = look.classes();
    if (classes.pairs() < fewest_pairs) continue;
    by_item_[item] = static_cast<std::uint32_t>(classes_.size());
    classes_.push_back(std::move(classes));
  }
}

}  // namespace kinjo::paths::detail
