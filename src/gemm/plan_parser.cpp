/// The plan's notation, read by recursive descent:
///
///     plan  = loop { "/" loop }         P takes one "/" for each task, also behind the last loop
///     loop  = letter [ "(" dimension [ "=" number ] ")" ]
///     letter = R | N | M | S | C | P | V      dimension = m | n | k
#include <kinjo/gemm_plan.hpp>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "gemm/blocking.hpp"

namespace kinjo::gemm {

namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<Loop> loops() {
    std::vector<Loop> loops;
    for (;;) {
      if (loops.size() == Plan::kMostLoops) {
        refuse(fmt::format("expected at most {} loops", Plan::kMostLoops));
      }
      Loop loop = this->loop();
      const std::size_t strokes = this->strokes();
      if (loop.level == Level::parallel && loop.block == 0)
        loop.block = std::max<std::size_t>(strokes, 1);
      else if (strokes > 1) {
        at_ -= strokes - 1;
        refuse(loop.level == Level::parallel ? "expected one stroke behind a number of tasks"
                                             : "expected one stroke behind a loop that is not P");
      }
      loops.push_back(loop);
      const bool is_end = at_ == text_.size() && loop.level == Level::parallel;
      if (strokes == 0 || is_end) break;
    }
    if (at_ < text_.size()) refuse("expected / or the end");
    return loops;
  }

 private:
  [[noreturn]] void refuse(const std::string& expected) const {
    throw Error(Errc::bad_input, fmt::format("plan '{}', character {}: {}",
                                             detail::printable(text_), at_ + 1, expected));
  }
  bool takes(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::size_t strokes() {
    std::size_t count = 0;
    while (takes('/')) ++count;
    return count;
  }
  Loop loop() {
    Loop loop;
    loop.level = level();
    loop.dimension = usual_dimension(loop.level);
    if (!takes('(')) return loop;
    loop.dimension = dimension();
    if (takes('=')) loop.block = number();
    if (!takes(')')) refuse(loop.block == 0 ? "expected = or )" : "expected )");
    return loop;
  }
  Level level() {
    for (const Level level : {Level::storage, Level::node, Level::machine, Level::section,
                              Level::cache, Level::parallel, Level::registers}) {
      if (takes(letter(level))) return level;
    }
    refuse("expected a loop: R, N, M, S, C, P or V");
  }
  Dimension dimension() {
    for (const Dimension d : {Dimension::m, Dimension::n, Dimension::k}) {
      if (takes(letter(d))) return d;
    }
    refuse("expected m, n or k");
  }
  static Dimension usual_dimension(Level level) {
    if (level == Level::cache) return Dimension::k;
    return level == Level::section ? Dimension::m : Dimension::n;
  }
  std::size_t number() {
    std::size_t value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc{} || value == 0) refuse("expected a number from 1 on");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Blocks that were not written, as `choose` would have them beside those that were.
void fill_blocks(std::vector<Loop>& loops, const Problem& problem) {
  std::size_t inner = problem.k;
  for (Loop& loop : loops) {
    if (loop.level == Level::cache && loop.block == 0) {
      loop.block = cache_block(problem, problem.strided());
    }
    if (loop.dimension == Dimension::k && loop.block != 0) inner = std::min(inner, loop.block);
  }
  for (Loop& loop : loops) {
    if (loop.block != 0) continue;
    if (loop.level == Level::section) loop.block = section_block(problem, loop.dimension, inner);
    if (loop.level == Level::node || loop.level == Level::machine) {
      loop.block = panel_block(problem, loop.dimension, inner);
    }
    if (loop.level == Level::storage) {
      loop.block = std::max<std::size_t>(detail::ceil_div(problem.size(loop.dimension), 2), 1);
    }
  }
}

/// Register loops inside of everything: the strided side outside, since its strips are narrow.
void add_registers(std::vector<Loop>& loops, const Problem& problem) {
  const bool written =
      std::ranges::any_of(loops, [](const Loop& loop) { return loop.level == Level::registers; });
  if (written) return;
  loops.push_back({Level::registers, problem.strided(), 0});
  loops.push_back({Level::registers, problem.contiguous(), 0});
}

}  // namespace

Plan Plan::parse(std::string_view text, const Problem& problem) {
  std::vector<Loop> loops = Parser(text).loops();
  fill_blocks(loops, problem);
  add_registers(loops, problem);
  if (loops.size() > Plan::kMostLoops) {
    throw Error(Errc::bad_input,
                fmt::format("plan '{}': expected at most {} loops beside V(m) and V(n)",
                            detail::printable(text), Plan::kMostLoops - 2));
  }
  Plan plan;
  for (const Loop& loop : loops) plan.add(loop);
  if (const auto fault = plan.fault(problem)) {
    throw Error(Errc::bad_input, fmt::format("plan '{}': {}", detail::printable(text), *fault));
  }
  return plan;
}

}  // namespace kinjo::gemm
