/// Graphs in compressed sparse rows, cut over NUMA nodes.
///
/// *Two numberings.* Callers number vertices 0 to n − 1. Inside, a graph may number them otherwise
/// (`Order`), so that what is needed together lies together; `to_caller` and `to_internal` are the
/// two tables. Without relabelling both are empty and the numbers are the same.
///
/// *Ids.* A wide list calls its vertices by any numbers below 2⁶³, such as hashes. Its graph has
/// the vertices that have an edge, numbered by the rank of their ids, and `ids` keeps these; inside
/// everything has 32 bits. Searches begin at an id, and list parents by vertex, as ids.
///
/// *Parts.* The rows of consecutive internal numbers are a part, and a part's memory lies on one
/// node. In a symmetric graph row v holds v's neighbours in both senses, so a search that asks each
/// unreached vertex for a parent (bottom-up) reads and writes its own part alone: the cut by
/// columns of Yasui, Fujisawa and Goto (S1's reference [9]).
///
/// *Rows.* A row's neighbours are in falling order of their own degree (counted with repetitions,
/// without loops), so that the first ones are the likeliest parents; equal degrees in rising order
/// of the callers' numbers. The first ones of all rows are kept once more as columns, which vectors
/// of vertices are probed with: two; four where degrees are even and not small, so that the first
/// ones are hardly likelier to be parents than the next. There are no columns, and another order,
/// where degrees hardly differ or do not matter: rising callers' numbers where no vertex has more
/// than 16 neighbours (unless `Order::degree` is asked for), else rising internal numbers with
/// `Order::locality`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <variant>

#include <kinjo/memory.hpp>
#include <kinjo/partition.hpp>
#include <kinjo/team.hpp>

namespace kinjo::graph {

using Vertex = std::uint32_t;
/// Of edges there are more than 2³².
using EdgeCount = std::uint64_t;
inline constexpr Vertex kNoVertex = ~Vertex{0};
/// Vertices that a graph may have.
inline constexpr std::uint64_t kMostVertices = kNoVertex;

/// What a list of edges calls a vertex where 32 bits do not do.
using VertexId = std::uint64_t;
/// Ids are below this, so that a parent is one and a sign too.
inline constexpr std::uint64_t kMostIds = std::uint64_t{1} << 63;

/// An edge; where edges have no direction, its ends in any order.
template <class Number>
struct BasicEdge {
  Number from = 0;
  Number to = 0;
  bool operator==(const BasicEdge&) const = default;
};
using Edge = BasicEdge<Vertex>;
using WideEdge = BasicEdge<VertexId>;

/// How many bits a list's numbers have.
enum class Width {
  automatic,  ///< 32 where they do, else 64
  narrow,     ///< 32; more is refused
  wide,       ///< 64: the graph has the vertices that have edges, and their ids
};

/// How vertices are numbered inside.
enum class Order {
  automatic,  ///< what the graph's shape and the number of nodes ask for
  caller,     ///< as the caller does
  degree,     ///< by falling degree, dealt in turn to the parts
  locality,   ///< neighbours near each other, for graphs of large diameter
};
const char* to_string(Order order) noexcept;

/// Whether an edge may be walked in both senses.
enum class Sense {
  symmetric,  ///< every edge stands in the rows of both its ends
  directed,   ///< row v holds the ends of the edges that begin in v
};
const char* to_string(Sense sense) noexcept;

/// Where rows begin in an array of neighbours, in four bytes a row: begin(v) = base[v >> shift] +
/// low[v], with as many rows to a base as keep `low` below 2³². One base does up to 2³² neighbours.
struct RowStarts {
  const std::uint32_t* low = nullptr;  ///< rows + 1
  const EdgeCount* base = nullptr;
  unsigned shift = 32;

  EdgeCount operator[](std::size_t row) const { return base[row >> shift] + low[row]; }
};

/// Parts begin at multiples of this, so that no line of a bitmap belongs to two.
inline constexpr std::size_t kPartGranule = 512;

/// The rows of consecutive vertices, on one node.
struct Part {
  int node = -1;     ///< whose threads work on it; −1: nobody's in particular
  Range vertices;    ///< internal numbers
  RowStarts starts;  ///< by number − vertices.begin
  const Vertex* targets = nullptr;
  /// Column by column: the first neighbours of all rows, their second ones, and so on. A row that
  /// is shorter has its first again, and an empty one the vertex itself.
  const Vertex* columns = nullptr;
  std::size_t kept = 0;  ///< columns

  /// The row of a vertex of this part, by internal numbers.
  std::span<const Vertex> neighbours(Vertex v) const {
    const std::size_t row = v - vertices.begin;
    return {targets + starts[row], targets + starts[row + 1]};
  }
  /// Neighbour c < kept of each row, by number − vertices.begin.
  const Vertex* column(std::size_t c) const { return columns + c * vertices.size(); }
  EdgeCount entries() const { return starts[vertices.size()]; }
};

/// Edges as they were made or read: with loops and repetitions, in no order. Movable, not copyable.
template <class Number>
class BasicEdgeList {
 public:
  using Edge = BasicEdge<Number>;

