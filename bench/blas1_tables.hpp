/// The results of bench_blas1 as docs/performance_blas1.md has them, to be copied there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kinjo::bench {

/// One kernel at one size beside its peers.
struct Result {
  std::string kernel;
  std::size_t threads;
  std::size_t offset;  ///< elements behind a page
  std::size_t elements;
  double rate;
  const char* unit;                 ///< of the rate
  std::optional<double> limit;      ///< the limit's time over kinjo's, in L1
  std::optional<double> advantage;  ///< the time of the fastest peer over kinjo's
  char peer = ' ';                  ///< first letter of that peer
};

/// Markdown: for each number of threads and offset the advantages, a column for each size; then the
/// share of the limit in L1.
void print_tables(const std::vector<Result>& results);

}  // namespace kinjo::bench
