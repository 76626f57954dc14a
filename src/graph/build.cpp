/// Construction: two radix passes over the entries of all rows, each through buckets whose rows fit
/// into cache, and a copy.
///
///     count, deal   edges → entries {row, neighbour} in buckets of rows   in the order of the list
///                   a list that runs through the buckets as it is: stays where it is
///     fill          buckets → loose rows, degrees; all rows short: sorted, and ready to assemble
///                   all very short, labels that say nothing: into slots, for the search of order
///     order         degrees, or a search of the loose rows → the order of the visit
///     send          loose rows, visited in that order → entries {neighbour's row, visited}
///     fill          buckets → loose rows in the wanted order, repetitions left out
///     assemble      loose rows → each part's memory, in the order of internal numbers
///
/// (graph/buckets.hpp, graph/stretches.hpp, graph/row_sort.hpp, graph/slot_rows.hpp). Each entry is
/// written five times and nothing is sorted by comparing; a cache line goes to memory whole. The
/// cut of the work arrays over nodes follows the caller's numbers, that of the graph the internal
/// ones. The result does not depend on the number of threads.
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <kinjo/lab.hpp>

#include "graph/assemble.hpp"
#include "graph/graph_data.hpp"
#include "graph/limits.hpp"
#include "graph/numbering.hpp"
#include "graph/ordering.hpp"
#include "graph/row_sort.hpp"
#include "graph/write_list.hpp"

namespace kinjo::graph {

namespace {

using detail::span_of;

EdgeCount entries_of(EdgeCount edges, Sense sense) {
  return sense == Sense::symmetric ? 2 * edges : edges;
}

class Construction {
 public:
  Construction(Team& team, const EdgeList& edges, const BuildOptions& options)
      : team_(team),
        edges_(edges),
        options_(options),
        n_(edges.vertices()),
        graph_(std::make_unique<detail::GraphData>()) {
    graph_->vertices = n_;
    graph_->input_edges = edges.size();
    graph_->sense = options.sense;
    graph_->parts = detail::cut_into_parts(n_, team.mapping().nodes(), options.parts);
    if (n_ > 0) shift_ = detail::bucket_shift(n_, entries_of(edges.size(), options.sense));
  }

  /// Ids of the vertices, which the graph keeps.
  void keep_ids(Buffer ids, std::uint64_t universe) {
    graph_->universe = universe;
    graph_->ids = span_of<const VertexId>(ids, n_);
    graph_->memory.push_back(std::move(ids));
  }

  Graph run() {
    tell("dealing edges");
    if (n_ == 0) {
      detail::count_edges(team_, edges_, options_.sense, shift_);  // there must not be any
      graph_->order = Order::caller;
      detail::LooseRows none;
      return finish(none, detail::Names::internal, 0);
    }
    detail::LooseRows rows = first_rows();
    if (!is_arranged_) find_order(rows);
    if (state_ == detail::Rows::sorted) {
      const bool relabelled = graph_->order != Order::caller;
      return finish(rows, relabelled ? detail::Names::callers : detail::Names::internal, 0);
    }
    sort(rows);
    const bool by_degree = graph_->order != Order::locality;
    return finish(rows, detail::Names::internal,
                  by_degree ? detail::choose_columns(rows, options_.sense) : 0);
  }

 private:
  void tell(const char* stage) const {
    if (options_.begins) options_.begins(stage);
  }

  Edge* entries() const { return static_cast<Edge*>(entries_.data()); }

  Buffer array_of(std::uint64_t bytes) const { return detail::place(bytes, -1, options_.pages); }

  template <class T>
  std::span<T> keep(std::size_t size) {
    graph_->memory.push_back(array_of(size * sizeof(T)));
    return span_of<T>(graph_->memory.back(), size);
  }

  detail::LooseRows first_rows() {
    const auto stretches = detail::Stretches::find(team_, edges_, options_.sense, shift_);
    detail::Counts counts = stretches ? stretches->count(team_)
                                      : detail::count_edges(team_, edges_, options_.sense, shift_);
    const detail::Buckets buckets = lay_out(counts);
    if (stretches) return fill(buckets, &*stretches);
    make_entries(buckets);
    detail::deal_edges(team_, edges_, options_.sense, shift_, counts, entries());
    const detail::Dealt dealt(buckets, entries());
    if (auto rows = arranged_from_slots(buckets, dealt)) return std::move(*rows);
    return fill(buckets, dealt);
  }

