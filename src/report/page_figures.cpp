#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "report/blas1_text.hpp"
#include "report/configuration.hpp"
#include "report/curves.hpp"
#include "report/gemm_text.hpp"
#include "report/graph_curves.hpp"
#include "report/heat_map.hpp"
#include "report/html.hpp"
#include "report/kernel_curves.hpp"
#include "report/machine_svg.hpp"
#include "report/page_sections.hpp"
#include "report/pages_figure.hpp"
#include "report/roofline.hpp"
#include "report/verdict_figure.hpp"

namespace kinjo {

namespace {

constexpr const char* kHowToMeasure =
    "This machine has no profile yet: “kinjo measure” makes one, and reports made after it show it "
    "here.";

std::string grid(const std::string& figures, const char* css_class = "grid") {
  return element("div", "\n" + figures, fmt::format("class=\"{}\"", css_class));
}

using MappingsByThreads = std::map<std::size_t, std::vector<Mapping>>;

/// The number of threads at which the machine is shown first: the verdict's best, else the largest
/// that does not fill the machine, where policies differ most.
std::size_t shown_threads(const Report& report, const MappingsByThreads& mappings) {
  for (const ReportSection& section : report.sections) {
    if (!section.verdict || !section.verdict->differs) continue;
    const std::size_t threads = section.records[section.verdict->best].threads;
    if (mappings.contains(threads)) return threads;
  }
  std::size_t threads = mappings.begin()->first;
  for (const auto& [count, list] : mappings) {
    if (count < report.machine.allowed_cpus().count()) threads = count;
  }
  return threads;
}

std::string mappings_title(const std::vector<Mapping>& mappings) {
  return "The places of " + thread_count(mappings.front().size());
}

/// Which policies are not drawn because another one's picture is theirs.
std::string same_placements(const Report& report, std::size_t threads) {
  std::vector<std::string> said;
  for (const ReportSection& section : report.sections) {
    for (const Record& record : section.records) {
      const auto names = policies_of(record);
      if (record.threads != threads || names.size() < 2) continue;
      const std::string text = fmt::format("{}", fmt::join(names, " = "));
      if (std::ranges::find(said, text) == said.end()) said.push_back(text);
    }
  }
  return said.empty() ? "" : fmt::format(" The same places: {}.", fmt::join(said, "; "));
}

std::string mappings_figure(const Report& report, const std::vector<Mapping>& mappings) {
  const std::string caption =
      "Coloured CPUs have a thread: its number, dark for the first and light for the last, above "
      "the CPU's own." +
      same_placements(report, mappings.front().size());
  return figure_html(
      {mappings_title(mappings), caption, mappings_svg(report.machine, mappings).inline_text(),
       mappings_table(mappings)},
      3);
}

/// Drawings of large machines under many mappings would make the page slow: beyond this many CPUs
/// in all of them, the tables say it.
constexpr std::size_t kMostCpusDrawn = 6000;

std::string other_mappings(const Report& report, const MappingsByThreads& mappings,
                           std::size_t shown) {
  std::string html;
  const bool drawn = report.mappings.size() * report.machine.cpus().size() <= kMostCpusDrawn;
  for (const auto& [threads, list] : mappings) {
    if (threads == shown) continue;
    html += drawn ? mappings_figure(report, list)
                  : table_html(mappings_table(list), mappings_title(list));
  }
  return html.empty() ? "" : details("With other numbers of threads", html);
}

std::string warnings_html(const std::vector<std::string>& warnings) {
  std::string items;
  for (const std::string& warning : warnings) items += element("li", escape_markup(warning));
  return items.empty() ? "" : element("ul", items, "class=\"warnings\"");
}

/// Pages about more workloads show each one's other metrics only when asked.
constexpr std::size_t kMostSectionsOpen = 3;

/// A section's curves as HTML: of the metric that the verdict is about, and of the others.
struct CurveFigures {
  std::string judged;
  std::string others;
};
CurveFigures curve_figures(const ReportSection& section, const std::vector<std::string>& policies,
                           const std::string& prefix, int heading) {
  CurveFigures figures;
  const std::string metric = judgement_of(section).metric;
  for (const CurveSet& set : curve_sets(section.records)) {
    Picture picture = curve_picture(set, policies);
    picture.title = prefix + picture.title;
    (set.metric == metric ? figures.judged : figures.others) += figure_html(picture, heading);
  }
  return figures;
}

constexpr const char* kNoFigure = "No configuration gave a figure.";

/// All figures of one section, below its name.
std::string section_curves(const ReportSection& section, const std::vector<std::string>& policies) {
  const auto [judged, others] = curve_figures(section, policies, "", 4);
  return element("h3", escape_markup(section.workload)) +
         (judged.empty() && others.empty() ? paragraph(kNoFigure) : grid(judged + others));
}

/// A figure for each of many sections beside each other, and to open, those of other metrics.
std::string many_curves(const std::vector<ReportSection>& sections,
                        const std::vector<std::string>& policies) {
  std::string figures, more;
  for (const ReportSection& section : sections) {
    const auto [judged, others] = curve_figures(section, policies, section.workload + ": ", 3);
    figures += judged;
    if (!others.empty()) {
      more += details("Other quantities of " + section.workload, grid(others));
    }
  }
  return (figures.empty() ? paragraph(kNoFigure) : grid(figures)) + more;
}

/// The records whose pages are drawn: of kernels by size, the largest size's alone, which the
/// others differ from in nothing but their size.
std::vector<Record> page_records(const ReportSection& section) {
  if (!is_by_size(section)) return section.records;
  const auto same = [&](const Record& r) {
    const Record& first = section.records.front();
    return kernel_size_of(r)->kernel == kernel_size_of(first)->kernel &&
           value_text_of(r.parameters, "plan") == value_text_of(first.parameters, "plan");
  };
  std::size_t most = 0;
  for (const Record& record : section.records) most = std::max(most, kernel_size_of(record)->size);
  std::vector<Record> shown;
  std::ranges::copy_if(section.records, std::back_inserter(shown),
                       [&](const Record& r) { return same(r) && kernel_size_of(r)->size == most; });
  return shown;
}

const char* kernels_caption(const ReportSection& section) {
  if (section.workload == "blas1-ladder") {
    return "More running sums keep more additions under way, until latency × ports of them do. "
           "Predicted is the smaller one of the limit and of what the additions' latency allows.";
  }
  if (section.workload == "gemm") {
    return "The limit is what all threads together multiply and add in registers, measured beside "
           "the products. Products of matrices that are not square stand where the square ones "
           "with as many operations do.";
  }
  return "The limit is the greater one of the times that the loads and stores and that the "
         "arithmetic take, measured beside the kernel.";
}

Table kernels_table(const ReportSection& section) {
  if (section.workload == "blas1-ladder") return ladder_csv(section.records);
  if (section.workload == "gemm") return gemm_table(section.records);
  return blas1_table(section.records);
}

/// A figure for each kernel, of its sizes or of its ladder, and the table of all.
std::string kernels_html(const ReportSection& section) {
  const bool ladder = section.workload == "blas1-ladder";
  const auto sets = ladder ? ladder_sets(section.records) : size_sets(section.records);
  std::string figures;
  for (const CurveSet& set : sets) {
    std::vector<std::string> names;
    for (const Curve& curve : set.curves) names.push_back(curve.name);
    figures += figure_html(curve_picture(set, names), 3);
  }
  return paragraph(kernels_caption(section), "note") + grid(figures) +
         details("All of " + section.workload, table_html(kernels_table(section), "Medians"));
}

}  // namespace

std::string machine_section(const Report& report) {
  MappingsByThreads mappings;
  for (const Mapping& mapping : report.mappings) mappings[mapping.size()].push_back(mapping);
  if (mappings.empty()) {
    return paragraph("No configuration binds its threads: the system may run them anywhere.");
  }
  const std::size_t shown = shown_threads(report, mappings);
  return mappings_figure(report, mappings.at(shown)) + other_mappings(report, mappings, shown);
}

std::string nodes_section(const Report& report) {
  if (!report.profile || !report.profile->nodes) return paragraph(kHowToMeasure);
  const MachineProfile& profile = *report.profile;
  std::string html =
      paragraph(fmt::format("Measured on {}, {}; {} pages. Rows are the nodes of the "
                            "threads, columns those of the memory.",
                            profile.machine, profile.measured, profile.nodes->pages),
                "note");
  html += warnings_html(profile.warnings) + warnings_html(profile.nodes->contradictions);
  std::string figures;
  for (const NodeMatrix& matrix : node_matrices(*profile.nodes)) {
    figures += figure_html({fmt::format("{}, {}", matrix.title, matrix.unit), "",
                            heat_map_svg(matrix).inline_text(), heat_map_table(matrix)},
                           kNoHeading);
  }
  return html + grid(figures, "grid small");
}

std::string sizes_section(const Report& report) {
  std::string html;
  for (const ReportSection& section : report.sections) {
    if (is_by_size(section)) html += kernels_html(section);
  }
  return html;
}

std::string curves_section(const Report& report) {
  if (!has_placements(report)) return "";
  const auto policies = page_policies(report.sections);
  std::string html = paragraph(
      "Medians; whiskers and bands are their 95 % bounds (with fewer than six samples: the "
      "extremes). Lines of different policies are drawn a little beside each other, so that "
      "whiskers "
      "at the same number of threads can be told apart.",
      "note");
  if (report.sections.size() > kMostSectionsOpen) {
    return html + many_curves(report.sections, policies);
  }
  for (const ReportSection& section : report.sections) html += section_curves(section, policies);
  return html;
}

std::string graphs_section(const Report& report) {
  const auto policies = page_policies(report.sections);
  std::string figures;
  for (const CurveSet& set : graph_sets(report.sections)) {
    figures += figure_html(curve_picture(set, policies), 3);
  }
  return figures.empty() ? "" : grid(figures);
}

std::string pages_section(const Report& report) {
  std::string html;
  for (const ReportSection& section : report.sections) {
    if (const auto picture = pages_picture(section.workload, page_records(section))) {
      html += figure_html(*picture, 3);
    }
  }
  if (!html.empty()) return html;
  return paragraph(
      "Nobody looked where the pages were: “kinjo where” looks at a running program's, and the "
      "built-in workloads look at their own.");
}

std::string roofline_section(const Report& report) {
  if (!report.profile) return paragraph(kHowToMeasure);
  const auto roofs = roofs_of(*report.profile);
  std::vector<RooflinePoint> points;
  std::vector<std::string> without;
  for (const ReportSection& section : report.sections) {
    const auto more = roofline_points(section.records);
    if (more.empty()) without.push_back(section.workload);
    points.insert(points.end(), more.begin(), more.end());
  }
  const auto svg = roofline_svg(roofs, points);
  if (!svg) return paragraph("The machine's profile holds no bounds: “kinjo measure” finds them.");
  std::string html = figure_html(
      {"What the machine allows, and what was reached",
       std::string(
           "Lines are what the machine allows: sloped where memory limits, level where arithmetic "
           "does; "
           "dashed for one thread, solid for all. Points are medians; only computations that say "
           "how "
           "many operations they do for a byte have one") +
           (points.empty() || without.empty()
                ? "."
                : fmt::format(": {} {} not.", fmt::join(without, ", "),
                              without.size() == 1 ? "does" : "do")),
       svg->inline_text(), roofline_table(roofs, points)},
      3);
  return html + details("Table of the bounds", table_html(roofs_table(roofs), "Bounds"));
}

}  // namespace kinjo
