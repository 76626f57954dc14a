#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/configuration.hpp"
#include "report/curves.hpp"
#include "report/html.hpp"
#include "report/page_sections.hpp"
#include "report/pages_figure.hpp"
#include "report/verdict_figure.hpp"

namespace kinjo {

namespace {

constexpr const char* kHowToMeasure =
    "This machine has no profile yet: “kinjo measure” makes one, and reports made after it show it "
    "here.";

std::string grid(const std::string& figures) {
  return element("div", "\n" + figures, "class=\"grid\"");
}

/// The figures of the metric that the verdict is about, and to open, those of the others.
std::string section_curves(const ReportSection& section, const std::vector<std::string>& policies) {
  const std::string judged = judgement_of(section).metric;
  std::string first;
  std::string rest;
  for (const CurveSet& set : curve_sets(section.records)) {
    (set.metric == judged ? first : rest) += figure_html(curve_picture(set, policies), 4);
  }
  if (first.empty() && rest.empty()) return paragraph("No configuration gave a figure.");
  return grid(first + rest);
}

}  // namespace

std::string curves_section(const Report& report) {
  const auto policies = page_policies(report);
  std::string html = paragraph(
      "Medians; whiskers and bands are their 95 % bounds (with fewer than six samples: the "
      "extremes). Lines of different policies are drawn a little beside each other, so that whiskers "
      "at the same number of threads can be told apart.",
      "note");
  for (const ReportSection& section : report.sections) {
    html += element("h3", escape_markup(section.workload)) + section_curves(section, policies);
  }
  return html;
}

std::string pages_section(const Report& report) {
  std::string html;
  for (const ReportSection& section : report.sections) {
    if (const auto picture = pages_picture(section.workload, section.records)) {
      html += figure_html(*picture, 3);
    }
  }
  if (!html.empty()) return html;
  return paragraph(
      "Nobody looked where the pages were: “kinjo where” looks at a running program's, and the "
      "built-in workloads look at their own.");
}

std::string machine_section(const Report&) { return ""; }
std::string nodes_section(const Report&) { return paragraph(kHowToMeasure); }
std::string roofline_section(const Report&) { return paragraph(kHowToMeasure); }

}  // namespace kinjo
