#include <algorithm>
#include <numeric>

#include "paths/twin_kernels.hpp"

namespace kinjo::paths::detail {

namespace {

/// That `Mates<4, 1>` can do with. Marks that are no slots have the places behind theirs.
constexpr std::size_t kSlots = 14;

/// Batcher's odd-even merge sort of several ranges side by side.
class Sorting {
 public:
  void add(std::size_t begin, std::size_t size) {
    std::size_t layer = 0;
    for (std::size_t sorted = 1; sorted < size; sorted *= 2) {
      for (std::size_t apart = sorted; apart > 0; apart /= 2, ++layer) {
        if (layer == layers_.size()) layers_.push_back(nothing());
        for (std::size_t i = apart % sorted; i + apart < size; i += 2 * apart) {
          for (std::size_t k = i; k < std::min(i + apart, size - apart); ++k) {
            if (k / (2 * sorted) != (k + apart) / (2 * sorted)) continue;
            compare(layers_[layer], begin + k, begin + k + apart);
          }
        }
      }
    }
  }
  std::vector<TwinTables::Layer> take() { return std::move(layers_); }

 private:
  static TwinTables::Layer nothing() {
    TwinTables::Layer layer{};
    std::iota(layer.partner.begin(), layer.partner.end(), std::uint8_t{0});
    return layer;
  }
  static void compare(TwinTables::Layer& layer, std::size_t low, std::size_t high) {
    layer.partner[low] = static_cast<std::uint8_t>(high);
    layer.partner[high] = static_cast<std::uint8_t>(low);
    layer.greater[high] = 0xFF;
  }

  std::vector<TwinTables::Layer> layers_;
};

}  // namespace

TwinTables::TwinTables(const TwinClasses& classes) : are_several(classes.size() > 1) {
  constexpr std::uint8_t kFirstKey = 4, kNoKey = 0xFF, kSingle = 0xF0;
  Sorting sorting;
  std::uint8_t place = 0, key = kFirstKey;
  const auto put = [&](std::size_t slot, std::uint8_t own_key) {
    slots[place] = static_cast<std::uint8_t>(slot);
    places[slot] = place;
    keys[place] = key;
    own_keys[place] = own_key;
    singles[place] = own_key == kNoKey ? kSingle : 0;
    first[place] = singles[place] != 0 ? 0xFF : 0;
    pairs[place] = place;
    settled[place] = 0;
    ++place;
  };
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const std::uint8_t begin = place;
    // The only class is nobody else's mates', and there may be as many single slots as keys.
    if (!are_several) key = 0;
    for (const std::uint16_t slot : classes.of(c)) {
      const auto number = static_cast<std::uint8_t>(place - begin);
      put(slot, key);
      pairs[place - 1U] = static_cast<std::uint8_t>(begin + (number ^ 1U));
      settled[place - 1U] = classes.have_last_edge(c) ? 0xFF : 0;
    }
    first[begin] = 0xFF;
    sorting.add(begin, classes.of(c).size());
    key = are_several ? static_cast<std::uint8_t>(key + 1) : kFirstKey;
  }
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    if (slot < classes.slots() && classes.class_of(slot) != TwinClasses::kNone) continue;
    put(slot, kNoKey);
    ++key;
  }
  for (key = 2; place < kPlaces; --key) put(place, kNoKey);
  layers = sorting.take();
}

}  // namespace kinjo::paths::detail
