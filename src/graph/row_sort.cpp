#include "graph/row_sort.hpp"

#include "graph/fetch.hpp"
#include "graph/graph_data.hpp"

namespace kinjo::graph::detail {

namespace {

std::size_t index_of(const Place& me) { return static_cast<std::size_t>(me.thread); }

/// Calls `f(bucket)` for every bucket, in threads of the crew that it belongs to.
template <class MakeWorker>
void for_each_bucket(Team& team, const Buckets& buckets, const MakeWorker& make_worker) {
  TaskQueue queue(buckets.of_crews);
  team.run([&](const Place& me) {
    auto work = make_worker();
    const std::size_t crew = crew_of(team.mapping(), me);
    while (const auto bucket = queue.next(crew)) work(*bucket);
  });
}

/// One thread's tables for the rows of a bucket.
class BucketFiller {
 public:
  BucketFiller(const Buckets& buckets, const Edge* entries, const LooseRows& rows)
      : buckets_(buckets), entries_(entries), rows_(rows) {}

  /// Counts the entries of each row and places the rows one behind the other.
  void place(std::size_t bucket) {
    enter(bucket);
    count();
    line_up();
  }

  /// The same without loops, which `degrees` still have.
  void place_without_loops(std::size_t bucket, std::span<std::uint32_t> degrees) {
    enter(bucket);
    std::uint32_t* const lengths = rows_.lengths.data();
    std::fill(lengths + mine_.begin, lengths + mine_.end, 0u);
    loops_.clear();
    for (const Edge& e : bucket_) {
      ++lengths[e.from];
      if (e.from == e.to) loops_.push_back(e.from);
    }
    if (!degrees.empty()) {
      std::copy(lengths + mine_.begin, lengths + mine_.end, degrees.data() + mine_.begin);
    }
    for (const Vertex v : loops_) --lengths[v];
    line_up();
  }

  /// Places the rows by the lengths that are known.
  void place_as_before(std::size_t bucket) {
    enter(bucket);
    line_up();
  }

  /// After `place_without_loops`: every neighbour into its row.
  void scatter() {
    Vertex* const out = rows_.neighbours.data() + first_;
    std::uint32_t* const next = next_.data() - mine_.begin;
    for (const Edge& e : bucket_) {
      if (e.from != e.to) out[next[e.from]++] = e.to;
    }
  }

  /// After `scatter`: sorts the rows and leaves repetitions out, if all of them are short.
  bool sort_if_short() {
    const auto lengths = rows_.lengths.subspan(mine_.begin, mine_.size());
    if (!lengths.empty() && std::ranges::max(lengths) > kFewNeighbours) return false;
    for (std::size_t v = mine_.begin; v < mine_.end; ++v) {
      Vertex* const row = rows_.neighbours.data() + rows_.begins[v];
      rows_.lengths[v] = sort_row(row, rows_.lengths[v]);
    }
    return true;
  }

  /// The same of rows whose repetitions come one after the other: each is overwritten by what
  /// follows it, and lengths say what is left.
  void scatter_once() {
    Vertex* const out = rows_.neighbours.data() + first_;
    last_.assign(mine_.size(), kNoVertex);
    std::uint32_t* const next = next_.data() - mine_.begin;
    Vertex* const last = last_.data() - mine_.begin;
    for (const Edge& e : bucket_) {
      const std::uint32_t where = next[e.from];
      out[where] = e.to;
      next[e.from] = where + (last[e.from] != e.to);
      last[e.from] = e.to;
    }
    for (std::size_t v = mine_.begin; v < mine_.end; ++v) {
      rows_.lengths[v] = static_cast<std::uint32_t>(first_ + next[v] - rows_.begins[v]);
    }
  }

 private:
  void enter(std::size_t bucket) {
    first_ = buckets_.begins[bucket];
    bucket_ = {entries_ + first_, buckets_.begins[bucket + 1] - first_};
    mine_ = buckets_.rows_of(bucket);
    next_.resize(mine_.size());
  }

