#include <fmt/format.h>
#include <kinjo/sdp_files.hpp>

#include "base/npy.hpp"
#include "base/whole_file.hpp"
#include "sdp/files/npz.hpp"

namespace kinjo::sdp {

namespace {

using detail::ZipMember;
using kinjo::detail::NpyOrder;
using kinjo::detail::NpyType;

std::string_view bytes_of(std::span<const double> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

ZipMember member_of(const std::string& name, std::span<const double> values,
                    std::vector<std::uint64_t> shape) {
  // Symmetric matrices are the same in both orders; NumPy's own is C's.
  return {name + ".npy",
          kinjo::detail::npy_header_text({NpyType::float64, NpyOrder::c, std::move(shape), 0}),
          bytes_of(values)};
}

/// A string as an array without dimensions: NumPy's `<U` has four bytes for each character.
ZipMember text_member(const std::string& name, std::string_view text) {
  std::string content = kinjo::detail::npy_header_text({NpyType::uint8, NpyOrder::c, {}, 0});
  // The header's padding takes up what the type's name is longer by.
  const std::string number_type = "'|u1'", type = fmt::format("'<U{}'", text.size());
  content.replace(content.find(number_type), number_type.size(), type);
  content.erase(content.size() - 1 - (type.size() - number_type.size()),
                type.size() - number_type.size());
  for (const char c : text) content += {c, '\0', '\0', '\0'};
  return {name + ".npy", content, {}};
}

void add_blocks(std::vector<ZipMember>& members, const char* name, const BlockMatrix& matrix) {
  for (std::size_t b = 0; b < matrix.blocks().size(); ++b) {
    const Block shape = matrix.blocks()[b];
    std::vector<std::uint64_t> sizes(shape.kind == BlockKind::diagonal ? 1 : 2, shape.order);
    members.push_back(member_of(fmt::format("{}_{}", name, b), matrix.block(b), std::move(sizes)));
  }
}

}  // namespace

std::vector<ZipMember> detail::npz_members(const Solution& solution) {
  std::vector<ZipMember> members;
  members.push_back(text_member("status", to_string(solution.status)));
  members.push_back(member_of("primal_objective", {&solution.primal_objective, 1}, {}));
  members.push_back(member_of("dual_objective", {&solution.dual_objective, 1}, {}));
  members.push_back(member_of("dimacs_errors", solution.dimacs_errors, {6}));
  members.push_back(member_of("x", solution.x, {solution.x.size()}));
  add_blocks(members, "X", solution.X);
  add_blocks(members, "Y", solution.Y);
  return members;
}

void write_npz(const Solution& solution, const std::string& file) {
  const detail::ZipArchive archive(detail::npz_members(solution));
  kinjo::detail::write_whole_file(file, archive.pieces());
}

}  // namespace kinjo::sdp
