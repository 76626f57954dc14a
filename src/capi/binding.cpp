#include <memory>

#include "capi/guard.hpp"
#include "capi/handles.hpp"

namespace kinjo::capi {

BindLevel bind_level_of(unsigned flags) {
  const bool core = flags & KINJO_BIND_CORE;
  const bool node = flags & KINJO_BIND_NODE;
  if (core && node) {
    throw Error(Errc::invalid_argument,
                "KINJO_BIND_CORE and KINJO_BIND_NODE exclude each other: expected one or neither");
  }
  if (core) return BindLevel::core;
  return node ? BindLevel::node : BindLevel::cpu;
}

}  // namespace kinjo::capi

using namespace kinjo::capi;

kinjo_binding* kinjo_binding_create(const kinjo_mapping* mapping, int thread, unsigned flags) {
  return guarded([&] {
    need_flags(flags, KINJO_BIND_CORE | KINJO_BIND_NODE);
    const kinjo::Mapping& table = need(mapping, "mapping").value;
    const std::size_t row = need_index(thread, table.size(), "thread");
    return thread_state.innermost = new kinjo_binding{
               kinjo::Binding(table, row, bind_level_of(flags)), thread_state.innermost};
  });
}

int kinjo_binding_undo(kinjo_binding* binding) {
  return guarded([&] {
    if (!binding) return KINJO_OK;
    // Compared before it is looked into: an address that was freed, or belongs to another thread,
    // is not this thread's latest.
    if (binding != thread_state.innermost) {
      throw kinjo::Error(kinjo::Errc::usage,
                         "the binding is not the calling thread's latest: bindings are undone by "
                         "the thread that made them, last one first");
    }
    const std::unique_ptr<kinjo_binding> owned(binding);
    thread_state.innermost = owned->outer;
    return KINJO_OK;
  });
}

kinjo_place kinjo_here(void) { return to_c(kinjo::here()); }

int kinjo_current_cpu(void) {
  return guarded([] { return kinjo::current_cpu(); });
}
