/// The affinity mask that the process had when kinjo was loaded.
#pragma once

#include <kinjo/index_set.hpp>

namespace kinjo::detail {

/// Read once, before `main`, so that pinning threads later does not hide CPUs.
const CpuSet& initial_affinity();

}  // namespace kinjo::detail
