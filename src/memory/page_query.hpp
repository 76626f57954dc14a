/// Questions about the pages of many ranges, asked of the kernel in full batches.
///
/// A system call that asks about one page costs about as much as fifty pages in one that asks about
/// a thousand, so small ranges (the pieces of a cyclic partition) share calls.
#pragma once

#include <array>
#include <cstddef>

#include <kinjo/audit.hpp>

namespace kinjo::detail {

/// Counts pages into audits. `finish` must be called before these are read.
class PageQuery {
 public:
  /// Counts each page that overlaps `[data, data + bytes)` in `into`, which must stay where it is
  /// until `finish`.
  void add(const void* data, std::size_t bytes, Audit& into);
  /// Asks about what has not been asked yet.
  void finish();

 private:
  static constexpr std::size_t kBatch = 1024;  ///< enough to hide a call's cost, few for the stack
  std::array<void*, kBatch> pages_;
  std::array<Audit*, kBatch> owners_;
  std::size_t size_ = 0;
  int refusal_ = 0;  ///< after which nothing more is asked
};

}  // namespace kinjo::detail
