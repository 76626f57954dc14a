#include "graph/narrow_levels.hpp"

#include <algorithm>
#include <atomic>

#include <kinjo/lab.hpp>

#include "graph/rows.hpp"

namespace kinjo::graph::detail {

/// A thread's look at its run of the frontier.
class NarrowLevels::Scan {
 public:
  Scan(NarrowLevels& levels, BlockMemory& block, Bin& out)
      : rows_(levels.state_),
        seen_(levels.seen_),
        parents_(levels.state_.parents),
        out_(out),
        aside_(block) {}

  void run(std::span<const Find> frontier) {
    for (std::size_t i = 0; i < frontier.size(); ++i) {
      fetch_ahead(rows_, frontier, i);
      const auto [v, parent] = frontier[i];
      if (parents_[v] != parent) continue;
      ++vertices_;
      const Vertex* const row = rows_.begin(v);
      const auto degree = static_cast<std::size_t>(rows_.end(v) - row);
      looked_at_ += degree;
      if (degree <= kShort && row + kShort <= rows_.limit(v)) {
        aside_.put_short(row, degree, v);
        if (aside_.full()) look();
        continue;
      }
      for (std::size_t k = 0; k < degree; k += kTogether) {
        aside_.put(row + k, std::min(degree - k, kTogether), v);
        if (aside_.full()) look();
      }
    }
    look();
  }
  Tally tally() const { return {out_.all().size(), vertices_, looked_at_}; }

 private:
  /// Keeps those that are new, without a branch.
  void look() {
    // Bytes may be anything's, so what is needed again is kept beside them.
    std::uint8_t* const seen = seen_;
    Vertex* const parents = parents_;
    const Vertex *const children = aside_.children(), *const owners = aside_.parents();
    const std::size_t count = aside_.size();
    Find *const begin = out_.room(count + 1), *end = begin;
    for (std::size_t k = 0; k < count; ++k) {
      const std::atomic_ref<std::uint8_t> byte(seen[children[k]]);
      *end = {children[k], owners[k]};
      end += byte.load(std::memory_order_relaxed) == 0;
      byte.store(1, std::memory_order_relaxed);
    }
    for (const Find* find = begin; find != end; ++find) {
      std::atomic_ref(parents[find->child]).store(find->parent, std::memory_order_relaxed);
    }
    out_.keep(static_cast<std::size_t>(end - begin));
    aside_.clear();
  }

  const PlainRows rows_;
  std::uint8_t* const seen_;
  Vertex* const parents_;
  Bin& out_;
  std::uint64_t vertices_ = 0, looked_at_ = 0;
  Aside aside_;
};

NarrowLevels::NarrowLevels(SearchState& state)
    : state_(state),
      memory_(state.array(8)),
      seen_(static_cast<std::uint8_t*>(memory_.data())),
      threads_(state.team.size()) {}

Range NarrowLevels::words_of(std::size_t thread) const {
  const std::size_t words = words_for(state_.vertices()), threads = threads_.size();
  return {words * thread / threads, words * (thread + 1) / threads};
}

/// A byte for each bit of `visited`. The last word's numbers without a vertex have bytes too.
void NarrowLevels::spread_visits(const Range& words) {
  for (std::size_t w = words.begin; w < words.end; ++w) {
    const Word word = state_.visited[w];
    for (std::size_t i = 0; i < kWordBits; ++i) seen_[w * kWordBits + i] = word >> i & 1;
  }
}

void NarrowLevels::collect_visits(const Range& words) {
  for (std::size_t w = words.begin; w < words.end; ++w) {
    Word word = 0;
    for (std::size_t i = 0; i < kWordBits; ++i) {
      word |= static_cast<Word>(seen_[w * kWordBits + i]) << i;
    }
    state_.visited[w] = word;
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

/// An equal part of the finds of all threads, one thread's behind the other's.
void NarrowLevels::scan_share(std::size_t thread, unsigned side, std::size_t finds) {
  Thread& mine = threads_[thread];
  Bin& out = mine.finds[side ^ 1];
  out.clear();
  Scan scan(*this, *state_.workers[thread]->block, out);
  std::size_t from = finds * thread / threads_.size();
  const std::size_t to = finds * (thread + 1) / threads_.size();
  std::size_t first = 0;
  for (const Thread& finder : threads_) {
    const std::span<const Find> found = finder.finds[side].all();
    const std::size_t end = std::min(to, first + found.size());
    if (from < end) scan.run(found.subspan(from - first, end - from));
    from = std::max(from, end);
    first += found.size();
  }
  mine.tally[side ^ 1] = scan.tally();
}

bool NarrowLevels::goes_on(const Limits& limits, const Sums& last, std::uint64_t reached) const {
  const double left = static_cast<double>(state_.connected - std::min(state_.connected, reached));
  return last.finds > 0 && last.looked_at <= limits.most_edges &&
         !(limits.work_of_edge * static_cast<double>(last.looked_at) >
           limits.fixed_work + limits.work_of_vertex * left);
}

/// A thread's part of all levels; one of them keeps the record.
NarrowLevels::End NarrowLevels::walk(const Place& me, const Limits& limits, std::uint64_t reached,
                                     std::vector<Level>* levels) {
  const auto self = static_cast<std::size_t>(me.thread);
  const Crew crew = threads_.size() == 1 ? Crew::caller : Crew::team;
  spread_visits(words_of(self));
  state_.team.barrier(me);
  unsigned side = 0;
  Sums last = sums(side);
  while (goes_on(limits, last, reached)) {
    scan_share(self, side, last.finds);
    state_.team.barrier(me);
    side ^= 1;
    last = sums(side);
    reached += last.vertices;
    if (levels) levels->push_back({Direction::top_down, crew, last.vertices, last.looked_at});
  }
  collect_visits(words_of(self));
  return {reached, side};
}

void NarrowLevels::run(VertexQueue& queue, const Limits& limits, std::uint64_t& reached,
                       std::vector<Level>& levels) {
  begin(queue);
  const std::uint64_t before = reached - queue.frontier().size();
  End last;
  {
    KINJO_PHASE("top-down");
    state_.team.run([&](const Place& me) {
      const bool keeps = me.thread == 0;
      const End mine = walk(me, limits, before, keeps ? &levels : nullptr);
      if (keeps) last = mine;
    });
  }
  end(queue, last.side);
  reached = last.reached + queue.frontier().size();
}

}  // namespace kinjo::graph::detail
