/// Reading and writing SDPA's sparse format (kinjo/sdp_files.hpp shows it).
///
/// Lines are told apart in the header, where text may follow numbers, and for entries, of which
/// none goes over the end of a line. Every number takes at least two bytes of the file, so that a
/// header that promises more than the rest can hold is found out before anything is reserved for
/// it.
#include "sdp/files/problem_text.hpp"

#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/input_file.hpp"
#include "base/text.hpp"
#include "sdp/files/file_text.hpp"
#include "sdp/files/numbers.hpp"

namespace kinjo::sdp::detail {

namespace {

constexpr std::int64_t kMostOrder = std::int64_t{1} << 30;
constexpr std::int64_t kMostCount = (std::int64_t{1} << 32) - 2;

class ProblemParser {
 public:
  ProblemParser(std::string_view text, const std::string& file)
      : numbers_(text, file), file_(file) {}

  Problem run() {
    const std::int64_t m = read_count("m, the number of constraints", "constraints", m_line_);
    const std::int64_t count = read_count("nBLOCK, the number of blocks", "blocks", blocks_line_);
    read_blocks(count);
    ProblemBuilder builder(blocks_, read_costs(m));
    while (!numbers_.ends()) read_entry(builder, m);
    return finish(builder);
  }

 private:
  Problem finish(ProblemBuilder& builder) const {
    try {
      return builder.finish();
    } catch (const Error& error) {
      kinjo::detail::refuse_file(file_, fmt::format("counted from 0, {}", error.what()));
    }
  }

  /// The first number of a line; what follows on it is a remark.
  std::int64_t read_count(const char* what, const char* things, std::size_t& line) {
    if (numbers_.ends()) numbers_.expected(what);
    const Numbers before = numbers_;
    const auto count = numbers_.integer(Numbers::After::remark);
    if (!count) numbers_.expected(what);
    if (*count < 1) before.refuse(fmt::format("{} {}: expected at least 1", *count, things));
    const auto most = static_cast<std::int64_t>((numbers_.left() + 1) / 2);
    if (*count > most || *count > kMostCount) {
      before.refuse(fmt::format("{} {}: expected at most {}, since {} bytes follow", *count, things,
                                std::min(most, kMostCount), numbers_.left()));
    }
    line = before.line_number();
    numbers_.skip_line();
    return *count;
  }

  void read_blocks(std::int64_t count) {
    blocks_.reserve(static_cast<std::size_t>(count));
    for (std::int64_t b = 1; b <= count; ++b) {
      const auto what = [&] {
        return fmt::format("the order of block {} of the {} that line {} says", b, count,
                           blocks_line_);
      };
      if (numbers_.ends()) numbers_.expected(what());
      const Numbers before = numbers_;
      const bool is_last = b == count;
      const auto order =
          numbers_.integer(is_last ? Numbers::After::remark : Numbers::After::separator);
      if (!order) numbers_.expected(what());
      if (std::abs(*order) > kMostOrder) {
        before.refuse(
            fmt::format("block {} has the order {}: expected at most {}", b, *order, kMostOrder));
      }
      blocks_.push_back({static_cast<std::uint32_t>(std::abs(*order)),
                         *order < 0 ? BlockKind::diagonal : BlockKind::symmetric});
    }
    // A remark may follow, but not one order more.
    if (!numbers_.ends_line() && numbers_.integer()) {
      numbers_.refuse(
          fmt::format("more orders than the {} blocks that line {} says", count, blocks_line_));
    }
    numbers_.skip_line();
  }

  std::vector<double> read_costs(std::int64_t m) {
    std::vector<double> costs;
    costs.reserve(static_cast<std::size_t>(m));
    for (std::int64_t i = 1; i <= m; ++i) {
      const auto what = [&] {
        return fmt::format("c_{} of the {} that line {} says", i, m, m_line_);
      };
      if (numbers_.ends()) numbers_.expected(what());
      costs.push_back(read_finite(what));
    }
    if (!numbers_.ends_line()) {
      numbers_.expected(
          fmt::format("the end of the line behind the {} costs that line {} says", m, m_line_));
    }
    return costs;
  }

  double read_finite(const auto& what) {
    const Numbers before = numbers_;
    const auto value = numbers_.real();
    if (!value) numbers_.expected(what());
    if (!std::isfinite(*value)) before.expected("a finite number");
    return *value;
  }

  void read_entry(ProblemBuilder& builder, std::int64_t m) {
    const std::size_t matrix = read_index("matrix", 0, m);
    const std::size_t block = read_index("block", 1, static_cast<std::int64_t>(blocks_.size())) - 1;
    const Block shape = blocks_[block];
    if (shape.order == 0) {
      numbers_.refuse(fmt::format("an entry of block {}: its order is 0", block + 1));
    }
    const std::size_t row = read_index("row", 1, shape.order),
                      column = read_index("column", 1, shape.order);
    if (row != column && shape.kind == BlockKind::diagonal) {
      numbers_.refuse(
          fmt::format("row {} and column {}: expected both the same, since block {} is diagonal",
                      row, column, block + 1));
    }
    if (numbers_.ends_line()) expected_entry();
    builder.add(matrix, block, row - 1, column - 1, read_finite([] { return "a value"; }));
    if (!numbers_.ends_line()) numbers_.expected("the end of the line behind an entry");
  }

  std::size_t read_index(const char* what, std::int64_t least, std::int64_t most) {
    if (numbers_.ends_line()) expected_entry();
    const Numbers before = numbers_;
    const auto index = numbers_.integer();
    if (!index) expected_entry();
    if (*index < least || *index > most) {
      before.refuse(fmt::format("{} {}: expected {} to {}", what, *index, least, most));
    }
    return static_cast<std::size_t>(*index);
  }

  [[noreturn]] void expected_entry() const { numbers_.expected("'MATRIX BLOCK ROW COLUMN VALUE'"); }

  Numbers numbers_;
  const std::string& file_;
  std::size_t m_line_ = 0, blocks_line_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace

Problem parse_problem(std::string_view text, const std::string& file) {
  return ProblemParser(text, file).run();
}

std::string problem_text(const Problem& problem) {
  fmt::memory_buffer text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{} = mDIM\n{} = nBLOCK\n", problem.constraints(), problem.blocks().size());
  for (const Block& block : problem.blocks()) {
    fmt::format_to(out, "{}{} ", block.kind == BlockKind::diagonal ? "-" : "", block.order);
  }
  fmt::format_to(out, "= bLOCKsTRUCT\n");
  for (const double cost : problem.costs()) fmt::format_to(out, "{:.17g} ", cost);
  fmt::format_to(out, "\n");
  for (std::size_t i = 0; i <= problem.constraints(); ++i) {
    for (const Entry& e : problem.matrix(i)) {
      fmt::format_to(out, "{} {} {} {} {:.17g}\n", i, e.block + 1, e.row + 1, e.column + 1,
                     e.value);
    }
  }
  return fmt::to_string(text);
}

}  // namespace kinjo::sdp::detail
