#include "base/initial_affinity.hpp"

#include <cstdlib>
#include <string_view>

#include <kinjo/error.hpp>

#include "base/kernel.hpp"
#include "base/run_places.h"

namespace kinjo::detail {

const CpuSet& initial_affinity() {
  static const CpuSet mask = with_all_places(get_affinity(), std::getenv(KINJO_RUN_PLACES));
  return mask;
}

CpuSet with_all_places(const CpuSet& mask, const char* places) {
  if (places == nullptr) return mask;
  try {
    CpuSet all;
    bool is_place = false;
    for (std::string_view rest = places;;) {
      const std::size_t end = rest.find(';');
      const CpuSet place = CpuSet::parse(rest.substr(0, end));
      is_place = is_place || place == mask;
      all |= place;
      if (end == rest.npos) return is_place ? all : mask;
      rest.remove_prefix(end + 1);
    }
  } catch (const Error&) {
    return mask;
  }
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
