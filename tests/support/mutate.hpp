/// Damage done to a text on purpose, the same in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace kinjo::test {

/// Damages texts as bad disks, half-written files and hasty editors do.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  /// One to four faults in `text`.
  std::string damage(std::string text) {
    for (std::size_t faults = 1 + below(4); faults > 0; --faults) damage_once(text);
    return text;
  }

  /// A number in [0, bound), 0 for a bound of 0.
  std::size_t below(std::size_t bound) {
    return bound == 0 ? 0 : static_cast<std::size_t>(random_() % bound);
  }

 private:
  void damage_once(std::string& text);
  /// Puts another number where one stands.
  void change_number(std::string& text);

  std::mt19937_64 random_;
};

}  // namespace kinjo::test