  /// By insertion; returns how many are left.
  static std::uint32_t sort_row(Vertex* row, std::uint32_t length) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < length; ++i) {
      const Vertex u = row[i];
      std::uint32_t at = kept;
      while (at > 0 && row[at - 1] > u) --at;
      if (at > 0 && row[at - 1] == u) continue;
      for (std::uint32_t j = kept++; j > at; --j) row[j] = row[j - 1];
      row[at] = u;
    }
    return kept;
  }

  void count() {
    std::uint32_t* const lengths = rows_.lengths.data();
    std::fill(lengths + mine_.begin, lengths + mine_.end, 0u);
    for (const Edge& e : bucket_) ++lengths[e.from];
  }

  void line_up() {
    std::uint32_t next = 0;
    for (std::size_t v = mine_.begin; v < mine_.end; ++v) {
      rows_.begins[v] = first_ + next;
      next_[v - mine_.begin] = next;
      next += rows_.lengths[v];
    }
  }

  const Buckets& buckets_;
  const Edge* entries_;
  const LooseRows& rows_;
  EdgeCount first_ = 0;  ///< where the bucket's entries begin
  std::span<const Edge> bucket_;
  Range mine_;                       ///< rows
  std::vector<std::uint32_t> next_;  ///< where each row goes on, from `first_`
  std::vector<Vertex> last_;         ///< what each row has last
  std::vector<Vertex> loops_;
};

}  // namespace

LooseRows make_rows(const Buckets& buckets, const Mapping& mapping, Pages pages) {
  LooseRows rows;
  const std::size_t n = std::max<std::size_t>(buckets.rows, 1);
  rows.neighbours_memory = place_buckets(buckets, sizeof(Vertex), mapping, pages);
  rows.begins_memory = place(n * sizeof(EdgeCount), -1, pages);
  rows.lengths_memory = place(n * sizeof(std::uint32_t), -1, pages);
  rows.neighbours = span_of<Vertex>(rows.neighbours_memory, buckets.entries());
  rows.begins = span_of<EdgeCount>(rows.begins_memory, buckets.rows);
  rows.lengths = span_of<std::uint32_t>(rows.lengths_memory, buckets.rows);
  return rows;
}

Rows fill_rows(Team& team, const Buckets& buckets, const Edge* entries, const LooseRows& rows,
               Rows wanted, std::span<std::uint32_t> degrees) {
  std::vector<char> is_sorted(buckets.count());
  std::atomic<bool> all_short{wanted == Rows::sorted};
  for_each_bucket(team, buckets, [&] {
    return [&, filler = BucketFiller(buckets, entries, rows)](std::size_t b) mutable {
      filler.place_without_loops(b, degrees);
      filler.scatter();
      if (!all_short.load(std::memory_order_relaxed)) return;
      is_sorted[b] = filler.sort_if_short();
      if (!is_sorted[b]) all_short.store(false, std::memory_order_relaxed);
    };
  });
  if (all_short) return Rows::sorted;
  // Rows are transposed all or none: the few that were sorted get their repetitions back.
  for_each_bucket(team, buckets, [&] {
    return [&, filler = BucketFiller(buckets, entries, rows)](std::size_t b) mutable {
      if (!is_sorted[b]) return;
      filler.place_without_loops(b, {});
      filler.scatter();
    };
  });
  return Rows::as_listed;
}

Counts count_rows(const LooseRows& rows, unsigned shift) {
  Counts counts(1, std::vector<EdgeCount>(bucket_count(rows.lengths.size(), shift)));
  for (std::size_t v = 0; v < rows.lengths.size(); ++v) counts[0][v >> shift] += rows.lengths[v];
  return counts;
}

