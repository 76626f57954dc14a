/// Buffers are C++ objects and C knows addresses, so one table keeps a buffer for each address.
#include <kinjo/memory.hpp>

#include <cstdint>
#include <map>
#include <mutex>

#include "base/forks.hpp"
#include "capi/guard.hpp"
#include "capi/memory.hpp"

namespace kinjo::capi {

namespace {

using BufferTable = std::map<const void*, Buffer>;

std::mutex& table_mutex() { return detail::mutex_of(detail::ForkLock::buffers); }

/// Call it with `table_mutex()` held. Never destroyed: a program may free its memory in a
/// destructor that runs after all of ours.
BufferTable& buffer_table() {
  static auto& table = *new BufferTable;
  return table;
}

[[noreturn]] void reject(const void* memory) {
  throw Error(
      Errc::invalid_argument,
      fmt::format("{} is no memory of kinjo's: it was not allocated by it, or is freed", memory));
}

AllocOptions options_of(unsigned flags) {
  need_flags(flags, KINJO_HUGE_PAGES);
  return {.pages = flags & KINJO_HUGE_PAGES ? Pages::transparent : Pages::normal};
}

NodeSet node_set(const int* nodes, int count) {
  NodeSet set;
  for (int i = 0; i < count; ++i) {
    const int node = (&need(nodes, "nodes"))[i];
    // Asked here because a set holds no negative numbers, and is as long as its largest.
    if (!Topology::this_machine().find_node(node)) {
      throw Error(Errc::not_found, fmt::format("no node {} on this machine", node));
    }
    set.insert(node);
  }
  return set;
}

static_assert(KINJO_BOUND == static_cast<int>(Rung::bound));
static_assert(KINJO_FIRST_TOUCH == static_cast<int>(Rung::first_touch));
static_assert(KINJO_UNPLACED == static_cast<int>(Rung::unplaced));

/// Throws if a range is none, or goes on where addresses end, all of whose pages would be asked
/// about.
void need_range(const void* data, std::size_t bytes) {
  need(static_cast<const char*>(data), "data");
  if (bytes > UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(data)) {
    throw Error(Errc::invalid_argument,
                fmt::format("{} bytes at {}: expected fewer, which end below the highest address",
                            bytes, data));
  }
}

void copy_nodes(const Audit& audit, kinjo_audit& out) {
  for (const auto& [node, pages] : audit.by_node) {
    if (out.node_count < KINJO_AUDIT_NODES) {
      out.nodes[out.node_count].node = node;
      out.nodes[out.node_count++].pages = pages;
    } else {
      out.elsewhere += pages;
    }
  }
}

}  // namespace

void* keep(Buffer buffer) {
  const std::lock_guard lock(table_mutex());
  BufferTable& table = buffer_table();
  void* const memory = buffer.data();
  table.emplace(memory, std::move(buffer));
  return memory;
}

}  // namespace kinjo::capi

using namespace kinjo::capi;

void* kinjo_memory_alloc_on(int node, size_t bytes, unsigned flags) {
  return guarded([&] { return keep(kinjo::alloc_on(node, bytes, options_of(flags))); });
}

void* kinjo_memory_alloc_interleaved(const int* nodes, int count, size_t bytes, unsigned flags) {
  return guarded([&] {
    return keep(kinjo::alloc_interleaved(node_set(nodes, count), bytes, options_of(flags)));
  });
}

int kinjo_memory_free(void* memory) {
  return guarded([&] {
    if (!memory) return KINJO_OK;
    const std::lock_guard lock(table_mutex());
    BufferTable& table = buffer_table();
    if (table.erase(memory) == 0) reject(memory);
    return KINJO_OK;
  });
}

int kinjo_memory_placement(const void* memory, const char** message) {
  return guarded([&] {
    const std::lock_guard lock(table_mutex());
    BufferTable& table = buffer_table();
    const auto found = table.find(memory);
    if (found == table.end()) reject(memory);
    const kinjo::PlacementReport& report = found->second.placement();
    if (message) *message = report.message.c_str();
    return static_cast<int>(report.rung);
  });
}

int kinjo_memory_audit(const void* data, size_t bytes, kinjo_audit* out) {
  return guarded([&] {
    need_range(data, bytes);
    const kinjo::Audit audit = kinjo::audit(data, bytes);
    need(out, "out") = kinjo_audit{};
    out->page_bytes = audit.page_bytes;
    out->pages = audit.pages;
    out->not_present = audit.not_present;
    out->unknown = audit.unknown;
    out->refusal = audit.refusal;
    copy_nodes(audit, *out);
    return KINJO_OK;
  });
}
