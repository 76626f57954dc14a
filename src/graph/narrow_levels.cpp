#include "graph/narrow_levels.hpp"

#include <algorithm>
#include <atomic>

#include <kinjo/lab.hpp>

#include "base/cycle_clock.hpp"
#include "graph/rows.hpp"

namespace kinjo::graph::detail {

namespace {

/// Rows of at most so many neighbours are looked at as if they had so many, so that their lengths
/// do not mislead the branch predictor.
constexpr std::size_t kFew = 4;
/// Rows whose neighbours are looked at before those who seemed new are.
constexpr std::size_t kRowsAside = 16;
/// Vertices of a thread from which on the time that they take tells its speed.
constexpr std::size_t kTelling = 64;

/// Where finds are written: what the queue or the bin knows of its end is kept in registers until
/// `keep`.
class QueueEnd {
 public:
  explicit QueueEnd(VertexQueue& queue) : queue_(queue), end_(queue.end()) {}
  void make_room(std::size_t) {}
  void put(Vertex child, Vertex) { *end_++ = child; }
  const Vertex* end() const { return end_; }
  void keep() { queue_.set_end(end_); }

 private:
  VertexQueue& queue_;
  Vertex* end_;
};
class BinEnd {
 public:
  explicit BinEnd(Bin& bin) : bin_(bin), end_(bin.room(0)), limit_(bin.limit()) {}
  void make_room(std::size_t more) {
    if (static_cast<std::size_t>(limit_ - end_) < more) [[unlikely]]
      grow(more);
  }
  void put(Vertex child, Vertex parent) { *end_++ = {child, parent}; }
  void keep() { bin_.keep_to(end_); }

 private:
  [[gnu::noinline]] void grow(std::size_t more) {
    keep();
    end_ = bin_.room(more);
    limit_ = bin_.limit();
  }

  Bin& bin_;
  Find* end_;
  const Find* limit_;
};

/// Whether the branch predictor learns who is new: rows of one length, in an order that was given,
/// are those of a grid.
bool has_pattern(const SearchState& state) {
  const double most = static_cast<double>(state.connected * state.most_degree);
  return state.graph.to_caller().empty() && static_cast<double>(state.graph.entries()) > 0.9 * most;
}

/// Looks at rows and sends who has no parent yet to `Out`. Neighbours are looked at without a
/// branch first, and those who had no parent wait: nearly all of them are new, unless one of the
/// rows before has them too. Threads may find the same vertex at once: then the parent that was
/// written last lasts.
template <class OutEnd>
class Look {
 public:
  template <class Out>
  Look(const SearchState& state, BlockMemory& block, Out& out)
      : rows_(state),
        parents_(state.parents),
        children_(block.children.data()),
        owners_(block.parents.data()),
        out_(out),
        at_once_(has_pattern(state)) {}

  Vertex parent_of(Vertex v) const { return parents_[v]; }

  /// Asks for what the first ones of a queue need.
  template <class Item>
  [[gnu::always_inline]] void begin(std::span<const Item> queue) const {
    for (const Item& item : queue.first(std::min(kFarAhead, queue.size()))) {
      fetch(rows_.start(vertex_of(item)));
      fetch(parents_ + vertex_of(item));
    }
    for (const Item& item : queue.first(std::min(kAhead, queue.size()))) {
      fetch(rows_.begin(vertex_of(item)));
    }
  }

  /// Asks for what will be needed for those behind the first one of a queue.
  template <class Item>
  [[gnu::always_inline]] void ahead(std::span<const Item> queue) const {
    fetch_ahead(rows_, queue, 0);
    if (queue.size() > kAhead) {
      // It says whose find counts, and those of many neighbours lie in its line.
      fetch(parents_ + vertex_of(queue[kAhead]));
    }
  }

  const OutEnd& out() const { return out_; }

  /// Returns how many neighbours `v` has.
  std::size_t operator()(Vertex v) {
    const Vertex* const row = rows_.begin(v);
    const auto degree = static_cast<std::size_t>(rows_.end(v) - row);
    if (degree <= kFew && row + kFew <= rows_.all_end) {
      if (at_once_) {
        out_.make_room(kFew);
        for (std::size_t k = 0; k < kFew; ++k) take(k < degree ? row[k] : v, v);
        return degree;
      }
      for (std::size_t k = 0; k < kFew; ++k) put_aside(row[k], v, k < degree);
    } else {
      for (std::size_t k = 0; k < degree; ++k) {
        put_aside(row[k], v, true);
        if (waiting_ > kTogether) finish();
      }
    }
    if (++rows_aside_ == kRowsAside) finish();
    return degree;
  }

