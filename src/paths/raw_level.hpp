/// The nodes of one item before they are reduced, in pieces.
///
/// Hundreds of items grow, to as many nodes as nobody knows before, several of them at the same
/// time and in several threads. An array that grows has its pages moved, for which all threads are
/// interrupted. Pieces of 4 KiB are cut out of larger arenas, for whoever asks first, and stay. A
/// piece whose nodes are all dead takes nothing: nobody writes there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <kinjo/partition.hpp>

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

/// Where one thread's levels get their pieces, on pages that it will write first. May go before
/// they do.
class NodePool {
 public:
  explicit NodePool(NodeStore store = {}) : store_(std::move(store)) {}

  /// Nodes of a piece.
  static constexpr std::size_t kPiece = 4096 / sizeof(RawNode);
  using Arena = std::shared_ptr<const NodeArena>;

  struct Piece {
    RawNode* nodes;  ///< dead
    const Arena& arena;
  };

  /// Throws as the store does.
  Piece take() {
    if (left_ == 0) begin_arena();
    --left_;
    RawNode* const nodes = std::exchange(next_, next_ + kPiece);
    if (arena_->contents() != Contents::zeros) std::fill_n(nodes, kPiece, RawNode{});
    return {nodes, arena_};
  }

 private:
  /// Small ones first, for small diagrams.
  void begin_arena() {
    bytes_ = next_bytes();
    taken_ += bytes_;
    arena_ = store_.take(bytes_);
    next_ = static_cast<RawNode*>(arena_->data());
    left_ = bytes_ / (kPiece * sizeof(RawNode));
  }

  std::size_t next_bytes() const {
    if (store_.is_file()) return kOfFile;
    if (taken_ >= kMuch) return kLarge;
    return std::min(kMost, std::max(kLeast, 2 * bytes_));
  }

  static constexpr std::size_t kLeast = std::size_t{1} << 16, kMost = std::size_t{1} << 20;
  /// Arenas are huge pages where so much is taken that one which is hardly written adds little.
  static constexpr std::size_t kMuch = std::size_t{8} << 20, kLarge = std::size_t{2} << 20;
  /// A program may have some ten thousand maps.
  static constexpr std::size_t kOfFile = std::size_t{1} << 22;

  NodeStore store_;
  Arena arena_;
  std::size_t bytes_ = 0;  ///< of the arena
  std::size_t taken_ = 0;  ///< of all arenas
  RawNode* next_ = nullptr;
  std::size_t left_ = 0;
};

/// Movable, not copyable.
class RawLevel {
 public:
  RawLevel() = default;
  RawLevel(RawLevel&& other) noexcept
      : pieces_(std::move(other.pieces_)),
        arenas_(std::move(other.arenas_)),
        size_(std::exchange(other.size_, 0)),
        living_(std::exchange(other.living_, 0)) {}
  RawLevel& operator=(RawLevel&& other) noexcept {
    RawLevel taken(std::move(other));
    std::swap(pieces_, taken.pieces_);
    std::swap(arenas_, taken.arenas_);
    std::swap(size_, taken.size_);
    std::swap(living_, taken.living_);
    return *this;
  }

  /// What a level of so many nodes takes, at most.
  static constexpr std::uint64_t bytes_of(std::uint64_t nodes) {
    return (nodes + NodePool::kPiece - 1) / NodePool::kPiece * kPieceBytes;
  }

  std::size_t size() const { return size_; }
  /// Of pieces that somebody has written.
  std::uint64_t bytes() const { return living_ * kPieceBytes; }
  RawNode operator[](std::size_t i) const {
    const RawNode* const piece = pieces_[i / NodePool::kPiece];
    return piece == nullptr ? RawNode{kDead, kDead} : piece[i % NodePool::kPiece];
  }

  /// Makes it longer; nodes that come new are dead.
  void grow(std::size_t size) {
    size_ = std::max(size_, size);
    pieces_.resize((size_ + NodePool::kPiece - 1) / NodePool::kPiece);
  }
  /// To be written. Throws `Error` (`out_of_memory`).
  RawNode& at(std::size_t i, NodePool& pool) {
    RawNode*& piece = pieces_[i / NodePool::kPiece];
    if (piece == nullptr) piece = take(pool);
    return piece[i % NodePool::kPiece];
  }
  /// To be written once more.
  RawNode& again(std::size_t i) { return pieces_[i / NodePool::kPiece][i % NodePool::kPiece]; }
  void append(std::span<const RawNode> nodes, NodePool& pool) {
    std::size_t end = size_;
    grow(size_ + nodes.size());
    while (!nodes.empty()) {
      const std::size_t count = std::min(nodes.size(), NodePool::kPiece - end % NodePool::kPiece);
      std::copy_n(nodes.data(), count, &at(end, pool));
      nodes = nodes.subspan(count);
      end += count;
    }
  }
  void push_back(const RawNode& node, NodePool& pool) { append({&node, 1}, pool); }

  /// Nodes from k · `NodePool::kPiece` on; none if all of them are dead.
  std::span<RawNode> piece(std::size_t k) {
    if (pieces_[k] == nullptr) return {};
    return {pieces_[k], std::min(NodePool::kPiece, size_ - k * NodePool::kPiece)};
  }
  std::size_t pieces() const { return pieces_.size(); }
  /// Nodes of all pieces that live.
  std::size_t living_nodes() const {
    if (living_ == 0) return 0;
    const std::size_t behind_last = pieces_.size() * NodePool::kPiece - size_;
    return living_ * NodePool::kPiece - (pieces_.back() == nullptr ? 0 : behind_last);
  }
  /// Pieces, one after the other, that have the `index`-th of so many shares of those that live.
  Range share(std::size_t index, std::size_t of) const {
    return {living_before(living_ * index / of), living_before(living_ * (index + 1) / of)};
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
  static constexpr std::size_t kPieceBytes = NodePool::kPiece * sizeof(RawNode);

  [[gnu::noinline]] RawNode* take(NodePool& pool) {
    const NodePool::Piece piece = pool.take();
    if (arenas_.empty() || arenas_.back() != piece.arena) arenas_.push_back(piece.arena);
    ++living_;
    return piece.nodes;
  }
  /// The first piece that so many living ones are before, or one past the last.
  std::size_t living_before(std::size_t count) const {
    std::size_t at = 0;
    for (; at < pieces_.size() && (count > 0 || pieces_[at] == nullptr); ++at) {
      count -= pieces_[at] != nullptr ? 1 : 0;
    }
    return at;
  }

  std::vector<RawNode*> pieces_;         ///< null: dead
  std::vector<NodePool::Arena> arenas_;  ///< that the pieces are of
  std::size_t size_ = 0;
  std::size_t living_ = 0;  ///< pieces
};

}  // namespace kinjo::paths::detail
