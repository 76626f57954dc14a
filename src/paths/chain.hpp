/// The edge-based approach: a decision diagram built by a chain of threads, without locks (Yasui et
/// al.; S1 section 4.2 and its reference [13]).
///
/// Thread j of k owns the bands of items (bands.hpp) j, j + k, j + 2k …: a hash table of each
/// band's states, which it alone looks into. A state goes to the next thread, which owns the next
/// band, when it first arrives, in the order of arrival, in blocks through a queue that one thread
/// fills and one empties. The receiver decides the band's last item for it, and looks up what that
/// makes of it. So all threads of the chain are busy at once, at different depths of the diagram.
///
/// *What is sent* are parents, not children: these are up to twice as many, and would have to say
/// whose they are. To bring a line of memory from one core to another takes as long as all else
/// that is done for the states in it.
///
/// *Nodes.* Blocks come in the order of their states' numbers, so the receiver, who gives the
/// children theirs, also writes the parents' nodes, one after another, and nothing is ever sent
/// back. Everything that a thread writes is its own, but for the queue's blocks.
///
/// *No deadlock*, though the chain is closed to a ring and queues are bounded: what has arrived is
/// taken in without anything being sent, and a thread whose queue is full goes on taking in.
///
/// *Order of work*: states are sent as soon as they have come, since another thread may be waiting
/// for them. A thread decides for its foremost band, and takes in what has come when there is
/// nothing left to decide, and then until the queue is empty: to look up one block in one table and
/// the next in another would have neither of them in the caches. But where the next thread has
/// taken all, it decides a block for each that it takes in, since to take in states that are known
/// makes nothing to send; and where all else has to wait for the next thread, it decides for the
/// bands behind. Incomplete blocks only where there is nothing else to do.
///
/// With one thread a band is complete before it is expanded, and blocks are taken in where they
/// were made: this is the plain level by level construction.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include <kinjo/error.hpp>
#include <kinjo/lab.hpp>
#include <kinjo/team.hpp>

#include "base/relax.hpp"
#include "memory/claim.hpp"
#include "memory/own_pages.hpp"
#include "paths/band.hpp"
#include "paths/band_sizes.hpp"
#include "paths/memory_bound.hpp"
#include "paths/ring.hpp"

namespace kinjo::paths::detail {

/// Where a construction is.
struct ChainProgress {
  std::size_t item = 0, items = 0;
  std::uint64_t states = 0;  ///< of the band that is foremost in the first thread
  std::uint64_t bytes = 0;   ///< of memory held
};

struct ChainOptions {
  std::uint64_t memory_limit = 0;  ///< bytes; 0: what the system has available
  std::function<bool(const ChainProgress&)> go_on;
  NodeStore store;  ///< for the nodes; those in a file are not memory
};

/// Throws what a construction that outgrows its limit throws, up to and with an item.
[[noreturn]] void refuse_nodes(const ChainProgress& reached, std::uint64_t limit,
                               const NodeStore& store);

template <Specification S>
class Chain {
  static constexpr std::size_t kWords = std::tuple_size_v<typename S::State>;

 public:
  Chain(const S& specification, const ChainOptions& options)
      : specification_(specification),
        options_(options),
        bands_(bands_of(specification)),
        sizes_(specification, bands_),
        memory_(options.memory_limit) {}

  /// The diagram before it is reduced, or nothing if `go_on` has ended it. Throws `Error`
  /// (`out_of_memory`). `specification` must have items.
  std::optional<Levels> run(Team& team) {
    levels_ = {.nodes = std::vector<RawLevel>(specification_.items()), .root = kFirstChild};
    rings_.clear();
    rings_.resize(team.size() == 1 ? 0 : team.size());
    threads_ = team.size();
    stop_ = false;
    interrupted_ = false;
    nodes_ = 0;
    tables_ = 0;
    KINJO_PHASE("build");
    team.run([&](const Place& me) {
      if (!rings_.empty()) {
        rings_[static_cast<std::size_t>(me.thread)] = kinjo::detail::OwnPages<Queue>(1);
      }
      team.barrier(me);
      try {
        Worker(*this, static_cast<std::size_t>(me.thread)).run();
      } catch (...) {
        stop_ = true;  // nobody waits for what will not come
        throw;
      }
    });
    if (interrupted_) return std::nullopt;
    return std::move(levels_);
  }

