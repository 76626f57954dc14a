#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "graph/graph_data.hpp"
#include "graph/limits.hpp"

namespace kinjo::graph {

namespace {

constexpr EdgeCount kNoBase = 0;  ///< of views, all of whose rows begin below 2³²

void check_begins(std::span<const std::uint32_t> begins, std::size_t neighbours) {
  if (begins.empty() || begins[0] != 0 || begins.back() != neighbours) {
    throw Error(
        Errc::invalid_argument,
        fmt::format("begins of rows: expected the first to be 0 and the last {}, as many as "
                    "there are neighbours",
                    neighbours));
  }
  const auto falls = std::ranges::adjacent_find(begins, std::ranges::greater{});
  if (falls != begins.end()) {
    throw Error(Errc::invalid_argument, fmt::format("row {} begins at {} and ends at {}",
                                                    falls - begins.begin(), *falls, falls[1]));
  }
}

void check_neighbours(std::span<const Vertex> neighbours, std::size_t vertices) {
  const auto wrong = std::ranges::find_if(neighbours, [=](Vertex v) { return v >= vertices; });
  if (wrong == neighbours.end()) return;
  throw Error(Errc::invalid_argument,
              fmt::format("neighbour {} is vertex {}: expected a number below {}",
                          wrong - neighbours.begin(), *wrong, vertices));
}

}  // namespace

const char* to_string(Order order) noexcept {
  constexpr const char* kNames[] = {"automatic", "caller", "degree", "locality"};
  return kNames[static_cast<int>(order)];
}
const char* to_string(Sense sense) noexcept {
  return sense == Sense::symmetric ? "symmetric" : "directed";
}

Graph::Graph(std::unique_ptr<const detail::GraphData> data) : data_(std::move(data)) {}
Graph::~Graph() = default;
Graph::Graph(Graph&& other) noexcept = default;
Graph& Graph::operator=(Graph&& other) noexcept = default;

Graph Graph::view(std::span<const std::uint32_t> begins, std::span<const Vertex> neighbours,
                  Sense sense) {
  check_begins(begins, neighbours.size());
  const std::size_t n = begins.size() - 1;
  detail::check_vertices<Vertex>(n);
  check_neighbours(neighbours, n);
  auto data = std::make_unique<detail::GraphData>();
  data->vertices = n;
  data->entries = neighbours.size();
  data->input_edges = sense == Sense::symmetric ? neighbours.size() / 2 : neighbours.size();
  data->sense = sense;
  data->parts.push_back({.vertices = {0, n},
                         .starts = {.low = begins.data(), .base = &kNoBase},
                         .targets = neighbours.data()});
  return Graph(std::move(data));
}

std::uint64_t Graph::vertices() const { return data_->vertices; }
EdgeCount Graph::entries() const { return data_->entries; }
EdgeCount Graph::input_edges() const { return data_->input_edges; }
Sense Graph::sense() const { return data_->sense; }
Order Graph::order() const { return data_->order; }
std::span<const Part> Graph::parts() const { return data_->parts; }
std::span<const Vertex> Graph::to_caller() const { return data_->to_caller; }
std::span<const Vertex> Graph::to_internal() const { return data_->to_internal; }
std::span<const std::uint32_t> Graph::input_degrees() const { return data_->input_degrees; }
std::span<const VertexId> Graph::ids() const { return data_->ids; }
std::uint64_t Graph::universe() const { return std::max(data_->universe, data_->vertices); }

std::optional<Vertex> Graph::find(VertexId id) const {
  const auto& ids = data_->ids;
  if (ids.empty()) {
    return id < data_->vertices ? std::optional(static_cast<Vertex>(id)) : std::nullopt;
  }
  const auto found = std::ranges::lower_bound(ids, id);
  if (found == ids.end() || *found != id) return std::nullopt;
  return static_cast<Vertex>(found - ids.begin());
}

const Part& Graph::part_of(Vertex internal) const {
  return *std::ranges::upper_bound(data_->parts, std::size_t{internal}, {},
                                   [](const Part& part) { return part.vertices.end; });
}

std::span<const Vertex> Graph::neighbours(Vertex internal) const {
  return part_of(internal).neighbours(internal);
}

std::uint64_t Graph::bytes() const {
  std::uint64_t bytes = 0;
  for (const Buffer& buffer : data_->memory) bytes += buffer.size();
  for (const auto& base : data_->bases) bytes += base.size() * sizeof(EdgeCount);
  return bytes - data_->given_back;
}

namespace detail {

std::vector<Part> cut_into_parts(std::uint64_t vertices, std::span<const int> nodes,
                                 std::size_t parts) {
  const std::size_t granules = (vertices + kPartGranule - 1) / kPartGranule;
  const std::size_t wanted = parts == 0 ? nodes.size() : parts;
  const std::size_t count = std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(granules, 1));
  std::vector<Part> cut(count);
  std::size_t begin = 0;
  for (std::size_t p = 0; p < count; ++p) {
    const std::size_t mine = granules / count + (p < granules % count ? 1 : 0);
    const std::size_t end = std::min<std::size_t>(vertices, begin + mine * kPartGranule);
    cut[p].node = nodes[p % nodes.size()];
    cut[p].vertices = {begin, end};
    begin = end;
  }
  return cut;
}

unsigned base_shift(std::span<const EdgeCount> begins, unsigned bits) {
  const std::size_t rows = begins.size() - 1;
  for (unsigned shift = 32; shift > 0; --shift) {
    bool fits = true;
    for (std::size_t first = 0; fits && first < rows; first += std::size_t{1} << shift) {
      const std::size_t last = std::min(rows, first + (std::size_t{1} << shift));
      fits = (begins[last] - begins[first]) >> bits == 0;
    }
    if (fits) return shift;
  }
  return 0;
}

Buffer place(std::uint64_t bytes, int node, Pages pages) {
  const bool is_small = bytes < huge_page_bytes();  // and would fill a huge page with little
  Buffer buffer =
      alloc(std::max<std::uint64_t>(bytes, 1), {.pages = is_small ? Pages::normal : pages});
  // Where it is refused the pages lie on the node of the threads that write them first.
  if (node >= 0) kinjo::detail::bind_pages(buffer.data(), buffer.capacity(), node);
  return buffer;
}

std::uint64_t give_back(const Buffer& buffer, std::uint64_t bytes) {
  const std::size_t page = page_bytes(), kept = (bytes + page - 1) / page * page;
  if (kept >= buffer.size()) return 0;
  madvise(static_cast<std::byte*>(buffer.data()) + kept, buffer.capacity() - kept, MADV_DONTNEED);
  return buffer.size() - kept;
}

}  // namespace detail
}  // namespace kinjo::graph
