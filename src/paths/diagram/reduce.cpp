/// Reducing a diagram (Bryant, 1986; zero-suppressed: Minato, 1993), level by level from the last
/// item up, by sorting.
///
/// A node whose hi leads to no set is its lo; nodes with the same (lo, hi) are one. Instead of
/// references, which have 40 bits, a level's nodes are told by ranks: dense numbers of 32 bits, in
/// the order of the references they stand for. Ranks 0 and 1 are ⊥ and ⊤, then come those that are
/// only passed on from below, then the level's own nodes.
///
/// Ranks being dense, a level is sorted by (lo, hi) by dealing it twice, to the ranks of hi and
/// then to those of lo, and whatever differs from what is before it is a new node. So nodes rise by
/// (lo, hi) within a level, which makes the diagram of a family the same to the last bit, whatever
/// it was made of. What is read and written at random has the size of one level, and no loop has a
/// branch that depends on the nodes.
///
/// A team shares large levels in a way of its own (reduce_shared.hpp), with the same result.
#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/team.hpp>

#include "base/text.hpp"
#include "paths/diagram/reduce_shared.hpp"
#include "paths/levels.hpp"
#include "paths/memory_bound.hpp"

namespace kinjo::paths::detail {

using kinjo::detail::GrowingArray;

namespace {

/// Levels of fewer nodes are done before threads have met.
constexpr std::size_t kFewNodes = std::size_t{1} << 12;

/// One level after the other by one thread.
class LevelReducer {
 public:
  explicit LevelReducer(Reduction& reduction) : all_(reduction) {}

  /// Frees the level.
  void reduce(std::size_t item, RawLevel& raw) {
    here_ = &all_.here(item);
    below_ = &all_.below(item);
    here_->begin(raw.size(), all_.nodes.size() + kFirstNode);
    const std::uint32_t passed_on = rank_children(raw);
    pass_on();
    by_hi_.resize(raw.living_nodes());
    deal_by_hi(raw);
    const std::span<const Ranked> dealt = by_hi_.all();
    for (const Ranked& node : dealt.first(passed_on)) {
      here_->of_child[node.node + kFirstChild] = passed_rank_[node.lo];
    }
    by_lo_.resize(dealt.size() - passed_on);
    deal_by_lo(dealt.subspan(passed_on));
    make_nodes(by_lo_.all());
    raw = RawLevel();
  }

 private:
  /// Replaces children by ranks and counts them; returns how many nodes are passed on.
  std::uint32_t rank_children(RawLevel& raw) {
    const std::size_t size = below_->size();
    hi_.begin(size);
    lo_.begin(size);
    is_passed_on_.resize(size);
    std::ranges::fill(is_passed_on_.all(), 0);
    const Rank* const ranks = below_->of_child.data();
    std::uint8_t* const is_passed_on = is_passed_on_.data();
    std::uint32_t passed_on = 0;
    for (std::size_t piece = 0; piece < raw.pieces(); ++piece) {
      for (RawNode& node : raw.piece(piece)) {
        node = {ranks[node.lo], ranks[node.hi]};
        const bool empty = node.hi == kDead;
        passed_on += empty;
        is_passed_on[empty ? node.lo : kDead] = 1;
        hi_.count(node.hi);
        lo_.count(node.lo, !empty);
      }
    }
    return passed_on;
  }

  /// Gives ranks to what is passed on.
  void pass_on() {
    const std::size_t size = below_->size();
    passed_rank_.resize(size);
    here_->passed_on.resize(size + 1);
    const Refs refs = below_->refs();
    Rank next = kFirstChild;
    for (Rank rank = kFirstChild; rank < size; ++rank) {
      passed_rank_[rank] = next;
      here_->passed_on[next] = refs[rank];
      next += is_passed_on_[rank];
    }
    for (const Rank decided : {kDead, kMember}) passed_rank_[decided] = decided;
    here_->passed_on.resize(next);
  }

  /// Those without hi come first.
  void deal_by_hi(RawLevel& raw) {
    hi_.end_count();
    for (std::size_t piece = 0; piece < raw.pieces(); ++piece) {
      auto k = static_cast<std::uint32_t>(piece * NodePool::kPiece);
      for (const RawNode& node : raw.piece(piece)) {
        by_hi_[hi_.next(node.hi)] = {node.lo, node.hi, k++};
      }
    }
  }

  void deal_by_lo(std::span<const Ranked> dealt) {
    lo_.end_count();
    for (const Ranked& node : dealt) by_lo_[lo_.next(node.lo)] = node;
  }

  void make_nodes(std::span<const Ranked> sorted) {
    const std::size_t before = all_.nodes.size();
    all_.nodes.resize(before + sorted.size());
    PackedNode* const nodes = all_.nodes.data();
    Rank* const ranks = here_->of_child.data() + kFirstChild;
    const Refs refs = below_->refs();
    std::size_t count = before;
    Rank rank = static_cast<Rank>(here_->passed_on.size()) - 1;
    Rank lo = kDead, hi = kDead;  // no node's
    for (const Ranked& next : sorted) {
      const bool differs = (next.lo != lo) | (next.hi != hi);
      count += differs;
      rank += differs;
      lo = next.lo;
      hi = next.hi;
      nodes[count - 1] = pack(refs[lo], refs[hi]);
      ranks[next.node] = rank;
    }
    all_.nodes.resize(count);
    here_->own = count - before;
  }