  BasicEdgeList() = default;
  /// Room for `edges`, to be written by `all()`; their pages lie where they are written first.
  /// Throws `Error` (`invalid_argument` for more vertices than `kMostVertices`, or `kMostIds` in a
  /// wide list; `out_of_memory`, also for more than the system has available).
  BasicEdgeList(std::uint64_t vertices, EdgeCount edges);

  /// One more than the greatest number that an end may have.
  std::uint64_t vertices() const { return vertices_; }
  /// For lists whose vertices are counted after their edges. Throws as the constructor.
  void set_vertices(std::uint64_t vertices);
  EdgeCount size() const { return size_; }
  std::span<Edge> all() { return {static_cast<Edge*>(memory_.data()), size_}; }
  std::span<const Edge> all() const { return {static_cast<const Edge*>(memory_.data()), size_}; }

 private:
  std::uint64_t vertices_ = 0;
  EdgeCount size_ = 0;
  Buffer memory_;
};
using EdgeList = BasicEdgeList<Vertex>;
using WideEdgeList = BasicEdgeList<VertexId>;
using AnyEdgeList = std::variant<EdgeList, WideEdgeList>;

/// How rows are made of edges.
struct BuildOptions {
  Sense sense = Sense::symmetric;
  Order order = Order::automatic;
  /// Parts that the rows are cut into; 0: one for each node that the team's threads run on. More
  /// than nodes are dealt to these in turn. Small graphs have fewer (`kPartGranule`).
  std::size_t parts = 0;
  Pages pages = Pages::transparent;
  /// Is told by the calling thread what begins, in a few words; what it throws ends the
  /// construction, of which nothing stays.
  std::function<void(const char* stage)> begins = {};
};

namespace detail {
struct GraphData;
}

/// A graph in rows. Movable, not copyable; searches only read it.
class Graph {
 public:
  /// Builds the rows of `edges` over a team. Loops and repeated edges are left out. The parts'
  /// memory is bound to their nodes and touched first by the threads there. Needs `build_bytes`
  /// beside the list. Throws `Error` (`invalid_argument` for an edge whose end is no vertex, named
  /// by its number; `out_of_memory`, also for more than the system has available).
  static Graph build(Team& team, const EdgeList& edges, const BuildOptions& options = {});
  /// The same of the vertices that have an edge, with ids. Needs `wide_build_bytes` beside the
  /// list. Throws as well (`invalid_argument`) where more than `kMostVertices` vertices have one.
  static Graph build(Team& team, const WideEdgeList& edges, const BuildOptions& options = {});
  static Graph build(Team& team, const AnyEdgeList& edges, const BuildOptions& options = {});

  /// Somebody else's rows, which must stay as they are while the graph lives: begins of n + 1 rows,
  /// and their neighbours. Nothing is copied; one part on no node. Throws `Error`
  /// (`invalid_argument`) if begins fall, or a neighbour is no vertex.
  static Graph view(std::span<const std::uint32_t> begins, std::span<const Vertex> neighbours,
                    Sense sense);

  /// Rows that the library has made.
  explicit Graph(std::unique_ptr<const detail::GraphData> data);
  ~Graph();
  Graph(Graph&& other) noexcept;
  Graph& operator=(Graph&& other) noexcept;

  std::uint64_t vertices() const;
  EdgeCount entries() const;      ///< neighbours in all rows
  EdgeCount input_edges() const;  ///< edges of the list, with loops and repetitions
  Sense sense() const;
  Order order() const;  ///< never `automatic`
  /// The parts that the rows are cut into, in the order of internal numbers, and that of a vertex.
  std::span<const Part> parts() const;
  const Part& part_of(Vertex internal) const;

  /// Tables of n numbers; empty if numbers are the caller's.
  std::span<const Vertex> to_caller() const;
  std::span<const Vertex> to_internal() const;

  /// What a wide list calls each vertex, by the caller's number: n ids in rising order. Empty if
  /// callers' numbers are 0 to n − 1.
  std::span<const VertexId> ids() const;
  /// One more than the greatest number that callers may call a vertex by: n, or the list's.
  std::uint64_t universe() const;
  /// The caller's number 0 to n − 1 of the vertex with an id, or where there are no ids the number
  /// itself; nothing if there is no such vertex.
  std::optional<Vertex> find(VertexId id) const;

  /// Neighbours of a vertex by internal numbers.
  std::span<const Vertex> neighbours(Vertex internal) const;

  /// Ends of edges of the list at a vertex, by the caller's number, with repetitions; a loop counts
  /// twice. Half their sum over a component is the number of edges that Graph500 counts. Empty
  /// where it is not kept (views, directed graphs).
  std::span<const std::uint32_t> input_degrees() const;

  std::uint64_t bytes() const;  ///< of memory that it owns

 private:
  std::unique_ptr<const detail::GraphData> data_;
};

/// Bytes that building a graph takes at most, beside the list: the graph itself and working memory.
std::uint64_t build_bytes(std::uint64_t vertices, EdgeCount edges,
                          const BuildOptions& options = {});
/// The same of a wide list whose numbers are below `universe`, if so many vertices have an edge:
/// the ids, what finds them, and the list in 32 bits too.
std::uint64_t wide_build_bytes(std::uint64_t universe, std::uint64_t vertices, EdgeCount edges,
                               const BuildOptions& options = {});

}  // namespace kinjo::graph
