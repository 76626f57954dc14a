/// What a plan moves, by the rule of the largest block that fits (docs/gemm.md).
///
/// Let F_i be the bytes of A, B and C that one turn of the loops inside of loop i touches. Seen
/// from a level of Z bytes, the outermost i with F_i ≤ Z is where data stays in it: what a turn
/// touches is brought in once, and brought in again in the next turn, but for an operand that the
/// loop just outside does not move along. C is read and written.
#include <kinjo/gemm_plan.hpp>

#include <algorithm>

#include "gemm/blocking.hpp"

namespace kinjo::gemm {

namespace {

/// Elements of each dimension that one turn of the loops from some place inwards covers.
struct Extent {
  double m, n, k;
  double& of(Dimension d) { return d == Dimension::m ? m : d == Dimension::n ? n : k; }
  double a() const { return m * k; }
  double b() const { return k * n; }
  double c() const { return m * n; }
};

struct Turn {
  Dimension dimension;
  Extent inside;  ///< what one turn covers
  double turns;   ///< of this loop
};

double block_of(const Loop& loop, const Problem& problem, double size) {
  if (loop.level == Level::parallel) return size / static_cast<double>(loop.block);
  if (loop.level != Level::registers) return static_cast<double>(loop.block);
  return static_cast<double>(strips_of(problem, loop.dimension).whole);
}

/// The loops as they cut the problem, outermost first. Tasks of a parallel loop are turns, too.
std::vector<Turn> turns_of(std::span<const Loop> loops, const Problem& problem) {
  Extent extent{static_cast<double>(problem.m), static_cast<double>(problem.n),
                static_cast<double>(problem.k)};
  std::vector<Turn> turns;
  for (const Loop& loop : loops) {
    double& size = extent.of(loop.dimension);
    const double block = std::min(size, std::max(1.0, block_of(loop, problem, size)));
    const double count = size / block;
    size = block;
    turns.push_back({loop.dimension, extent, count});
  }
  return turns;
}

/// Elements brought into a level that holds `most` elements.
double moved_into(const std::vector<Turn>& turns, const Extent& whole, double most) {
  const auto fits = [&](const Extent& e) { return e.a() + e.b() + e.c() <= most; };
  if (fits(whole) || turns.empty()) return whole.a() + whole.b() + 2 * whole.c();
  std::size_t i = 0;
  double outside = 1;
  while (i + 1 < turns.size() && !fits(turns[i].inside)) outside *= turns[i++].turns;
  const Turn& turn = turns[i];
  const auto times = [&](bool moves) { return outside * (moves ? turn.turns : 1); };
  const Dimension d = turn.dimension;
  return times(d != Dimension::n) * turn.inside.a() + times(d != Dimension::m) * turn.inside.b() +
         2 * times(d != Dimension::k) * turn.inside.c();
}

/// Elements written to copies: an operand's, once for each turn of the loops outside of the copy
/// that do not move along it.
double copied(std::span<const Loop> loops, const Problem& problem, Dimension dimension) {
  std::size_t block_loop = loops.size(), inner_loop = 0;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (loops[i].dimension == Dimension::k) inner_loop = i;
    const Level level = loops[i].level;
    const bool copies = level == Level::node || level == Level::machine || level == Level::section;
    if (copies && loops[i].dimension == dimension) block_loop = i;
  }
  if (block_loop == loops.size()) return 0;
  double elements = static_cast<double>(problem.size(dimension)) * static_cast<double>(problem.k);
  const std::size_t last = std::max(block_loop, inner_loop);
  const std::vector<Turn> turns = turns_of(loops, problem);
  for (std::size_t i = 0; i < last; ++i) {
    const Dimension d = loops[i].dimension;
    if (d != dimension && d != Dimension::k) elements *= std::max(1.0, turns[i].turns);
  }
  if (loops[block_loop].level == Level::node) elements *= static_cast<double>(problem.nodes);
  return elements;
}

}  // namespace

BytesMoved Plan::bytes_moved(const Problem& problem) const {
  if (problem.m == 0 || problem.n == 0 || problem.k == 0) return {};  // no loop turns
  const std::vector<Turn> turns = turns_of(loops(), problem);
  const Extent whole{static_cast<double>(problem.m), static_cast<double>(problem.n),
                     static_cast<double>(problem.k)};
  const auto e = static_cast<double>(problem.element_bytes);
  const auto into = [&](std::size_t bytes) {
    return e * moved_into(turns, whole, static_cast<double>(bytes) / e);
  };
  BytesMoved moved;
  moved.memory = into(problem.caches.l3);
  moved.l3 = into(problem.caches.l2);
  moved.l2 = into(problem.caches.l1);
  moved.packed =
      e * (copied(loops(), problem, Dimension::m) + copied(loops(), problem, Dimension::n));
  return moved;
}

}  // namespace kinjo::gemm
