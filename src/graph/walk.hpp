/// One thread's look at rows: whoever is new in them is marked, and gets the row's vertex for a
/// parent.
///
/// New vertices are written one behind the other without a branch: each neighbour is, and the end
/// moves on if it was new. Which are nobody can foresee, and a wrong guess costs more than a store.
/// Parents lie at random places, so they are written when their lines have come.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <span>

#include "graph/chunks.hpp"

namespace kinjo::graph::detail {

/// Whether a vertex is new; it is not any more.
inline bool visit(Word* visited, Vertex u) {
  const Word word = visited[u / kWordBits];
  visited[u / kWordBits] = word | Word{1} << u % kWordBits;
  return ~word >> u % kWordBits & 1;
}

/// Where a walk writes who is new.
struct WalkOutput {
  Vertex* begin;
  /// Where it goes on from the beginning again, since nobody wants to know who they were: kWalkRoom
  /// behind this there is still room. Null if all are kept.
  const Vertex* full = nullptr;
};

/// Vertices that a walk may write before it asks whether there is room.
inline constexpr std::size_t kWalkRoom = kTogether + 2 * kShort;

template <class Rows>
class Walk {
 public:
  /// `visited` is written by this thread alone. Another one may find the same vertex in bits of its
  /// own: then the parent that was written last lasts.
  Walk(const Rows& rows, Word* visited, Vertex* parents, const WalkOutput& out)
      : rows_(rows), visited_(visited), parents_(parents), out_(out), end_(out.begin) {}

  /// A chunk of the queue `all`.
  void run(const Chunk& chunk, std::span<const Vertex> all) {
    for_each_piece(rows_, chunk, all, [this](const Piece& piece) {
      const auto [v, row, degree, from, to] = piece;
      looked_at_ += to - from;
      if (degree <= kShort && row + kShort <= rows_.limit(v)) {
        put_aside(row, degree, v);
      } else {
        for (EdgeCount at = from; at < to; at += kTogether) {
          look_at(row + at, row + std::min(to, at + kTogether), v);
        }
      }
    });
  }

  /// Gives parents to all who were found.
  void finish() {
    look_at_short_rows();
    give_parents();
  }

  Vertex* end() const { return end_; }
  EdgeCount looked_at() const { return looked_at_; }

 private:
  void put_aside(const Vertex* begin, std::size_t degree, Vertex v) {
    std::copy(begin, begin + kShort, children_ + waiting_);
    std::fill(owners_ + waiting_, owners_ + waiting_ + kShort, v);
    waiting_ += degree;
    if (waiting_ > kTogether) look_at_short_rows();
  }

  /// First drops those that were visited before, without marking any: neighbours lie close together
  /// in short rows, and a word that is written and read again at once is waited for.
  void look_at_short_rows() {
    make_room();
    std::size_t left = 0;
    for (std::size_t k = 0; k < waiting_; ++k) {
      const Vertex u = children_[k];
      children_[left] = u;
      owners_[left] = owners_[k];
      left += ~visited_[u / kWordBits] >> u % kWordBits & 1;
    }
    Vertex* const begin = end_;
    Vertex* end = end_;
    for (std::size_t k = 0; k < left; ++k) {
      *end = children_[k];
      owners_[end - begin] = owners_[k];
      end += visit(visited_, children_[k]);
    }
    for (std::ptrdiff_t k = 0; k < end - begin; ++k) give(begin[k], owners_[k]);
    end_ = end;
    waiting_ = 0;
  }

  void look_at(const Vertex* row, const Vertex* row_end, Vertex v) {
    make_room();
    const Vertex* const begin = end_;
    Vertex* end = end_;
    for (; row != row_end; ++row) {
      *end = *row;
      end += visit(visited_, *row);
    }
    end_ = end;
    const std::span<const Vertex> found(begin, end);
    for (const Vertex u : found) fetch_to_second(parents_ + u);
    late_[late_count_++] = {found, v};
    if (late_count_ == late_.size()) give_parents();
  }

  void make_room() {
    if (out_.full == nullptr || end_ <= out_.full) return;
    give_parents();
    end_ = out_.begin;
  }

  void give(Vertex child, Vertex parent) const {
    std::atomic_ref(parents_[child]).store(parent, std::memory_order_relaxed);
  }
  void give_parents() {
    for (std::size_t k = 0; k < late_count_; ++k) {
      for (const Vertex child : late_[k].children) give(child, late_[k].parent);
    }
    late_count_ = 0;
  }

  /// Finds whose parents will be written when the lines that these lie in have come.
  struct Late {
    std::span<const Vertex> children;
    Vertex parent = 0;
  };

  const Rows& rows_;
  Word* const visited_;
  Vertex* const parents_;
  const WalkOutput out_;
  Vertex* end_;
  EdgeCount looked_at_ = 0;
  std::size_t waiting_ = 0;
  std::array<Late, 4> late_;
  std::size_t late_count_ = 0;
  Vertex children_[kTogether + 2 * kShort];
  Vertex owners_[kTogether + 2 * kShort];
};

}  // namespace kinjo::graph::detail
