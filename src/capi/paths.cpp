#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <kinjo/diagram_files.hpp>
#include <kinjo/diagram_members.hpp>
#include <kinjo/grid_paths.hpp>
#include <kinjo/paths.hpp>
#include <kinjo/spanning_trees.hpp>

#include "capi/guard.hpp"
#include "capi/workers.hpp"

using namespace kinjo::capi;

struct kinjo_network {
  kinjo::paths::Network value;
};

struct kinjo_family {
  kinjo::paths::Family value;
};

struct kinjo_diagram {
  kinjo::paths::Diagram value;
};

namespace {

using kinjo::Errc;
using kinjo::Error;
using kinjo::paths::EdgeOrder;
using kinjo::paths::Kind;
using kinjo::paths::Set;

/// The enumerator of C's number, which is its rank among `all`.
template <class Value, std::size_t kCount>
Value choose(const Value (&all)[kCount], int number, const char* what) {
  if (number >= 0 && static_cast<std::size_t>(number) < kCount) return all[number];
  throw Error(Errc::invalid_argument,
              fmt::format("{} {}: expected 0 to {}", what, number, kCount - 1));
}

Kind kind_of(int number) {
  constexpr Kind kAll[] = {
      Kind::path,   Kind::cycle,         Kind::hamiltonian_path, Kind::hamiltonian_cycle,
      Kind::forest, Kind::spanning_tree, Kind::matching,         Kind::components,
      Kind::degrees};
  return choose(kAll, number, "kind");
}

EdgeOrder order_of(int number) {
  constexpr EdgeOrder kAll[] = {EdgeOrder::automatic, EdgeOrder::breadth, EdgeOrder::frontier,
                                EdgeOrder::given};
  return choose(kAll, number, "order");
}

/// So many elements from there on, which may be NULL if there are none.
template <class T>
std::vector<T> list(const T* first, std::size_t count, const char* what) {
  if (count > 0) need(first, what);
  return {first, first + count};
}

void tidy(kinjo::paths::Network& network, unsigned flags) {
  using kinjo::paths::Parallel;
  kinjo::paths::tidy(network, flags & KINJO_NETWORK_PARALLEL ? Parallel::keep : Parallel::merge);
}

/// Of a directory to spill to.
std::string directory_name(const char* directory) {
  std::string name = &need(directory, "directory");
  if (name.empty()) throw Error(Errc::invalid_argument, "directory '': expected a name");
  return name;
}

/// Text for `kinjo_count_free`.
char* copy(const kinjo::Count& count) {
  const std::string digits = count.to_string();
  char* text = new char[digits.size() + 1];
  std::memcpy(text, digits.c_str(), digits.size() + 1);
  return text;
}

}  // namespace

kinjo_network* kinjo_network_from_edges(uint32_t vertices, uint64_t edges, const uint32_t* ends,
                                        unsigned flags) {
  return guarded([&] {
    need_flags(flags, KINJO_NETWORK_PARALLEL);
    if (edges > 0) need(ends, "ends");
    kinjo::paths::Network network{.vertices = vertices};
    for (std::uint64_t i = 0; i < edges; ++i) {
      const auto [low, high] = std::minmax(ends[2 * i], ends[2 * i + 1]);
      if (high >= vertices) {
        throw Error(
            Errc::invalid_argument,
            fmt::format("edge {} ends at vertex {}: the graph has {} vertices", i, high, vertices));
      }
      network.edges.push_back({ends[2 * i], ends[2 * i + 1]});
    }
    tidy(network, flags);
    return new kinjo_network{std::move(network)};
  });
}

kinjo_network* kinjo_network_open(kinjo_team* team, const char* input, unsigned flags) {
  return guarded([&] {
    need_flags(flags, KINJO_NETWORK_PARALLEL);
    const char* const text = &need(input, "input");
    auto network = kinjo::paths::is_rule(text)
                       ? kinjo::paths::network_by_rule(text).network
                       : kinjo::paths::read_network(Workers(team).team(), text);
    tidy(network, flags);
    return new kinjo_network{std::move(network)};
  });
}

