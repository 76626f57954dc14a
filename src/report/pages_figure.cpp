#include "report/pages_figure.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "report/configuration.hpp"
#include "report/svg.hpp"

namespace kinjo {

namespace {

constexpr double kWidth = 820;
constexpr double kLeft = 52;
constexpr double kRight = kWidth - 92;
constexpr double kBar = 20;
constexpr double kRow = 80;
constexpr double kTop = 34;
constexpr double kFont = 13;
constexpr const char* kElsewhere = "#bdbdbd";

struct Totals {
  std::size_t asked = 0;
  std::size_t there = 0;
  std::size_t as_asked = 0;
};

Totals totals_of(const Record& record) {
  Totals totals;
  for (const NodePages& node : record.pages) {
    totals.asked += node.asked;
    totals.there += node.there;
    totals.as_asked += node.as_asked;
  }
  return totals;
}

std::string per_cent(std::size_t part, std::size_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

/// A node's colour, the same in every row; `nodes` are those of all records.
Colour node_colour(int node, const std::set<int>& nodes) {
  const auto rank = std::distance(nodes.begin(), nodes.find(node));
  return category_colour(static_cast<std::size_t>(rank));
}

/// Parts of a bar from the left on.
class Bar {
 public:
  Bar(Svg& svg, double y, std::size_t whole) : svg_(svg), y_(y), whole_(whole) {}

  void add(std::size_t pages, const Colour& colour, const std::string& label,
           const std::string& tip) {
    if (pages == 0 || whole_ == 0) return;
    const double width =
        (kRight - kLeft) * static_cast<double>(pages) / static_cast<double>(whole_);
    svg_.rectangle({x_, y_}, width, kBar, colour, {"#ffffff", 1, ""}, tip);
    const std::string text = text_width(label, kFont) + 4 <= width ? label : "";
    svg_.text({x_ + width / 2, y_ + 15}, text,
              {.size = kFont, .colour = ink_on(colour), .anchor = Anchor::middle});
    x_ += width;
  }

 private:
  Svg& svg_;
  double y_;
  std::size_t whole_;
  double x_ = kLeft;
};

void draw_asked(Svg& svg, const Record& record, double y, std::size_t whole,
                const std::set<int>& nodes) {
  svg.text({kLeft - 6, y + 15}, "asked", {.size = kFont, .anchor = Anchor::end});
  if (totals_of(record).asked == 0) {
    svg.rectangle({kLeft, y}, kRight - kLeft, kBar, "#ffffff", {"#767676", 1, "4 3"});
    svg.text({(kLeft + kRight) / 2, y + 15}, "left to the system",
             {.size = kFont, .anchor = Anchor::middle});
    return;
  }
  Bar bar(svg, y, whole);
  for (const NodePages& n : record.pages) {
    bar.add(n.asked, node_colour(n.node, nodes), fmt::format("node {}", n.node),
            fmt::format("{} pages asked on node {}", n.asked, n.node));
  }
}

/// Pages that were not asked where they are get a paler part beside the others of their node.
void draw_found(Svg& svg, const Record& record, double y, std::size_t whole,
                const std::set<int>& nodes) {
  svg.text({kLeft - 6, y + 15}, "found", {.size = kFont, .anchor = Anchor::end});
  const Totals totals = totals_of(record);
  Bar bar(svg, y, whole);
  for (const NodePages& n : record.pages) {
    const Colour colour = node_colour(n.node, nodes);
    const bool asked = totals.asked > 0;
    const std::size_t right = asked ? n.as_asked : n.there;
    const std::string name = fmt::format("node {}", n.node);
    bar.add(right, colour, name, fmt::format("{} pages on {}", right, name));
    bar.add(n.there - std::min(right, n.there), lighter(colour, 0.7), name + ", not asked",
            fmt::format("{} pages on {} that were asked elsewhere", n.there - right, name));
  }
  bar.add(whole - std::min(totals.there, whole), kElsewhere, "nowhere",
          "pages that are not in memory, or that the kernel did not tell");
  if (totals.asked > 0) {
    svg.text({kRight + 8, y + 15}, per_cent(totals.as_asked, totals.asked),
             {.size = kFont, .bold = true});
  }
}

/// For each policy and variant, the record with the most threads.
std::vector<std::size_t> shown_records(std::span<const Record> records,
                                       const std::vector<std::string>& variants) {
  std::vector<std::size_t> shown;
  for (std::size_t r = 0; r < records.size(); ++r) {
    if (records[r].pages.empty()) continue;
    const auto same = std::ranges::find_if(shown, [&](std::size_t s) {
      return records[s].policy == records[r].policy && variants[s] == variants[r];
    });
    if (same == shown.end()) {
      shown.push_back(r);
    } else if (records[r].threads > records[*same].threads) {
      *same = r;
    }
  }
  return shown;
}

Table pages_table(std::span<const Record> records, const std::vector<std::string>& variants) {
  const bool with_variant = std::ranges::any_of(variants, [](auto& v) { return !v.empty(); });
  std::vector<std::string> header = {"policy", "threads"};
  if (with_variant) header.push_back("variant");
  header.insert(header.end(), {"node", "asked", "found", "found and asked", "share as asked"});
  Table table(header);
  for (std::size_t r = 0; r < records.size(); ++r) {
    for (const NodePages& n : records[r].pages) {
      std::vector<std::string> row = {records[r].policy, std::to_string(records[r].threads)};
      if (with_variant) row.push_back(variants[r]);
      const bool asked = totals_of(records[r]).asked > 0;
      row.insert(row.end(), {std::to_string(n.node), asked ? std::to_string(n.asked) : "-",
                             std::to_string(n.there), asked ? std::to_string(n.as_asked) : "-",
                             per_cent(n.as_asked, n.asked)});
      table.add(row);
    }
  }
  return table;
}

/// A configuration's name above its two bars.
void draw_configuration(Svg& svg, const Record& record, const std::string& variant, double y,
                        const std::set<int>& nodes) {
  const Totals totals = totals_of(record);
  const std::size_t whole = std::max(totals.asked, totals.there);
  const std::string name = fmt::format("{}, {}{}{}", record.policy, thread_count(record.threads),
                                       variant.empty() ? "" : ", ", variant);
  svg.open_group("pages");
  svg.text({kLeft, y + 10}, fitted_text(name, kRight - kLeft, kFont, Weight::bold),
           {.size = kFont, .bold = true});
  draw_asked(svg, record, y + 18, whole, nodes);
  draw_found(svg, record, y + 18 + kBar + 3, whole, nodes);
  svg.close_group();
}

std::set<int> nodes_of(std::span<const Record> records) {
  std::set<int> nodes;
  for (const Record& record : records) {
    for (const NodePages& n : record.pages) nodes.insert(n.node);
  }
  return nodes;
}

constexpr const char* kCaption =
    "The bars of a configuration are its pages, in parts by node; a paler part is of pages that "
    "were "
    "asked on another node. The configuration with the most threads of each policy is drawn; the "
    "table holds all.";

}  // namespace

std::optional<Picture> pages_picture(const std::string& workload, std::span<const Record> records) {
  const auto variants = variants_of(records);
  const auto shown = shown_records(records, variants);
  if (shown.empty()) return std::nullopt;
  const std::set<int> nodes = nodes_of(records);
  const std::string title = fmt::format("Pages of {}: asked and found", workload);
  Svg svg(kWidth, kTop + kRow * static_cast<double>(shown.size()), title,
          "For each configuration two bars, of the nodes where pages were asked to be and of those "
          "where they were found. The table below holds the same figures.");
  svg.text({kRight + 8, 16}, "as asked", {.size = kFont, .bold = true});
  double y = kTop;
  for (std::size_t r : shown) {
    draw_configuration(svg, records[r], variants[r], y, nodes);
    y += kRow;
  }
  return Picture{title, kCaption, svg.inline_text(), pages_table(records, variants)};
}

}  // namespace kinjo
