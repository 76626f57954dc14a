#include "blas1/tree.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace kinjo::detail {
namespace {

/// A value that shows how it was added up: (a+b) for two, and so on.
struct Shape {
  std::string text = "0";
  Shape() = default;
  Shape(int zero) : text(std::to_string(zero)) {}
  explicit Shape(std::string t) : text(std::move(t)) {}
  friend Shape operator+(const Shape& a, const Shape& b) {
    return Shape('(' + a.text + '+' + b.text + ')');
  }
};

Shape leaf(std::size_t block) { return Shape(std::to_string(block)); }

/// The definition, written down again: the left part is the largest power of two below the count.
std::string expected(std::size_t begin, std::size_t count) {
  if (count == 1) return std::to_string(begin);
  std::size_t left = 1;
  while (left * 2 < count) left *= 2;
  return '(' + expected(begin, left) + '+' + expected(begin + left, count - left) + ')';
}

TEST(BlockTree, OfNothingIsZero) { EXPECT_EQ(BlockTree<Shape>().total().text, "0"); }

TEST(BlockTree, HasTheShapeOfItsDefinition) {
  BlockTree<Shape> three;
  for (std::size_t b : {0, 1, 2}) three.add({b, 1, leaf(b)});
  EXPECT_EQ(three.total().text, "((0+1)+2)");
  for (std::size_t count = 1; count <= 70; ++count) {
    BlockTree<Shape> tree;
    for (std::size_t b = 0; b < count; ++b) tree.add({b, 1, leaf(b)});
    ASSERT_EQ(tree.total().text, expected(0, count));
  }
}

TEST(BlockTree, HasTheSameShapeHoweverItsBlocksArrive) {
  for (std::size_t count : {1, 2, 63, 64, 65, 130}) {
    for (std::size_t at_once : {1, 3, 8, 64, 100}) {
      BlockTree<Shape> tree;
      for (std::size_t begin = 0; begin < count; begin += at_once) {
        std::vector<Shape> sums;
        for (std::size_t b = begin; b < std::min(count, begin + at_once); ++b) {
          sums.push_back(leaf(b));
        }
        tree.add(begin, sums);
      }
      ASSERT_EQ(tree.total().text, expected(0, count)) << count << " in runs of " << at_once;
    }
  }
}

TEST(BlockTree, HasTheSameShapeWhateverPartsItIsJoinedFrom) {
  constexpr std::size_t kCount = 45;
  for (std::size_t first = 1; first < kCount; ++first) {
    for (std::size_t second = first; second < kCount; ++second) {
      BlockTree<Shape> whole;
      const std::size_t ends[] = {first, second, kCount};
      std::size_t b = 0;
      for (std::size_t end : ends) {
        BlockTree<Shape> part;
        for (; b < end; ++b) part.add({b, 1, leaf(b)});
        for (const auto& node : part.nodes()) whole.add(node);
      }
      ASSERT_EQ(whole.total().text, expected(0, kCount)) << first << ' ' << second;
    }
  }
}

}  // namespace
}  // namespace kinjo::detail
