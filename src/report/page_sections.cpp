#include "report/page_sections.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "measure/statistics.hpp"
#include "report/axes.hpp"
#include "report/configuration.hpp"
#include "report/fft_text.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/kernel_curves.hpp"
#include "report/machine_text.hpp"
#include "report/verdict_figure.hpp"

namespace kinjo {

namespace {

std::string fact(std::string_view name, const std::string& value_html) {
  return element("dt", escape_markup(name)) + element("dd", value_html);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Models of the packages, neighbours that are alike once.
std::string models_of(const Topology& machine) {
  std::vector<std::string> models;
  for (const Package& package : machine.packages()) {
    if (!package.model.empty() && (models.empty() || models.back() != package.model)) {
      models.push_back(package.model);
    }
  }
  std::string text;
  for (const std::string& model : models) text += (text.empty() ? "" : ", ") + model;
  return text;
}

std::string configuration_text(const Record& record, const std::string& variant) {
  return fmt::format("{} with {}{}{}", record.policy, thread_count(record.threads),
                     variant.empty() ? "" : ", ", variant);
}

std::string failures_html(const ReportSection& section) {
  const auto variants = variants_of(section.records);
  std::string items;
  for (std::size_t r = 0; r < section.records.size(); ++r) {
    if (const auto failure = failure_of(section.records[r])) {
      items += element("li", escape_markup(configuration_text(section.records[r], variants[r]) +
                                           ": " + *failure));
    }
  }
  if (items.empty()) return "";
  return paragraph(fmt::format("Of {}, these gave no result that counts:", section.workload)) +
         element("ul", items, "class=\"failures\"");
}

std::string metric_cell(const Record& record, const std::string& name) {
  const Metric* metric = measured(record, name);
  if (!metric) return "-";
  const Summary s = summarize(metric->samples);
  return fmt::format("{} ({} to {})", short_number(s.median), short_number(s.low),
                     short_number(s.high));
}

std::string metric_heading(const ReportSection& section, const std::string& name) {
  for (const Record& record : section.records) {
    const auto at = std::ranges::find(record.metrics, name, &Metric::name);
    if (at != record.metrics.end() && !at->unit.empty()) return name + ", " + at->unit;
  }
  return name;
}

Table configurations_table(const ReportSection& section) {
  const auto names = metric_names(section.records);
  const auto variants = variants_of(section.records);
  const bool vary = std::ranges::any_of(variants, [](const auto& v) { return !v.empty(); });
  std::vector<std::string> header = {"policy", "threads"};
  if (vary) header.push_back("variant");
  for (const std::string& name : names) header.push_back(metric_heading(section, name));
  header.push_back("remark");
  Table table(header);
  for (std::size_t r = 0; r < section.records.size(); ++r) {
    const Record& record = section.records[r];
    std::vector<std::string> row = {fmt::format("{}", fmt::join(policies_of(record), " = ")),
                                    std::to_string(record.threads)};
    if (vary) row.push_back(variants[r]);
    for (const std::string& name : names) row.push_back(metric_cell(record, name));
    row.push_back(failure_of(record).value_or(""));
    table.add(row);
  }
  return table;
}

/// All records, without metrics that have no samples: JSON has no median for them.
Json raw_records(const Report& report) {
  std::vector<Record> records;
  for (const ReportSection& section : report.sections) {
    for (Record record : section.records) {
      std::erase_if(record.metrics, [](const Metric& m) { return m.samples.empty(); });
      records.push_back(std::move(record));
    }
  }
  return records_json(records, report.machine);
}

std::string lines_html(const ReportSection& section) {
  if (section.lines.empty()) return "";
  std::string list;
  for (const auto& [name, line] : section.lines) {
    list += element("dt", escape_markup(name)) + element("dd", code_block(line));
  }
  return element("h3", escape_markup("The best placement of " + section.workload)) +
         element("dl", list, "class=\"lines\"");
}

/// The verdict of each section in words.
std::string sentences_html(const Report& report, std::string_view tag,
                           std::string_view attributes = {}) {
  std::string html;
  for (const ReportSection& section : report.sections) {
    if (section.sentence.empty()) continue;
    html += element(tag,
                    fmt::format("<b>{}</b> {}", escape_markup(section.workload),
                                escape_markup(section.sentence)),
                    attributes);
  }
  return html;
}

}  // namespace

bool has_placements(const Report& report) {
  return report.sections.empty() || !std::ranges::all_of(report.sections, is_by_size);
}

std::vector<std::string> page_policies(std::span<const ReportSection> sections) {
  std::vector<std::string> used;
  for (const ReportSection& section : sections) {
    for (const Record& record : section.records) {
      const auto names = policies_of(record);
      used.insert(used.end(), names.begin(), names.end());
    }
  }
  return ordered_policies(used);
}

std::string head_section(const Report& report) {
  std::string html = element("h1", escape_markup(report.title));
  if (!report.summary.empty()) {
    html += element("p", escape_markup(report.summary), "class=\"verdict\"");
  } else {
    html += sentences_html(report, "p", "class=\"verdict\"");
  }
  const std::string models = models_of(report.machine);
  const std::string machine = machine_text(report.machine);
  std::string facts = fact("Machine", escape_markup(first_line(machine)) +
                                          (models.empty() ? "" : "<br>" + escape_markup(models)));
  facts += fact("Made", fmt::format("<time>{}</time>", escape_markup(report.made)));
  facts += fact("Command", "<code>" + escape_markup(report.command) + "</code>");
  return html + element("dl", facts, "class=\"facts\"") +
         details("The machine in words", code_block(machine));
}

std::string verdict_section(const Report& report) {
  if (!has_placements(report)) return "";
  const auto policies = page_policies(report.sections);
  if (policies.empty()) return paragraph("Nothing was measured.");
  std::string html = figure_html(verdict_picture(report.sections, policies), 3);
  if (!report.summary.empty()) html += element("ul", sentences_html(report, "li"));
  for (const ReportSection& section : report.sections) {
    html += failures_html(section);
    const std::string title = "All configurations of " + section.workload;
    html += details(title, table_html(configurations_table(section),
                                      title + ": medians, and their 95 % bounds"));
  }
  return html;
}

std::string steps_section(const Report& report) {
  std::string html;
  for (const ReportSection& section : report.sections) {
    if (section.workload != "fft") continue;
    html += table_html(fft_table(section.records), "Medians, beside the limit of memory");
    const Table steps = fft_steps_table(section.records);
    if (steps.rows().empty()) continue;
    html += paragraph(
        "Each sweep takes the array through cache: it loads, computes and stores. The steps of one "
        "more transform, in which nothing overlaps; moved are the bytes of all loads and stores.",
        "note");
    html += table_html(steps, "Milliseconds of each step, the threads' mean");
  }
  return html;
}

std::string waits_section(const Report& report) {
  std::string html;
  for (const ReportSection& section : report.sections) {
    if (section.waits) html += figure_html(*section.waits, 3);
  }
  return html;
}

std::string shares_section(const Report& report) {
  if (report.shares.workloads.empty()) return "";
  std::string html = paragraph(local_shares_sentence(report.shares), "note");
  html += paragraph(
      "Most accesses are served by caches, so these are no measure of time; they say what a "
      "placement can and cannot keep near. In the phases that are apart nothing is computed, or "
      "only what lies in a cache, or threads wait: they are not in the figure.",
      "note");
  html += figure_html(local_shares_picture(report.shares), 3);
  std::string commands;
  for (const WorkloadShare& workload : report.shares.workloads) {
    commands += element("li", "<code>" + escape_markup(workload.command) + "</code>");
  }
  return html +
         details("By phase",
                 table_html(phase_shares_table(report.shares), "Local bytes, by phase")) +
         details("What was counted", element("ul", commands));
}

std::string repeat_section(const Report& report) {
  std::string html = element("h3", "This report again") + code_block(report.command);
  for (const ReportSection& section : report.sections) html += lines_html(section);
  html += element("h3", "Raw records");
  html += paragraph("All samples as JSON (kinjo-records/1), in the element with the id “records”.",
                    "note");
  const std::string json = json_in_script(json_text(raw_records(report)));
  return html + details("Raw records", "<script type=\"application/json\" id=\"records\">\n" +
                                           json + "</script>\n");
}

}  // namespace kinjo
