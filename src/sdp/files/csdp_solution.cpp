/// Reading what CSDP writes: y, which is our x, on the first line; then lines `1 BLOCK ROW COLUMN
/// VALUE` of its Z, our X, and `2 BLOCK ROW COLUMN VALUE` of its X, our Y. Indices count from 1;
/// of what is symmetric one triangle is there, without zeros.
#include <cmath>

#include <fmt/format.h>

#include "sdp/files/numbers.hpp"
#include "sdp/files/solution_text.hpp"

namespace kinjo::sdp::detail {

namespace {

class CsdpParser {
 public:
  CsdpParser(const Problem& problem, std::string_view text, const std::string& file)
      : problem_(problem), numbers_(text, file), solution_(empty_solution(problem, file)) {}

  Solution run() {
    for (std::size_t i = 0; i < solution_.x.size(); ++i) {
      if (numbers_.ends()) numbers_.expected(value_of_y(i));
      solution_.x[i] = read_finite(value_of_y(i));
    }
    if (!numbers_.ends_line()) {
      numbers_.expected(
          fmt::format("the end of the line behind the {} values of y", solution_.x.size()));
    }
    while (!numbers_.ends()) read_entry();
    find_objectives(problem_, solution_);
    return std::move(solution_);
  }

 private:
  std::string value_of_y(std::size_t i) const {
    return fmt::format("value {} of {} of y", i + 1, solution_.x.size());
  }

  double read_finite(const std::string& what) {
    const Numbers before = numbers_;
    const auto value = numbers_.real();
    if (!value) numbers_.expected(what);
    if (!std::isfinite(*value)) before.expected("a finite number");
    return *value;
  }

  void read_entry() {
    const std::size_t matrix = read_index("matrix", 2);
    const std::size_t b = read_index("block", problem_.blocks().size()) - 1;
    const Block shape = problem_.blocks()[b];
    const std::size_t n = shape.order;
    const std::size_t row = read_index("row", n) - 1, column = read_index("column", n) - 1;
    if (shape.kind == BlockKind::diagonal && row != column) {
      numbers_.refuse(
          fmt::format("row {} and column {}: expected both the same, since block {} is diagonal",
                      row + 1, column + 1, b + 1));
    }
    if (numbers_.ends_line()) expected_entry();
    const double value = read_finite("a value");
    if (!numbers_.ends_line()) numbers_.expected("the end of the line behind an entry");
    const std::span<double> values = (matrix == 1 ? solution_.X : solution_.Y).block(b);
    if (shape.kind == BlockKind::diagonal) {
      values[row] = value;
    } else {
      values[row + n * column] = values[column + n * row] = value;
    }
  }

  std::size_t read_index(const char* what, std::size_t most) {
    const Numbers before = numbers_;
    const auto index = numbers_.ends_line() ? std::nullopt : numbers_.integer();
    if (!index) expected_entry();
    if (*index < 1 || *index > static_cast<std::int64_t>(most)) {
      before.refuse(most == 0 ? fmt::format("{} {}: the block's order is 0", what, *index)
                              : fmt::format("{} {}: expected 1 to {}", what, *index, most));
    }
    return static_cast<std::size_t>(*index);
  }

  [[noreturn]] void expected_entry() const { numbers_.expected("'1|2 BLOCK ROW COLUMN VALUE'"); }

  const Problem& problem_;
  Numbers numbers_;
  Solution solution_;
};

}  // namespace

Solution parse_csdp_solution(const Problem& problem, std::string_view text,
                             const std::string& file) {
  return CsdpParser(problem, text, file).run();
}

}  // namespace kinjo::sdp::detail