void kinjo_network_free(kinjo_network* network) { delete network; }

int kinjo_network_get(const kinjo_network* network, kinjo_network_size* out) {
  return guarded([&] {
    const auto& value = need(network, "network").value;
    need(out, "out") = {value.vertices, value.edges.size()};
    return KINJO_OK;
  });
}

int kinjo_network_vertex(const kinjo_network* network, const char* name, uint32_t* out) {
  return guarded([&] {
    need(out, "out") = need(network, "network").value.vertex(&need(name, "name"));
    return KINJO_OK;
  });
}

kinjo_family* kinjo_family_create(const kinjo_network* network, const kinjo_problem* problem) {
  return guarded([&] {
    const kinjo_problem& asked = need(problem, "problem");
    return new kinjo_family{kinjo::paths::Family({
        .network = need(network, "network").value,
        .kind = kind_of(asked.kind),
        .from = asked.from,
        .to = asked.to,
        .through = list(asked.through, asked.through_count, "through"),
        .avoid = list(asked.avoid, asked.avoid_count, "avoid"),
        .components = asked.components,
        .degrees = list(asked.degrees, asked.degree_count, "degrees"),
        .order = order_of(asked.order),
    })};
  });
}

void kinjo_family_free(kinjo_family* family) { delete family; }

int kinjo_family_edges(const kinjo_family* family, uint32_t* ends) {
  return guarded([&] {
    const auto& edges = need(family, "family").value.edges();
    if (ends) {
      for (const auto& edge : edges) {
        *ends++ = edge.from;
        *ends++ = edge.to;
      }
    }
    return static_cast<int>(edges.size());
  });
}

char* kinjo_family_count(const kinjo_family* family, kinjo_team* team, uint64_t memory_limit) {
  return guarded([&] {
    const auto& value = need(family, "family").value;
    return copy(
        kinjo::paths::count(Workers(team).team(), value, {.memory_limit = memory_limit}).count);
  });
}

char* kinjo_family_count_spilled(const kinjo_family* family, kinjo_team* team,
                                 uint64_t memory_limit, const char* directory) {
  return guarded([&] {
    const auto& value = need(family, "family").value;
    return copy(
        kinjo::paths::count(Workers(team).team(), value,
                            {.memory_limit = memory_limit, .spill = directory_name(directory)})
            .count);
  });
}

char* kinjo_grid_paths_count(kinjo_team* team, unsigned rows, unsigned columns,
                             uint64_t memory_limit) {
  return guarded([&] {
    return copy(kinjo::paths::count_grid_paths(Workers(team).team(), rows, columns,
                                               {.memory_limit = memory_limit})
                    .count);
  });
}

char* kinjo_spanning_trees_count(const kinjo_network* network, kinjo_team* team,
                                 uint64_t memory_limit) {
  return guarded([&] {
    return copy(kinjo::paths::count_spanning_trees(Workers(team).team(),
                                                   need(network, "network").value,
                                                   {.memory_limit = memory_limit})
                    .count);
  });
}

void kinjo_count_free(char* digits) { delete[] digits; }

kinjo_diagram* kinjo_diagram_build(const kinjo_family* family, kinjo_team* team,
                                   uint64_t memory_limit) {
  return guarded([&] {
    const auto& value = need(family, "family").value;
    auto built = kinjo::paths::build(Workers(team).team(), value, {.memory_limit = memory_limit});
    return new kinjo_diagram{*std::move(built)};
  });
}

kinjo_diagram* kinjo_diagram_build_spilled(const kinjo_family* family, kinjo_team* team,
                                           uint64_t memory_limit, const char* directory) {
  return guarded([&] {
    const auto& value = need(family, "family").value;
    auto built =
        kinjo::paths::build(Workers(team).team(), value,
                            {.memory_limit = memory_limit, .spill = directory_name(directory)});
    return new kinjo_diagram{*std::move(built)};
  });
}

