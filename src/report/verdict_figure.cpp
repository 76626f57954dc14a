#include "report/verdict_figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "measure/statistics.hpp"
#include "report/axes.hpp"
#include "report/configuration.hpp"
#include "report/svg.hpp"

namespace kinjo {

namespace {

using State = VerdictCell::State;

constexpr double kLeastWidth = 820;
constexpr double kLeastCell = 130;
constexpr double kTop = 30;
const Colour kGrey = "#e4e4e4";

/// Where things lie. Few workloads have high cells below their names; many have low ones beside
/// them, so that all are seen at once.
struct Layout {
  bool low = false;
  double names = 0;      ///< width of their column
  double row_head = 26;  ///< height of a name above its row
  double cell_height = 74;
  double row = 112;  ///< from one row to the next
};
constexpr std::size_t kMostHighRows = 3;
constexpr Layout kHigh{};
constexpr Layout kLow{true, 118, 0, 46, 52};

const Layout& layout_of(std::size_t sections) { return sections > kMostHighRows ? kLow : kHigh; }

/// Large numbers without decimals.
std::string short_gain(double gain) { return fmt::format("{:.{}f}", gain, gain < 10 ? 2 : 0); }

std::string gain_text(double gain) { return short_gain(gain) + " ×"; }

std::string state_text(State state) {
  switch (state) {
    case State::better:
      return "better";
    case State::worse:
      return "worse";
    case State::no_difference:
      return "no difference";
    case State::unconfirmed:
      return "not confirmed";
    case State::alone:
      return "no default to compare with";
    case State::baseline:
      return "the default";
    case State::failed:
      return "failed";
    case State::not_measured:
      break;
  }
  return "not measured";
}

/// The configuration of a cell, beside its policy's name.
std::string where_text(const VerdictCell& cell) {
  const Record& best = *cell.best;
  return thread_count(best.threads) + (best.memory.empty() ? "" : ", " + best.memory) +
         (best.policy == cell.policy ? "" : ", as " + best.policy);
}

std::string bounds_text(const VerdictCell& cell) {
  if (cell.low == cell.high) return "";
  return fmt::format("{} to {}", short_gain(cell.low), short_gain(cell.high));
}

std::string failures_text(const VerdictCell& cell) {
  if (cell.failed == 0) return "";
  return fmt::format("{} failed: {}", cell.failed, fmt::join(cell.failures, "; "));
}

Colour cell_colour(const VerdictCell& cell) {
  switch (cell.state) {
    case State::better:
    case State::worse:
      return gain_colour(cell.gain);
    case State::unconfirmed:
      return lighter(gain_colour(cell.gain), 0.65);
    case State::no_difference:
      return kGrey;
    default:
      return "#ffffff";
  }
}

/// Lines across a cell without a result, told from a pale colour in print.
void draw_hatch(Svg& svg, double x, double y, double width, double height) {
  for (double at = 8; at < width; at += 16) {
    const double reach = std::min(height, at);
    svg.line({x + at, y}, {x + at - reach, y + reach}, {"#bbbbbb", 1, ""});
  }
}

/// What a cell says, line by line; the second and third are small.
std::array<std::string, 3> cell_lines(const VerdictCell& cell) {
  const std::string note = cell.failed ? fmt::format(" ({} failed)", cell.failed) : "";
  switch (cell.state) {
    case State::failed:
      return {"failed", "see the table", ""};
    case State::not_measured:
      return {"–", "not measured", ""};
    case State::alone:
      return {cell.median, "no default" + note, where_text(cell)};
    case State::baseline:
      return {"1 ×", "the default" + note, where_text(cell)};
    case State::no_difference:
    case State::unconfirmed:
      return {gain_text(cell.gain), state_text(cell.state) + note, where_text(cell)};
    case State::better:
    case State::worse:
      return {(cell.state == State::better ? "▲ " : "▼ ") + gain_text(cell.gain),
              bounds_text(cell) + note, where_text(cell)};
  }
  return {};
}

/// The same in two lines.
std::array<std::string, 3> low_cell_lines(const VerdictCell& cell) {
  const auto [first, second, third] = cell_lines(cell);
  if (!cell.best) return {first, second, ""};
  return {first, second.empty() ? third : second + ", " + thread_count(cell.best->threads), ""};
}

std::string cell_tip(const std::string& workload, const VerdictCell& cell) {
  std::string tip = fmt::format("{}, {}: {}", workload, cell.policy, state_text(cell.state));
  if (cell.best) tip += fmt::format(", {}, {}", where_text(cell), cell.median);
  if (cell.best && cell.state != State::alone) tip += ", " + gain_text(cell.gain);
  if (cell.failed) tip += "; " + failures_text(cell);
  return tip;
}

void draw_cell(Svg& svg, const std::string& workload, const VerdictCell& cell, double x, double y,
               double width, const Layout& layout) {
  const Colour fill = cell_colour(cell);
  const Colour ink = ink_on(fill);
  const bool empty = cell.state == State::failed || cell.state == State::not_measured;
  svg.open_group("cell");
  svg.rectangle({x, y}, width, layout.cell_height, fill, {"#767676", 1, ""},
                cell_tip(workload, cell));
  if (empty) draw_hatch(svg, x, y, width, layout.cell_height);
  const auto lines = layout.low ? low_cell_lines(cell) : cell_lines(cell);
  const double middle = x + width / 2;
  const auto offsets = layout.low ? std::array{20.0, 38.0, 0.0} : std::array{28.0, 47.0, 64.0};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double size = i == 0 ? (layout.low ? 16 : 19) : (layout.low ? 12 : 13);
    const auto weight = i == 0 ? Weight::bold : Weight::normal;
    if (empty && !lines[i].empty()) {
      const double wide = text_width(lines[i], size, weight) + 8;
      svg.rectangle({middle - wide / 2, y + offsets[i] - size}, wide, size + 5, "#ffffff",
                    {"", 0, ""});
    }
    svg.text({middle, y + offsets[i]}, fitted_text(lines[i], width - 8, size, weight),
             {.size = size, .colour = ink, .anchor = Anchor::middle, .bold = i == 0});
  }
  svg.close_group();
}

void add_rows(Table& table, const std::string& workload, const std::vector<VerdictCell>& cells) {
  for (const VerdictCell& cell : cells) {
    const bool compared = cell.best && cell.state != State::baseline && cell.state != State::alone;
    const auto number = [&](double value) {
      return compared ? fmt::format("{:.3f}", value) : std::string("-");
    };
    table.add({workload, cell.policy, cell.best ? where_text(cell) : "-",
               cell.best ? cell.median : "-", number(cell.gain), number(cell.low),
               number(cell.high), state_text(cell.state), failures_text(cell)});
  }
}

/// Of a column at the left: the workload, and below it what it is judged by.
void draw_low_name(Svg& svg, const ReportSection& section, double y) {
  const double room = kLow.names - 8;
  svg.text({1, y + 20}, fitted_text(section.workload, room, 14, Weight::bold),
           {.size = 14, .bold = true});
  svg.text({1, y + 38}, fitted_text(judgement_of(section).metric, room, 12), {.size = 12});
}

void draw_row(Svg& svg, const ReportSection& section, const std::vector<VerdictCell>& cells,
              double y, double width, const Layout& layout) {
  if (layout.low) {
    draw_low_name(svg, section, y);
  } else {
    const std::string name = section.workload + ": " + judgement_of(section).metric;
    const double room = std::max(kLeastWidth, width * static_cast<double>(cells.size()));
    svg.text({1, y + 17}, fitted_text(name, room - 8, 14), {.size = 14});
  }
  double x = 1 + layout.names;
  for (const VerdictCell& cell : cells) {
    draw_cell(svg, section.workload, cell, x, y + layout.row_head, width - 6, layout);
    x += width;
  }
}

constexpr const char* kTitle = "Every policy against the unpinned default";

constexpr const char* kCaption =
    "Each cell: the policy's best median over numbers of threads and memory policies, as a "
    "multiple "
    "of the default's, with 95 % bounds. Blue (▲) is better, orange (▼) is worse, grey is no "
    "measurable difference. Pale cells are not confirmed: every round showed it, but they are "
    "fewer "
    "than six, or the very rounds that the best was chosen by; only the gain of the best "
    "configuration is from rounds that had no part in choosing it. “As scatter” stands where a "
    "policy holds the threads to the same CPUs as scatter, and so was not run again.";

}  // namespace

