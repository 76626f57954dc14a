/// Decisions about one edge for many states of paths and cycles (mates.hpp) at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "paths/mate_steps.hpp"

namespace kinjo::paths::detail {

/// States that are decided together, at most.
inline constexpr std::size_t kMostMates = 1024;

/// States that kernels may write beyond those that are alive, but not beyond as many as came in.
inline constexpr std::size_t kMateSlack = 8;

/// What a decision led to, in the order of where it came from. Who makes this provides room for as
/// many of each as are decided, and `kMateSlack` more.
struct MateArrivals {
  std::uint64_t* states;  ///< that are alive
  std::uint16_t* from;    ///< what was said of the states that they came from
  std::uint16_t* closed;  ///< the numbers of states whose fragments were closed: members, or dead
  std::size_t count = 0, closed_count = 0;
};

/// What is decided: states, and of each a number that goes with it.
struct MateBlock {
  const std::uint64_t* states;
  const std::uint16_t* from;
  std::size_t count;
};

struct MateKernelSet {
  using Decide = void (*)(const MateItem&, const MateBlock&, MateArrivals&);
  struct Decisions {
    Decide skip, take;
    Decide either;  ///< both, where a vertex leaves, so that one of them at most is alive
  };
  Decisions one_word;   ///< `Marks<4, 1>`
  Decisions two_words;  ///< `Marks<5, 2>`
};

extern const MateKernelSet kScalarMateKernels;

/// The set for the level of vectors in use.
const MateKernelSet& mate_kernels();

}  // namespace kinjo::paths::detail
