/// Paths, cycles, trees, matchings and the like in an undirected graph: all of them, counted
/// without being made one by one, or kept in a decision diagram (Knuth's Simpath; S1 section 4.2).
///
/// A *family* is a set of sets of edges, such as all paths without cycles between two vertices. Its
/// edges are decided one after another, taken or not. After each decision only some facts about the
/// *frontier* matter, the vertices that have both decided and undecided edges; decisions that led
/// to the same facts go on together. The work grows with the number of such states, so with the
/// frontier and not with the number of members: the grid of 12 × 12 squares has 6.5 · 10³⁴ paths
/// from corner to corner and 2.7 · 10⁷ states.
///
///     using namespace kinjo::paths;
///     const Family family({.network = network_by_rule("grid:8").network, .from = 0, .to = 80});
///     std::cout << count(team, family).count.to_string() << '\n';  // 3266598486981642
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/count.hpp>
#include <kinjo/diagram.hpp>
#include <kinjo/network.hpp>
#include <kinjo/team.hpp>

namespace kinjo::paths {

/// What a member is.
enum class Kind {
  path,               ///< a path without cycles from `from` to `to`; all cycles of their component
                      ///< where both are the same vertex, as in Simpath
  cycle,              ///< a cycle
  hamiltonian_path,   ///< a path that visits every vertex
  hamiltonian_cycle,  ///< a cycle that visits every vertex
  forest,             ///< no cycle
  spanning_tree,      ///< no cycle, and all vertices are joined
  matching,           ///< no two edges meet
  components,         ///< all vertices make so many components; 1: connected spanning subgraphs
  degrees,            ///< each vertex has one of the allowed numbers of edges
};
const char* to_string(Kind kind) noexcept;

/// A family, as it is asked for.
struct Problem {
  Network network;
  Kind kind = Kind::path;
  Vertex from = 0, to = 0;             ///< of paths
  std::vector<Vertex> through = {};    ///< vertices that paths and cycles must visit, also the
                                       ///< cycles that paths with `from` = `to` are
  std::vector<Vertex> avoid = {};      ///< vertices that are not there, nor their edges
  std::uint64_t components = 1;        ///< for `Kind::components`; vertices without edges are some
  std::vector<unsigned> degrees = {};  ///< for `Kind::degrees`: allowed numbers, up to 255
  EdgeOrder order = EdgeOrder::automatic;
};

/// A family that is ready to be counted or built. A value; searches only read it.
class Family {
 public:
  /// Throws `Error` (`invalid_argument`) for vertices that are none, or asked to be both visited
  /// and avoided, conditions that are not for this kind, a graph with loops, and a frontier that is
  /// larger than 254 vertices.
  explicit Family(const Problem& problem);

  Kind kind() const;
  /// The edges that are decided, in order; those of vertices to be avoided are not among them. Item
  /// i of a diagram is the i-th.
  const std::vector<Edge>& edges() const;
  /// Positions of these edges in the problem's network.
  const std::vector<std::uint32_t>& positions() const;
  /// Vertices in the frontier after each decision.
  const std::vector<std::uint32_t>& frontier_sizes() const;
  /// Bytes of a state.
  std::size_t state_bytes() const;

  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

/// How far counting or building is.
struct Progress {
  std::size_t item = 0, items = 0;  ///< decided, of how many
  std::uint64_t states = 0;         ///< at this item
  std::uint64_t bytes = 0;          ///< of memory held
  bool reduces = false;             ///< what was built, from the last item on: nodes, not states
};
/// Whether to go on.
using GoOn = std::function<bool(const Progress&)>;

struct CountOptions {
  std::uint64_t memory_limit = 0;  ///< bytes; 0: what the system has available
  GoOn go_on = {};
  /// A directory for files of the levels that outgrow the limit, which are gone with the call;
  /// none: these are packed if that makes them fit, or else refused. Files take as much room as two
  /// levels' states and their sums, and more where parts of a level come to the same ones. Not of
  /// `survey`.
  std::string spill = {};
};

/// What was found, and what it took.
struct CountResult {
  Count count;
  std::vector<Count> by_size;  ///< by number of edges; of `count_by_size` alone
  double weight = 0;           ///< of `weighted_sum` alone
  /// By item: states before it, and after the last; 0 where items were decided together with the
  /// one before, so that these states were never there (of `count` alone). Where vertices that are
  /// alike changing places makes one state of another, both count once (not so of `survey`, nor of
  /// `weighted_sum` unless all weights are equal). Of a level that goes by parts a state counts
  /// once for each part that comes to it.
  std::vector<std::uint64_t> states;
  /// By item, of `survey` alone: of the states before it, those in which it can be taken.
  std::vector<std::uint64_t> takes;
  std::uint64_t peak_bytes = 0;
  bool interrupted = false;  ///< `go_on` said so: then nothing else is known

