/// The edge-based approach: a decision diagram built by a chain of threads, without locks (Yasui et
/// al.; S1 section 4.2 and its reference [13]).
///
/// Thread j of k owns the bands of items (bands.hpp) j, j + k, j + 2k …: a hash table of each
/// band's states, which it alone looks into. A state is expanded when it first arrives, in the
/// order of arrival; what the band's last item makes of it goes to the next thread, which owns the
/// next band, in blocks through a queue that one thread fills and one empties. So all threads of
/// the chain are busy at once, at different depths of the diagram.
///
/// *Nodes.* Blocks come in the order in which their states were expanded, so the receiver, who
/// gives the children their numbers, also writes the parents' nodes, one after another, and nothing
/// is ever sent back. Everything that a thread writes is its own, but for the queue's blocks.
///
/// *No deadlock*, though the chain is closed to a ring and queues are bounded: what has arrived is
/// taken in without anything being sent, and a thread whose queue is full goes on taking in.
///
/// *Order of work*: a thread decides for its foremost band alone, so that few tables are in use at
/// a time, and meanwhile takes in what comes for others; incomplete blocks only where there is
/// nothing else to do.
///
/// With one thread a band is complete before it is expanded, and blocks are taken in where they
/// were made: this is the plain level by level construction.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <thread>

#include <kinjo/error.hpp>
#include <kinjo/lab.hpp>
#include <kinjo/team.hpp>

#include "base/relax.hpp"
#include "memory/own_pages.hpp"
#include "paths/band.hpp"
#include "paths/ring.hpp"

namespace kinjo::paths::detail {

/// Where a construction is.
struct ChainProgress {
  std::size_t item = 0, items = 0;
  std::uint64_t states = 0;  ///< of the band that is foremost in the first thread
  std::uint64_t bytes = 0;
};

struct ChainOptions {
  std::uint64_t memory_limit = 0;  ///< bytes; 0: none
  std::function<bool(const ChainProgress&)> go_on;
};

/// Throws what a construction that outgrows its limit throws.
[[noreturn]] void refuse_nodes(std::size_t item, std::size_t items, std::uint64_t bytes,
                               std::uint64_t limit);

template <Specification S>
class Chain {
  static constexpr std::size_t kWords = std::tuple_size_v<typename S::State>;

 public:
  Chain(const S& specification, const ChainOptions& options)
      : specification_(specification), options_(options), bands_(bands_of(specification)) {}

  /// The diagram before it is reduced, or nothing if `go_on` has ended it. Throws `Error`
  /// (`out_of_memory`). `specification` must have items.
  std::optional<Levels> run(Team& team) {
    levels_ = {.nodes = std::vector<RawLevel>(specification_.items()), .root = kFirstChild};
    rings_.clear();
    rings_.resize(team.size() == 1 ? 0 : team.size());
    threads_ = team.size();
    stop_ = false;
    interrupted_ = false;
    held_ = 0;
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
  /// What one block of states leads to, or that there are no more.
  struct Block {
    std::uint32_t band = 0;   ///< that it is for
    std::uint32_t first = 0;  ///< number of the first parent
    std::uint32_t count = 0;  ///< parents; 0: the band before is done
    Arrivals<kWords> skipped, taken;
    std::array<bool, kBlock> skip_accepted, take_accepted;
  };
  using Queue = Ring<Block, 16>;
  class Worker;

  const S& specification_;
  const ChainOptions& options_;
  std::vector<BandItems> bands_;
  Levels levels_;
  std::vector<kinjo::detail::OwnPages<Queue>> rings_;  ///< by the thread that empties it
  std::size_t threads_ = 1;
  std::atomic<std::uint64_t> held_{0};  ///< bytes of nodes that are complete
  std::atomic<bool> stop_{false};
  bool interrupted_ = false;
};

/// One thread of the chain.
template <Specification S>
class Chain<S>::Worker {
 public:
  Worker(Chain& chain, std::size_t thread) : chain_(chain), thread_(thread), next_band_(thread) {
    if (chain.threads_ == 1) own_ = std::make_unique<Block>();
  }

  void run() {
    if (thread_ == 0) begin();
    while (!active_.empty() || next_band_ < chain_.bands_.size()) {
      if (chain_.stop_.load(std::memory_order_relaxed)) return;
      const bool received = receive();
      if (work(idle_ > kPatience ? Fill::any : Fill::full) || received) {
        idle_ = 0;
      } else {
        wait();
      }
    }
  }

 private:
  /// Looks in vain after which blocks that are not full are better than none.
  static constexpr unsigned kPatience = 2;

  struct Active {
    std::size_t number;
    kinjo::detail::OwnPages<Band<S>> band;
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
      spare_.emplace_back(1, chain_.specification_, std::ref(chain_.levels_.nodes));
    }
    active_.push_back({number, std::move(spare_.back())});
    spare_.pop_back();
    active_.back().band->begin(chain_.bands_[number], expected_);
    next_band_ = number + chain_.threads_;
    return active_.back();
  }

  bool receive() {
    if (own_) return false;
    Queue& ring = *chain_.rings_[thread_];
    bool any = false;
    while (const Block* block = ring.front()) {
      take_in(*block);
      ring.pop();
      any = true;
    }
    return any;
  }