 private:
  /// States of a band, in the order of their numbers, or that there are no more.
  struct Block {
    std::uint32_t band = 0;
    std::uint32_t count = 0;  ///< 0: the band is done
    std::array<State<kWords>, kBlock> states;
  };
  /// Not many, so that they stay in the caches of who reads them.
  using Queue = Ring<Block, 32>;
  class Worker;

  /// Bytes of memory.
  std::uint64_t held() const {
    return nodes_.load(std::memory_order_relaxed) + tables_.load(std::memory_order_relaxed);
  }

  const S& specification_;
  const ChainOptions& options_;
  std::vector<BandItems> bands_;
  BandSizes<S> sizes_;
  Levels levels_;
  std::vector<kinjo::detail::OwnPages<Queue>> rings_;  ///< by the thread that empties it
  std::size_t threads_ = 1;
  /// Bytes of memory: nodes, and what is known of states.
  std::atomic<std::uint64_t> nodes_{0}, tables_{0};
  MemoryBound memory_;
  std::atomic<bool> stop_{false};
  bool interrupted_ = false;
};

/// One thread of the chain.
template <Specification S>
class Chain<S>::Worker {
 public:
  Worker(Chain& chain, std::size_t thread)
      : chain_(chain),
        thread_(thread),
        from_(chain.rings_.empty() ? nullptr : &*chain.rings_[thread]),
        to_(chain.rings_.empty() ? nullptr : &*chain.rings_[(thread + 1) % chain.threads_]),
        pool_(chain.options_.store, chain.threads_),
        next_band_(thread),
        expected_(chain.sizes_) {}

  void run() {
    if (thread_ == 0) begin();
    while (!active_.empty() || next_band_ < chain_.bands_.size()) {
      if (chain_.stop_.load(std::memory_order_relaxed)) return;
      if (++turns_ % kTurnsToAccount == 0) account();
      if (thread_ == 0 && turns_ > kTurns && !active_.empty()) {
        const Band<S>& band = *active_.front().band;
        tell(band.items().first, band);
      }
      if (step()) {
        idle_ = 0;
      } else {
        wait();
      }
    }
    spare_.clear();
    count_held();
  }

 private:
  /// Turns after which the first thread tells where it is, if no band has ended: a few
  /// milliseconds.
  static constexpr unsigned kTurns = 1024;
  /// Turns after which a thread looks at what it holds, though no band has ended.
  static constexpr unsigned kTurnsToAccount = 64;
  /// Looks in vain after which blocks that are not full are better than none.
  static constexpr unsigned kPatience = 2;

  using Decide = decltype(std::declval<const S&>().at(0));

  struct Active {
    std::size_t number;
    kinjo::detail::OwnPages<Band<S>> band;
    RawLevel before;        ///< nodes of the last item of the band before, so far
    bool complete = false;  ///< nothing more arrives
  };

  void begin() {
    Active& first = open(0);
    const State<kWords> root = chain_.specification_.root();
    std::uint32_t number = 0;
    first.band->arrive({&root, 1}, &number);
    first.complete = true;
  }

  /// The band of that number, which is made when something first arrives for it.
  Active& open(std::size_t number) {
    for (Active& active : active_) {
      if (active.number == number) return active;
    }
    if (spare_.empty()) {
      spare_.emplace_back(1, chain_.specification_, std::ref(pool_));
    }
    active_.push_back({number, std::move(spare_.back()), {}});
    spare_.pop_back();
    active_.back().band->begin(chain_.bands_[number], expected_.of(number, last_size_));
    next_band_ = number + chain_.threads_;
    return active_.back();
  }

  bool is_alone() const { return chain_.threads_ == 1; }

  /// Does one piece of what is to do; whether there was any.
  bool step() {
    const Fill fill = idle_ > kPatience ? Fill::any : Fill::full;
    if (is_alone()) return work(fill);
    const bool sent = send_on(fill);
    if (receives_) receives_ = receive();
    if (receives_ && to_->is_empty()) work(fill);
    if (receives_ || work(fill)) return true;
    receives_ = receive();
    return receives_ || sent || work_ahead();
  }

