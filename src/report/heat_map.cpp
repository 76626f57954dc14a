#include "report/heat_map.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "base/contract.hpp"
#include "report/axes.hpp"
#include "report/legend.hpp"

namespace kinjo {

namespace {

constexpr std::size_t kMostInFullSize = 16;  // nodes; above, cells and their numbers are smaller
constexpr double kSize = 11;
constexpr double kMargin = 10;
constexpr double kScaleWidth = 14;
constexpr std::size_t kScaleSteps = 24;

using Getter = std::function<std::optional<Figure>(const NodePairProfile&)>;

struct Quantity {
  const char* title;
  Getter get;
};

std::vector<Quantity> quantities() {
  using Pair = NodePairProfile;
  return {
      {"idle latency", [](const Pair& p) { return p.latency_ns; }},
      {"read bandwidth, one thread", [](const Pair& p) { return p.one_thread.read; }},
      {"write bandwidth, one thread", [](const Pair& p) { return p.one_thread.write; }},
      {"copy bandwidth, one thread", [](const Pair& p) { return p.one_thread.copy; }},
      {"read bandwidth, all threads of a node", [](const Pair& p) { return p.all_threads.read; }},
      {"write bandwidth, all threads of a node", [](const Pair& p) { return p.all_threads.write; }},
      {"copy bandwidth, all threads of a node", [](const Pair& p) { return p.all_threads.copy; }},
      {"first touch, one thread", [](const Pair& p) { return p.first_touch; }}};
}

std::size_t rank(const std::vector<int>& numbers, int number) {
  return static_cast<std::size_t>(std::ranges::lower_bound(numbers, number) - numbers.begin());
}

struct Range {
  double low = 0;
  double high = 0;
  bool any = false;

