#include "paths/grid_sweep.hpp"

#include <atomic>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

namespace kinjo::paths::detail {

namespace {

using Direction = GridSweep::Direction;
using Side = GridCut::Side;

/// The share of `me` in a level's columns, in whole vectors.
GridColumns share(std::size_t columns, const Place& me, std::size_t threads) {
  const std::size_t vectors = whole_vectors(columns) / GridBlock::kColumns;
  const auto t = static_cast<std::size_t>(me.thread);
  const std::size_t begin = vectors * t / threads * GridBlock::kColumns;
  const std::size_t end = std::min(vectors * (t + 1) / threads * GridBlock::kColumns, columns);
  return {begin, begin < end ? end - begin : 0};
}

}  // namespace

BracketWord first_word(unsigned width) {
  BracketWord word(width);
  word.set(0, Bracket::close);
  return word;
}

BracketWord last_word(unsigned width) {
  BracketWord word(width);
  word.set(width - 1, Bracket::close);
  return word;
}

void refuse_long_numbers() {
  throw Error(Errc::not_supported,
              fmt::format("the numbers of this grid may have more than {} bits: count by residues",
                          64 * kMostLimbs));
}

void GridTable::grow(Team& team, std::size_t limbs) {
  while (arrays_.size() < limbs) {
    arrays_.emplace_back(team, words_, ArrayOptions{.pages = Pages::transparent});
  }
}

Planes GridTable::planes() {
  Planes planes{};
  for (std::size_t l = 0; l < arrays_.size(); ++l) planes[l] = arrays_[l].data();
  return planes;
}

GridWorkspace::GridWorkspace(Team& team, const GridShape& shape)
    : blocking(team.size()),
      blocked(shape.blocked_words()),
      mail(shape.mail_words()),
      blocks(team.size()),
      sizes(team.size()) {}

void GridWorkspace::grow(Team& team, const GridShape& shape, std::size_t limbs) {
  if (limbs <= blocked.limbs()) return;
  blocked.grow(team, limbs);
  mail.grow(team, limbs);
  // Each thread writes to its block first, which puts it where that thread is.
  for (Buffer& block : blocks) {
    block = Buffer();
    block = alloc(shape.block_words(blocking, limbs) * sizeof(Limb), {.pages = Pages::transparent});
  }
}

std::uint64_t GridWorkspace::bytes() const {
  std::uint64_t sum = blocked.bytes() + mail.bytes();
  for (const Buffer& block : blocks) sum += block.size();
  return sum;
}

/// Where a row ends before its time: behind a barrier that the first thread chooses before it gets
/// there, so that all threads leave behind the same one.
class RowEnd {
 public:
  RowEnd(const std::function<bool()>& go_on, std::size_t words)
      : go_on_(go_on), is_asked_(words >= kLongRow) {}

  /// In each thread, before its barrier number `barrier`.
  void ask(const Place& me, int barrier) {
    if (is_asked_ && me.thread == 0 && !go_on_()) last_ = barrier;
  }
  /// Behind it.
  bool is_behind(int barrier) const { return barrier >= last_; }
  /// Once all have left.
  bool has_come() const { return last_ != kNever; }

 private:
  /// Words, each of which takes a nanosecond at each of some forty steps.
  static constexpr std::size_t kLongRow = std::size_t{1} << 20;
  static constexpr int kNever = std::numeric_limits<int>::max();
  const std::function<bool()>& go_on_;
  const bool is_asked_;
  std::atomic<int> last_{kNever};
};

/// A thread in a row.
class GridSweep::Pass {
 public:
  Pass(GridSweep& sweep, const Place& me, std::size_t limbs, bool measures, RowEnd& end)
      : sweep_(sweep),
        me_(me),
        measures_(measures),
        end_(end),
        kernels_(grid_kernels()),
        additions_(sweep.modulus_ != 0 ? kernels_.residues : kernels_.numbers[limbs - 1]),
        forward_(sweep.direction_ == Direction::forward),
        main_(sweep.main_.planes()),
        blocked_(sweep.workspace_.blocked.planes()) {
    const Buffer& buffer = sweep.workspace_.blocks[static_cast<std::size_t>(me.thread)];
    block_ = {static_cast<Limb*>(buffer.data()), 0, limbs, sweep.modulus_};
  }

