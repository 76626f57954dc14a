/// The CPUs that the process might use when kinjo was loaded.
#pragma once

#include <kinjo/index_set.hpp>

namespace kinjo::detail {

/// Read once, before `main`, so that pinning threads later does not hide CPUs. Under `kinjo run`,
/// which has pinned the main thread before that, the CPUs of all its places.
const CpuSet& initial_affinity();

/// `mask`, or where it is one of the `places` (run_places.h; null: none) the CPUs of all of them.
/// Another mask was set by somebody else, and stays, as it does where the places are malformed.
CpuSet with_all_places(const CpuSet& mask, const char* places);

}  // namespace kinjo::detail