  /// Rows in their order of locality, if they are to have one and go into slots.
  std::optional<detail::LooseRows> arranged_from_slots(const detail::Buckets& buckets,
                                                       const detail::Dealt& dealt) {
    const bool may_be = options_.order == Order::locality ||
                        (options_.order == Order::automatic && detail::is_scattered(edges_));
    if (!may_be || options_.sense == Sense::directed || !detail::suits_slots(n_, buckets.entries()))
      return std::nullopt;
    tell("filling rows");
    auto slots = detail::fill_slots(team_, buckets, dealt, options_.pages);
    if (!slots) return std::nullopt;
    if (options_.order == Order::automatic &&
        detail::choose_order(*slots, graph_->parts.size()) != Order::locality) {
      return std::nullopt;
    }
    tell("ordering vertices");
    graph_->order = Order::locality;
    state_ = detail::Rows::sorted;
    is_arranged_ = true;
    return arrange(*slots);
  }

  void make_entries(const detail::Buckets& buckets) {
    entries_ = detail::place_buckets(buckets, sizeof(Edge), team_.mapping(), options_.pages);
  }

  detail::LooseRows fill(const detail::Buckets& buckets, const detail::Entries& from) {
    tell("filling rows");
    detail::LooseRows rows = detail::make_rows(buckets, team_.mapping(), options_.pages);
    std::span<std::uint32_t> degrees;
    if (options_.sense == Sense::symmetric) {
      degrees_memory_ = array_of(n_ * sizeof(std::uint32_t));
      degrees = span_of<std::uint32_t>(degrees_memory_, n_);
    }
    const bool may_sort = options_.sense == Sense::symmetric && options_.order != Order::degree;
    state_ = detail::fill_rows(team_, buckets, from, rows,
                               may_sort ? detail::Rows::sorted : detail::Rows::as_listed, degrees);
    return rows;
  }

  detail::Buckets lay_out(detail::Counts& counts) const {
    return detail::lay_out(counts, shift_, n_, team_.mapping().nodes().size());
  }

  /// The order of the visit, and the names that vertices are visited by. Sorted rows are brought
  /// into the order itself.
  void find_order(detail::LooseRows& rows) {
    tell("ordering vertices");
    graph_->order = options_.order == Order::automatic
                        ? detail::choose_order(rows, graph_->parts.size())
                        : options_.order;
    if (state_ == detail::Rows::sorted) {
      if (graph_->order == Order::degree) graph_->order = Order::caller;  // they hardly differ
      if (graph_->order == Order::caller) return;
    }
    if (graph_->order == Order::locality) {
      find_blobs(rows);
      return;
    }
    visit_memory_ = array_of(n_ * sizeof(Vertex));
    visit_ = span_of<Vertex>(visit_memory_, n_);
    detail::order_by_length(rows, visit_);
    if (graph_->order == Order::degree) relabel();
  }

  /// Vertices are visited by the numbers that they get, so that the visit is a table of the graph.
  void find_blobs(detail::LooseRows& rows) {
    if (state_ == detail::Rows::sorted) {
      rows = arrange(rows);
      return;
    }
    const auto numbers = keep_numbers();
    detail::order_by_blobs(rows, visit_);
    make_names();
    std::iota(names_.begin(), names_.end(), Vertex{0});
    for_each_place([&](std::size_t k) { numbers[visit_[k]] = static_cast<Vertex>(k); });
  }

  /// Sorted rows in their order of locality.
  template <class Rows>
  detail::LooseRows arrange(const Rows& rows) {
    const auto numbers = keep_numbers();
    Buffer memory =
        entries_.data() ? std::move(entries_) : array_of(rows.neighbour_count() * sizeof(Vertex));
    return detail::arrange_by_blobs(team_, rows, visit_, numbers, std::move(memory),
                                    options_.pages);
  }

  /// The graph's tables of numbers, the visit being one of them. Returns the other.
  std::span<Vertex> keep_numbers() {
    visit_ = keep<Vertex>(n_);
    const auto numbers = keep<Vertex>(n_);
    graph_->to_caller = visit_;
    graph_->to_internal = numbers;
    return numbers;
  }

  void make_names() {
    names_memory_ = array_of(n_ * sizeof(Vertex));
    names_ = span_of<Vertex>(names_memory_, n_);
  }

  void relabel() {
    make_names();
    detail::deal_ranks(graph_->parts, names_);
    const auto to_caller = keep<Vertex>(n_), to_internal = keep<Vertex>(n_);
    for_each_place([&](std::size_t k) {
      to_caller[names_[k]] = visit_[k];
      to_internal[visit_[k]] = names_[k];
    });
    graph_->to_caller = to_caller;
    graph_->to_internal = to_internal;
  }

  template <class F>
  void for_each_place(const F& f) {
    team_.run([&](const Place& me) {
      const Range mine = detail::block_of(team_, me, n_);
      for (std::size_t k = mine.begin; k < mine.end; ++k) f(k);
    });
  }

