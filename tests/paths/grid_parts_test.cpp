#include <gtest/gtest.h>

#include "paths/grid_plan.hpp"
#include "paths/grid_residues.hpp"
#include "paths/grid_words.hpp"

namespace kinjo::paths::detail {
namespace {

std::string text(const BracketWord& word) {
  std::string out;
  for (unsigned i = 0; i < word.length(); ++i) out += "0()"[static_cast<int>(word[i])];
  return out;
}

TEST(GridWords, AreMotzkinWordsInOrder) {
  const BracketNumbers numbers(4);
  std::vector<std::string> found;
  for (const BracketWord& word : numbers.words(3, 1, 0)) found.push_back(text(word));
  EXPECT_EQ(found, (std::vector<std::string>{"00)", "0)0", "())", ")00", ")()"}));
}

TEST(GridWords, AreNumberedWithoutGaps) {
  const BracketNumbers numbers(9);
  for (int from = 0; from <= 3; ++from) {
    for (int to = 0; to <= 3; ++to) {
      const std::vector<BracketWord> words = numbers.words(8, from, to);
      ASSERT_EQ(words.size(), numbers.count(8, from, to));
      for (std::size_t i = 0; i < words.size(); ++i) {
        EXPECT_EQ(numbers.number(words[i], from, to), i);
      }
    }
  }
}

TEST(GridWords, BeginWhereTheirFirstPartsSay) {
  const BracketNumbers numbers(8);
  for (const BracketWord& word : numbers.words(7, 1, 0)) {
    BracketWord first(3);
    int height = 1;
    for (unsigned i = 0; i < 3; ++i) {
      first.set(i, word[i]);
      height += rise(word[i]);
    }
    BracketWord rest(4);
    for (unsigned i = 0; i < 4; ++i) rest.set(i, word[3 + i]);
    EXPECT_EQ(numbers.before(first, 7, 1, 0) + numbers.number(rest, height, 0),
              numbers.number(word, 1, 0));
  }
}

TEST(GridWords, GrowByAPair) {
  BracketWord word(3);
  word.set(0, Bracket::open);
  word.set(1, Bracket::none);
  word.set(2, Bracket::close);
  EXPECT_EQ(text(word.with_pair(1, Bracket::close, Bracket::open)), "()()");
  EXPECT_EQ(text(word.with_pair(0, Bracket::none, Bracket::close)), "0)0)");
}

TEST(GridPlan, IsAsLargeAsItsShapeSaid) {
  for (unsigned width = 2; width <= 14; ++width) {
    const GridShape shape(width, width);
    const GridPlan plan(shape);
    const std::pair<GridCut, const GridPhase*> phases[] = {{left_cut(width), &plan.left},
                                                           {right_cut(width), &plan.right}};
    for (const auto& [cut, phase] : phases) {
      std::uint64_t words = 0;
      for (std::size_t h = 0; h < phase->levels.size(); ++h) {
        const GridLevel& level = phase->levels[h];
        words += std::uint64_t{level.main_rows} * level.columns;
        EXPECT_EQ(level.down_rows(), cut.down_rows(shape.numbers(), static_cast<int>(h)));
      }
      EXPECT_EQ(words, shape.main_words()) << width;
    }
  }
}

TEST(GridResidues, AreOfTheLargestPrimesBelowAPowerOfTwo) {
  EXPECT_EQ(large_primes(3), (std::vector<std::uint64_t>{9223372036854775783U, 9223372036854775643U,
                                                         9223372036854775549U}));
}

TEST(GridResidues, GiveBackTheirNumber) {
  const std::vector<std::uint64_t> primes = large_primes(primes_for(200));
  ASSERT_EQ(primes.size(), 4U);
  Count number = Count::parse("1606938044258990275541962092341162602522202993782792835301375");
  std::vector<std::uint64_t> residues;
  for (const std::uint64_t prime : primes) {
    std::uint64_t residue = 0;  // Horner's rule over limbs
    for (std::size_t l = number.limbs().size(); l-- > 0;) {
      const auto wide = static_cast<unsigned __int128>(residue) << 64 | number.limbs()[l];
      residue = static_cast<std::uint64_t>(wide % prime);
    }
    residues.push_back(residue);
  }
  EXPECT_EQ(from_residues(residues, primes), number);
  EXPECT_EQ(from_residues({}, {}), Count());
}

}  // namespace
}  // namespace kinjo::paths::detail
