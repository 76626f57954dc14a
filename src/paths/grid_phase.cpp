#include "paths/grid_phase.hpp"

#include <algorithm>
#include <numeric>

namespace kinjo::paths::detail {

namespace {

using Side = GridCut::Side;
using Heights = GridCut::Heights;

class LevelBuilder {
 public:
  LevelBuilder(const BracketNumbers& numbers, Side side, unsigned inner, Heights heights,
               bool above)
      : numbers_(numbers), side_(side), inner_(inner), heights_(heights), above_(above) {
    level_.main_rows = count(inner_);
    level_.blocked_rows = count(inner_ - 1);
  }

  GridLevel build() {
    const std::vector<BracketWord> blocked = numbers_.words(inner_ - 1, heights_.from, heights_.to);
    for (unsigned at = 0; at + 1 < inner_; ++at) {
      GridStep& step = level_.steps.emplace_back();
      if (above_) step.up.resize(static_cast<std::size_t>(height_at_cut()) + 1);
      for (std::size_t i = 0; i < blocked.size(); ++i) {
        add(step, blocked[i], level_.main_rows + static_cast<GridRow>(i), at);
      }
    }
    return std::move(level_);
  }

 private:
  int height_at_cut() const { return side_ == Side::left ? heights_.to : heights_.from; }
  GridRow count(unsigned length) const {
    return static_cast<GridRow>(numbers_.count(length, heights_.from, heights_.to));
  }
  GridRow main_row(const BracketWord& word) const {
    return static_cast<GridRow>(numbers_.number(word, heights_.from, heights_.to));
  }

  void add(GridStep& step, const BracketWord& word, GridRow row, unsigned at) const {
    const Bracket x = word[at];
    if (x != Bracket::none) {
      step.ends.push_back({main_row(word.with_pair(at, Bracket::none, x)),
                           main_row(word.with_pair(at, x, Bracket::none)), row});
      return;
    }
    int height = heights_.from;
    for (unsigned i = 0; i < at; ++i) height += rise(word[i]);
    if (height > 0) {
      step.joins.push_back(main_row(word.with_pair(at, Bracket::close, Bracket::open)));
    }
    const bool leaves_left = turn_openers(step, word, at, height);
    const bool leaves_right = turn_closers(step, word, at, height);
    if (above_ && (side_ == Side::left ? leaves_right : leaves_left)) {
      step.up[static_cast<std::size_t>(height_at_cut() - height)].push_back(row);
    }
    step.nones.push_back({main_row(word.with_pair(at, Bracket::none, Bracket::none)),
                          main_row(word.with_pair(at, Bracket::open, Bracket::close)), row,
                          static_cast<GridRow>(step.joins.size())});
  }

  /// Words α' ) ) β: a bracket of α closes down to its last height, and opened before. Returns
  /// whether the bracket may also stand before the inner part.
  bool turn_openers(GridStep& step, const BracketWord& word, unsigned at, int height) const {
    int h = height;
    for (unsigned i = at; i-- > 0;) {
      const Bracket s = word[i];
      if (s == Bracket::close && h == height) {
        BracketWord source = word.with_pair(at, Bracket::close, Bracket::close);
        source.set(i, Bracket::open);
        step.joins.push_back(main_row(source));
      }
      h -= rise(s);
      if (h < height) return false;
    }
    return true;
  }

  /// The same for words α ( ( β' and brackets behind.
  bool turn_closers(GridStep& step, const BracketWord& word, unsigned at, int height) const {
    int h = height;
    for (unsigned i = at + 1; i < word.length(); ++i) {
      const Bracket s = word[i];
      if (s == Bracket::open && h == height) {
        BracketWord source = word.with_pair(at, Bracket::open, Bracket::open);
        source.set(i + 1, Bracket::close);
        step.joins.push_back(main_row(source));
      }
      h += rise(s);
      if (h < height) return false;
    }
    return true;
  }

