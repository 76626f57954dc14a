#include "capi/guard.hpp"
#include "capi/handles.hpp"

namespace kinjo::capi {

kinjo_place to_c(const Place& place) {
  return {.thread = place.thread,
          .cpu = place.cpu,
          .node = place.node,
          .package = place.package,
          .core = place.core,
          .smt = place.smt,
          .rank_in_node = place.rank_in_node,
          .node_threads = place.node_threads};
}

std::size_t need_threads(int threads) {
  if (threads < 1) {
    throw Error(Errc::invalid_argument, fmt::format("{} threads: expected 1 or more", threads));
  }
  return static_cast<std::size_t>(threads);
}

}  // namespace kinjo::capi

using namespace kinjo::capi;

namespace {

const kinjo::Mapping& value_of(const kinjo_mapping* mapping) {
  return need(mapping, "mapping").value;
}

int node_at(const kinjo::Mapping& mapping, int node_index) {
  return mapping.nodes()[need_index(node_index, mapping.nodes().size(), "node index")];
}

}  // namespace

kinjo_mapping* kinjo_mapping_create(const kinjo_topology* topology, const char* policy, int threads,
                                    unsigned flags) {
  return guarded([&] {
    need_flags(flags, KINJO_OVERSUBSCRIBE);
    return new kinjo_mapping{kinjo::Mapping(
        need(topology, "topology").value, kinjo::Policy::parse(&need(policy, "policy")),
        need_threads(threads),
        flags & KINJO_OVERSUBSCRIBE ? kinjo::Oversubscribe::wrap : kinjo::Oversubscribe::refuse)};
  });
}

void kinjo_mapping_free(kinjo_mapping* mapping) { delete mapping; }

int kinjo_mapping_size(const kinjo_mapping* mapping) {
  return guarded([&] { return static_cast<int>(value_of(mapping).size()); });
}

int kinjo_mapping_get_place(const kinjo_mapping* mapping, int thread, kinjo_place* out) {
  return guarded([&] {
    const kinjo::Mapping& table = value_of(mapping);
    need(out, "out") = to_c(table[need_index(thread, table.size(), "thread")]);
    return KINJO_OK;
  });
}

int kinjo_mapping_node_count(const kinjo_mapping* mapping) {
  return guarded([&] { return static_cast<int>(value_of(mapping).nodes().size()); });
}

int kinjo_mapping_get_node(const kinjo_mapping* mapping, int node_index, int* node) {
  return guarded([&] {
    need(node, "node") = node_at(value_of(mapping), node_index);
    return KINJO_OK;
  });
}

int kinjo_mapping_node_threads(const kinjo_mapping* mapping, int node_index) {
  return guarded([&] {
    const kinjo::Mapping& table = value_of(mapping);
    return static_cast<int>(table.threads_on(node_at(table, node_index)).size());
  });
}
