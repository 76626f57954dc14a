/// Reading what SDPA writes with -o: lines `key = value` in any order, among others that are passed
/// over, and after `xVec =`, `xMat =` and `yMat =` numbers in braces on the lines that follow.
/// Symmetric blocks are printed by rows, diagonal ones as their n values.
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "sdp/files/file_text.hpp"
#include "sdp/files/numbers.hpp"
#include "sdp/files/solution_text.hpp"

namespace kinjo::sdp::detail {

namespace {

Status status_of(std::string_view phase) {
  if (phase == "pdOPT") return Status::optimal;
  if (phase == "pdFEAS") return Status::near_optimal;
  if (phase == "pINF_dFEAS" || phase == "dUNBD") return Status::primal_infeasible;
  if (phase == "pFEAS_dINF" || phase == "pUNBD") return Status::dual_infeasible;
  return Status::limit;
}

class ResultParser {
 public:
  ResultParser(const Problem& problem, std::string_view text, const std::string& file)
      : problem_(problem),
        numbers_(text, file),
        file_(file),
        solution_(empty_solution(problem, file)) {}

  Solution run() {
    while (!numbers_.ends()) read_line();
    for (const auto& [is_there, name] :
         {std::pair(has_x_, "xVec"), std::pair(has_X_, "xMat"), std::pair(has_Y_, "yMat")}) {
      if (!is_there) refuse_file(file_, fmt::format("it has no {}", name));
    }
    find_objectives(problem_, solution_);
    if (primal_) solution_.primal_objective = *primal_;
    if (dual_) solution_.dual_objective = *dual_;
    return std::move(solution_);
  }

 private:
  void read_line() {
    const std::string_view line = numbers_.line();
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return numbers_.skip_line();
    const std::string_view key = kinjo::detail::trim(line.substr(0, equals)),
                           value = kinjo::detail::trim(line.substr(equals + 1));
    if (key == "phase.value") solution_.status = status_of(value);
    if (key == "objValPrimal") primal_ = read_objective(value);
    if (key == "objValDual") dual_ = read_objective(value);
    numbers_.skip_line();
    if (key == "xVec") {
      has_x_ = read_values(solution_.x, "xVec");
      expect_no_more("xVec");
    }
    if (key == "xMat") has_X_ = read_matrix(solution_.X, "xMat");
    if (key == "yMat") has_Y_ = read_matrix(solution_.Y, "yMat");
  }

  double read_objective(std::string_view text) {
    Numbers number(text, file_);
    const auto value = number.real();
    if (!value || !number.ends_line()) {
      numbers_.refuse(fmt::format("'{}': expected a number", kinjo::detail::printable(text)));
    }
    return *value;
  }

  bool read_values(std::span<double> values, const std::string& what) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto describe = [&] {
        return fmt::format("value {} of {} of {}", i + 1, values.size(), what);
      };
      if (numbers_.ends()) numbers_.expected(describe());
      const Numbers before = numbers_;
      const auto value = numbers_.real();
      if (!value) numbers_.expected(describe());
      if (!std::isfinite(*value)) before.expected("a finite number");
      values[i] = *value;
    }
    return true;
  }

  bool read_matrix(BlockMatrix& matrix, const char* name) {
    for (std::size_t b = 0; b < matrix.blocks().size(); ++b) {
      read_values(matrix.block(b), fmt::format("block {} of {}", b + 1, name));
    }
    expect_no_more(name);
    symmetrise(matrix);
    return true;
  }

  /// Behind the last value: more of them are another problem's.
  void expect_no_more(const char* name) {
    if (numbers_.ends()) return;
    const Numbers before = numbers_;
    if (numbers_.real()) before.refuse(fmt::format("more values of {} than the problem has", name));
  }

  const Problem& problem_;
  Numbers numbers_;
  const std::string& file_;
  Solution solution_;
  std::optional<double> primal_, dual_;
  bool has_x_ = false, has_X_ = false, has_Y_ = false;
};

}  // namespace

Solution parse_result(const Problem& problem, std::string_view text, const std::string& file) {
  return ResultParser(problem, text, file).run();
}

}  // namespace kinjo::sdp::detail
