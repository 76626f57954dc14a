/// Decisions about one edge for many states of paths and cycles (mates.hpp) at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "paths/mate_steps.hpp"

namespace kinjo::paths::detail {

/// States that are decided together, at most.
inline constexpr std::size_t kMostMates = 256;

/// What a decision led to, in the order of where it came from. Who makes this provides room for
/// `kMostMates` of each.
struct MateArrivals {
  std::uint64_t* states;  ///< that are alive
  std::uint16_t* from;    ///< the numbers of the states that they came from
  std::uint16_t* closed;  ///< of states whose fragments were closed: members, or dead
  std::size_t count = 0, closed_count = 0;
};

struct MateKernelSet {
  using Decide = void (*)(const MateItem&, const std::uint64_t* states, std::size_t count,
                          MateArrivals&);
  struct Decisions {
    Decide skip, take;
  };
  Decisions one_word;   ///< `Marks<4, 1>`
  Decisions two_words;  ///< `Marks<5, 2>`
};

extern const MateKernelSet kScalarMateKernels;

/// The set for the level of vectors in use.
const MateKernelSet& mate_kernels();

}  // namespace kinjo::paths::detail
