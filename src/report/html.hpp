/// HTML, written as text.
#pragma once

#include <string>
#include <string_view>

#include "report/markup.hpp"
#include "report/picture.hpp"
#include "report/table.hpp"

namespace kinjo {

/// `<tag attributes>content</tag>` on lines of its own. `content` and `attributes` are HTML
/// already.
std::string element(std::string_view tag, std::string_view content,
                    std::string_view attributes = {});

/// A paragraph of plain text.
std::string paragraph(std::string_view text, std::string_view css_class = {});

/// A table with a caption; columns of numbers are aligned right. The script makes it sortable.
std::string table_html(const Table& table, std::string_view caption);

/// Something to open: `content` is HTML.
std::string details(std::string_view summary, std::string_view content);

/// For figures that show their title themselves.
inline constexpr int kNoHeading = 0;

/// A figure with its heading, its caption and, to open, its table. `heading` is the heading's
/// level.
std::string figure_html(const Picture& picture, int heading);

/// Plain text in a box from which it is copied.
std::string code_block(std::string_view text);

/// JSON as the content of a script element: it cannot end the element.
std::string json_in_script(std::string json);

}  // namespace kinjo
