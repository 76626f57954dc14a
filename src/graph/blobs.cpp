/// The order in blobs, and rows brought into it.
#include <algorithm>
#include <atomic>
#include <vector>

#include <kinjo/detail/wait_word.hpp>

#include "graph/ahead.hpp"
#include "graph/fetch.hpp"
#include "graph/graph_data.hpp"
#include "graph/ordering.hpp"
#include "graph/vertex_set.hpp"

namespace kinjo::graph::detail {

namespace {

constexpr std::size_t kBlob = 4096;

/// Calls `row(v)` for each vertex that is placed, in the order.
template <class Rows, class EachRow>
class Blobs {
 public:
  Blobs(const Rows& rows, std::span<Vertex> order, EachRow& each_row)
      : rows_(rows),
        order_(order),
        each_row_(each_row),
        placed_(order.size()),
        seeded_(order.size()) {}

  void run() {
    const std::size_t n = order_.size();
    for (std::size_t v = 0; v < n; ++v) {
      if (placed_.has(static_cast<Vertex>(v)) || rows_.length(v) == 0) continue;
      seeds_.assign(1, static_cast<Vertex>(v));
      for (std::size_t s = 0; s < seeds_.size(); ++s) {
        if (!placed_.has(seeds_[s])) grow(seeds_[s]);
      }
    }
    for (std::size_t v = 0; v < n; ++v) {
      if (placed_.has(static_cast<Vertex>(v))) continue;
      order_[end_++] = static_cast<Vertex>(v);
      each_row_({});
    }
  }

 private:
  void place(Vertex v) {
    placed_.insert(v);
    order_[end_++] = v;
    rows_.ask_for_place(v);
  }

  void grow(Vertex seed) {
    const std::size_t begin = end_;
    std::size_t fetched = begin;
    place(seed);
    for (std::size_t at = begin; at < end_; ++at) {
      const std::size_t ahead = std::min(end_, at + kAhead);
      for (; fetched < ahead; ++fetched) rows_.ask_for_row(order_[fetched]);
      each_row_(rows_.row(order_[at]));
      if (at + kNamesAhead < end_) ask_for_names(rows_.whole_row(order_[at + kNamesAhead]));
      const auto row = rows_.whole_row(order_[at]);
      if (row.size() <= begin + std::min(kBlob, order_.size() - begin) - end_) {
        place_new(row);
      } else {
        for (const Vertex v : row) visit(v, begin);
      }
    }
  }

  /// Without a branch: nobody foresees which neighbours are new. The end is kept in a register: in
  /// memory, where a word of the set could be the same, it would be waited for again and again.
  template <class Row>
  void place_new(const Row& row) {
    Vertex* const order = order_.data();
    std::size_t end = end_;
    for (const Vertex v : row) {
      order[end] = v;
      end += placed_.insert(v);
      rows_.ask_for_place(v);
    }
    end_ = end;
  }

  void visit(Vertex v, std::size_t begin) {
    if (placed_.has(v)) return;
    if (end_ - begin < kBlob) {
      place(v);
    } else if (seeded_.insert(v)) {
      seeds_.push_back(v);
    }
  }

  /// Whether a row's vertices are placed is asked for when the row has come.
  template <class Row>
  [[gnu::always_inline]] void ask_for_names(const Row& row) const {
    for (const Vertex v : row) placed_.ask_for(v);
  }

  static constexpr std::size_t kAhead = 40, kNamesAhead = 8;
  const Rows& rows_;
  std::span<Vertex> order_;
  EachRow& each_row_;
  std::size_t end_ = 0;
  VertexSet placed_, seeded_;
  std::vector<Vertex> seeds_;
};

/// Rows that are copied into an order while one thread still finds it. They go in blocks, those of
/// `arranged`: each begins in memory where the finder says. If it is alone it copies each row as it
/// comes across it, which has the row at hand.
template <class Rows>
class Arrangement {
 public:
  Arrangement(const Rows& rows, LooseRows& arranged, std::span<const Vertex> order,
              std::span<Vertex> numbers, bool alone)
      : rows_(rows), arranged_(arranged), order_(order), numbers_(numbers), alone_(alone) {
    arranged.bases.resize(((order.size() - 1) >> arranged.shift) + 1);
  }