  /// Takes in a block that has come, if there is one.
  bool receive() {
    Block* const block = from_->front();
    if (block == nullptr) return false;
    if (block->count == 0) {
      open(block->band + 1).complete = true;
    } else {
      const std::span states = std::span(block->states).first(block->count);
      kinjo::detail::claim(states);
      take_in(block->band, states);
    }
    from_->pop();
    return true;
  }

  /// Decides a band's last item for a block of its states: writes their nodes, and the children
  /// arrive in the next band.
  void take_in(std::size_t band, typename Band<S>::States states) {
    Active* const next = is_last(band) ? nullptr : &open(band + 1);
    std::array<RawNode, kBlock> parents;
    parents.fill({kDead, kDead});
    take_in<Decision::skip>(band, states, next, parents, &RawNode::lo);
    take_in<Decision::take>(band, states, next, parents, &RawNode::hi);
    (next ? next->before : last_).append(std::span(parents).first(states.size()), pool_);
  }

  template <Decision kDecision>
  void take_in(std::size_t band, typename Band<S>::States states, Active* next,
               std::array<RawNode, kBlock>& parents, Child RawNode::*child) {
    expand<kDecision>(decision_at(chain_.bands_[band].last), states, arrivals_,
                      [&](std::size_t i) { parents[i].*child = kMember; });
    std::array<std::uint32_t, kBlock> numbers;
    if (next) next->band->arrive({arrivals_.states.data(), arrivals_.count}, numbers.data());
    for (std::size_t i = 0; i < arrivals_.count; ++i) {
      // After the last item what is alive is a member.
      parents[arrivals_.from[i]].*child = next ? numbers[i] + kFirstChild : kMember;
    }
  }

  /// What is the same in all states, on this thread's own pages: blocks are many.
  const Decide& decision_at(std::size_t item) {
    if (!decide_ || decided_item_ != item) decide_.emplace(chain_.specification_.at(item));
    decided_item_ = item;
    return *decide_;
  }

  /// Sends what the foremost band has for the next thread; whether there was any.
  bool send_on(Fill fill) {
    if (active_.empty() || !hands_on(active_.front())) return false;
    Active& active = active_.front();
    if (active.complete) fill = Fill::any;
    bool any = false;
    while (move_on(active, fill)) any = true;
    return any;
  }

  /// Does one piece of what is to do for the foremost band; whether there was any.
  bool work(Fill fill) {
    if (active_.empty()) return false;
    Active& active = active_.front();
    if (active.complete) fill = Fill::any;
    if (active.band->stay(fill)) return true;
    if (!hands_on(active) && move_on(active, fill)) return true;
    // Not so if the queue ahead is full.
    const bool is_done = active.complete && active.band->next_block(Fill::any).empty();
    return is_done && finish();
  }

  /// Decides a full block for a band behind the foremost; whether there was any.
  bool work_ahead() {
    for (std::size_t i = 1; i < active_.size(); ++i) {
      if (active_[i].band->stay(Fill::full)) return true;
    }
    return false;
  }

  bool is_last(std::size_t band) const { return band + 1 == chain_.bands_.size(); }
  /// Whether the next band is another thread's.
  bool hands_on(const Active& active) const { return !is_alone() && !is_last(active.number); }

  /// Brings the next block, if there is one, to who decides the band's last item for it, if there
  /// is room.
  bool move_on(Active& active, Fill fill) {
    const auto states = active.band->next_block(fill);
    if (states.empty()) return false;
    if (!hands_on(active)) {
      take_in(active.number, states);
    } else if (!send(active, states)) {
      return false;
    }
    active.band->move_on(states.size());
    return true;
  }

  /// Whether there was room.
  bool send(const Active& active, typename Band<S>::States states) {
    Block* const block = to_->back();
    if (block == nullptr) return false;
    block->band = static_cast<std::uint32_t>(active.number);
    block->count = static_cast<std::uint32_t>(states.size());
    std::ranges::copy(states, block->states.begin());
    to_->push();
    return true;
  }

  /// Gives up the foremost band, which is decided; whether that could be told.
  bool finish() {
    Active& active = active_.front();
    if (hands_on(active) && !send(active, {})) return false;
    keep_nodes(active);
    account();
    if (thread_ == 0) tell(active.band->items().last + 1, *active.band);
    last_size_ = active.band->size();
    chain_.sizes_.note(active.number, last_size_);
    if (is_alone() && !is_last(active.number)) open(active.number + 1).complete = true;
    spare_.push_back(std::move(active.band));
    active_.pop_front();
    return true;
  }