  /// Those who still wait.
  void finish() {
    out_.make_room(waiting_);
    for (std::size_t k = 0; k < waiting_; ++k) take(children_[k], owners_[k]);
    out_.keep();
    waiting_ = 0;
    rows_aside_ = 0;
  }

 private:
  void take(Vertex child, Vertex owner) {
    const std::atomic_ref<Vertex> parent(parents_[child]);
    if (parent.load(std::memory_order_relaxed) != kNoVertex) return;
    parent.store(owner, std::memory_order_relaxed);
    out_.put(child, owner);
  }

  void put_aside(Vertex child, Vertex owner, bool counts) {
    const std::atomic_ref<Vertex> parent(parents_[child]);
    children_[waiting_] = child;
    owners_[waiting_] = owner;
    waiting_ += counts & (parent.load(std::memory_order_relaxed) == kNoVertex);
  }

  const PlainRows rows_;
  Vertex* const parents_;
  Vertex *const children_, *const owners_;
  OutEnd out_;
  const bool at_once_;
  std::size_t waiting_ = 0, rows_aside_ = 0;
};

}  // namespace

/// A thread's look at its run of the frontier.
class NarrowLevels::Scan {
 public:
  Scan(const SearchState& state, BlockMemory& block, Bin& out)
      : look_(state, block, out), out_(out) {}

  /// Asks for what the first ones of a run need.
  [[gnu::always_inline]] void begin(std::span<const Find> frontier) const { look_.begin(frontier); }
  void run(std::span<const Find> frontier) {
    std::uint64_t dropped = 0, looked_at = 0;
    vertices_ += frontier.size();
    for (; !frontier.empty(); frontier = frontier.subspan(1)) {
      look_.ahead(frontier);
      const auto [v, parent] = frontier.front();
      if (look_.parent_of(v) != parent) {
        ++dropped;
      } else {
        looked_at += look_(v);
      }
    }
    vertices_ -= dropped;
    looked_at_ += looked_at;
  }
  /// Others may still be at work: meanwhile the next level's first rows come.
  Tally finish() {
    look_.finish();
    look_.begin(out_.all());
    return {out_.all().size(), vertices_, looked_at_};
  }