  /// Numbers the children of a block and writes their parents' nodes.
  void take_in(const Block& block) {
    Active& active = open(block.band);
    RawLevel& nodes = chain_.levels_.nodes[chain_.bands_[block.band - 1].last];
    if (block.count == 0) {
      active.complete = true;
      chain_.held_.fetch_add(nodes.bytes(), std::memory_order_relaxed);
      return;
    }
    nodes.resize(block.first + block.count);
    RawNode* const parents = nodes.data() + block.first;
    for (std::size_t i = 0; i < block.count; ++i) {
      parents[i] = {block.skip_accepted[i] ? kMember : kDead,
                    block.take_accepted[i] ? kMember : kDead};
    }
    std::array<std::uint32_t, kBlock> numbers;
    for (const auto& [arrivals, child] :
         {std::pair{&block.skipped, &RawNode::lo}, std::pair{&block.taken, &RawNode::hi}}) {
      active.band->arrive({arrivals->states.data(), arrivals->count}, numbers.data());
      for (std::size_t i = 0; i < arrivals->count; ++i) {
        parents[arrivals->from[i]].*child = numbers[i] + kFirstChild;
      }
    }
  }

  /// Does one piece of what is to do for the foremost band; whether there was any.
  bool work(Fill fill) {
    if (active_.empty()) return false;
    Active& active = active_.front();
    if (active.complete) fill = Fill::any;
    // The thread ahead waits for what moves on, and what stays becomes more to be moved: in turn.
    moves_ = !moves_ && !own_;
    if (moves_ && move_on(active, fill)) return true;
    if (active.band->stay(fill) || move_on(active, fill)) return true;
    // Not so if the queue ahead is full.
    const bool is_done = active.complete && active.band->next_block(Fill::any).empty();
    return is_done && finish();
  }

  bool is_last(const Active& active) const { return active.number + 1 == chain_.bands_.size(); }

  /// Decides the band's last item for a block, if there is one and its children can be sent.
  bool move_on(Active& active, Fill fill) {
    const auto states = active.band->next_block(fill);
    if (states.empty()) return false;
    Block* const block = own_ ? own_.get() : is_last(active) ? last_block() : to().back();
    if (block == nullptr) return false;
    decide(active, states, *block);
    active.band->move_on(states.size());
    if (is_last(active)) {
      accept(*block);
    } else {
      send(*block);
    }
    return true;
  }

  void decide(const Active& active, typename Band<S>::States states, Block& block) {
    block.band = static_cast<std::uint32_t>(active.number + 1);
    block.first = static_cast<std::uint32_t>(active.band->moved());
    block.count = static_cast<std::uint32_t>(states.size());
    block.skip_accepted.fill(false);
    block.take_accepted.fill(false);
    const std::size_t item = active.band->items().last;
    expand<Decision::skip>(chain_.specification_, item, states, block.skipped,
                           [&](std::size_t i) { block.skip_accepted[i] = true; });
    expand<Decision::take>(chain_.specification_, item, states, block.taken,
                           [&](std::size_t i) { block.take_accepted[i] = true; });
  }

  Queue& to() { return *chain_.rings_[(thread_ + 1) % chain_.threads_]; }

  void send(const Block& block) {
    if (own_) {
      take_in(block);
    } else {
      to().push();
    }
  }

  /// After the last item what is alive is a member.
  void accept(const Block& block) {
    RawLevel& nodes = chain_.levels_.nodes.back();
    nodes.resize(block.first + block.count);
    RawNode* const parents = nodes.data() + block.first;
    for (std::size_t i = 0; i < block.count; ++i) {
      parents[i] = {block.skip_accepted[i] ? kMember : kDead,
                    block.take_accepted[i] ? kMember : kDead};
    }
    for (std::size_t i = 0; i < block.skipped.count; ++i)
      parents[block.skipped.from[i]].lo = kMember;
    for (std::size_t i = 0; i < block.taken.count; ++i) parents[block.taken.from[i]].hi = kMember;
  }

  Block* last_block() {
    if (!last_) last_ = std::make_unique<Block>();
    return last_.get();
  }

  /// Gives up the foremost band, which is decided; whether that could be sent.
  bool finish() {
    Active& active = active_.front();
    Block* const block = own_ ? own_.get() : is_last(active) ? last_block() : to().back();
    if (block == nullptr) return false;
    active.band->close();
    account(active);
    expected_ = active.band->size();
    block->band = static_cast<std::uint32_t>(active.number + 1);
    block->count = 0;
    const bool last = is_last(active);
    spare_.push_back(std::move(active.band));
    active_.pop_front();
    if (!last) send(*block);
    return true;
  }

  /// Looks at the memory that is held, and tells how far the first thread is.
  void account(const Active& active) {
    const BandItems& items = active.band->items();
    std::uint64_t nodes = 0;
    for (std::size_t i = items.first; i < items.last; ++i) nodes += chain_.levels_.nodes[i].bytes();
    chain_.held_.fetch_add(nodes, std::memory_order_relaxed);
    const std::uint64_t held = chain_.held_.load(std::memory_order_relaxed);
    const std::size_t count = chain_.specification_.items();
    const std::uint64_t limit = chain_.options_.memory_limit;
    if (limit != 0 && held > limit) refuse_nodes(items.last, count, held, limit);
    if (thread_ != 0 || !chain_.options_.go_on) return;
    if (chain_.options_.go_on({items.last + 1, count, active.band->size(), held})) return;
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
    for (unsigned i = 0; i < kLooks && chain_.rings_[thread_]->front() == nullptr; ++i) {
      kinjo::detail::relax();
    }
  }

  Chain& chain_;
  std::size_t thread_;
  std::size_t next_band_;      ///< the first that nothing has arrived for yet
  std::deque<Active> active_;  ///< rising
  /// Whose band is done: their memory serves the next ones.
  std::vector<kinjo::detail::OwnPages<Band<S>>> spare_;
  std::size_t expected_ = 1;     ///< states of the next band, by the last one's
  std::unique_ptr<Block> own_;   ///< for a chain of one thread
  std::unique_ptr<Block> last_;  ///< for the last band
  unsigned idle_ = 0;            ///< looks in vain
  bool moves_ = false;           ///< what was tried first the last time
};

}  // namespace kinjo::paths::detail
