/// kinjo._kinjo._Network and _Family: what kinjo/paths.py calls, with numbers for vertices.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <kinjo/error.hpp>
#include <kinjo/grid_paths.hpp>
#include <kinjo/memory.hpp>
#include <kinjo/paths.hpp>
#include <kinjo/spanning_trees.hpp>

#include "convert.hpp"
#include "interruptible.hpp"
#include "lock.hpp"
#include "numpy.hpp"
#include "parts.hpp"
#include "paths.hpp"
#include "team.hpp"

namespace kinjo::python {
namespace {

using paths::CountOptions;
using paths::CountResult;
using paths::Edge;
using paths::Family;
using paths::Kind;
using paths::NamedNetwork;
using paths::Network;
using paths::Problem;
using paths::Progress;
using paths::Vertex;

/// Edges as rows of two numbers.
using Ends = nb::ndarray<const Vertex, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Numbers = std::vector<Vertex>;

NamedNetwork network_of(const std::string& input, Team& team) {
  NamedNetwork named = paths::is_rule(input) ? paths::network_by_rule(input)
                                             : NamedNetwork{paths::read_network(team, input)};
  paths::tidy(named.network, paths::Parallel::merge);
  return named;
}

/// A graph by rule or from a file: whether by rule, vertices, what the first one is called, names,
/// edges, and a grid's rows and columns of squares, which are 0 for all else.
nb::tuple read_network(const PythonTeam& team, const std::string& input) {
  const WorkingTeam working(team);
  const NamedNetwork named = [&] {
    const Unlocked released;
    return network_of(input, *working);
  }();
  const Network& network = named.network;
  return nb::make_tuple(paths::is_rule(input), network.vertices, network.first_number,
                        to_texts(network.names), ends_of(network),
                        nb::make_tuple(named.grid_rows, named.grid_columns));
}

/// The one of `all` whose name is `name`.
template <class Value, std::size_t kCount>
Value named(const Value (&all)[kCount], const std::string& name, const char* what) {
  for (const Value each : all) {
    if (name == to_string(each)) return each;
  }
  throw Error(Errc::invalid_argument, fmt::format("{} '{}' is none", what, name));
}

Kind kind_of(const std::string& name) {
  constexpr Kind kAll[] = {
      Kind::path,   Kind::cycle,         Kind::hamiltonian_path, Kind::hamiltonian_cycle,
      Kind::forest, Kind::spanning_tree, Kind::matching,         Kind::components,
      Kind::degrees};
  return named(kAll, name, "kind");
}

paths::EdgeOrder order_of(const std::string& name) {
  using paths::EdgeOrder;
  constexpr EdgeOrder kAll[] = {EdgeOrder::automatic, EdgeOrder::breadth, EdgeOrder::frontier,
                                EdgeOrder::given};
  return named(kAll, name, "order");
}

/// Whether to go on, as counting and building ask.
template <class Ask>
auto asking(Ask go_on) {
  return [go_on](const Progress&) { return go_on(); };
}

/// A family of sets of edges.
class PythonFamily {
 public:
  explicit PythonFamily(const Problem& problem) : family_(problem) {}

  nb::object count(const PythonTeam& team, std::uint64_t memory_limit,
                   const std::string& spill) const {
    return to_int(search(team, memory_limit, spill, paths::count).count);
  }
  nb::list count_by_size(const PythonTeam& team, std::uint64_t memory_limit,
                         const std::string& spill) const {
    return to_ints(search(team, memory_limit, spill, paths::count_by_size).by_size);
  }
  double weighted_sum(const PythonTeam& team, const std::vector<double>& weights,
                      std::uint64_t memory_limit, const std::string& spill) const {
    const auto sum = [&](Team& working, const Family& family, const CountOptions& options) {
      return paths::weighted_sum(working, family, weights, options);
    };
    return search(team, memory_limit, spill, sum).weight;
  }
  nb::object build(const PythonTeam& team, std::uint64_t memory_limit,
                   const std::string& spill) const {
    auto built = interruptible(team, [&](Team& working, auto go_on) {
      return paths::build(working, family_, {memory_limit, asking(go_on), spill});
    });
    return to_python(*std::move(built));
  }
  /// States, bytes of nodes, and bytes held while they are reduced.
  nb::tuple survey(const PythonTeam& team, std::uint64_t memory_limit) const {
    const CountResult found = search(team, memory_limit, {}, paths::survey);
    const std::size_t threads = team.get()->size();
    return nb::make_tuple(found.all_states(), paths::build_bytes(family_, found, threads),
                          paths::reduction_bytes(family_, found, threads));
  }
  Numbers positions() const { return family_.positions(); }

 private:
  template <class Search>
  CountResult search(const PythonTeam& team, std::uint64_t memory_limit, const std::string& spill,
                     Search how) const {
    return interruptible(team, [&](Team& working, auto go_on) {
      return how(working, family_, CountOptions{memory_limit, asking(go_on), spill});
    });
  }