  Reduction& all_;
  Ranks* below_ = nullptr;
  Ranks* here_ = nullptr;
  Deal hi_, lo_;
  /// By rank below.
  GrowingArray<std::uint8_t> is_passed_on_;
  GrowingArray<Rank> passed_rank_;
  /// The level, dealt once, and what remains of it, dealt twice.
  GrowingArray<Ranked> by_hi_, by_lo_;
};

/// All levels, by one thread or a team.
class Reducer {
 public:
  Reducer(Levels& levels, Team* team, const ReduceOptions& options)
      : levels_(levels),
        threads_(team == nullptr ? 1 : std::min(team->size(), SharedReducer::kMost)),
        options_(options),
        memory_(options.memory_limit) {
    std::uint64_t bytes = 0;
    for (const RawLevel& level : levels_.nodes) {
      bytes += level.bytes();
      is_shared_.push_back(threads_ > 1 && level.size() >= kFewNodes);
    }
    if (std::ranges::find(is_shared_, true) != is_shared_.end()) team_ = team;
    need_.emplace(bytes, team_ == nullptr ? 1 : threads_, options.nodes_in);
  }

  /// Nothing if `go_on` has ended it.
  std::optional<Diagram> run() {
    data_->first.assign(levels_.nodes.size() + 1, kFirstNode);
    const std::size_t items = levels_.nodes.size();
    all_.here(items).begin(0, kFirstNode);
    if (team_ == nullptr) {
      for (std::size_t item = items; item-- > last_;) reduce_alone(item);
    } else {
      SharedReducer shared(all_, threads_);
      team_->run([&](const Place& me) {
        work(shared, static_cast<std::size_t>(me.thread), [&] { team_->barrier(me); });
      });
    }
    if (last_ != 0) return std::nullopt;
    const Ranks& top = all_.here(0);
    data_->root = top.refs()[top.of_child[levels_.root]];
    data_->keep(std::move(all_.nodes));
    return Diagram(std::move(data_));
  }

 private:
  /// The first thread reduces small levels while the others wait for the next large one.
  template <class Meet>
  void work(SharedReducer& shared, std::size_t thread, const Meet& meet) {
    if (thread < threads_) shared.join(thread);
    bool have_met = false;
    for (std::size_t item = is_shared_.size(); item-- > 0;) {
      if (is_shared_[item]) {
        if (!have_met) meet();
        if (item < last_) return;
        if (thread == 0) begin(item);
        shared.reduce(item, levels_.nodes[item], thread, meet);
      } else if (thread == 0 && item >= last_) {
        reduce_alone(item);
      }
      have_met = is_shared_[item];
    }
  }

  /// Of the first thread. Where it is asked to end, this level is the last one: threads have met
  /// since they could not know before they look whether there is a next one.
  void begin(std::size_t item) {
    data_->first[item] = all_.nodes.size() + kFirstNode;
    check_memory(item);
    const std::size_t items = levels_.nodes.size(), nodes = levels_.nodes[item].size();
    if (item == 0) return;
    levels_.nodes[item - 1].fetch();
    if (!options_.go_on) return;
    if (!options_.go_on({items - item, items, nodes, need_->held(), true})) last_ = item;
  }
  /// Throws unless there is room for what the level can become, and what sorts it.
  void check_memory(std::size_t item) {
    const RawLevel& level = levels_.nodes[item];
    const std::uint64_t bytes = need_->next(all_.nodes.size(), level.living_nodes(), level.bytes());
    const std::uint64_t limit = memory_.where(need_->held());
    if (bytes <= limit) return;
    const bool spills = options_.nodes_in == NodesIn::file;
    throw Error(Errc::out_of_memory,
                fmt::format("the diagram takes more memory than the limit of {}: it is reached at "
                            "edge {} of {} where the nodes are reduced, from the last edge up; "
                            "expected a larger limit{}",
                            kinjo::detail::format_bytes(limit), item + 1, levels_.nodes.size(),
                            spills ? "" : ", or a directory to spill to"));
  }
  void reduce_alone(std::size_t item) {
    begin(item);
    alone_.reduce(item, levels_.nodes[item]);
  }

  Levels& levels_;
  std::size_t threads_;
  Team* team_ = nullptr;         ///< if there is anything to share
  std::vector<char> is_shared_;  ///< by item
  const ReduceOptions& options_;
  MemoryBound memory_;
  std::optional<ReductionNeed> need_;
  std::atomic<std::size_t> last_{0};  ///< item that is to be done
  std::shared_ptr<DiagramData> data_ = std::make_shared<DiagramData>();
  Reduction all_;
  LevelReducer alone_{all_};
};

}  // namespace

Diagram reduce(Levels&& levels) {
  const ReduceOptions options;
  return *Reducer(levels, nullptr, options).run();
}

std::optional<Diagram> reduce(Levels&& levels, Team& team, const ReduceOptions& options) {
  return Reducer(levels, &team, options).run();
}

}  // namespace kinjo::paths::detail
