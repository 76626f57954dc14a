/// The cycle through blocks: each block is made a cycle of its own (Sattolo: walk down from the
/// last line and swap its link with that of a line before it; what begins as n cycles of one line
/// ends as one of n). Then the link of each block's first line is given to the first line of the
/// block that is visited before it: from there the walk goes once around the block and comes out at
/// its first line, whose link leads on to the next block.
#include "measure/chase.hpp"

#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "base/random.hpp"

namespace kinjo {

using detail::Random;

namespace {

class Lines {
 public:
  Lines(void* memory, std::size_t stride_bytes)
      : first_(static_cast<char*>(memory)), stride_bytes_(stride_bytes) {}
  /// The link that line i holds.
  void*& link(std::size_t i) { return *static_cast<void**>(at(i)); }
  void* at(std::size_t i) { return first_ + i * stride_bytes_; }

 private:
  char* first_;
  std::size_t stride_bytes_;
};

/// Makes lines [begin, end) one cycle.
void shuffle(Lines& lines, std::size_t begin, std::size_t end, Random& random) {
  for (std::size_t i = begin; i < end; ++i) lines.link(i) = lines.at(i);
  for (std::size_t i = end - 1; i > begin; --i) {
    std::swap(lines.link(i), lines.link(begin + random.below(i - begin)));
  }
}

/// Joins the cycles of blocks, whose first lines are given, in random order.
void join(Lines& lines, std::vector<std::size_t> firsts, Random& random) {
  for (std::size_t i = firsts.size() - 1; i > 0; --i) {
    std::swap(firsts[i], firsts[random.below(i + 1)]);
  }
  void* const into_first = lines.link(firsts.front());
  for (std::size_t i = 0; i + 1 < firsts.size(); ++i) {
    lines.link(firsts[i]) = lines.link(firsts[i + 1]);
  }
  lines.link(firsts.back()) = into_first;
}

}  // namespace

std::size_t link_chase(void* memory, std::size_t bytes, const ChaseShape& shape) {
  KINJO_ASSERT(shape.stride_bytes >= sizeof(void*) && shape.stride_bytes % sizeof(void*) == 0);
  KINJO_ASSERT(reinterpret_cast<std::uintptr_t>(memory) % shape.stride_bytes == 0);
  const std::size_t count = bytes / shape.stride_bytes;
  KINJO_ASSERT(count > 0);
  const std::size_t block =
      shape.order == ChaseOrder::blocked ? shape.block_bytes / shape.stride_bytes : count;
  KINJO_ASSERT(block > 0);
  Lines lines(memory, shape.stride_bytes);
  Random random(shape.seed);
  std::vector<std::size_t> firsts;
  for (std::size_t begin = 0; begin < count; begin += block) {
    shuffle(lines, begin, count - begin < block ? count : begin + block, random);
    firsts.push_back(begin);
  }
  join(lines, std::move(firsts), random);
  return count;
}

void* chase(void* at, std::size_t steps) {
  const auto follow = [](void* line) { return *static_cast<void**>(line); };
  // Eight at a time, so that in L1 too the loop's own instructions are done beside the loads.
  for (; steps >= 8; steps -= 8) {
    at = follow(follow(follow(follow(at))));
    at = follow(follow(follow(follow(at))));
  }
  for (; steps > 0; --steps) at = follow(at);
  return at;
}

}  // namespace kinjo