  GridSize run() {
    if (!run(forward_ ? sweep_.plan_.left : sweep_.plan_.right)) return {};
    size_ = {};
    run(forward_ ? sweep_.plan_.right : sweep_.plan_.left);
    return size_;
  }

 private:
  /// Whether it was not ended.
  bool run(const GridPhase& phase) {
    const int levels = static_cast<int>(phase.levels.size());
    for (int parity = 0; parity < 2; ++parity) {
      const int count = (levels - parity + 1) / 2;
      for (int i = 0; i < count; ++i) {
        const int height = parity + 2 * (forward_ ? count - 1 - i : i);
        level(phase, height);
        end_.ask(me_, ++barriers_);
        sweep_.team_.barrier(me_);
        if (end_.is_behind(barriers_)) return false;
      }
    }
    return true;
  }

  /// What a level and the one two heights below it exchange. Two of them are in use at a time, from
  /// the two ends of the memory.
  GridMail mail_of(const GridPhase& phase, int height) const {
    if (height < 2 || height >= static_cast<int>(phase.levels.size())) return {};
    const GridLevel& level = phase.levels[static_cast<std::size_t>(height)];
    GridTable& memory = sweep_.workspace_.mail;
    GridMail mail{memory.planes(), whole_vectors(level.columns)};
    if (height / 2 % 2 == 0) return mail;
    return mail.at(memory.words() - level.down_rows() * mail.pitch);
  }

  void level(const GridPhase& phase, int height) {
    const GridLevel& level = phase.levels[static_cast<std::size_t>(height)];
    const GridMail above = mail_of(phase, height + 2), below = mail_of(phase, height);
    const GridColumns mine = share(level.columns, me_, sweep_.team_.size());
    block_.columns =
        sweep_.workspace_.blocking.columns(phase.side, level.rows(), level.columns, block_.limbs);
    for (std::size_t done = 0; done < mine.count; done += block_.columns) {
      columns_ = {mine.first + done, std::min(block_.columns, mine.count - done)};
      load(phase.side, level);
      if (forward_) {
        go_forward(level, above, below);
      } else {
        go_backward(level, above, below);
      }
      store(phase.side, level);
    }
  }

  /// The first phase of a row begins without blocked words, the second one has those of the first.
  bool is_second(Side side) const { return (side == Side::right) == forward_; }

  GridStrips main_strips(const GridLevel& level) const {
    return {main_, level.main_begin.data(), 0, level.main_rows};
  }
  GridStrips blocked_strips(const GridLevel& level) const {
    return {blocked_, level.blocked_begin.data(), level.main_rows, level.blocked_rows};
  }

  void load(Side side, const GridLevel& level) {
    const auto from = side == Side::left ? kernels_.load_rows : kernels_.load_columns;
    from(block_, main_strips(level), columns_);
    const std::size_t row = block_.limbs * block_.columns;
    if (is_second(side)) {
      from(block_, blocked_strips(level), columns_);
    } else if (forward_) {
      std::fill_n(block_.row(level.main_rows), level.blocked_rows * row, 0);
    } else {
      for (GridRow i = 0; i < level.blocked_rows; ++i) {
        std::copy_n(block_.row(level.last[i]), row, block_.row(level.main_rows + i));
      }
    }
  }

  void store(Side side, const GridLevel& level) {
    const auto to = side == Side::left ? kernels_.store_rows : kernels_.store_columns;
    if (!is_second(side)) {
      to(block_, blocked_strips(level), columns_);
    } else {
      if (forward_) additions_.close(block_, level.last, level.main_rows);
      if (measures_) size_.add(kernels_.size(block_, level.main_rows, columns_.count));
    }
    to(block_, main_strips(level), columns_);
  }