std::vector<std::size_t> share_visit(Team& team, const LooseRows& rows,
                                     std::span<const Vertex> visit) {
  const std::size_t threads = team.size();
  std::vector<std::size_t> shares(threads + 1, visit.size());
  shares[0] = 0;
  if (threads == 1) return shares;
  constexpr std::size_t kBlock = 1024;
  std::vector<EdgeCount> sums((visit.size() + kBlock - 1) / kBlock);
  team.run([&](const Place& me) {
    for (std::size_t b = index_of(me); b < sums.size(); b += threads) {
      const std::size_t end = std::min(visit.size(), (b + 1) * kBlock);
      for (std::size_t k = b * kBlock; k < end; ++k) sums[b] += rows.lengths[visit[k]];
    }
  });
  EdgeCount total = 0;
  for (EdgeCount& sum : sums) sum = total += sum;
  for (std::size_t t = 1; t < threads; ++t) {
    const auto block = std::ranges::lower_bound(sums, total / threads * t) - sums.begin();
    shares[t] = std::min(visit.size(), static_cast<std::size_t>(block) * kBlock);
  }
  return shares;
}

namespace {

/// Rows that will be visited soon are on their way meanwhile: their places first, then themselves.
class Ahead {
 public:
  Ahead(const LooseRows& rows, std::span<const Vertex> visit) : rows_(rows), visit_(visit) {}
  [[gnu::always_inline]] void operator()(std::size_t k) const {
    if (k + kPlaces < visit_.size()) {
      const Vertex v = visit_[k + kPlaces];
      fetch(&rows_.begins[v]);
      fetch(&rows_.lengths[v]);
    }
    if (k + kRows < visit_.size()) {
      const Vertex* const row = rows_.neighbours.data() + rows_.begins[visit_[k + kRows]];
      fetch(row);
      fetch(row + 16);
    }
  }

 private:
  static constexpr std::size_t kPlaces = 32, kRows = 16;
  const LooseRows& rows_;
  std::span<const Vertex> visit_;
};

}  // namespace

Counts count_visits(Team& team, const LooseRows& rows, std::span<const Vertex> visit,
                    const std::vector<std::size_t>& shares, unsigned shift) {
  const std::size_t buckets = bucket_count(std::max<std::size_t>(visit.size(), 1), shift);
  Counts counts(team.size(), std::vector<EdgeCount>(buckets));
  const Ahead ahead(rows, visit);
  team.run([&](const Place& me) {
    const std::size_t t = index_of(me);
    std::vector<EdgeCount> count(buckets);
    for (std::size_t k = shares[t]; k < shares[t + 1]; ++k) {
      ahead(k);
      for (const Vertex v : rows.row(visit[k])) ++count[v >> shift];
    }
    counts[t] = std::move(count);
  });
  return counts;
}

void send_visits(Team& team, const LooseRows& rows, std::span<const Vertex> visit,
                 std::span<const Vertex> names, const std::vector<std::size_t>& shares,
                 unsigned shift, const Counts& begins, Edge* out) {
  const Past past = past_for(rows.neighbours.size());
  const Ahead ahead(rows, visit);
  team.run([&](const Place& me) {
    const std::size_t t = index_of(me);
    BucketWriter writer(out, begins[t], past);
    for (std::size_t k = shares[t]; k < shares[t + 1]; ++k) {
      ahead(k);
      const Vertex name = names.empty() ? visit[k] : names[k];
      for (const Vertex v : rows.row(visit[k])) writer.put(v >> shift, {v, name});
    }
    writer.finish();
  });
}

void fill_sorted_rows(Team& team, const Buckets& buckets, const Edge* entries, Sense sense,
                      const LooseRows& rows) {
  for_each_bucket(team, buckets, [&] {
    return [&, filler = BucketFiller(buckets, entries, rows)](std::size_t b) mutable {
      if (sense == Sense::symmetric) {
        filler.place_as_before(b);
      } else {
        filler.place(b);
      }
      filler.scatter_once();
    };
  });
}

}  // namespace kinjo::graph::detail