int kinjo_family_survey(const kinjo_family* family, kinjo_team* team, uint64_t memory_limit,
                        kinjo_build_size* out) {
  return guarded([&] {
    const auto& value = need(family, "family").value;
    kinjo_build_size& size = need(out, "out");
    Workers workers(team);
    const auto found = kinjo::paths::survey(workers.team(), value, {.memory_limit = memory_limit});
    const std::size_t threads = workers.team().size();
    size = {found.all_states(), kinjo::paths::build_bytes(value, found, threads),
            kinjo::paths::reduction_bytes(value, found, threads)};
    return KINJO_OK;
  });
}

kinjo_diagram* kinjo_diagram_open(const char* path) {
  return guarded(
      [&] { return new kinjo_diagram{kinjo::paths::read_diagram(&need(path, "path"))}; });
}

int kinjo_diagram_save(const kinjo_diagram* diagram, const char* path) {
  return guarded([&] {
    kinjo::paths::write_diagram(need(diagram, "diagram").value, &need(path, "path"));
    return KINJO_OK;
  });
}

void kinjo_diagram_free(kinjo_diagram* diagram) { delete diagram; }

int kinjo_diagram_get(const kinjo_diagram* diagram, kinjo_diagram_size* out) {
  return guarded([&] {
    const auto& value = need(diagram, "diagram").value;
    need(out, "out") = {value.items(), value.nodes(), value.bytes()};
    return KINJO_OK;
  });
}

char* kinjo_diagram_count(const kinjo_diagram* diagram) {
  return guarded([&] { return copy(need(diagram, "diagram").value.count()); });
}

/// What comes next, and nothing after the last.
struct kinjo_members {
  virtual ~kinjo_members() = default;
  virtual std::optional<Set> next() = 0;

  std::optional<Set> refused;  ///< what was next when there was no room for it
};

namespace {

class All final : public kinjo_members {
 public:
  explicit All(const kinjo::paths::Diagram& diagram) : at_(diagram.members().begin()) {}

  std::optional<Set> next() override {
    if (begun_ && at_ != std::default_sentinel) ++at_;
    begun_ = true;
    if (at_ == std::default_sentinel) return std::nullopt;
    return *at_;
  }

 private:
  kinjo::paths::Members::Iterator at_;
  bool begun_ = false;
};

class Sample final : public kinjo_members {
 public:
  Sample(const kinjo::paths::Diagram& diagram, std::uint64_t seed) : sampler_(diagram, seed) {}

  std::optional<Set> next() override { return sampler_.next(); }

 private:
  kinjo::paths::Sampler sampler_;
};

class ByWeight final : public kinjo_members {
 public:
  ByWeight(const kinjo::paths::Diagram& diagram, std::span<const double> weights)
      : sets_(diagram, weights) {}

  std::optional<Set> next() override {
    auto found = sets_.next();
    if (!found) return std::nullopt;
    return std::move(found->set);
  }

 private:
  kinjo::paths::ByWeight sets_;
};

}  // namespace

kinjo_members* kinjo_members_all(const kinjo_diagram* diagram) {
  return guarded([&]() -> kinjo_members* { return new All(need(diagram, "diagram").value); });
}

kinjo_members* kinjo_members_sample(const kinjo_diagram* diagram, uint64_t seed) {
  return guarded(
      [&]() -> kinjo_members* { return new Sample(need(diagram, "diagram").value, seed); });
}

kinjo_members* kinjo_members_by_weight(const kinjo_diagram* diagram, const double* weights) {
  return guarded([&]() -> kinjo_members* {
    const auto& value = need(diagram, "diagram").value;
    if (value.items() > 0) need(weights, "weights");
    return new ByWeight(value, {weights, value.items()});
  });
}

void kinjo_members_free(kinjo_members* members) { delete members; }

int kinjo_members_next(kinjo_members* members, uint32_t* items, size_t* count) {
  return guarded([&] {
    kinjo_members& self = need(members, "members");
    std::size_t& size = need(count, "count");
    if (!self.refused) self.refused = self.next();
    if (!self.refused) return 0;
    if (!self.refused->empty()) std::ranges::copy(*self.refused, &need(items, "items"));
    size = self.refused->size();
    self.refused.reset();
    return 1;
  });
}
