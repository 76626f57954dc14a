#include "graph/row_sort.hpp"

#include <utility>

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

/// By insertion; returns how many are left.
std::uint32_t sort_row(Vertex* row, std::uint32_t length) {
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

/// Neighbours that are sorted without a branch.
constexpr std::uint32_t kVeryFew = 4;

/// The same of a row of at most kVeryFew, behind which so many can be read and written.
std::uint32_t sort_short_row(Vertex* row, std::uint32_t length) {
  const auto at = [&](std::uint32_t i) { return i < length ? row[i] : kNoVertex; };
  Vertex a = at(0), b = at(1), c = at(2), d = at(3);
  const auto exchange = [](Vertex& x, Vertex& y) {
    // Not std::min and std::max, of which g++ makes branches.
    const Vertex change = (x ^ y) & -Vertex{y < x};
    x ^= change;
    y ^= change;
  };
  exchange(a, b);
  exchange(c, d);
  exchange(a, c);
  exchange(b, d);
  exchange(b, c);
  const auto put = [&](std::uint32_t i, Vertex u) { row[i] = i < length ? u : row[i]; };
  put(0, a);
  put(1, b);
  put(2, c);
  put(3, d);
  const bool repeats = (a == b && length > 1) || (b == c && length > 2) || (c == d && length > 3);
  return repeats ? sort_row(row, length) : length;
}

/// Leaves out what repeats the one before it; returns how many are left.
std::uint32_t squeeze(Vertex* row, std::uint32_t length) {
  std::uint32_t repetitions = 0;
  for (std::uint32_t i = 1; i < length; ++i) repetitions += row[i] == row[i - 1];
  if (repetitions == 0) return length;
  std::uint32_t kept = 1;
  Vertex last = row[0];
  for (std::uint32_t i = 1; i < length; ++i) {
    const Vertex u = row[i];
    row[kept] = u;
    kept += u != last;
    last = u;
  }
  return kept;
}

/// One thread's tables for the rows of a bucket.
class BucketFiller {
 public:
  BucketFiller(const Buckets& buckets, const Edge* entries, const LooseRows& rows)
      : buckets_(buckets), entries_(entries), rows_(rows) {}

  /// Counts the entries of each row and places the rows one behind the other.
  void place(std::size_t bucket) {
    enter(bucket);
    for (const Edge& e : bucket_) ++next_[e.from - mine_.begin];
    line_up();
  }

  /// The same without loops, which `degrees` still have.
  void place_without_loops(std::size_t bucket, std::span<std::uint32_t> degrees) {
    enter(bucket);
    std::uint32_t* const lengths = next_.data() - mine_.begin;
    for (const Edge& e : bucket_) {
      ++lengths[e.from];
      if (e.from == e.to) loops_.push_back(e.from);
    }
    if (!degrees.empty()) {
      for (std::size_t r = 0; r < mine_.size(); ++r) degrees[mine_.begin + r] = next_[r];
    }
    for (const Vertex v : loops_) --next_[v - mine_.begin];
    line_up();
  }

  /// Places the rows by the lengths that are known.
  void place_as_before(std::size_t bucket) {
    enter(bucket);
    for (std::size_t r = 0; r < mine_.size(); ++r) next_[r] = rows_.places[mine_.begin + r].length;
    line_up();
  }

  /// After `place_without_loops`: every neighbour into its row.
  void scatter() {
    Vertex* const out = rows_.neighbours.data() + first_;
    std::uint32_t* const next = next_.data() - mine_.begin;
    if (loops_.empty()) {
      for (const Edge& e : bucket_) out[next[e.from]++] = e.to;
      return;
    }
    for (const Edge& e : bucket_) {
      if (e.from != e.to) out[next[e.from]++] = e.to;
    }
  }

  /// After `scatter`: sorts the rows and leaves repetitions out, if all of them are short.
  bool sort_if_short() {
    std::uint32_t longest = 0;
    const auto places = rows_.places.subspan(mine_.begin, mine_.size());
    for (const RowPlace& place : places) longest = std::max(longest, place.length);
    if (longest > kFewNeighbours) return false;
    Vertex* const out = rows_.neighbours.data() + first_;
    const std::size_t size = bucket_.size();
    for (RowPlace& place : places) {
      const bool is_short = place.length <= kVeryFew && place.begin + kVeryFew <= size;
      place.length = is_short ? sort_short_row(out + place.begin, place.length)
                              : sort_row(out + place.begin, place.length);
    }
    return true;
  }

  /// The same of rows whose repetitions come one after the other: lengths say what is left.
  void scatter_once() {
    scatter();
    Vertex* const out = rows_.neighbours.data() + first_;
    for (RowPlace& place : rows_.places.subspan(mine_.begin, mine_.size())) {
      place.length = squeeze(out + place.begin, place.length);
    }
  }

 private:
  void enter(std::size_t bucket) {
    first_ = buckets_.begins[bucket];
    bucket_ = {entries_ + first_, buckets_.begins[bucket + 1] - first_};
    mine_ = buckets_.rows_of(bucket);
    next_.assign(mine_.size(), 0);
    loops_.clear();
  }

  /// From the rows' lengths in `next_`.
  void line_up() {
    std::uint32_t at = 0;
    for (std::size_t r = 0; r < mine_.size(); ++r) {
      const std::uint32_t length = std::exchange(next_[r], at);
      rows_.places[mine_.begin + r] = {at, length};
      at += length;
    }
  }

  const Buckets& buckets_;
  const Edge* entries_;
  const LooseRows& rows_;
  EdgeCount first_ = 0;  ///< where the bucket's entries begin
  std::span<const Edge> bucket_;
  Range mine_;                       ///< rows
  std::vector<std::uint32_t> next_;  ///< where each row goes on, from `first_`; first its length
  std::vector<Vertex> loops_;        ///< which `place_without_loops` left out
};

/// Rows that fill buckets begin where these do.
void begin_in_buckets(LooseRows& rows, const Buckets& buckets) {
  rows.bases.assign(buckets.begins.begin(), buckets.begins.end() - 1);
}

}  // namespace