  void sort(detail::LooseRows& rows) {
    tell("sorting rows");
    const auto shares = detail::share_visit(team_, rows, visit_);
    // One thread sends as much to each bucket as its rows have, if every edge is there both ways.
    const bool is_known = team_.size() == 1 && options_.sense == Sense::symmetric;
    detail::Counts counts = is_known ? detail::count_rows(rows, shift_)
                                     : detail::count_visits(team_, rows, visit_, shares, shift_);
    const detail::Buckets buckets = lay_out(counts);
    if (!entries_.data()) make_entries(buckets);
    detail::send_visits(team_, rows, visit_, names_, shares, shift_, counts, entries());
    detail::fill_sorted_rows(team_, buckets, entries(), options_.sense, rows);
  }

  Graph finish(detail::LooseRows& rows, detail::Names names, std::size_t columns) {
    tell("assembling rows");
    if (graph_->parts.size() > 1) entries_ = {};
    visit_memory_ = {};
    names_memory_ = {};
    detail::assemble(team_, rows, names, columns, options_.pages, std::move(entries_), *graph_);
    const bool differ = graph_->entries != 2 * edges_.size();  // from the lengths of rows
    if (differ && degrees_memory_.data()) {
      graph_->input_degrees = span_of<const std::uint32_t>(degrees_memory_, n_);
      graph_->memory.push_back(std::move(degrees_memory_));
    }
    return Graph(std::move(graph_));
  }

  Team& team_;
  const EdgeList& edges_;
  const BuildOptions options_;
  const std::size_t n_;
  unsigned shift_ = 0;
  detail::Rows state_ = detail::Rows::as_listed;
  bool is_arranged_ = false;  ///< rows are in their order of locality
  std::unique_ptr<detail::GraphData> graph_;
  Buffer entries_, degrees_memory_, visit_memory_, names_memory_;
  /// The vertices in the order of the visit, and what they are called by then if not as by callers.
  std::span<Vertex> visit_, names_;
};

}  // namespace

namespace {

void check_build(const EdgeList& edges, const BuildOptions& options) {
  detail::check_memory(
      fmt::format("building a graph of {} vertices and {} edges", edges.vertices(), edges.size()),
      build_bytes(edges.vertices(), edges.size(), options));
}

}  // namespace

Graph Graph::build(Team& team, const EdgeList& edges, const BuildOptions& options) {
  check_build(edges, options);
  KINJO_PHASE("construction");
  return Construction(team, edges, options).run();
}

Graph Graph::build(Team& team, const WideEdgeList& edges, const BuildOptions& options) {
  KINJO_PHASE("construction");
  if (options.begins) options.begins("numbering vertices");
  detail::Numbered numbered = detail::number_vertices(team, edges, options.pages);
  check_build(numbered.edges, options);
  Construction construction(team, numbered.edges, options);
  construction.keep_ids(std::move(numbered.ids), edges.vertices());
  return construction.run();
}

Graph Graph::build(Team& team, const AnyEdgeList& edges, const BuildOptions& options) {
  return std::visit([&](const auto& list) { return build(team, list, options); }, edges);
}

std::uint64_t build_bytes(std::uint64_t vertices, EdgeCount edges, const BuildOptions& options) {
  const EdgeCount entries = entries_of(edges, options.sense);
  // The most is held while loose rows are filled and when parts are assembled.
  const std::uint64_t rows = entries * sizeof(Vertex) + vertices * sizeof(detail::RowPlace);
  // Degrees and the graph's two tables of numbers; beside them the visit and its names, until
  // begins of rows and columns take their place.
  const std::uint64_t columns = detail::most_columns(vertices, entries);
  const std::uint64_t tables = vertices * (3 + std::max<std::uint64_t>(2, 1 + columns));
  const std::uint64_t most = rows + tables * sizeof(Vertex) + entries * sizeof(Edge);
  // Each thread's lines and counts of buckets, its tables for one's rows, and what pages round up.
  const auto threads = static_cast<std::uint64_t>(Topology::this_machine().allowed_cpus().count());
  const unsigned shift = vertices == 0 ? 0 : detail::bucket_shift(vertices, entries);
  const std::uint64_t buckets = vertices == 0 ? 1 : detail::bucket_count(vertices, shift);
  const std::uint64_t slots = detail::has_slots(vertices, entries) ? detail::kVeryFew : 0;
  const std::uint64_t tables_of_rows =
      std::min(vertices, std::uint64_t{1} << shift) * (1 + slots) * sizeof(Vertex);
  const std::uint64_t arrays = 16 + 2 * options.parts;
  return most + threads * (buckets * (64 * detail::kBucketLines + 64) + tables_of_rows) +
         std::min(most, arrays * huge_page_bytes()) + arrays * page_bytes();
}

std::uint64_t wide_build_bytes(std::uint64_t universe, std::uint64_t vertices, EdgeCount edges,
                               const BuildOptions& options) {
  const std::uint64_t lists = vertices * sizeof(VertexId) + edges * sizeof(Edge);
  return lists + std::max(detail::numbering_bytes(universe, vertices, edges),
                          build_bytes(vertices, edges, options));
}

}  // namespace kinjo::graph