  const BracketNumbers& numbers_;
  const Side side_;
  const unsigned inner_;
  const Heights heights_;
  const bool above_;
  GridLevel level_;
};

/// The rows which the level two heights above hands over to this one, as it has to name them.
void add_down(const BracketNumbers& numbers, Side side, unsigned inner, Heights below,
              const GridLevel& level, GridLevel& above) {
  const Bracket s = side == Side::left ? Bracket::open : Bracket::close;
  const Heights heights =
      side == Side::left ? Heights{below.from, below.to + 2} : Heights{below.from + 2, below.to};
  const std::vector<BracketWord> blocked = numbers.words(inner - 1, below.from, below.to);
  for (unsigned at = 0; at + 1 < inner; ++at) {
    for (const std::vector<GridRow>& rows : level.steps[at].up) {
      std::vector<GridRow>& down = above.steps[at].down.emplace_back();
      for (const GridRow row : rows) {
        const BracketWord source = blocked[row - level.main_rows].with_pair(at, s, s);
        down.push_back(static_cast<GridRow>(numbers.number(source, heights.from, heights.to)));
      }
    }
  }
}

/// The outer part after the inner one of its two brackets to be joined has turned round: the first
/// that closes below where the part begins, or the last that opens and is closed by nobody.
BracketWord turned(BracketWord word, Side side, int from, int depth) {
  const unsigned n = word.length();
  if (side == Side::left) {
    unsigned i = 0;
    for (int h = from; (h += rise(word[i])) >= from - depth; ++i) {
    }
    word.set(i, Bracket::open);
  } else {
    unsigned i = n - 1;
    for (int h = 0; (h += rise(word[i])) <= depth; --i) {
    }
    word.set(i, Bracket::close);
  }
  return word;
}

/// Links between the columns of two levels of which the upper one's column c turns into
/// `becomes[c]`.
void link(const std::vector<std::uint32_t>& becomes, GridLevel& below) {
  GridLinks& links = below.links.emplace_back();
  links.end.assign(below.columns, 0);
  for (const std::uint32_t c : becomes) ++links.end[c];
  std::partial_sum(links.end.begin(), links.end.end(), links.end.begin());
  links.sources.resize(becomes.size());
  std::iota(links.sources.begin(), links.sources.end(), 0);
  std::ranges::stable_sort(links.sources, {}, [&](std::uint32_t c) { return becomes[c]; });
}

void add_begins(const BracketNumbers& numbers, const GridCut& cut, int height, GridLevel& level) {
  const unsigned width = cut.inner + cut.outer;
  const auto begins = [&](unsigned prefix, unsigned whole) {
    std::vector<std::uint64_t> out;
    for (const BracketWord& w : numbers.words(prefix, 1, height)) {
      out.push_back(numbers.before(w, whole, 1, 0));
    }
    return out;
  };
  const bool left = cut.side == Side::left;
  level.main_begin = begins(left ? cut.inner : cut.outer, width);
  level.blocked_begin = begins(left ? cut.inner - 1 : cut.outer, width - 1);
}

void add_last(const BracketNumbers& numbers, const GridCut& cut, int height, GridLevel& level) {
  for (const BracketWord& w : numbers.words(cut.inner - 1, height, 0)) {
    BracketWord longer(cut.inner);
    for (unsigned i = 0; i < w.length(); ++i) longer.set(i, w[i]);
    level.last.push_back(static_cast<GridRow>(numbers.number(longer, height, 0)));
  }
}

GridLevel build_level(const BracketNumbers& numbers, const GridCut& cut, int height, bool above) {
  GridLevel level =
      LevelBuilder(numbers, cut.side, cut.inner, cut.inner_heights(height), above).build();
  const Heights outer = cut.outer_heights(height);
  level.columns = numbers.count(cut.outer, outer.from, outer.to);
  add_begins(numbers, cut, height, level);
  if (cut.side == Side::right) add_last(numbers, cut, height, level);
  return level;
}

/// What the level at `height` hands over to the one two heights below.
void join_levels(const BracketNumbers& numbers, const GridCut& cut, int height, GridLevel& above,
                 GridLevel& below) {
  add_down(numbers, cut.side, cut.inner, cut.inner_heights(height - 2), below, above);
  const Heights from = cut.outer_heights(height), to = cut.outer_heights(height - 2);
  const std::vector<BracketWord> outer = numbers.words(cut.outer, from.from, from.to);
  // Between the two brackets and the cut there may be as many as are open there below.
  for (int depth = 0; depth <= height - 2; ++depth) {
    std::vector<std::uint32_t> becomes;
    for (const BracketWord& w : outer) {
      const BracketWord after = turned(w, cut.side, from.from, depth);
      becomes.push_back(static_cast<std::uint32_t>(numbers.number(after, to.from, to.to)));
    }
    link(becomes, below);
  }
}

}  // namespace

std::size_t GridLevel::down_rows() const {
  std::size_t sum = 0;
  for (const GridStep& step : steps) {
    for (const std::vector<GridRow>& rows : step.down) sum += rows.size();
  }
  return sum;
}

GridCut left_cut(unsigned width) {
  const unsigned inner = width / 2 + 1;
  return {Side::left, inner, width - inner};
}

GridCut right_cut(unsigned width) {
  const unsigned outer = width / 2;
  return {Side::right, width - outer, outer};
}

Heights GridCut::inner_heights(int height) const {
  return side == Side::left ? Heights{1, height} : Heights{height, 0};
}

Heights GridCut::outer_heights(int height) const {
  return side == Side::left ? Heights{height, 0} : Heights{1, height};
}

std::uint64_t GridCut::inner_words(const BracketNumbers& numbers, unsigned length,
                                   int height) const {
  const Heights heights = inner_heights(height);
  return numbers.count(length, heights.from, heights.to);
}

std::uint64_t GridCut::outer_words(const BracketNumbers& numbers, int height) const {
  const Heights heights = outer_heights(height);
  return numbers.count(outer, heights.from, heights.to);
}

int GridCut::top(const BracketNumbers& numbers) const {
  int height = 0;
  while (inner_words(numbers, inner, height + 1) != 0 && outer_words(numbers, height + 1) != 0) {
    ++height;
  }
  return height;
}

std::uint64_t GridCut::down_rows(const BracketNumbers& numbers, int height) const {
  // On the left α ( ( β, where β stays above α's height k; on the right α ) ) β, where α does not
  // go below its last height, k + 2.
  std::uint64_t sum = 0;
  for (unsigned before = 0; before + 2 <= inner; ++before) {
    const unsigned behind = inner - 2 - before;
    for (int k = 0; k <= height - 2; ++k) {
      const int depth = height - 2 - k;
      sum += side == Side::left ? numbers.count(before, 1, k) * numbers.count(behind, 0, depth)
                                : numbers.count(before, depth, 0) * numbers.count(behind, k, 0);
    }
  }
  return sum;
}

GridPhase make_phase(const BracketNumbers& numbers, const GridCut& cut) {
  GridPhase phase{cut.side, {}};
  const int top = cut.top(numbers);
  for (int h = 0; h <= top; ++h) {
    phase.levels.push_back(build_level(numbers, cut, h, h + 2 <= top));
  }
  for (std::size_t h = 2; h < phase.levels.size(); ++h) {
    join_levels(numbers, cut, static_cast<int>(h), phase.levels[h], phase.levels[h - 2]);
  }
  return phase;
}

}  // namespace kinjo::paths::detail
