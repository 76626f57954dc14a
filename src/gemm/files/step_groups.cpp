#include "gemm/files/step_groups.hpp"

namespace kinjo::gemm {

Range step_group(std::size_t i, std::size_t steps, std::size_t in_panel) {
  if (in_panel > 1 && i < 2) return {0, 2};
  // Of three steps the second one is with the first.
  if (in_panel > 1 && steps > 3 && i + 2 >= steps) return {steps - 2, steps};
  return {i, i + 1};
}

}  // namespace kinjo::gemm
