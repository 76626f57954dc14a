/// The nodes of one item before they are reduced, in pieces.
///
/// Hundreds of items grow, to as many nodes as nobody knows before, several of them at the same
/// time and in several threads. An array that grows has its pages moved, for which all threads are
/// interrupted. Pieces of 4 KiB are cut out of larger arenas, for whoever asks first, and stay. A
/// piece whose nodes are all dead takes nothing: nobody writes there.
///
/// Where states stay, a node's branch without the item leads to the node of the same number, so
/// only the other one is kept: half of a level's bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "paths/node_store.hpp"

namespace kinjo::paths::detail {

/// What a node's branch leads to: `kDead` (no set), `kMember` (the items taken so far, and no
/// others), or `kFirstChild` + k for node k of the next item.
using Child = std::uint32_t;
constexpr Child kDead = 0, kMember = 1, kFirstChild = 2;

/// Where the sets without (lo) and with (hi) the item go on.
struct RawNode {
  Child lo, hi;
};

/// Where all nodes of a level that are not dead have their lo.
enum class Lo {
  anywhere,
  same,  ///< at the next item's node of the same number
};

/// Where one thread's levels get their pieces, on pages that it will write first. May go before
/// they do.
class NodePool {
 public:
  /// One of as many pools as threads.
  explicit NodePool(NodeStore store = {}, std::size_t threads = 1)
      : store_(std::move(store)), much_(std::clamp(threads / 2 * kMuch, kMuch, kMost)) {}

  /// A piece holds so many children.
  static constexpr std::size_t kPiece = 4096 / sizeof(Child);
  using Arena = std::shared_ptr<const NodeArena>;

  struct Piece {
    Child* children;  ///< all dead
    const Arena& arena;
  };

  /// Throws as the store does.
  Piece take() {
    if (left_ == 0) begin_arena();
    --left_;
    Child* const children = std::exchange(next_, next_ + kPiece);
    if (arena_->contents() != Contents::zeros) std::fill_n(children, kPiece, kDead);
    return {children, arena_};
  }

 private:
  /// Small ones first, for small diagrams.
  void begin_arena() {
    bytes_ = next_bytes();
    taken_ += bytes_;
    arena_ = store_.take(bytes_);
    next_ = static_cast<Child*>(arena_->data());
    left_ = bytes_ / (kPiece * sizeof(Child));
  }

  std::size_t next_bytes() const {
    if (store_.is_file()) return kOfFile;
    if (taken_ >= much_) return kLarge;
    return std::clamp(2 * bytes_, kLeast, kLarge / 2);
  }

  static constexpr std::size_t kLeast = std::size_t{1} << 16;
  /// Arenas are huge pages soon: a small page takes the kernel longer than a thread takes to fill
  /// it. But of many threads each hardly fills its last, so there they come later.
  static constexpr std::size_t kMuch = std::size_t{7} << 16, kMost = std::size_t{8} << 20;
  static constexpr std::size_t kLarge = std::size_t{2} << 20;
  /// A program may have some ten thousand maps.
  static constexpr std::size_t kOfFile = std::size_t{1} << 22;

  NodeStore store_;
  std::size_t much_;  ///< taken, from where on arenas are huge pages
  Arena arena_;
  std::size_t bytes_ = 0;  ///< of the arena
  std::size_t taken_ = 0;  ///< of all arenas
  Child* next_ = nullptr;
  std::size_t left_ = 0;
};

/// Movable, not copyable. What it is moved from is empty, and has the same form.
class RawLevel {
 public:
  RawLevel() = default;
  explicit RawLevel(Lo lo) : lo_(lo) {}
  RawLevel(RawLevel&& other) noexcept
      : lo_(other.lo_),
        pieces_(std::move(other.pieces_)),
        arenas_(std::move(other.arenas_)),
        size_(std::exchange(other.size_, 0)),
        living_(std::exchange(other.living_, 0)) {}
  RawLevel& operator=(RawLevel&& other) noexcept {
    RawLevel taken(std::move(other));
    std::swap(lo_, taken.lo_);
    std::swap(pieces_, taken.pieces_);
    std::swap(arenas_, taken.arenas_);
    std::swap(size_, taken.size_);
    std::swap(living_, taken.living_);
    return *this;
  }

  static constexpr std::size_t nodes_of_piece(Lo lo) {
    return lo == Lo::same ? NodePool::kPiece : NodePool::kPiece / 2;
  }
  std::size_t nodes_of_piece() const { return nodes_of_piece(lo_); }
  /// What a level of so many nodes takes, at most.
  static constexpr std::uint64_t bytes_of(std::uint64_t nodes, Lo lo) {
    return (nodes + nodes_of_piece(lo) - 1) / nodes_of_piece(lo) * kPieceBytes;
  }

  std::size_t size() const { return size_; }
  /// Of pieces that somebody has written.
  std::uint64_t bytes() const { return living_ * kPieceBytes; }
  RawNode operator[](std::size_t i) const {
    if (pieces_[i / nodes_of_piece()] == nullptr) return {kDead, kDead};
    const Child* const kept = children_of(i);
    return lo_ == Lo::same ? node_of(kept[0], i) : RawNode{kept[0], kept[1]};
  }

