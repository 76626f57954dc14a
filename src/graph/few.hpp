/// The neighbours of a short row, in registers.
#pragma once

#include "graph/row_sort.hpp"

namespace kinjo::graph::detail {

/// At most kVeryFew of a row, and kNoVertex behind them.
struct Few {
  Vertex a, b, c, d;

  void sort() {
    exchange(a, b);
    exchange(c, d);
    exchange(a, c);
    exchange(b, d);
    exchange(b, c);
  }
  void put(Vertex* row) const {
    row[0] = a;
    row[1] = b;
    row[2] = c;
    row[3] = d;
  }
  /// Once they are sorted.
  bool repeat() const {
    // Without a branch: how many of them there are nobody foresees.
    const auto same = [](Vertex x, Vertex y) { return (x == y) & (y != kNoVertex); };
    return same(a, b) | same(b, c) | same(c, d);
  }
  bool has(Vertex v) const { return (a == v) | (b == v) | (c == v) | (d == v); }
  /// That instead of kNoVertex.
  void fill_with(Vertex v) {
    for (Vertex* const u : {&a, &b, &c, &d}) *u = *u == kNoVertex ? v : *u;
  }

 private:
  static void exchange(Vertex& x, Vertex& y) {
    // Not std::min and std::max, of which g++ makes branches.
    const Vertex change = (x ^ y) & -Vertex{y < x};
    x ^= change;
    y ^= change;
  }
};

}  // namespace kinjo::graph::detail
