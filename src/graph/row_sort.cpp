#include "graph/row_sort.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "graph/ahead.hpp"
#include "graph/bucket_filler.hpp"
#include "graph/graph_data.hpp"

namespace kinjo::graph::detail {

namespace {

std::size_t index_of(const Place& me) { return static_cast<std::size_t>(me.thread); }

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

namespace {

/// What a bucket's rows are when all have been filled once.
struct Filled {
  bool is_sorted = false;
  bool is_packed = false;  ///< sorted, and one behind the other
  bool left_out = false;   ///< sorted, without loops or repetitions that degrees have
  bool has_degrees = false;
  Spread spread;  ///< if they are sorted
};

template <class Source>
class RowFilling {
 public:
  RowFilling(Team& team, const Buckets& buckets, const Source& source, LooseRows& rows,
             std::span<std::uint32_t> degrees)
      : team_(team),
        buckets_(buckets),
        source_(source),
        rows_(rows),
        degrees_(degrees),
        filled_(buckets.count()) {}

  Rows run(Rows wanted) {
    std::atomic<bool> all_short{wanted == Rows::sorted};
    for_each([&](Filler& filler, std::size_t b) {
      filled_[b] =
          all_short.load(std::memory_order_relaxed) ? try_short(filler, b) : list(filler, b);
      if (!filled_[b].is_sorted) all_short.store(false, std::memory_order_relaxed);
    });
    if (all_short) {
      describe();
      return Rows::sorted;
    }
    // Rows are transposed all or none: the few that were sorted get their repetitions back.
    for_each([&](Filler& filler, std::size_t b) {
      if (!filled_[b].has_degrees) list(filler, b);
    });
    return Rows::as_listed;
  }

 private:
  using Filler = BucketFiller<Source>;

  template <class F>
  void for_each(const F& f) {
    for_each_bucket(team_, buckets_, [&] {
      return
          [&, filler = Filler(buckets_, source_, rows_)](std::size_t b) mutable { f(filler, b); };
    });
  }

  Filled list(Filler& filler, std::size_t b) {
    filler.place_without_loops(b, degrees_);
    filler.scatter();
    return {.has_degrees = true};
  }

  Filled try_short(Filler& filler, std::size_t b) {
    const bool is_packed = filler.fill_very_short(b);
    bool is_sorted = is_packed;
    if (!is_sorted) {
      filler.place_without_loops(b, {});
      filler.scatter();
      is_sorted = filler.sort_if_short();
    }
    if (!is_sorted) return {};
    return {.is_sorted = true,
            .is_packed = is_packed,
            .left_out = filler.left_out(),
            .spread = filler.spread()};
  }

  /// Sorted rows, and what they had been if something was left out.
  void describe() {
    rows_.spread = Spread{};
    for (const Filled& filled : filled_) {
      rows_.spread->sum += filled.spread.sum;
      rows_.spread->most = std::max(rows_.spread->most, filled.spread.most);
    }
    rows_.is_packed = std::ranges::all_of(filled_, &Filled::is_packed);
    if (std::ranges::none_of(filled_, &Filled::left_out)) return;
    for_each([&](Filler& filler, std::size_t b) { filler.count_degrees(b, degrees_); });
  }

  Team& team_;
  const Buckets& buckets_;
  const Source& source_;
  LooseRows& rows_;
  std::span<std::uint32_t> degrees_;
  std::vector<Filled> filled_;
};

}  // namespace

Rows fill_rows(Team& team, const Buckets& buckets, const Entries& entries, LooseRows& rows,
               Rows wanted, std::span<std::uint32_t> degrees) {
  begin_in_buckets(rows, buckets);
  if (const auto* const stretches = std::get_if<const Stretches*>(&entries)) {
    return RowFilling(team, buckets, **stretches, rows, degrees).run(wanted);
  }
  return RowFilling(team, buckets, std::get<Dealt>(entries), rows, degrees).run(wanted);
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
  const Dealt dealt(buckets, entries);
  for_each_bucket(team, buckets, [&] {
    return [&, filler = BucketFiller(buckets, dealt, rows)](std::size_t b) mutable {
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