  std::uint64_t all_states() const;
};

/// How many members a family has. Works level by level over the team; two levels are kept. The
/// result is the same for any team. Throws `Error` (`out_of_memory`, with the level; of a directory
/// to spill to also `not_found`, `not_permitted` or `system`).
CountResult count(Team& team, const Family& family, const CountOptions& options = {});

/// How many members have 0, 1, 2 … edges.
CountResult count_by_size(Team& team, const Family& family, const CountOptions& options = {});

/// Σ over members of Π over their edges of a weight: with probabilities p/(1 − p), up to a factor,
/// the probability that just a member's edges are there. `weights` are by position in the problem's
/// network. In double precision; the same for the same size of team and the same limit. Throws
/// `Error` (`invalid_argument` for another number of weights).
CountResult weighted_sum(Team& team, const Family& family, const std::vector<double>& weights,
                         const CountOptions& options = {});

/// The states by item alone, without what is added up over them: how large a diagram will be before
/// it is reduced, at less memory and time than it takes to build.
CountResult survey(Team& team, const Family& family, const CountOptions& options = {});

struct BuildOptions {
  /// Bytes; 0: what the system has available. Of nodes before and after they are reduced, of the
  /// tables of states, and of what reduces the nodes. Those that wait in a file are no memory. What
  /// the nodes will take is refused before it is taken while they are reduced, and where a thread
  /// has decided 16384 states more while they are made.
  std::uint64_t memory_limit = 0;
  GoOn go_on = {};  ///< may be called by the team's first thread
  /// A directory for a file of the nodes before they are reduced, which is gone with the call;
  /// none: they are kept in memory. The reduced ones and a level's are in memory in either case,
  /// and refused where they outgrow the limit.
  std::string spill = {};
};

/// Bytes of all nodes that `build` makes before it reduces them, by what `survey` found: 8 for each
/// state of each item, or 4 where states stay, which lead to themselves without the item. That of
/// one thread is exact; of several at most, which may write the node of a state in each item of its
/// run of items, up to and with the one after which it moves on.
std::uint64_t build_bytes(const Family& family, const CountResult& surveyed, std::size_t threads);
/// Where nodes wait until they are reduced.
enum class NodesIn { memory, file };
/// Bytes of memory that `build` holds at most while so many threads reduce the nodes, likewise:
/// those of the levels that remain (of a file, of one level), 10 for each node of the others in
/// which the item can be taken, as if no two were alike, and what sorts a level.
std::uint64_t reduction_bytes(const Family& family, const CountResult& surveyed,
                              std::size_t threads, NodesIn nodes_in = NodesIn::memory);

/// Bytes that are free in a directory to spill to. Throws `Error` (`not_found`,
/// `not_permitted` or `system`).
std::uint64_t spill_room(const std::string& directory);

/// All members as a decision diagram, whose items are `family.edges()`; nothing if `go_on` ended
/// it. A chain of the team's threads builds it (S1's edge-based approach) and reduces it. The
/// diagram is the same for any team. Takes `build_bytes`, and then 10 for each node that remains,
/// while the former go. Throws `Error` (`out_of_memory`).
std::optional<Diagram> build(Team& team, const Family& family, const BuildOptions& options = {});

}  // namespace kinjo::paths
