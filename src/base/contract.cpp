#include "base/contract.hpp"

#include <cstdio>
#include <cstdlib>

namespace kinjo::detail {

void contract_violated(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "kinjo: a bug in kinjo itself: %s does not hold at %s:%d\n", condition, file,
               line);
  std::abort();
}

}  // namespace kinjo::detail