 private:
  Look<BinEnd> look_;
  Bin& out_;
  std::uint64_t vertices_ = 0, looked_at_ = 0;
};

NarrowLevels::NarrowLevels(SearchState& state) : state_(state), threads_(state.team.size()) {}

Range NarrowLevels::words_of(std::size_t thread) const {
  const std::size_t words = words_for(state_.vertices()), threads = threads_.size();
  return {words * thread / threads, words * (thread + 1) / threads};
}

/// Who is unreached gets no parent. Those without edges are nobody's neighbours.
void NarrowLevels::forget_unreached(const Range& words) {
  const std::size_t whole = state_.vertices() / kWordBits;
  for (std::size_t w = words.begin; w < words.end; ++w) {
    Word unreached = ~state_.visited[w] | state_.isolated[w];
    if (w == whole) unreached &= last_word_mask(state_.vertices());
    const SearchKernelSet& kernels = w < whole ? search_kernels() : kSearchReference;
    kernels.orphan(&unreached, state_.parents + w * kWordBits, 1);
  }
}

void NarrowLevels::collect_visits(const Range& words) {
  const std::size_t n = state_.vertices();
  for (std::size_t w = words.begin; w < words.end; ++w) {
    Word word = 0;
    for (std::size_t i = 0; i < std::min(kWordBits, n - w * kWordBits); ++i) {
      word |= Word{state_.parents[w * kWordBits + i] != kNoVertex} << i;
    }
    state_.visited[w] = word | state_.isolated[w];
  }
}

void NarrowLevels::begin(const VertexQueue& queue) {
  for (Thread& thread : threads_) {
    thread.finds[0].clear();
    thread.tally[0] = {};
  }
  Bin& first = threads_[0].finds[0];
  first.reserve(queue.frontier().size() + 1);
  for (const Vertex v : queue.frontier()) first.put({v, state_.parents[v]}, true);
  threads_[0].tally[0].finds = first.all().size();
}

void NarrowLevels::end(VertexQueue& queue, unsigned side) const {
  queue.clear();
  for (const Thread& thread : threads_) {
    for (const auto& [v, parent] : thread.finds[side].all()) {
      if (state_.parents[v] == parent) queue.push(v);
    }
  }
  queue.advance();
}

NarrowLevels::Sums NarrowLevels::sums(unsigned side) const {
  Sums sums;
  for (const Thread& thread : threads_) {
    sums.finds += thread.tally[side].finds;
    sums.vertices += thread.tally[side].vertices;
    sums.looked_at += thread.tally[side].looked_at;
  }
  return sums;
}

/// A share of the finds of all threads, one thread's behind the other's.
void NarrowLevels::scan_share(std::size_t thread, unsigned side, const Range& share) {
  const std::uint64_t before = kinjo::detail::read_counter();
  Thread& mine = threads_[thread];
  Bin& out = mine.finds[side ^ 1];
  out.clear();
  Scan scan(state_, *state_.workers[thread]->block, out);
  std::size_t from = share.begin;
  std::size_t first = 0;
  for (const Thread& finder : threads_) {
    const std::span<const Find> found = finder.finds[side].all();
    const std::size_t end = std::min(share.end, first + found.size());
    if (from < end) {
      const std::span<const Find> run = found.subspan(from - first, end - from);
      // Its own finds' begin was asked for when the last level ended.
      if (&finder != &mine || from != first) scan.begin(run);
      scan.run(run);
    }
    from = std::max(from, end);
    first += found.size();
  }
  mine.tally[side ^ 1] = scan.finish();
  mine.tally[side ^ 1].ticks = kinjo::detail::read_counter() - before;
}

bool NarrowLevels::goes_on(const Limits& limits, const Sums& last, std::uint64_t reached) const {
  const double left = static_cast<double>(state_.connected - std::min(state_.connected, reached));
  return last.finds > 0 && last.looked_at <= limits.most_edges &&
         !(limits.work_of_edge * static_cast<double>(last.looked_at) >
           limits.fixed_work + limits.work_of_vertex * left);
}

/// To how long the threads took for their shares.
void NarrowLevels::adapt(SharesBySpeed& shares, unsigned side) const {
  for (std::size_t t = 0; t < threads_.size(); ++t) shares.took(t, threads_[t].tally[side].ticks);
  shares.adapt();
}

/// A thread's part of all levels; one of them keeps the record.
NarrowLevels::End NarrowLevels::walk(const Place& me, const Limits& limits, std::uint64_t reached,
                                     std::vector<Level>* levels) {
  const auto self = static_cast<std::size_t>(me.thread);
  forget_unreached(words_of(self));
  state_.team.barrier(me);
  unsigned side = 0;
  Sums last = sums(side);
  SharesBySpeed shares(threads_.size());
  while (goes_on(limits, last, reached)) {
    scan_share(self, side, shares.of(self, last.finds));
    state_.team.barrier(me);
    side ^= 1;
    if (last.finds >= kTelling * threads_.size()) adapt(shares, side);
    last = sums(side);
    reached += last.vertices;
    if (levels) levels->push_back({Direction::top_down, Crew::team, last.vertices, last.looked_at});
  }
  collect_visits(words_of(self));
  return {reached, side};
}

/// What was found of a level lies behind it, so what is asked for ahead at its end is the next
/// one's.
std::uint64_t NarrowLevels::walk_alone(VertexQueue& queue, const Limits& limits,
                                       std::uint64_t reached, std::vector<Level>& levels) {
  forget_unreached(words_of(0));
  Look<QueueEnd> look(state_, *state_.workers[0]->block, queue);
  Sums last{.finds = queue.frontier().size()};
  while (goes_on(limits, last, reached)) {
    std::uint64_t looked_at = 0;
    for (const Vertex& v : queue.frontier()) {
      look.ahead(std::span<const Vertex>(&v, look.out().end()));
      looked_at += look(v);
    }
    look.finish();
    queue.advance();
    last = {queue.frontier().size(), last.finds, looked_at};
    reached += last.vertices;
    levels.push_back({Direction::top_down, Crew::caller, last.vertices, looked_at});
  }
  collect_visits(words_of(0));
  return reached;
}

void NarrowLevels::run(VertexQueue& queue, const Limits& limits, std::uint64_t& reached,
                       std::vector<Level>& levels) {
  const std::uint64_t before = reached - queue.frontier().size();
  KINJO_PHASE("top-down");
  if (threads_.size() == 1) {
    run_over(state_.team,
             [&](const Place&) { reached = walk_alone(queue, limits, before, levels); });
  } else {
    begin(queue);
    End last;
    state_.team.run([&](const Place& me) {
      const bool keeps = me.thread == 0;
      const End mine = walk(me, limits, before, keeps ? &levels : nullptr);
      if (keeps) last = mine;
    });
    end(queue, last.side);
    reached = last.reached;
  }
  reached += queue.frontier().size();
}

}  // namespace kinjo::graph::detail
