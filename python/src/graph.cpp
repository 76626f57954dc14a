/// kinjo._kinjo._Graph and _Search: what kinjo/graph.py calls, with arrays that it has made fit.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <kinjo/bfs.hpp>
#include <kinjo/error.hpp>
#include <kinjo/graph.hpp>
#include <kinjo/graph_files.hpp>
#include <kinjo/graph_generators.hpp>

#include "lock.hpp"
#include "numpy.hpp"
#include "parts.hpp"
#include "team.hpp"

namespace kinjo::python {
namespace {

using graph::EdgeList;
using graph::Graph;
using graph::Sense;
using graph::Vertex;

/// A graph, and the arrays that it is a view of.
struct PythonGraph {
  Graph graph;
  std::vector<nb::object> held;
};
using SharedGraph = std::shared_ptr<PythonGraph>;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(Errc::invalid_argument, message);
}

/// How a graph is to be built, in words.
struct Wish {
  bool directed;
  const std::string& order;

  graph::BuildOptions options() const {
    for (const auto each : {graph::Order::automatic, graph::Order::caller, graph::Order::degree,
                            graph::Order::locality}) {
      if (order == to_string(each)) return {.sense = sense(), .order = each};
    }
    refuse(fmt::format("order is '{}': expected automatic, caller, degree or locality", order));
  }
  Sense sense() const { return directed ? Sense::directed : Sense::symmetric; }
};

/// The elements of an array of 32-bit integers, or of 64-bit ones for T of 8 bytes, contiguous.
template <class T>
std::span<T> elements(nb::handle object, const char* name) {
  PyArrayObject* array = as_numpy(object);
  constexpr int kFlags =
      NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | (std::is_const_v<T> ? 0 : NPY_ARRAY_WRITEABLE);
  if (!array || !PyArray_ISINTEGER(array) || PyArray_ITEMSIZE(array) != sizeof(T) ||
      (PyArray_FLAGS(array) & kFlags) != kFlags || !PyArray_ISNOTSWAPPED(array)) {
    refuse(fmt::format("{} is no contiguous array of {}-bit integers", name, 8 * sizeof(T)));
  }
  return {static_cast<T*>(PyArray_DATA(array)), static_cast<std::size_t>(PyArray_SIZE(array))};
}

template <class List>
SharedGraph build(const PythonTeam& team, const List& list, const Wish& wish) {
  return std::make_shared<PythonGraph>(
      PythonGraph{Graph::build(*WorkingTeam(team), list, wish.options()), {}});
}

/// Of numbers of 32 bits, or of 64, which are ids.
template <class Number>
SharedGraph from_edges(const PythonTeam& team, std::uint64_t vertices, nb::handle ends,
                       bool directed, const std::string& order) {
  const auto given = elements<const Number>(ends, "edges");
  const Wish wish{directed, order};
  wish.options();
  const Unlocked released;
  graph::BasicEdgeList<Number> list(vertices, given.size() / 2);
  const auto edges = list.all();
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = {given[2 * i], given[2 * i + 1]};
  return build(team, list, wish);
}

/// Whether the other sense of an entry stands where it should; of long rows nothing is asked.
bool has_reverse(const Graph& graph, Vertex row, Vertex column) {
  constexpr std::size_t kLongRow = 1 << 14;
  const auto back = graph.neighbours(column);
  return back.size() > kLongRow || std::ranges::find(back, row) != back.end();
}

/// Refuses rows that are not symmetric if that shows in a sample of their entries: to look at all
/// of them would take longer than many searches.
void sample_symmetry(const Graph& graph) {
  constexpr std::uint64_t kSamples = 64;
  const std::uint64_t n = graph.vertices(), step = std::max<std::uint64_t>(n / kSamples, 1);
  for (std::uint64_t v = 0; v < n; v += step) {
    const auto row = static_cast<Vertex>(v);
    const auto neighbours = graph.neighbours(row);
    if (neighbours.empty() || has_reverse(graph, row, neighbours[neighbours.size() / 2])) continue;
    refuse(fmt::format("the matrix is not symmetric: it has entry ({0}, {1}) and not ({1}, {0})",
                       row, neighbours[neighbours.size() / 2]));
  }
}

/// Whether each entry (u, v) has its reverse: Σ m_u·m_v·(m_v − m_u) over the entries, with a
/// pseudorandom word m for each vertex, is 0 modulo 2⁶⁴ if so, and else only by a chance of about
/// 2⁻⁶⁰. One pass in the order of memory, where looking for each reverse would go all over it.
bool is_symmetric(const Graph& graph) {
  const auto word = [](std::uint64_t v) {
    v = (v + 1) * 0x9e3779b97f4a7c15u;
    v = (v ^ v >> 32) * 0xd6e8feb86659fd93u;
    return v ^ v >> 32;
  };
  std::uint64_t sum = 0;
  for (std::uint64_t u = 0; u < graph.vertices(); ++u) {
    std::uint64_t words = 0, squares = 0;
    for (const Vertex v : graph.neighbours(static_cast<Vertex>(u))) {
      const std::uint64_t m = word(v);
      words += m;
      squares += m * m;
    }
    sum += word(u) * (squares - word(u) * words);
  }
  return sum == 0;
}

SharedGraph from_rows(const nb::object& begins, const nb::object& neighbours,
                      std::optional<bool> directed) {
  const auto rows = elements<const Vertex>(begins, "indptr");
  const auto entries = elements<const Vertex>(neighbours, "indices");
  const auto made = [&] {
    const Unlocked released;
    Graph graph = Graph::view(rows, entries, Sense::directed);
    if (directed == false) sample_symmetry(graph);
    if (directed ? *directed : !is_symmetric(graph)) return graph;
    return Graph::view(rows, entries, Sense::symmetric);
  };
  return std::make_shared<PythonGraph>(PythonGraph{made(), {begins, neighbours}});
}

SharedGraph read(const PythonTeam& team, const std::string& path, bool directed,
                 const std::string& order, std::uint64_t vertices, bool listed) {
  const graph::BuildOptions options = Wish{directed, order}.options();
  const graph::ReadOptions how{.vertices = vertices,
                               .width = listed ? graph::Width::wide : graph::Width::automatic};
  const Unlocked released;
  return std::make_shared<PythonGraph>(
      PythonGraph{graph::read_graph(*WorkingTeam(team), path, options, how), {}});
}

using SeedPair = std::pair<std::uint64_t, std::uint64_t>;

/// A graph by a rule, with sizes of two numbers.
template <class Rule>
SharedGraph generate(const PythonTeam& team, const Rule& rule, const SeedPair& seeds, bool directed,
                     const std::string& order) {
  const Wish wish{directed, order};
  wish.options();
  const Unlocked released;
  return build(team,
               graph::generate(*WorkingTeam(team), rule, {seeds.first, seeds.second},
                               graph::Width::automatic),
               wish);
}

template <class Rule>
SharedGraph by_scale(const PythonTeam& team, unsigned scale, std::uint64_t edge_factor,
                     const SeedPair& seeds, bool directed, const std::string& order) {
  Rule rule;
  rule.scale = scale;
  rule.edge_factor = edge_factor;
  return generate(team, rule, seeds, directed, order);
}

template <class Rule>
SharedGraph by_sides(const PythonTeam& team, std::uint64_t rows, std::uint64_t columns,
                     bool scrambled, const SeedPair& seeds, const std::string& order) {
  Rule rule;
  rule.rows = rows;
  rule.columns = columns;
  if (scrambled) rule.labels = graph::Labels::scrambled;
  return generate(team, rule, seeds, false, order);
}

void save(const PythonGraph& self, const std::string& path) {
  const Unlocked released;
  path.ends_with(".sg") ? graph::write_gap(self.graph, path) : graph::write_graph(self.graph, path);
}

/// An array of so many integers of T, not filled in.
template <class T>
nb::object make_array(std::size_t size, int type, std::span<T>& numbers) {
  const auto length = static_cast<npy_intp>(size);
  nb::object array = nb::steal(PyArray_SimpleNew(1, &length, type));
  if (!array.is_valid()) throw nb::python_error();
  numbers = elements<T>(array, "numbers");
  return array;
}

/// A row by what callers call its vertices, in rising order.
template <class T, class Name>
nb::object named(std::span<const Vertex> row, int type, const Name& name) {
  std::span<T> numbers;
  nb::object array = make_array(row.size(), type, numbers);
  for (std::size_t i = 0; i < row.size(); ++i) numbers[i] = static_cast<T>(name(row[i]));
  std::ranges::sort(numbers);
  return array;
}

nb::object neighbours_of(const PythonGraph& self, std::uint64_t vertex) {
  const Graph& graph = self.graph;
  const auto found = graph.find(vertex);
  const auto ids = graph.ids();
  if (!found) {
    refuse(ids.empty()
               ? fmt::format("vertex {}: expected a number below {}", vertex, graph.vertices())
               : fmt::format("vertex {}: expected the id of a vertex that has an edge", vertex));
  }
  const auto row =
      graph.neighbours(graph.to_internal().empty() ? *found : graph.to_internal()[*found]);
  const auto number = [&](Vertex v) {
    return graph.to_caller().empty() ? v : graph.to_caller()[v];
  };
  if (ids.empty()) return named<Vertex>(row, NPY_UINT32, number);
  return named<std::int64_t>(row, NPY_INT64, [&](Vertex v) { return ids[number(v)]; });
}

/// None where vertices are called 0 to n − 1; signed, as parents are.
nb::object ids_of(const PythonGraph& self) {
  const auto ids = self.graph.ids();
  if (ids.empty()) return nb::none();
  std::span<std::int64_t> numbers;
  nb::object array = make_array(ids.size(), NPY_INT64, numbers);
  std::ranges::copy(ids, numbers.begin());
  return array;
}

/// One search at a time; of a team that may be closed meanwhile it holds nothing.
class PythonSearch {
 public:
  PythonSearch(SharedGraph graph, const PythonTeam& team) : graph_(std::move(graph)) {
    const std::shared_ptr<Team> working = team.get();
    const Unlocked released;
    search_.emplace(graph_->graph, *working);
  }