Colour gain_colour(double gain) {
  const double share = std::clamp(std::fabs(std::log2(gain)), 0.0, 1.0);
  // Even a small gain that is real must be told from white.
  return lighter(gain >= 1 ? "#2166ac" : "#b35806", 0.8 * (1 - share));
}

Svg verdict_svg(std::span<const ReportSection> sections, const std::vector<std::string>& policies) {
  const Layout& layout = layout_of(sections.size());
  const auto columns = static_cast<double>(policies.size());
  const double whole = std::max(kLeastWidth, layout.names + kLeastCell * columns);
  const double width = std::min(220.0, (whole - layout.names) / columns);
  Svg svg(
      whole, kTop + layout.row * static_cast<double>(sections.size()), kTitle,
      "A row for each workload, a column for each policy: how many times as good as the default "
      "the policy's best configuration is. The table below holds the same figures.");
  for (std::size_t p = 0; p < policies.size(); ++p) {
    svg.text({layout.names + width * (static_cast<double>(p) + 0.5), 18},
             fitted_text(policies[p], width - 6, 14),
             {.size = 14, .anchor = Anchor::middle, .bold = true});
  }
  double y = kTop;
  for (const ReportSection& section : sections) {
    draw_row(svg, section, verdict_cells(section, policies), y, width, layout);
    y += layout.row;
  }
  return svg;
}

Picture verdict_picture(std::span<const ReportSection> sections,
                        const std::vector<std::string>& policies) {
  Table table({"workload", "policy", "best configuration", "median", "times the default", "low",
               "high", "verdict", "failures"});
  for (const ReportSection& section : sections) {
    add_rows(table, section.workload, verdict_cells(section, policies));
  }
  return {kTitle, kCaption, verdict_svg(sections, policies).inline_text(), table};
}

}  // namespace kinjo
