/// Contracts: a broken one is a bug in kinjo, never a fault of its input.
#pragma once

namespace kinjo::detail {

/// Writes the broken contract to standard error and aborts: nothing sensible can follow.
[[noreturn]] void contract_violated(const char* condition, const char* file, int line) noexcept;

}  // namespace kinjo::detail

#define KINJO_ASSERT(condition) \
  (static_cast<bool>(condition) \
       ? static_cast<void>(0)   \
       : ::kinjo::detail::contract_violated(#condition, __FILE__, __LINE__))