  /// Makes it longer; nodes that come new are dead.
  void grow(std::size_t size) {
    size_ = std::max(size_, size);
    pieces_.resize((size_ + nodes_of_piece() - 1) / nodes_of_piece());
  }
  /// Writes a node whose lo is anywhere. Throws `Error` (`out_of_memory`), as what follows.
  void set(std::size_t i, RawNode node, NodePool& pool) {
    std::memcpy(at(i, pool), &node, sizeof node);
  }
  /// Writes a node whose lo is the same number's.
  void set(std::size_t i, Child hi, NodePool& pool) { *at(i, pool) = hi + 1; }
  void append(std::span<const RawNode> nodes, NodePool& pool) {
    std::size_t end = size_;
    grow(size_ + nodes.size());
    while (!nodes.empty()) {
      const std::size_t in_piece = nodes_of_piece();
      const std::size_t count = std::min(nodes.size(), in_piece - end % in_piece);
      std::memcpy(at(end, pool), nodes.data(), count * sizeof(RawNode));
      nodes = nodes.subspan(count);
      end += count;
    }
  }
  void push_back(const RawNode& node, NodePool& pool) { append({&node, 1}, pool); }

  /// Nodes one after the other, of one piece that lives.
  struct Run {
    std::uint32_t first, size;
  };
  /// Calls `each` with the runs, rising, of the `index`-th of so many shares of all nodes of pieces
  /// that live.
  template <class Each>
  void for_each_run(std::size_t index, std::size_t of, const Each& each) const {
    const std::size_t nodes = living_nodes();
    std::size_t before = nodes * index / of, left = nodes * (index + 1) / of - before;
    for (std::size_t piece = 0; left > 0; ++piece) {
      if (pieces_[piece] == nullptr) continue;
      const std::size_t size = size_of(piece);
      if (before < size) {
        const std::size_t first = piece * nodes_of_piece() + before;
        const std::size_t count = std::min(size - before, left);
        each(Run{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)});
        left -= count;
      }
      before -= std::min(before, size);
    }
  }
  /// Calls `each` with the children of each node of a run.
  template <class Each>
  void for_each_of(Run run, const Each& each) const {
    const Child* const kept = children_of(run.first);
    if (lo_ == Lo::same) {
      for (std::size_t i = 0; i < run.size; ++i) each(node_of(kept[i], run.first + i));
    } else {
      for (std::size_t i = 0; i < run.size; ++i) each(RawNode{kept[2 * i], kept[2 * i + 1]});
    }
  }
  /// Nodes of all pieces that live.
  std::size_t living_nodes() const {
    if (living_ == 0) return 0;
    const std::size_t behind_last = pieces_.size() * nodes_of_piece() - size_;
    return living_ * nodes_of_piece() - (pieces_.back() == nullptr ? 0 : behind_last);
  }

  /// Is complete, and not looked at before it is reduced.
  void put_away() const {
    for (const NodePool::Arena& arena : arenas_) arena->put_away();
  }
  /// Will be reduced next.
  void fetch() const {
    for (const NodePool::Arena& arena : arenas_) arena->fetch();
  }

 private:
  static constexpr std::size_t kPieceBytes = NodePool::kPiece * sizeof(Child);

  std::size_t size_of(std::size_t piece) const {
    return std::min(nodes_of_piece(), size_ - piece * nodes_of_piece());
  }
  /// Where a node's children are, of a piece that lives: both, or hi + 1, as 0 is a node that is
  /// dead.
  Child* children_of(std::size_t i) const {
    const std::size_t in_piece = i % nodes_of_piece();
    return pieces_[i / nodes_of_piece()] + in_piece * (NodePool::kPiece / nodes_of_piece());
  }
  Child* at(std::size_t i, NodePool& pool) {
    Child*& piece = pieces_[i / nodes_of_piece()];
    if (piece == nullptr) piece = take(pool);
    return children_of(i);
  }
  [[gnu::noinline]] Child* take(NodePool& pool) {
    const NodePool::Piece piece = pool.take();
    if (arenas_.empty() || arenas_.back() != piece.arena) arenas_.push_back(piece.arena);
    ++living_;
    return piece.children;
  }
  /// What is kept of node `number` where lo is the same number's.
  static RawNode node_of(Child kept, std::size_t number) {
    // Nothing that a compiler could make a branch of.
    const Child alive = kept != 0 ? 1 : 0;
    return {(static_cast<Child>(number) + kFirstChild) & (0 - alive), kept - alive};
  }

  Lo lo_ = Lo::anywhere;
  std::vector<Child*> pieces_;           ///< null: dead
  std::vector<NodePool::Arena> arenas_;  ///< that the pieces are of
  std::size_t size_ = 0;
  std::size_t living_ = 0;  ///< pieces
};

}  // namespace kinjo::paths::detail