  using Levels = std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>>;
  /// The vertices reached, and the direction, the frontier and the edges looked at of each level.
  std::pair<std::uint64_t, Levels> run(const PythonTeam& team, std::uint64_t root,
                                       nb::handle parents) {
    const std::shared_ptr<Team> working = team.get();
    const bool wide = as_numpy(parents) && PyArray_ITEMSIZE(as_numpy(parents)) == 8;
    const graph::SearchResult found =
        wide ? search<std::int64_t>(root, parents) : search<std::int32_t>(root, parents);
    Levels levels;
    for (const graph::Level& level : found.levels) {
      levels.emplace_back(to_string(level.direction), level.frontier, level.looked_at);
    }
    return {found.reached, std::move(levels)};
  }

 private:
  template <class Parent>
  graph::SearchResult search(std::uint64_t root, nb::handle parents) {
    const auto out = elements<Parent>(parents, "parents");
    const Unlocked released;
    return search_->run(root, out);
  }

  SharedGraph graph_;
  std::optional<graph::Search> search_;
};

void depths_of(const PythonGraph& self, nb::handle parents, nb::handle depths) {
  const auto out = elements<std::int32_t>(depths, "depths");
  if (const auto ids = self.graph.ids(); !ids.empty()) {
    const auto in = elements<const std::int64_t>(parents, "parents");
    const Unlocked released;
    return graph::depths_of(ids, in, out);
  }
  const auto fill = [&](auto in) {
    const Unlocked released;
    graph::depths_of(in, out);
  };
  const bool wide = as_numpy(parents) && PyArray_ITEMSIZE(as_numpy(parents)) == 8;
  wide ? fill(elements<const std::int64_t>(parents, "parents"))
       : fill(elements<const std::int32_t>(parents, "parents"));
}

void add_makers(nb::class_<PythonGraph>& type) {
  type.def_static("from_edges", &from_edges<Vertex>, nb::arg("team"), nb::arg("vertices"),
                  nb::arg("ends"), nb::arg("directed"), nb::arg("order"))
      .def_static("from_wide_edges", &from_edges<graph::VertexId>, nb::arg("team"),
                  nb::arg("vertices"), nb::arg("ends"), nb::arg("directed"), nb::arg("order"))
      .def_static("from_rows", &from_rows, nb::arg("begins"), nb::arg("neighbours"),
                  nb::arg("directed").none())
      .def_static("read", &read, nb::arg("team"), nb::arg("path"), nb::arg("directed"),
                  nb::arg("order"), nb::arg("vertices"), nb::arg("listed"))
      .def_static("kronecker", &by_scale<graph::Kronecker>, nb::arg("team"), nb::arg("scale"),
                  nb::arg("edge_factor"), nb::arg("seeds"), nb::arg("directed"), nb::arg("order"))
      .def_static("uniform", &by_scale<graph::Uniform>, nb::arg("team"), nb::arg("scale"),
                  nb::arg("edge_factor"), nb::arg("seeds"), nb::arg("directed"), nb::arg("order"))
      .def_static("grid", &by_sides<graph::Grid>, nb::arg("team"), nb::arg("rows"),
                  nb::arg("columns"), nb::arg("scrambled"), nb::arg("seeds"), nb::arg("order"))
      .def_static("road", &by_sides<graph::Road>, nb::arg("team"), nb::arg("rows"),
                  nb::arg("columns"), nb::arg("scrambled"), nb::arg("seeds"), nb::arg("order"));
}

void add_properties(nb::class_<PythonGraph>& type) {
  type.def_prop_ro("vertices", [](const PythonGraph& self) { return self.graph.vertices(); })
      .def_prop_ro("edges", [](const PythonGraph& self) { return self.graph.input_edges(); })
      .def_prop_ro("entries", [](const PythonGraph& self) { return self.graph.entries(); })
      .def_prop_ro("directed",
                   [](const PythonGraph& self) { return self.graph.sense() == Sense::directed; })
      .def_prop_ro("order", [](const PythonGraph& self) { return to_string(self.graph.order()); })
      .def_prop_ro("ids", &ids_of)
      .def_prop_ro("nbytes", [](const PythonGraph& self) { return self.graph.bytes(); })
      .def("save", &save, nb::arg("path"))
      .def("neighbours", &neighbours_of, nb::arg("vertex"));
}

}  // namespace

void add_graph(nb::module_& module) {
  nb::class_<PythonGraph> type(module, "_Graph", "What a ``kinjo.graph.Graph`` holds.");
  add_makers(type);
  add_properties(type);
  nb::class_<PythonSearch>(module, "_Search", "Working memory of searches of one graph.")
      .def(nb::init<SharedGraph, const PythonTeam&>(), nb::arg("graph"), nb::arg("team"))
      .def("run", &PythonSearch::run, nb::arg("team"), nb::arg("root"), nb::arg("parents"));
  module.def("_depths_of", &depths_of, nb::arg("graph"), nb::arg("parents"), nb::arg("depths"));
}

}  // namespace kinjo::python
