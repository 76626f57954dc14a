#include "paths/state_table.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace kinjo::paths {
namespace {

using namespace detail;

/// Blocks of states of which about every second one was there before, some within the block.
template <std::size_t Words>
class Blocks {
 public:
  /// `fewer` bits of each word are zeros, so that states are alike.
  explicit Blocks(unsigned fewer) : fewer_(fewer) {}

  std::vector<State<Words>> next() {
    std::vector<State<Words>> block(1 + random_() % kBlock);
    for (State<Words>& state : block) {
      if (!told_.empty() && random_() % 2 == 0) {
        state = told_[random_() % told_.size()];
      } else {
        for (std::uint64_t& word : state) word = random_() >> fewer_ << fewer_ / 2;
      }
      told_.push_back(state);
    }
    return block;
  }

 private:
  std::mt19937_64 random_{7};
  unsigned fewer_;
  std::vector<State<Words>> told_;
};

/// Looks up blocks until there are `states` and compares with a map.
template <std::size_t Words>
void expect_numbers(std::size_t states, unsigned fewer, bool dense = false) {
  StateTable<Words> table;
  table.begin(1);
  if (dense) table.number_all_densely();
  Blocks<Words> blocks(fewer);
  std::map<State<Words>, std::uint32_t> known;
  std::vector<std::uint32_t> numbers(kBlock);
  NewOnes new_ones;
  for (std::size_t round = 0; table.size() < states; ++round) {
    const auto block = blocks.next();
    const std::size_t before = table.size();
    if (round % 2 == 0) {
      table.find_or_add(block, numbers.data());
    } else {
      const auto found = table.find_or_add_telling(block, numbers.data(), new_ones);
      ASSERT_EQ(found.size(), table.size() - before);
      for (std::size_t k = 0; k < found.size(); ++k) {
        ASSERT_EQ(numbers[found[k]], before + k);
        const auto first = std::find(block.begin(), block.end(), block[found[k]]);
        ASSERT_EQ(first - block.begin(), found[k]) << "who comes first is new";
      }
    }
    for (std::size_t i = 0; i < block.size(); ++i) {
      ASSERT_LT(numbers[i], table.size());
      ASSERT_EQ(table.states()[numbers[i]], block[i]);
      ASSERT_EQ(known.try_emplace(block[i], numbers[i]).first->second, numbers[i]);
    }
    ASSERT_EQ(known.size(), table.size());
  }
}

TEST(StateTable, GivesEqualStatesEqualNumbersInTheOrderInWhichTheyCome) {
  expect_numbers<1>(20000, 0);
  expect_numbers<2>(20000, 0);
  expect_numbers<6>(5000, 0);
}

TEST(StateTable, GivesStatesThatAreAlikeDifferentNumbers) {
  expect_numbers<1>(5000, 48);
  expect_numbers<2>(5000, 52);
}

TEST(StateTable, GivesNumbersWhereSlotsAreFew) { expect_numbers<1>(20000, 0, true); }

/// Their slots are asked for ahead.
TEST(StateTable, GivesNumbersBeyondTheNearestCaches) { expect_numbers<1>(100000, 0); }

TEST(StateTable, NumbersTheStatesThatItWasGiven) {
  const std::vector<State<1>> given = {{5}, {9}, {0}, {~std::uint64_t{0}}};
  StateTable<1> table;
  table.copy(given);
  table.number_all();
  std::vector<std::uint32_t> numbers(given.size() + 1);
  table.find_or_add(std::vector<State<1>>{{0}, {7}, {5}, {~std::uint64_t{0}}, {9}}, numbers.data());
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{2, 4, 0, 3, 1}));
}

}  // namespace
}  // namespace kinjo::paths