LooseRows make_rows(const Buckets& buckets, const Mapping& mapping, Pages pages) {
  LooseRows rows;
  const std::size_t n = std::max<std::size_t>(buckets.rows, 1);
  rows.neighbours_memory = place_buckets(buckets, sizeof(Vertex), mapping, pages);
  rows.places_memory = place(n * sizeof(RowPlace), -1, pages);
  rows.neighbours = span_of<Vertex>(rows.neighbours_memory, buckets.entries());
  rows.places = span_of<RowPlace>(rows.places_memory, buckets.rows);
  rows.shift = buckets.shift;
  return rows;
}

Rows fill_rows(Team& team, const Buckets& buckets, const Edge* entries, LooseRows& rows,
               Rows wanted, std::span<std::uint32_t> degrees) {
  begin_in_buckets(rows, buckets);
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
  Counts counts(1, std::vector<EdgeCount>(bucket_count(rows.size(), shift)));
  for (std::size_t v = 0; v < rows.size(); ++v) counts[0][v >> shift] += rows.length(v);
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
      for (std::size_t k = b * kBlock; k < end; ++k) sums[b] += rows.length(visit[k]);
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
      fetch(&rows_.places[visit_[k + kPlaces]]);
    }
    if (k + kRows < visit_.size()) {
      const std::span<const Vertex> row = rows_.row(visit_[k + kRows]);
      const Vertex* const end = row.data() + std::min(row.size(), kFetched);
      for (const Vertex* u = row.data(); u < end; u += 16) fetch(u);
      fetch(end);
    }
  }

 private:
  static constexpr std::size_t kPlaces = 32, kRows = 16;
  static constexpr std::size_t kFetched = 64;  ///< neighbours; the others are met in line
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
                      LooseRows& rows) {
  begin_in_buckets(rows, buckets);
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