  /// Hands over what this thread has written: the nodes of the band's items, but for the last
  /// one's, and of the last one's of the band before.
  void keep_nodes(Active& active) {
    std::vector<RawLevel>& levels = chain_.levels_.nodes;
    const BandItems& items = active.band->items();
    if (items.first > 0) levels[items.first - 1] = std::move(active.before);
    active.band->close(levels);
    const std::size_t first = items.first - (items.first > 0 ? 1 : 0);
    for (std::size_t i = first; i < items.last; ++i) {
      levels[i].put_away();
      complete_ += levels[i].bytes();
    }
    if (!is_last(active.number)) return;
    complete_ += last_.bytes();
    levels[items.last] = std::move(last_);
  }

  /// Throws if all threads hold too much by now.
  void account() {
    count_held();
    const std::uint64_t held = chain_.held();
    const std::uint64_t limit = chain_.memory_.where(held);
    if (held <= limit || chain_.stop_.load(std::memory_order_relaxed)) return;
    const std::size_t item = active_.empty() ? 0 : active_.front().band->items().last;
    refuse_nodes({item, chain_.specification_.items(), 0, held}, limit, chain_.options_.store);
  }
  /// Adds what this thread holds by now to what all do. Nodes in a file are no memory: the system
  /// writes them there when it needs their pages.
  void count_held() {
    std::uint64_t nodes = complete_ + last_.bytes(), tables = 0;
    for (const Active& active : active_) {
      nodes += active.before.bytes() + active.band->node_bytes();
      tables += active.band->bytes();
    }
    for (const auto& band : spare_) tables += band->bytes();
    if (chain_.options_.store.is_file()) nodes = 0;
    // Less is told as a number that wraps around.
    chain_.nodes_.fetch_add(nodes - std::exchange(told_nodes_, nodes), std::memory_order_relaxed);
    chain_.tables_.fetch_add(tables - std::exchange(told_tables_, tables),
                             std::memory_order_relaxed);
  }

  /// Of the first thread.
  void tell(std::size_t item, const Band<S>& band) {
    turns_ = 0;
    if (!chain_.options_.go_on || chain_.interrupted_) return;
    if (chain_.options_.go_on({item, chain_.specification_.items(), band.size(), chain_.held()}))
      return;
    chain_.interrupted_ = true;
    chain_.stop_ = true;
  }

  /// Others have to go on first: looks whether something has come, then lets others run, then
  /// sleeps. It may be room in the queue ahead that is missed, so it does not look for long.
  void wait() {
    constexpr unsigned kLooks = 64, kYields = 1024;
    KINJO_BARRIER();
    if (++idle_ > kYields) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    } else if (idle_ > kPatience) {
      std::this_thread::yield();
    }
    for (unsigned i = 0; i < kLooks && from_->front() == nullptr; ++i) {
      kinjo::detail::relax();
    }
  }

  Chain& chain_;
  std::size_t thread_;
  Queue* from_;  ///< this thread's; null if it is alone
  Queue* to_;    ///< the next thread's
  NodePool pool_;
  std::size_t next_band_;      ///< the first that nothing has arrived for yet
  std::deque<Active> active_;  ///< rising
  /// Whose band is done: their memory serves the next ones.
  std::vector<kinjo::detail::OwnPages<Band<S>>> spare_;
  typename BandSizes<S>::Expected expected_;
  std::size_t last_size_ = 1;     ///< states of the last band that is done
  std::optional<Decide> decide_;  ///< of the item that was last decided in taking in
  std::size_t decided_item_ = 0;
  Arrivals<kWords> arrivals_;
  RawLevel last_;                                   ///< of the last item of all
  std::uint64_t complete_ = 0;                      ///< bytes of nodes that were handed over
  std::uint64_t told_nodes_ = 0, told_tables_ = 0;  ///< of what all hold
  unsigned idle_ = 0;                               ///< looks in vain
  unsigned turns_ = 0;                              ///< since the first thread told where it is
  bool receives_ = false;                           ///< until the queue is empty
};

}  // namespace kinjo::paths::detail