  /// The finder's: the row of the next vertex in the order.
  void operator()(std::span<const Vertex> row) {
    const std::size_t in_block = next_ & ((std::size_t{1} << arranged_.shift) - 1);
    const std::size_t block = next_ >> arranged_.shift;
    if (in_block == 0) begin_block(block);
    if (alone_) put(row, next_, at_ - arranged_.bases[block], arranged_.neighbours.data() + at_);
    ++next_;
    at_ += row.size();
  }
  void end() { found_.add(1); }
  /// The order ends as it is; nothing more is copied.
  void give_up() noexcept { found_.set_bits(kGivenUp); }

  /// Every other thread's, and in the end the finder's too.
  void copy() {
    if (alone_) {
      for (std::size_t k = 0; k < order_.size(); ++k) numbers_[order_[k]] = static_cast<Vertex>(k);
      return;
    }
    for (;;) {
      const auto block = copied_.fetch_add(1, std::memory_order_relaxed);
      if (block >= arranged_.bases.size() || !wait_for(block)) return;
      copy(block);
    }
  }

 private:
  static constexpr std::uint32_t kGivenUp = std::uint32_t{1} << 31;
  static constexpr unsigned kSpins = 2000;  ///< as long as some hundred vertices take

  void begin_block(std::size_t block) {
    arranged_.bases[block] = at_;
    if (block > 0) found_.add(1);
  }

  /// Whether that block of the order is found at last.
  bool wait_for(std::size_t block) {
    std::uint32_t found = found_.load();
    while (found <= block) found = found_.wait_while(found, kSpins);
    return (found & kGivenUp) == 0;
  }

  void copy(std::size_t block) const {
    const std::size_t first = block << arranged_.shift;
    const std::size_t size = std::min(order_.size() - first, std::size_t{1} << arranged_.shift);
    const auto visit = order_.subspan(first, size);  // what follows is not found yet, perhaps
    const auto ahead = ahead_of(rows_, visit);
    Vertex* const out = arranged_.neighbours.data() + arranged_.bases[block];
    EdgeCount at = 0;
    for (std::size_t k = 0; k < size; ++k) {
      ahead(k);
      const std::span<const Vertex> row = rows_.row(visit[k]);
      put(row, first + k, at, out + at);
      numbers_[visit[k]] = static_cast<Vertex>(first + k);
      at += row.size();
    }
  }

  void put(std::span<const Vertex> row, std::size_t k, EdgeCount from_base, Vertex* out) const {
    const auto length = static_cast<std::uint32_t>(row.size());
    arranged_.places[k] = {static_cast<std::uint32_t>(from_base), length};
    for (std::uint32_t i = 0; i < length; ++i) out[i] = row[i];
  }

  const Rows& rows_;
  LooseRows& arranged_;
  std::span<const Vertex> order_;
  std::span<Vertex> numbers_;
  const bool alone_;
  std::size_t next_ = 0;
  EdgeCount at_ = 0;
  alignas(64) kinjo::detail::WaitWord found_;  ///< blocks
  alignas(64) std::atomic<std::size_t> copied_{0};
};

}  // namespace

void order_by_blobs(const LooseRows& rows, std::span<Vertex> order) {
  const auto nothing = [](std::span<const Vertex>) {};
  Blobs(rows, order, nothing).run();
}

template <class Rows>
LooseRows arrange_by_blobs(Team& team, const Rows& rows, std::span<Vertex> order,
                           std::span<Vertex> numbers, Buffer memory, Pages pages) {
  LooseRows arranged;
  arranged.neighbours_memory = std::move(memory);
  arranged.places_memory = place(rows.size() * sizeof(RowPlace), -1, pages);
  arranged.neighbours = span_of<Vertex>(arranged.neighbours_memory, rows.neighbour_count());
  arranged.places = span_of<RowPlace>(arranged.places_memory, rows.size());
  arranged.shift = rows.shift;
  arranged.is_packed = true;
  Arrangement arrangement(rows, arranged, order, numbers, team.size() == 1);
  team.run([&](const Place& me) {
    if (me.thread == 0) {
      try {
        Blobs(rows, order, arrangement).run();
      } catch (...) {
        arrangement.give_up();
        throw;
      }
      arrangement.end();
    }
    arrangement.copy();
  });
  return arranged;
}

template LooseRows arrange_by_blobs(Team&, const LooseRows&, std::span<Vertex>, std::span<Vertex>,
                                    Buffer, Pages);
template LooseRows arrange_by_blobs(Team&, const SlotRows&, std::span<Vertex>, std::span<Vertex>,
                                    Buffer, Pages);

}  // namespace kinjo::graph::detail
