#include "report/page.hpp"

#include <fmt/format.h>

#include "report/html.hpp"
#include "report/page_assets.hpp"
#include "report/page_sections.hpp"

namespace kinjo {

namespace {

struct Part {
  const char* id;
  const char* heading;
  std::string (*content)(const Report&);
};

constexpr Part kParts[] = {{"verdict", "Verdict", verdict_section},
                           {"sizes", "Kernels beside their limit", sizes_section},
                           {"machine", "Threads on the machine", machine_section},
                           {"nodes", "Between the nodes", nodes_section},
                           {"curves", "Over threads", curves_section},
                           {"graphs", "Over sizes of the graph", graphs_section},
                           {"steps", "Transforms step by step", steps_section},
                           {"waits", "Who waits when", waits_section},
                           {"roofline", "Roofline", roofline_section},
                           {"pages", "Where pages were", pages_section},
                           {"shares", "Local shares, in the laboratory", shares_section},
                           {"repeat", "Use and repeat", repeat_section}};

/// The browser itself refuses whatever the page would fetch.
constexpr const char* kHead =
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"generator\" content=\"kinjo\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n";

}  // namespace

std::string report_html(const Report& report) {
  std::string contents;
  std::string sections;
  int number = 0;
  for (const Part& part : kParts) {
    const std::string content = part.content(report);
    if (content.empty()) continue;
    const std::string heading = fmt::format("{} {}", ++number, part.heading);
    contents += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", part.id, heading);
    sections += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n"
        "<h2 id=\"{0}-heading\">{1}</h2>\n{2}</section>\n",
        part.id, heading, content);
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html "
      "lang=\"en\">\n<head>\n{}<title>{}</title>\n<style>\n{}</style>\n</head>\n"
      "<body>\n<header>\n{}<nav aria-label=\"Contents\"><ol>\n{}</ol></nav>\n</header>\n"
      "<main>\n{}</main>\n<script>\n{}</script>\n</body>\n</html>\n",
      kHead, escape_markup(report.title), page_style(), head_section(report), contents, sections,
      page_script());
}

}  // namespace kinjo