  Family family_;
};

paths::Network network_of(Vertex vertices, const Ends& ends) {
  paths::Network network{vertices, {}, {}};
  for (std::size_t i = 0; i < ends.shape(0); ++i) {
    network.edges.push_back({ends.data()[2 * i], ends.data()[2 * i + 1]});
  }
  return network;
}

using GridSides = std::pair<unsigned, unsigned>;  ///< rows and columns of squares

/// Whether a grid's paths from corner to corner have a way of their own, which takes no more than
/// the memory that there is if it is to.
bool has_grid_way(const PythonTeam& team, const GridSides& grid, std::uint64_t memory_limit,
                  bool has_to_fit) {
  const auto [rows, columns] = grid;
  const auto [least, most] = std::minmax(rows, columns);
  // Whose sides are both too long is refused there: a sweep would fill the memory before it says
  // so.
  if (least > paths::kMostGridColumns) return !has_to_fit;
  if (most > paths::kMostGridRows) return false;
  if (!has_to_fit) return true;
  const std::uint64_t memory = memory_limit != 0 ? memory_limit : available_memory_bytes();
  const std::size_t threads = team.get()->size();
  return memory == 0 || paths::grid_paths_least_bytes(rows, columns, threads) <= memory;
}

nb::object count_grid_paths(const PythonTeam& team, const GridSides& grid,
                            std::uint64_t memory_limit) {
  const CountResult found = interruptible(team, [&](Team& working, auto go_on) {
    return paths::count_grid_paths(working, grid.first, grid.second,
                                   {.memory_limit = memory_limit, .go_on = asking(go_on)});
  });
  return to_int(found.count);
}

nb::object count_spanning_trees(const PythonTeam& team, Vertex vertices, const Ends& ends,
                                std::uint64_t memory_limit) {
  const paths::Network network = network_of(vertices, ends);
  const CountResult found = interruptible(team, [&](Team& working, auto go_on) {
    return paths::count_spanning_trees(working, network,
                                       {.memory_limit = memory_limit, .go_on = asking(go_on)});
  });
  return to_int(found.count);
}

void make_family(PythonFamily* self, Vertex vertices, const Ends& ends, const std::string& kind,
                 const std::pair<Vertex, Vertex>& from_to, const Numbers& through,
                 const Numbers& avoid, std::uint64_t components,
                 const std::vector<unsigned>& degrees, const std::string& order) {
  Problem problem{.kind = kind_of(kind),
                  .from = from_to.first,
                  .to = from_to.second,
                  .through = through,
                  .avoid = avoid,
                  .components = components,
                  .degrees = degrees,
                  .order = order_of(order)};
  const Unlocked released;
  problem.network = network_of(vertices, ends);
  new (self) PythonFamily(problem);
}

}  // namespace

nb::object to_int(const Count& count) {
  const auto limbs = count.limbs();
  if (limbs.size() == 1) return nb::int_(limbs.front());
  const nb::bytes bytes(limbs.data(), limbs.size_bytes());
  return nb::borrow(&PyLong_Type).attr("from_bytes")(bytes, "little");
}

nb::list to_ints(const std::vector<Count>& counts) {
  nb::list ints;
  for (const Count& count : counts) ints.append(to_int(count));
  return ints;
}

void add_paths(nb::module_& module) {
  module.def("_read_network", &read_network, nb::arg("team"), nb::arg("input"));
  module.def("_has_grid_way", &has_grid_way, nb::arg("team"), nb::arg("grid"),
             nb::arg("memory_limit"), nb::arg("has_to_fit"));
  module.def("_count_grid_paths", &count_grid_paths, nb::arg("team"), nb::arg("grid"),
             nb::arg("memory_limit"));
  module.def("_count_spanning_trees", &count_spanning_trees, nb::arg("team"), nb::arg("vertices"),
             nb::arg("ends"), nb::arg("memory_limit"));
  nb::class_<PythonFamily>(module, "_Family", "What is counted or built by ``kinjo.paths``.")
      .def("__init__", &make_family, nb::arg("vertices"), nb::arg("ends"), nb::arg("kind"),
           nb::arg("from_to"), nb::arg("through"), nb::arg("avoid"), nb::arg("components"),
           nb::arg("degrees"), nb::arg("order"))
      .def("count", &PythonFamily::count, nb::arg("team"), nb::arg("memory_limit"),
           nb::arg("spill"))
      .def("count_by_size", &PythonFamily::count_by_size, nb::arg("team"), nb::arg("memory_limit"),
           nb::arg("spill"))
      .def("weighted_sum", &PythonFamily::weighted_sum, nb::arg("team"), nb::arg("weights"),
           nb::arg("memory_limit"), nb::arg("spill"))
      .def("build", &PythonFamily::build, nb::arg("team"), nb::arg("memory_limit"),
           nb::arg("spill"))
      .def("survey", &PythonFamily::survey, nb::arg("team"), nb::arg("memory_limit"))
      .def_prop_ro("positions", &PythonFamily::positions);
}

}  // namespace kinjo::python
