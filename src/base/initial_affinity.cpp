#include "base/initial_affinity.hpp"

#include "base/kernel.hpp"

namespace kinjo::detail {

const CpuSet& initial_affinity() {
  static const CpuSet mask = get_affinity();
  return mask;
}

namespace {
/// Calls it at load time. If the kernel refuses, the first user gets the error instead.
const bool kReadAtLoad = [] {
  try {
    initial_affinity();
  } catch (...) {
    return false;
  }
  return true;
}();
}  // namespace

}  // namespace kinjo::detail
