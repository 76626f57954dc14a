#include "graph/bottom_up.hpp"

#include <algorithm>

#include "graph/fetch.hpp"
#include "graph/search_kernels.hpp"

namespace kinjo::graph::detail {

namespace {

/// One thread's work on one part.
class Asker {
 public:
  Asker(const SearchState& state, BlockMemory& block, std::size_t part)
      : part_(state.part(part)),
        frontier_(state.frontier_for(part)),
        next_(state.next),
        visited_(state.visited),
        parents_(state.parents),
        block_(block) {}

  void run(const Range& words) {
    words_ = words;
    Word* const visited = visited_ + words.begin;
    Word any = 0;
    for (std::size_t w = 0; w < words.size(); ++w) any |= asking_[w] = ~visited[w];
    if (any == 0) {
      std::fill_n(next_ + words.begin, words.size(), 0);
      return;
    }
    found_.fill(0);
    for (std::size_t c = 0; c < part_.kept; ++c) ask(part_.column(c));
    Word* const next = next_ + words.begin;
    for (std::size_t w = 0; w < words.size(); ++w) {
      next[w] = found_[w];
      visited[w] |= found_[w];
    }
    go_through_rows();
  }

  /// Asks the rows that are still on their way, and returns what all came to.
  const Answers& finish() {
    while (begin_ != end_) look_at_oldest();
    return answers_;
  }

 private:
  /// Asks one of the first neighbours of all who ask.
  void ask(const Vertex* neighbours) {
    const std::size_t begin = words_.begin * kWordBits;
    // Kernels take whole words; behind the last vertex there is nothing to be read.
    const std::size_t whole = std::min(words_.size(), (part_.vertices.end - begin) / kWordBits);
    const Vertex* const candidates = neighbours + (begin - part_.vertices.begin);
    count(kernels_.adopt(candidates, frontier_, asking_.data(), found_.data(), parents_ + begin,
                         whole));
    count(kSearchReference.adopt(candidates + whole * kWordBits, frontier_, asking_.data() + whole,
                                 found_.data() + whole, parents_ + begin + whole * kWordBits,
                                 words_.size() - whole));
  }

  void count(const Answers& answers) {
    answers_.asked += answers.asked;
    answers_.found += answers.found;
  }

  void go_through_rows() {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for_each_bit(asking_[w], [&](unsigned bit) {
        const std::size_t v = (words_.begin + w) * kWordBits + bit;
        const std::size_t row = v - part_.vertices.begin;
        const EdgeCount begin = start(row) + part_.kept, end = start(row + 1);
        if (begin >= end) return;
        fetch_to_second(targets_ + begin);
        put({static_cast<Vertex>(v), targets_ + begin, targets_ + end});
        while (end_ - begin_ >= kRowsTogether) look_at_oldest();
      });
    }
  }

  void put(const WaitingRow& row) { rows_[end_++ % kRowsRing] = row; }

  EdgeCount start(std::size_t row) const {
    return one_base_ ? base_ + low_[row] : part_.starts[row];
  }

  /// Asks rows that have been on their way for the longest, each in the line that was fetched. Who
  /// got no answer waits behind the others for what comes next.
  void look_at_oldest() {
    const std::size_t place = begin_ % kRowsRing;
    const std::size_t some = std::min({kRowsAtOnce, end_ - begin_, kRowsRing - place});
    WaitingRow* const rows = rows_.data() + place;
    const Looked looked = kernels_.look(rows, some, frontier_, finds_.data());
    begin_ += some;
    for (std::size_t r = 0; r < looked.waiting; ++r) put(rows[r]);
    for (const Find& find : std::span(finds_).first(looked.found)) {
      parents_[find.child] = find.parent;
      insert(next_, find.child);
      insert(visited_, find.child);
    }
    count({.asked = looked.asked, .found = looked.found});
  }

  // Copies near their reader, as is what most of them point to.
  const Part part_;
  const Vertex* const targets_ = part_.targets;
  const std::uint32_t* const low_ = part_.starts.low;
  const EdgeCount base_ = part_.starts.base[0];
  const bool one_base_ = part_.vertices.size() >> part_.starts.shift == 0;
  const Word* const frontier_;
  Word *const next_, *const visited_;
  Vertex* const parents_;
  const SearchKernelSet kernels_ = search_kernels();
  Answers answers_;
  Range words_;
  BlockMemory& block_;
  std::array<Word, kBlockWords>& asking_ = block_.asking;
  std::array<Word, kBlockWords>& found_ = block_.found;
  std::array<WaitingRow, kRowsRing>& rows_ = block_.rows;
  std::size_t begin_ = 0, end_ = 0;  ///< of those that wait, counted from the first one
  std::array<Find, kRowsAtOnce>& finds_ = block_.row_finds;
};

/// The frontier of the threads' queues as a set.
void set_frontier(SearchState& state, const Place& me) {
  for (const Share& share : state.shares(me)) {
    const Range words = words_of(share.vertices);
    std::fill(state.frontier + words.begin, state.frontier + words.end, 0);
  }
  for (const Vertex v : state.worker(me).queue.frontier()) insert(state.frontier, v);
}

}  // namespace

void queue_frontier(SearchState& state, const Place& me) {
  VertexQueue& queue = state.worker(me).queue;
  for (const Share& share : state.shares(me)) {
    const Range words = words_of(share.vertices);
    for (std::size_t w = words.begin; w < words.end; ++w) {
      for_each_bit(state.frontier[w],
                   [&](unsigned bit) { queue.push(static_cast<Vertex>(w * kWordBits + bit)); });
    }
  }
  queue.advance();
}

void exchange_frontier(SearchState& state, const Place& me, Input input) {
  if (input == Input::queues) set_frontier(state, me);
  if (state.owners.parts() == 1) return;
  state.team.barrier(me);
  const std::size_t words = words_for(state.vertices());
  for (const Share& share : state.shares(me)) {
    const Range piece{words * share.rank / share.threads, words * (share.rank + 1) / share.threads};
    std::copy(state.frontier + piece.begin, state.frontier + piece.end,
              state.copies[share.part] + piece.begin);
  }
}

void bottom_up(SearchState& state, const Place& me) {
  Worker& mine = state.worker(me);
  for (const Share& share : state.shares(me)) {
    Asker asker(state, *mine.block, share.part);
    for (std::size_t k = 0; k < share.threads; ++k) {
      WordDealer& dealer = state.dealers[share.part][(share.rank + k) % share.threads];
      const Range words = dealer.words;
      for (std::size_t begin;
           (begin = words.begin + dealer.next.fetch_add(kBlockWords, std::memory_order_relaxed)) <
           words.end;) {
        asker.run({begin, std::min(begin + kBlockWords, words.end)});
      }
    }
    const Answers& answers = asker.finish();
    mine.looked_at += answers.asked;
    mine.found += answers.found;
  }
}

}  // namespace kinjo::graph::detail
