/// What hwloc allocates, owned: topologies and bitmaps.
#pragma once

#include <memory>
#include <string>

#include <hwloc.h>

namespace kinjo::detail {

struct HwlocDestroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using HwlocHandle = std::unique_ptr<hwloc_topology, HwlocDestroy>;

struct HwlocFree {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using HwlocBitmap = std::unique_ptr<hwloc_bitmap_s, HwlocFree>;

/// The running system. Throws `Error` (`system`, `bad_input`). To be called with `ForkLock::hwloc`
/// held, also until the handle is gone: hwloc counts its topologies under a lock of its own.
HwlocHandle load_this_machine();

/// An XML file, a directory or `synthetic:…`, as `Topology::from` takes them. Likewise.
HwlocHandle load_description(const std::string& input);

}  // namespace kinjo::detail
