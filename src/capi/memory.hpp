/// Memory that C code holds by its address.
#pragma once

#include <kinjo/memory.hpp>

namespace kinjo::capi {

/// Keeps a buffer until `kinjo_memory_free` is called with the address that this returns.
void* keep(Buffer buffer);

}  // namespace kinjo::capi
