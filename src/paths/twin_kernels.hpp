/// Twins (twins.hpp) put in order in many states of one word (`Marks<4, 1>`) at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "paths/twins.hpp"

namespace kinjo::paths::detail {

/// What there is to know of an item's twins. Slots stand in places, those of a class side by side,
/// and a vector has a byte for each.
struct TwinTables {
  static constexpr std::size_t kPlaces = 16;
  using Bytes = std::array<std::uint8_t, kPlaces>;

  /// Of slots that `Mates<4, 1>` can do with.
  explicit TwinTables(const TwinClasses& classes);

  /// Pairs of places that are put in order together: of each the lesser goes to the lower one.
  struct Layer {
    Bytes partner;  ///< or itself
    Bytes greater;  ///< all bits where the greater one goes
  };

  Bytes slots;       ///< by place
  Bytes places;      ///< by slot; marks that are no slots are their own places
  Bytes keys;        ///< by the place of a mate, from 4 on; of marks that are no slots 1 and 2
  Bytes own_keys;    ///< of the own class
  Bytes singles;     ///< the high bits of those that are no twins
  Bytes pairs;       ///< the mate in the own class, if those that have such are the first there
  Bytes first;       ///< all bits where a class begins, or who is no twin stands
  Bytes settled;     ///< all bits where untouched ones are as if inside (`MateFields::settled`)
  bool are_several;  ///< classes
  std::vector<Layer> layers;
};

struct TwinKernelSet {
  /// As `TwinOrder` (twin_order.hpp) does; none where bytes cannot be shuffled.
  void (*order)(const TwinTables&, std::uint64_t* states, std::size_t count);
};

/// The set for the level of vectors in use.
const TwinKernelSet& twin_kernels();

}  // namespace kinjo::paths::detail
