/// Plans as values: printing, what goes together, storage loops.
#include <kinjo/gemm_plan.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "gemm/blocking.hpp"
#include "gemm/storage_loops.hpp"

namespace kinjo::gemm {

namespace {

constexpr std::size_t kMostStrokes = 8;  // beyond, the number is written

bool is_block_loop(const Loop& loop) {
  return loop.level == Level::node || loop.level == Level::machine || loop.level == Level::section;
}

std::string describe(const Loop& loop) {
  if (loop.block == 0) return fmt::format("{}({})", letter(loop.level), letter(loop.dimension));
  return fmt::format("{}({}={})", letter(loop.level), letter(loop.dimension), loop.block);
}

/// What is wrong with loop `i`, given those outside of it.
std::optional<std::string> order_fault(std::span<const Loop> loops, std::size_t i) {
  const Loop& loop = loops[i];
  const auto outside = loops.first(i);
  const auto is_outside = [&](auto&& test) { return std::ranges::any_of(outside, test); };
  const bool over_k = loop.dimension == Dimension::k;
  if (loop.level == Level::cache && !over_k) return "expected C over the inner dimension k";
  if (over_k && loop.level != Level::cache && loop.level != Level::storage) {
    return "expected m or n: only C and R go over k";
  }
  if (loop.block == 0 && loop.level != Level::registers) return "expected a block of at least 1";
  if (loop.block != 0 && loop.level == Level::registers) {
    return "expected no number: a tile has the size that the kernels have";
  }
  if (loop.level == Level::storage) {
    if (is_outside([](const Loop& l) { return l.level != Level::storage; })) {
      return "expected storage loops outside of all others";
    }
  }
  if (loop.level != Level::registers &&
      is_outside([](const Loop& l) { return l.level == Level::registers; })) {
    return "expected nothing but V inside of V";
  }
  if (loop.level != Level::parallel && !is_block_loop(loop) && is_outside([&](const Loop& l) {
        return l.level == loop.level && l.dimension == loop.dimension;
      })) {
    return "expected one such loop";
  }
  if (is_block_loop(loop) && is_outside([&](const Loop& l) {
        return is_block_loop(l) && l.dimension == loop.dimension;
      })) {
    return fmt::format("expected one of N, M and S over {}", letter(loop.dimension));
  }
  return std::nullopt;
}

/// The inner dimension's block where a plan has one.
std::size_t inner_of(std::span<const Loop> loops, const Problem& problem) {
  std::size_t inner = problem.k;
  for (const Loop& loop : loops) {
    if (loop.dimension == Dimension::k) inner = std::min(inner, loop.block);
  }
  return inner;
}

/// What a block takes of the cache that it is to stay in.
std::optional<std::string> size_fault(std::span<const Loop> loops, const Loop& loop,
                                      const Problem& problem) {
  const std::size_t e = problem.element_bytes;
  const std::size_t inner = inner_of(loops, problem);
  std::size_t elements = 0, cache = 0;
  const char* name = "";
  if (loop.level == Level::cache) {
    elements = strips_of(problem, problem.strided()).whole;
    cache = problem.caches.l1;
    name = "L1";
  } else if (loop.level == Level::section) {
    elements = std::min(loop.block, problem.size(loop.dimension));
    cache = problem.caches.l2;
    name = "L2";
  } else if (loop.level == Level::node || loop.level == Level::machine) {
    elements = std::min(loop.block, problem.size(loop.dimension));
    cache = problem.caches.l3;
    name = "L3";
  } else {
    return std::nullopt;
  }
  if (elements == 0 || inner <= cache / e / elements) return std::nullopt;
  const std::size_t beside =
      loop.level == Level::cache ? elements : std::max<std::size_t>(inner, 1);
  return fmt::format("{} × {} elements of {} bytes exceed {}'s {} bytes: expected at most {}",
                     elements, inner, e, name, cache, cache / e / beside);
}

}  // namespace

const char* to_string(Order order) noexcept {
  return order == Order::row_major ? "row-major" : "column-major";
}
char letter(Dimension dimension) noexcept { return "mnk"[static_cast<int>(dimension)]; }
char letter(Level level) noexcept { return "RNMSCPV"[static_cast<int>(level)]; }
const char* to_string(Level level) noexcept {
  constexpr const char* kNames[] = {"storage", "node",     "machine",  "section",
                                    "cache",   "parallel", "registers"};
  return kNames[static_cast<int>(level)];
}

Plan& Plan::add(const Loop& loop) {
  if (count_ == kMostLoops) {
    throw Error(Errc::invalid_argument, fmt::format("a plan has at most {} loops", kMostLoops));
  }
  loops_[count_++] = loop;
  return *this;
}

std::string Plan::to_string() const {
  std::string text;
  for (std::size_t i = 0; i < count_; ++i) {
    const Loop& loop = loops_[i];
    const bool strokes = loop.level == Level::parallel && loop.block <= kMostStrokes;
    text += strokes ? fmt::format("{}({})", letter(loop.level), letter(loop.dimension))
                    : describe(loop);
    if (strokes || i + 1 < count_) text.append(strokes ? loop.block : 1, '/');
  }
  return text;
}

std::string Plan::short_form() const {
  std::string text;
  for (std::size_t i = 0; i < count_; ++i) {
    const Loop& loop = loops_[i];
    if (loop.level == Level::registers) break;
    if (i > 0 && loops_[i - 1].level != Level::parallel) text += '/';
    text += letter(loop.level);
    if (loop.level == Level::parallel) text.append(loop.block, '/');
  }
  return text.empty() ? "V" : text;
}

std::size_t Plan::tasks() const {
  std::size_t tasks = 1;
  for (const Loop& loop : loops()) {
    if (loop.level == Level::parallel) tasks *= loop.block;
  }
  return tasks;
}

std::optional<std::string> Plan::fault(const Problem& problem) const {
  std::size_t registers = 0, tasks = 1;
  for (std::size_t i = 0; i < count_; ++i) {
    const Loop& loop = loops_[i];
    registers += loop.level == Level::registers;
    auto fault = order_fault(loops(), i);
    if (!fault) fault = size_fault(loops(), loop, problem);
    if (!fault && loop.level == Level::parallel) {
      std::size_t all = 0;
      const bool too_many = __builtin_mul_overflow(tasks, loop.block, &all);
      if (too_many) all = static_cast<std::size_t>(-1);
      if (too_many || all > problem.threads) {
        fault = fmt::format("{} tasks exceed the {} thread{}", all, problem.threads,
                            problem.threads == 1 ? "" : "s");
      }
      tasks = all;
    }
    if (fault) return fmt::format("{}: {}", describe(loop), *fault);
  }
  if (registers != 2) return "expected V(m) and V(n) as the innermost loops";
  for (const Operand operand : {Operand::a, Operand::b}) {
    const bool is_copied = std::ranges::any_of(loops(), [&](const Loop& loop) {
      return is_block_loop(loop) && operand_of(loop.dimension) == operand;
    });
    if (!is_copied && !usable_in_place(problem, operand)) {
      return fmt::format("{} cannot be used in place with a {} C: expected N, M or S over {}",
                         operand == Operand::a ? "a row-major A" : "a column-major B",
                         gemm::to_string(problem.c), operand == Operand::a ? 'm' : 'n');
    }
  }
  return std::nullopt;
}

std::vector<StorageStep> Plan::storage_steps(const Problem& problem) const {
  std::vector<StorageStep> steps;
  each_storage_step(*this, problem, [&](const StorageStep& step) { steps.push_back(step); });
  return steps;
}

Plan Plan::in_memory() const {
  Plan plan;
  for (const Loop& loop : loops()) {
    if (loop.level != Level::storage) plan.add(loop);
  }
  return plan;
}

bool Plan::operator==(const Plan& other) const {
  return std::ranges::equal(loops(), other.loops());
}

}  // namespace kinjo::gemm
