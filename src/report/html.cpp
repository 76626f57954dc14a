#include "report/html.hpp"

#include <fmt/format.h>

namespace kinjo {

std::string element(std::string_view tag, std::string_view content, std::string_view attributes) {
  return fmt::format("<{}{}{}>{}</{}>\n", tag, attributes.empty() ? "" : " ", attributes, content,
                     tag);
}

std::string paragraph(std::string_view text, std::string_view css_class) {
  return element("p", escape_markup(text),
                 css_class.empty() ? "" : fmt::format("class=\"{}\"", css_class));
}

std::string table_html(const Table& table, std::string_view caption) {
  const auto cell = [&](std::string_view tag, std::size_t column, const std::string& text) {
    const std::string scope = tag == "th" ? " scope=\"col\"" : "";
    const char* number = table.is_numeric(column) ? " class=\"number\"" : "";
    return fmt::format("<{}{}{}>{}</{}>", tag, scope, number, escape_markup(text), tag);
  };
  std::string head;
  for (std::size_t c = 0; c < table.header().size(); ++c) head += cell("th", c, table.header()[c]);
  std::string body;
  for (const auto& row : table.rows()) {
    body += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) body += cell("td", c, row[c]);
    body += "</tr>\n";
  }
  return fmt::format(
      "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"{0}\"><table>\n"
      "<caption>{0}</caption>\n<thead><tr>{1}</tr></thead>\n<tbody>\n{2}</tbody></table></div>\n",
      escape_markup(caption), head, body);
}

std::string details(std::string_view summary, std::string_view content) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", escape_markup(summary),
                     content);
}

std::string figure_html(const Picture& picture, int heading) {
  const std::string title = escape_markup(picture.title);
  std::string content;
  if (heading != kNoHeading) content += fmt::format("<h{0}>{1}</h{0}>\n", heading, title);
  content += fmt::format(
      "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">\n{}</div>\n", title,
      picture.svg);
  if (!picture.caption.empty()) content += element("figcaption", escape_markup(picture.caption));
  content += details("Table of these figures", table_html(picture.table, picture.title));
  return "<figure>\n" + content + "</figure>\n";
}

std::string code_block(std::string_view text) {
  return fmt::format("<pre class=\"code\" tabindex=\"0\"><code>{}</code></pre>\n",
                     escape_markup(text));
}

std::string json_in_script(std::string json) {
  std::string safe;
  safe.reserve(json.size());
  // In JSON `<` stands in strings alone, where it may be written as an escape.
  for (char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace kinjo
