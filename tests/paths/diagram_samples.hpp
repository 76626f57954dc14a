/// Families of sets of few items as the plainest thing they can be, to compare diagrams with.
#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <kinjo/diagram.hpp>

namespace kinjo::paths::test {

/// Sets as bits: item i is bit i.
using Mask = std::uint32_t;
using Masks = std::set<Mask>;

inline Set set_of(Mask mask) {
  Set set;
  for (Item item = 0; mask >> item != 0; ++item) {
    if (mask >> item & 1) set.push_back(item);
  }
  return set;
}

inline Mask mask_of(const Set& set) {
  Mask mask = 0;
  for (const Item item : set) mask |= Mask{1} << item;
  return mask;
}

inline std::vector<Set> sets_of(const Masks& masks) {
  std::vector<Set> sets;
  for (const Mask mask : masks) sets.push_back(set_of(mask));
  return sets;
}

inline Diagram diagram_of(std::size_t items, const Masks& masks) {
  return Diagram::of(items, sets_of(masks));
}

inline Masks masks_of(const Diagram& diagram) {
  Masks masks;
  for (const Set& set : diagram.members()) masks.insert(mask_of(set));
  return masks;
}

/// A family and how many items it is over.
struct Sample {
  std::size_t items = 0;
  Masks masks;
  Diagram diagram() const { return diagram_of(items, masks); }
  bool has(const Set& set) const { return masks.contains(mask_of(set)); }
};

/// Families with few, some and most of all sets, of 0 to `most_items` items.
inline Sample random_sample(std::mt19937_64& random, std::size_t most_items) {
  Sample sample{random() % (most_items + 1), {}};
  const std::uint64_t share = random() % 9;
  for (Mask mask = 0; mask < Mask{1} << sample.items; ++mask) {
    if (random() % 8 < share) sample.masks.insert(mask);
  }
  if (share == 1) {  // a few sets only
    while (sample.masks.size() > 5) sample.masks.erase(sample.masks.begin());
  }
  return sample;
}

/// Another one over the same items.
inline Sample random_sibling(std::mt19937_64& random, const Sample& sample) {
  for (;;) {
    Sample other = random_sample(random, sample.items);
    if (other.items == sample.items) return other;
  }
}

}  // namespace kinjo::paths::test
