#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/npy.hpp"
#include "base/text.hpp"
#include "sdp/files/file_text.hpp"
#include "sdp/files/npz.hpp"
#include "sdp/files/solution_text.hpp"

namespace kinjo::sdp::detail {

namespace {

using kinjo::detail::NpyHeader;
using kinjo::detail::NpyType;
using Shape = std::vector<std::uint64_t>;

std::string shape_text(const Shape& shape) {
  if (shape.size() == 1) return fmt::format("({},)", shape[0]);
  return fmt::format("({})", fmt::join(shape, ", "));
}

/// The characters of an array of one string of NumPy's kinds U and S, or nothing.
std::string characters_of(std::string_view npy) {
  constexpr std::size_t kBefore = 10;
  if (npy.size() < kBefore) return {};
  const std::size_t header =
      kBefore + static_cast<unsigned char>(npy[8]) + 256u * static_cast<unsigned char>(npy[9]);
  if (npy.size() < header) return {};
  const bool is_wide = npy.substr(0, header).find("'<U") != std::string_view::npos;
  std::string text;
  for (std::size_t i = header; i < npy.size() && npy[i] != '\0'; i += is_wide ? 4 : 1) {
    text += npy[i];
  }
  return text;
}

class NpzParser {
 public:
  NpzParser(const Problem& problem, std::string_view bytes, const std::string& file)
      : problem_(problem), file_(file) {
    for (const ZipEntry& entry : read_zip(bytes, file)) arrays_[entry.name] = entry.data;
  }

  Solution run() {
    check_sizes();
    Solution solution = empty_solution(problem_, file_);
    read("x", solution.x, {solution.x.size()});
    read_matrix("X", solution.X);
    read_matrix("Y", solution.Y);
    find_objectives(problem_, solution);
    read_if_there("primal_objective", {&solution.primal_objective, 1}, {});
    read_if_there("dual_objective", {&solution.dual_objective, 1}, {});
    read_if_there("dimacs_errors", solution.dimacs_errors, {6});
    read_status(solution);
    return solution;
  }

 private:
  /// The array's file; nothing if it is not there.
  std::optional<std::string_view> find(const std::string& name) const {
    const auto found = arrays_.find(name + ".npy");
    return found == arrays_.end() ? std::nullopt : std::optional(found->second);
  }

  /// Before anything is allocated: the file must have a member for each block.
  void check_sizes() const {
    if (arrays_.size() < 1 + 2 * problem_.blocks().size()) {
      refuse_file(file_, fmt::format("it has {} arrays: expected x, and X_b and Y_b of {} blocks",
                                     arrays_.size(), problem_.blocks().size()));
    }
  }

  void read_matrix(const char* name, BlockMatrix& matrix) {
    for (std::size_t b = 0; b < matrix.blocks().size(); ++b) {
      const Block shape = matrix.blocks()[b];
      read(fmt::format("{}_{}", name, b), matrix.block(b),
           Shape(shape.kind == BlockKind::diagonal ? 1 : 2, shape.order));
    }
    symmetrise(matrix);
  }

  void read(const std::string& name, std::span<double> values, const Shape& shape) {
    if (!find(name)) refuse_file(file_, fmt::format("it has no array '{}'", name));
    read_if_there(name, values, shape);
  }

  void read_if_there(const std::string& name, std::span<double> values, const Shape& shape) {
    const auto npy = find(name);
    if (!npy) return;
    const std::string place = fmt::format("{}:{}.npy", file_, name);
    const NpyHeader header =
        kinjo::detail::parse_npy_header(npy->substr(0, kinjo::detail::kNpyHeaderMost), place);
    if (header.type != NpyType::float64)
      refuse_file(place, "its elements are float32: expected float64");
    if (header.shape != shape) {
      refuse_file(place, fmt::format("its shape is {}: expected {}", shape_text(header.shape),
                                     shape_text(shape)));
    }
    if (npy->size() != header.data_offset + values.size_bytes()) {
      refuse_file(place, fmt::format("it has {} bytes: its header says {}", npy->size(),
                                     header.data_offset + values.size_bytes()));
    }
    if (!values.empty()) {
      std::memcpy(values.data(), npy->data() + header.data_offset, values.size_bytes());
    }
    const auto fault = std::ranges::find_if(values, [](double v) { return !std::isfinite(v); });
    if (fault != values.end()) {
      refuse_file(place, fmt::format("element {} is {}: expected a finite number",
                                     fault - values.begin(), *fault));
    }
  }

  void read_status(Solution& solution) const {
    const auto npy = find("status");
    if (!npy) return;
    const std::string text = characters_of(*npy);
    for (const Status status :
         {Status::optimal, Status::near_optimal, Status::primal_infeasible, Status::dual_infeasible,
          Status::limit, Status::numerical_failure}) {
      if (text != to_string(status)) continue;
      solution.status = status;
      return;
    }
    refuse_file(file_ + ":status.npy", fmt::format("'{}': expected 'optimal' or another status",
                                                   kinjo::detail::printable(text.substr(0, 40))));
  }

  const Problem& problem_;
  const std::string& file_;
  std::map<std::string_view, std::string_view> arrays_;
};

}  // namespace

Solution parse_npz(const Problem& problem, std::string_view bytes, const std::string& file) {
  return NpzParser(problem, bytes, file).run();
}

}  // namespace kinjo::sdp::detail