  /// 0 at the least value, 1 at the greatest; the middle where all are alike.
  double share(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

Range range_of(const NodeMatrix& matrix) {
  Range range;
  for (const auto& cell : matrix.cells) {
    if (!cell) continue;
    const double value = cell->summary.median;
    range = {range.any ? std::min(range.low, value) : value,
             range.any ? std::max(range.high, value) : value, true};
  }
  return range;
}

std::string cell_text(const std::optional<Figure>& cell) {
  return cell ? short_number(cell->summary.median) : "-";
}

/// Where the parts of the picture lie.
struct Plan {
  double size = kSize;  ///< of the numbers
  double cell_width = 0;
  double cell_height = 0;
  double left = 0;  ///< of the first column
  double top = 0;   ///< of the first row
  double width = 0;
  double height = 0;
};

double widest_header(const NodeMatrix& matrix) {
  double widest = 0;
  for (int node : matrix.cpu_nodes) {
    widest = std::max(widest, text_width(std::to_string(node), kSize));
  }
  for (int node : matrix.memory_nodes) {
    widest = std::max(widest, text_width(std::to_string(node), kSize));
  }
  return widest;
}

Plan plan_for(const NodeMatrix& matrix) {
  Plan plan;
  const std::size_t columns = matrix.memory_nodes.size();
  const std::size_t rows = matrix.cpu_nodes.size();
  const bool full = std::max(columns, rows) <= kMostInFullSize;
  plan.size = full ? kSize : 9;
  const double header = widest_header(matrix);
  double widest = header;
  for (const auto& cell : matrix.cells) {
    widest = std::max(widest, text_width(cell_text(cell), plan.size));
  }
  plan.cell_width = full ? std::max(40.0, widest + 12) : widest + 8;
  plan.cell_height = full ? 30 : 20;
  plan.left = kMargin + 20 + header + 6;
  plan.top = kMargin + 24 + 18 + 18;
  plan.width = plan.cell_width * static_cast<double>(columns);
  plan.height = plan.cell_height * static_cast<double>(rows);
  return plan;
}

std::string cell_tip(const NodeMatrix& matrix, std::size_t row, std::size_t column) {
  const auto& cell = matrix.at(row, column);
  const std::string pair = fmt::format("threads on node {}, memory on node {}",
                                       matrix.cpu_nodes[row], matrix.memory_nodes[column]);
  if (!cell) return pair + ": not measured";
  const Summary& summary = cell->summary;
  return fmt::format("{}: {} {} ({} to {}, {} sample{}){}{}", pair, short_number(summary.median),
                     matrix.unit, short_number(summary.low), short_number(summary.high),
                     summary.count, summary.count == 1 ? "" : "s",
                     cell->warning.empty() ? "" : "; ", cell->warning);
}

void draw_cell(Svg& svg, const NodeMatrix& matrix, const Plan& plan, const Range& range,
               std::size_t row, std::size_t column) {
  const auto& cell = matrix.at(row, column);
  const Point corner{plan.left + plan.cell_width * static_cast<double>(column),
                     plan.top + plan.cell_height * static_cast<double>(row)};
  const Colour fill = cell ? share_colour(range.share(cell->summary.median)) : "#f4f4f4";
  svg.open_group("cell");
  svg.rectangle(corner, plan.cell_width, plan.cell_height, fill, {.colour = "#ffffff"},
                cell_tip(matrix, row, column));
  if (!cell) {
    draw_cross(svg, corner, plan.cell_width, plan.cell_height);
  } else {
    svg.text({corner.x + plan.cell_width / 2, corner.y + plan.cell_height / 2 + 4}, cell_text(cell),
             {.size = plan.size, .colour = ink_on(fill), .anchor = Anchor::middle});
  }
  if (cell && !cell->warning.empty()) {
    const double x = corner.x + plan.cell_width - 1;
    const double y = corner.y + 1;
    svg.area(std::array<Point, 3>{{{x - 8, y}, {x, y}, {x, y + 8}}}, "#d55e00", 1);
  }
  svg.close_group();
}

void draw_headers(Svg& svg, const NodeMatrix& matrix, const Plan& plan) {
  svg.text({kMargin, kMargin + 14}, fmt::format("{} ({})", matrix.title, matrix.unit),
           {.size = 13, .bold = true});
  svg.text({plan.left, plan.top - 22}, "memory on node", {.size = kSize});
  svg.text({kMargin + 10, plan.top}, "threads on node",
           {.size = kSize, .anchor = Anchor::end, .rotate = -90});
  for (std::size_t c = 0; c < matrix.memory_nodes.size(); ++c) {
    svg.text({plan.left + plan.cell_width * (static_cast<double>(c) + 0.5), plan.top - 6},
             std::to_string(matrix.memory_nodes[c]), {.size = kSize, .anchor = Anchor::middle});
  }
  for (std::size_t r = 0; r < matrix.cpu_nodes.size(); ++r) {
    svg.text({plan.left - 6, plan.top + plan.cell_height * (static_cast<double>(r) + 0.5) + 4},
             std::to_string(matrix.cpu_nodes[r]), {.size = kSize, .anchor = Anchor::end});
  }
}

constexpr double kLeastScaleHeight = 110;

/// From the greatest value above to the least one below.
void draw_scale(Svg& svg, const Plan& plan, const Range& range) {
  if (!range.any) return;
  const double x = plan.left + plan.width + 20;
  const double height = std::max(plan.height, kLeastScaleHeight);
  const std::size_t steps = range.high > range.low ? kScaleSteps : 1;
  const double step = height / static_cast<double>(steps);
  svg.open_group("scale");
  for (std::size_t i = 0; i < steps; ++i) {
    const double share = 1 - (static_cast<double>(i) + 0.5) / static_cast<double>(steps);
    svg.rectangle({x, plan.top + step * static_cast<double>(i)}, kScaleWidth, step,
                  share_colour(share), {.width = 0});
  }
  const auto label = [&](double value, double share) {
    svg.text({x + kScaleWidth + 5, plan.top + height * (1 - share) + 4}, short_number(value),
             {.size = kSize});
  };
  if (range.high > range.low) {
    const Scale scale(ScaleKind::linear, range.low, range.high, 0, 1);
    label(range.high, 1);
    label(range.low, 0);
    for (double tick : linear_ticks(range.low, range.high, 5)) {
      const double share = scale.at(tick);
      if (share > 0.15 && share < 0.85) label(tick, share);
    }
  } else {
    label(range.low, 0.5);
  }
  svg.close_group();
}

std::vector<LegendEntry> legend_for(const NodeMatrix& matrix) {
  std::vector<LegendEntry> entries;
  const auto& cells = matrix.cells;
  if (std::ranges::any_of(cells, [](const auto& cell) { return !cell; })) {
    entries.push_back({.fill = "#f4f4f4", .crossed = true, .text = "not measured"});
  }
  std::set<std::string> warnings;
  for (const auto& cell : cells) {
    if (cell && !cell->warning.empty()) warnings.insert(cell->warning);
  }
  for (const std::string& warning : warnings) {
    entries.push_back({.fill = "#d55e00", .text = "marked corner: " + warning});
  }
  return entries;
}

}  // namespace

std::vector<NodeMatrix> node_matrices(const NodesProfile& profile) {
  std::set<int> cpu_nodes;
  std::set<int> memory_nodes;
  for (const NodePairProfile& pair : profile.pairs) {
    cpu_nodes.insert(pair.cpu_node);
    memory_nodes.insert(pair.memory_node);
  }
  std::vector<NodeMatrix> matrices;
  for (const Quantity& quantity : quantities()) {
    NodeMatrix matrix{.title = quantity.title,
                      .cpu_nodes = {cpu_nodes.begin(), cpu_nodes.end()},
                      .memory_nodes = {memory_nodes.begin(), memory_nodes.end()}};
    matrix.cells.resize(cpu_nodes.size() * memory_nodes.size());
    bool any = false;
    for (const NodePairProfile& pair : profile.pairs) {
      const auto figure = quantity.get(pair);
      if (!figure) continue;
      any = true;
      matrix.unit = figure->unit;
      matrix.cells[rank(matrix.cpu_nodes, pair.cpu_node) * memory_nodes.size() +
                   rank(matrix.memory_nodes, pair.memory_node)] = figure;
    }
    if (any) matrices.push_back(std::move(matrix));
  }
  return matrices;
}

Svg heat_map_svg(const NodeMatrix& matrix) {
  KINJO_ASSERT(!matrix.cpu_nodes.empty() && !matrix.memory_nodes.empty());
  KINJO_ASSERT(matrix.cells.size() == matrix.cpu_nodes.size() * matrix.memory_nodes.size());
  const Plan plan = plan_for(matrix);
  const Range range = range_of(matrix);
  const auto legend = legend_for(matrix);
  const std::string title = fmt::format("{} ({})", matrix.title, matrix.unit);
  const double width =
      std::max(plan.left + plan.width + 20 + kScaleWidth + 5 + text_width("0.000123", kSize),
               kMargin + text_width(title, 13, Weight::bold)) +
      kMargin;
  const double below = plan.top + std::max(plan.height, kLeastScaleHeight) + 2 * kMargin;
  const std::string values = range.any ? fmt::format("From {} to {} {}.", short_number(range.low),
                                                     short_number(range.high), matrix.unit)
                                       : "Nothing was measured.";
  Svg svg(width, below + legend_height(legend, width - 2 * kMargin) + kMargin, title,
          fmt::format("A row for each of {} nodes with threads, a column for each of {} nodes with "
                      "memory. {}",
                      matrix.cpu_nodes.size(), matrix.memory_nodes.size(), values));
  draw_headers(svg, matrix, plan);
  for (std::size_t r = 0; r < matrix.cpu_nodes.size(); ++r) {
    for (std::size_t c = 0; c < matrix.memory_nodes.size(); ++c) {
      draw_cell(svg, matrix, plan, range, r, c);
    }
  }
  draw_scale(svg, plan, range);
  draw_legend(svg, {kMargin, below}, width - 2 * kMargin, legend);
  return svg;
}

Table heat_map_table(const NodeMatrix& matrix) {
  std::vector<std::string> header{fmt::format("threads on node ({})", matrix.unit)};
  for (int node : matrix.memory_nodes) header.push_back(fmt::format("memory on node {}", node));
  Table table(header);
  for (std::size_t r = 0; r < matrix.cpu_nodes.size(); ++r) {
    std::vector<std::string> row{std::to_string(matrix.cpu_nodes[r])};
    for (std::size_t c = 0; c < matrix.memory_nodes.size(); ++c) {
      row.push_back(cell_text(matrix.at(r, c)));
    }
    table.add(std::move(row));
  }
  return table;
}

}  // namespace kinjo
