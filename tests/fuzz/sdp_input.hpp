/// What the targets of readers of semidefinite programs share.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <kinjo/error.hpp>
#include <kinjo/sdp.hpp>

namespace kinjo::test {

/// Calls a parser: nothing may come out but an `Error` that begins with the input's name.
template <class Parse>
int try_sdp(const std::uint8_t* data, std::size_t size, const Parse& parse) {
  try {
    parse(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const Error& error) {
    if (!std::string_view(error.what()).starts_with("cannot read 'input")) std::abort();
  }
  return 0;
}

/// The problem whose solutions are read: constraints, a symmetric block and a diagonal one.
inline const sdp::Problem& small_problem() {
  static const sdp::Problem problem = [] {
    sdp::ProblemBuilder builder({{2, sdp::BlockKind::symmetric}, {2, sdp::BlockKind::diagonal}},
                                {1, 1});
    builder.add(0, 0, 0, 1, -1);
    builder.add(1, 0, 0, 0, 1);
    builder.add(2, 1, 1, 1, 1);
    return builder.finish();
  }();
  return problem;
}

/// A solution is of the problem's shape, finite and symmetric.
inline void check(const sdp::Solution& solution) {
  if (solution.x.size() != 2) std::abort();
  for (const sdp::BlockMatrix* matrix : {&solution.X, &solution.Y}) {
    if (matrix->blocks().size() != 2) std::abort();
    if (matrix->block(0)[1] != matrix->block(0)[2]) std::abort();
    for (const double value : matrix->block(0)) {
      if (!std::isfinite(value)) std::abort();
    }
  }
}

}  // namespace kinjo::test
