/// Reading and writing by format.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <kinjo/diagram_files.hpp>
#include <kinjo/error.hpp>

#include "base/file_format.hpp"
#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "graph/files/mapped_file.hpp"
#include "paths/diagram/files/dot.hpp"
#include "paths/diagram/files/graphillion.hpp"
#include "paths/diagram/files/kzdd.hpp"
#include "paths/diagram/files/sapporo.hpp"

namespace kinjo::paths {

namespace {

using kinjo::detail::refuse_writing;

constexpr kinjo::detail::Ending<DiagramFormat> kEndings[] = {
    {".kzdd", DiagramFormat::kinjo},   {".setset", DiagramFormat::graphillion},
    {".zbdd", DiagramFormat::sapporo}, {".dot", DiagramFormat::dot},
    {".gv", DiagramFormat::dot},
};

DiagramFormat format_by_content(std::string_view bytes) {
  if (bytes.starts_with(detail::kKzddMagic)) return DiagramFormat::kinjo;
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  const std::string_view text = bytes.substr(std::min(begin, bytes.size()));
  if (text.starts_with("digraph")) return DiagramFormat::dot;
  return text.starts_with('_') ? DiagramFormat::sapporo : DiagramFormat::graphillion;
}

void write_kzdd(const detail::DiagramData& diagram, const std::string& path) {
  for (const std::string& name : diagram.names) {
    if (name.find('\0') != name.npos) refuse_writing(path, "a name has a byte 0");
  }
  const std::string head = detail::kzdd_head(diagram);
  const std::array<std::string_view, 2> pieces = {
      head,
      {reinterpret_cast<const char*>(diagram.packed), diagram.nodes * sizeof(detail::PackedNode)}};
  kinjo::detail::write_whole_file(path, pieces);
}

}  // namespace

DiagramFormat diagram_format_of(const std::string& path) {
  if (const auto format = kinjo::detail::find_format<DiagramFormat>(path, kEndings)) return *format;
  refuse_writing(path, "its name does not end as a diagram's: expected one of " +
                           kinjo::detail::list_endings<DiagramFormat>(kEndings));
}

const char* to_string(DiagramFormat format) noexcept {
  constexpr const char* kNames[] = {"automatic", "kinjo", "graphillion", "sapporo", "dot"};
  return kNames[static_cast<int>(format)];
}

Diagram read_diagram(const std::string& path, const ReadDiagramOptions& options) {
  const graph::detail::MappedFile file(path);
  DiagramFormat format = options.format;
  if (format == DiagramFormat::automatic) {
    // Of a name that says what it ought to be, what is not that is damaged, rather than text.
    const bool is_kinjos = kinjo::detail::find_format<DiagramFormat>(path, kEndings) ==
                           std::optional(DiagramFormat::kinjo);
    format = is_kinjos ? DiagramFormat::kinjo : format_by_content(file.bytes());
  }
  switch (format) {
    case DiagramFormat::kinjo: {
      const auto data = detail::parse_kzdd(file.bytes(), path, options.trust);
      data->keeper = file.keeper();
      return Diagram(data);
    }
    case DiagramFormat::sapporo:
      return detail::parse_sapporo(file.bytes(), path, options.items);
    case DiagramFormat::dot:
      throw Error(Errc::invalid_argument, fmt::format("cannot read '{}': pictures are only written",
                                                      kinjo::detail::printable(path)));
    default:
      return detail::parse_graphillion(file.bytes(), path, options.items);
  }
}

void write_diagram(const Diagram& diagram, const std::string& path,
                   const WriteDiagramOptions& options) {
  const DiagramFormat format =
      options.format == DiagramFormat::automatic ? diagram_format_of(path) : options.format;
  const detail::DiagramData& data = *diagram.data();
  switch (format) {
    case DiagramFormat::graphillion:
      return kinjo::detail::write_whole_file(path, detail::graphillion_text(data));
    case DiagramFormat::sapporo:
      return kinjo::detail::write_whole_file(path, detail::sapporo_text(data));
    case DiagramFormat::dot:
      if (diagram.nodes() > options.most_dot_nodes) {
        refuse_writing(path, fmt::format("{} nodes as a picture: expected at most {}",
                                         diagram.nodes(), options.most_dot_nodes));
      }
      return kinjo::detail::write_whole_file(path, detail::dot_text(data));
    default:
      return write_kzdd(data, path);
  }
}

}  // namespace kinjo::paths