  void go_forward(const GridLevel& level, GridMail above, GridMail below) const {
    for (const GridStep& step : level.steps) {
      for (const std::vector<GridRow>& rows : step.down) {
        kernels_.send(block_, rows, below, columns_);
        below = below.at(rows.size() * below.pitch);
      }
      additions_.forward(block_, step);
      for (std::size_t depth = 0; depth < step.up.size(); ++depth) {
        const std::vector<GridRow>& rows = step.up[depth];
        additions_.collect(block_, rows, above, level.links[depth], columns_);
        above = above.at(rows.size() * above.pitch);
      }
    }
  }

  void go_backward(const GridLevel& level, GridMail above, GridMail below) const {
    for (auto step = level.steps.rbegin(); step != level.steps.rend(); ++step) {
      for (std::size_t depth = 0; depth < step->up.size(); ++depth) {
        const std::vector<GridRow>& rows = step->up[depth];
        kernels_.spread(block_, rows, above, level.links[depth], columns_);
        above = above.at(rows.size() * above.pitch);
      }
      additions_.backward(block_, *step);
      for (const std::vector<GridRow>& rows : step->down) {
        additions_.receive(block_, rows, below, columns_);
        below = below.at(rows.size() * below.pitch);
      }
    }
  }

  GridSweep& sweep_;
  const Place& me_;
  const bool measures_;
  RowEnd& end_;
  const GridKernelSet& kernels_;
  const GridKernelSet::Additions& additions_;
  const bool forward_;
  const Planes main_, blocked_;
  GridBlock block_;
  GridColumns columns_;
  GridSize size_;
  int barriers_ = 0;  ///< that the thread has come to
};

GridSweep::GridSweep(Team& team, const GridPlan& plan, GridWorkspace& workspace,
                     Direction direction, Limb modulus)
    : team_(team),
      plan_(plan),
      workspace_(workspace),
      direction_(direction),
      modulus_(modulus),
      main_(plan.shape.main_words()) {
  main_.grow(team, 1);
  const unsigned width = plan.shape.width();
  const BracketWord word = direction == Direction::forward ? first_word(width) : last_word(width);
  main_.planes()[0][plan.shape.numbers().number(word, 1, 0)] = 1;
}

GridSweep::Need GridSweep::need_of_next_row() const {
  if (modulus_ != 0) return {1, false};
  // Which horizontal edges a row takes decides all the rest: from a word 2^(width − 1) ways lead on
  // at most. So forward the sum of all numbers grows by no more than that, and backward the
  // largest. The rounding of a sum of doubles is far less than the hundredth of a bit.
  const double row = plan_.shape.width() - 1 + 0.01;
  const double bits = std::log2(most_) + row;
  const auto limbs = std::max(main_.limbs(), static_cast<std::size_t>(std::ceil(bits / 64)));
  return {limbs, bits + row > static_cast<double>(64 * limbs)};
}

bool GridSweep::next_row(const std::function<bool()>& go_on) {
  const Need need = need_of_next_row();
  if (need.limbs > kMostLimbs) refuse_long_numbers();
  main_.grow(team_, need.limbs);
  workspace_.grow(team_, plan_.shape, need.limbs);
  RowEnd end(go_on, plan_.shape.main_words());
  team_.run([&](const Place& me) {
    workspace_.sizes[static_cast<std::size_t>(me.thread)] =
        Pass(*this, me, need.limbs, need.measures, end).run();
  });
  if (end.has_come()) return false;
  most_ = need.measures ? measured() : most_ * std::exp2(plan_.shape.width() - 1);
  return true;
}

double GridSweep::measured() const {
  GridSize size;
  for (const GridSize& of_thread : workspace_.sizes) size.add(of_thread);
  return direction_ == Direction::forward ? size.sum : size.largest;
}

}  // namespace kinjo::paths::detail
