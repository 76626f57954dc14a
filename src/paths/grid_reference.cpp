/// The border of what has been decided cuts one edge of each vertex of a row, and the edge between
/// the last vertex and the next one. A state says of each of these edges whether it is taken and,
/// if so, which other one belongs to the same path: the partners' positions, and not brackets, in a
/// hash table. So this shares neither the words nor the numbering with what it checks.
#include "paths/grid_reference.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

namespace kinjo::paths::detail {

namespace {

/// By edge: 0 if it is not taken, `kStart` if it is the end of the path from the first corner, else
/// the partner's position + 1.
using State = std::string;
constexpr char kStart = 127;
using Table = std::unordered_map<State, Count>;

/// Gives edge `to` the end that was at edge `from`.
void move_end(State& state, std::size_t from, std::size_t to) {
  const char partner = state[from];
  state[from] = 0;
  state[to] = partner;
  if (partner != kStart) state[static_cast<std::size_t>(partner) - 1] = static_cast<char>(to + 1);
}

/// The ends at two edges meet. Returns whether that makes no cycle.
bool join_ends(State& state, std::size_t a, std::size_t b) {
  const char of_a = state[a], of_b = state[b];
  if (of_a == static_cast<char>(b + 1)) return false;
  state[a] = state[b] = 0;
  if (of_a != kStart) state[static_cast<std::size_t>(of_a) - 1] = of_b;
  if (of_b != kStart) state[static_cast<std::size_t>(of_b) - 1] = of_a;
  return true;
}

/// A vertex whose edge from the left is at `at` and whose edge from above is behind it; the edges
/// down and right take these places.
struct Vertex {
  std::size_t at;
  bool right, below;  ///< whether there are such edges
};

void pass_vertex(const Vertex& v, const State& state, const Count& ways, Table& next) {
  const std::size_t left = v.at, above = v.at + 1;
  const auto reach = [&](const State& s) { next[s] += ways; };
  State after = state;
  if (state[left] != 0 && state[above] != 0) {
    if (join_ends(after, left, above)) reach(after);
    return;
  }
  if (state[left] == 0 && state[above] == 0) {
    reach(state);
    if (!v.right || !v.below) return;
    after[left] = static_cast<char>(above + 1);
    after[above] = static_cast<char>(left + 1);
    reach(after);
    return;
  }
  const std::size_t from = state[left] != 0 ? left : above;
  if (v.below) {
    if (from != left) move_end(after, from, left);
    reach(after);
  }
  after = state;
  if (v.right) {
    if (from != above) move_end(after, from, above);
    reach(after);
  }
}

/// Walks on from a vertex in all ways.
std::uint64_t walk(std::vector<std::vector<bool>>& free, std::size_t row, std::size_t column) {
  if (row >= free.size() || column >= free[0].size() || !free[row][column]) return 0;
  if (row + 1 == free.size() && column + 1 == free[0].size()) return 1;
  free[row][column] = false;
  // Beyond the first row or column the position wraps around and is beyond the last one.
  const std::uint64_t ways = walk(free, row + 1, column) + walk(free, row - 1, column) +
                             walk(free, row, column + 1) + walk(free, row, column - 1);
  free[row][column] = true;
  return ways;
}

}  // namespace

Count grid_paths_reference(unsigned rows, unsigned columns) {
  State start(columns + 2, 0);
  start[1] = kStart;  // as if it came from above the first corner
  Table table{{start, 1}};
  for (unsigned r = 0; r <= rows; ++r) {
    for (unsigned c = 0; c <= columns; ++c) {
      Table next;
      // The last corner's path goes on below.
      const bool last = r == rows && c == columns;
      const Vertex vertex{c, c < columns, r < rows || last};
      for (const auto& [state, ways] : table) pass_vertex(vertex, state, ways, next);
      table = std::move(next);
    }
    Table shifted;
    for (const auto& [state, ways] : table) {
      // The edges down become edges from above, one place on.
      State s = state;
      std::rotate(s.begin(), s.end() - 1, s.end());
      for (char& partner : s) {
        if (partner != 0 && partner != kStart) ++partner;
      }
      shifted[s] += ways;
    }
    table = std::move(shifted);
  }
  State end(columns + 2, 0);
  end[columns + 1] = kStart;
  return table[end];
}

Count grid_paths_walked(unsigned rows, unsigned columns) {
  std::vector<std::vector<bool>> free(rows + 1, std::vector<bool>(columns + 1, true));
  return walk(free, 0, 0);
}

}  // namespace kinjo::paths::detail
