#include "graph/bottom_up.hpp"

#include <algorithm>

#include "graph/fetch.hpp"
#include "graph/search_kernels.hpp"

namespace kinjo::graph::detail {

namespace {

/// One thread's work on one part.
class Asker {
 public:
  Asker(SearchState& state, Worker& mine, std::size_t part)
      : state_(state), mine_(mine), part_(state.part(part)), frontier_(state.frontier_for(part)) {}

  void run(const Range& words) {
    words_ = words;
    Word* const visited = state_.visited + words.begin;
    Word any = 0;
    for (std::size_t w = 0; w < words.size(); ++w) any |= asking_[w] = ~visited[w];
    if (any == 0) {
      std::fill_n(state_.next + words.begin, words.size(), 0);
      return;
    }
    found_.fill(0);
    for (std::size_t c = 0; c < part_.kept; ++c) ask(part_.column(c));
    go_through_rows();
    Word* const next = state_.next + words.begin;
    for (std::size_t w = 0; w < words.size(); ++w) {
      next[w] = found_[w];
      visited[w] |= found_[w];
    }
  }

 private:
  /// Asks one of the first neighbours of all who ask.
  void ask(const Vertex* neighbours) {
    const std::size_t begin = words_.begin * kWordBits;
    // Kernels take whole words; behind the last vertex there is nothing to be read.
    const std::size_t whole = std::min(words_.size(), (part_.vertices.end - begin) / kWordBits);
    const Vertex* const candidates = neighbours + (begin - part_.vertices.begin);
    count(kernels_.adopt(candidates, frontier_, asking_.data(), found_.data(),
                         state_.parents + begin, whole));
    count(kSearchReference.adopt(candidates + whole * kWordBits, frontier_, asking_.data() + whole,
                                 found_.data() + whole, state_.parents + begin + whole * kWordBits,
                                 words_.size() - whole));
  }

  void count(const Answers& answers) {
    mine_.looked_at += answers.asked;
    mine_.found += answers.found;
  }

  void go_through_rows() {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for_each_bit(asking_[w], [&](unsigned bit) {
        const std::size_t v = (words_.begin + w) * kWordBits + bit;
        const std::size_t row = v - part_.vertices.begin;
        const EdgeCount begin = start(row) + part_.kept, end = start(row + 1);
        if (begin >= end) return;
        fetch_to_second(targets_ + begin);
        rows_[waiting_++] = {static_cast<Vertex>(v), targets_ + begin, targets_ + end};
        while (waiting_ == kRowsTogether) flush();
      });
    }
    while (waiting_ > 0) flush();
  }

  EdgeCount start(std::size_t row) const {
    return one_base_ ? base_ + low_[row] : part_.starts[row];
  }

  /// Asks the rows on their way, each in the line that was fetched. Who got no answer there waits
  /// with the others for the next line.
  void flush() {
    kernels_.look(rows_.data(), waiting_, frontier_);
    std::size_t left = 0;
    for (std::size_t r = 0; r < waiting_; ++r) {
      WaitingRow row = rows_[r];
      const Vertex* const end = row.hit ? row.hit + 1 : end_in_line(row);
      mine_.looked_at += static_cast<EdgeCount>(end - row.next);
      if (row.hit) {
        state_.parents[row.v] = *row.hit;
        found_[row.v / kWordBits - words_.begin] |= Word{1} << row.v % kWordBits;
        ++mine_.found;
      } else if (end != row.end) {
        fetch_to_second(end);
        row.next = end;
        rows_[left++] = row;
      }
    }
    waiting_ = left;
  }

  SearchState& state_;
  Worker& mine_;
  const Part part_;  ///< a copy near its reader, as are what it points to
  const Vertex* const targets_ = part_.targets;
  const std::uint32_t* const low_ = part_.starts.low;
  const EdgeCount base_ = part_.starts.base[0];
  const bool one_base_ = part_.vertices.size() >> part_.starts.shift == 0;
  const Word* const frontier_;
  const SearchKernelSet& kernels_ = search_kernels();
  Range words_;
  std::array<Word, kBlockWords>& asking_ = mine_.block->asking;
  std::array<Word, kBlockWords>& found_ = mine_.block->found;
  std::array<WaitingRow, kRowsTogether>& rows_ = mine_.block->rows;
  std::size_t waiting_ = 0;
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
    Asker asker(state, mine, share.part);
    for (std::size_t k = 0; k < share.threads; ++k) {
      WordDealer& dealer = state.dealers[share.part][(share.rank + k) % share.threads];
      const Range words = dealer.words;
      for (std::size_t begin;
           (begin = words.begin + dealer.next.fetch_add(kBlockWords, std::memory_order_relaxed)) <
           words.end;) {
        asker.run({begin, std::min(begin + kBlockWords, words.end)});
      }
    }
  }
}

}  // namespace kinjo::graph::detail
