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
constexpr double kCellHeight = 74;
constexpr double kTop = 30;
constexpr double kRowHead = 26;
constexpr double kRow = kRowHead + kCellHeight + 12;
const Colour kGrey = "#e4e4e4";

std::string gain_text(double gain) { return fmt::format("{:.{}f} ×", gain, gain < 10 ? 2 : 0); }

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
  return cell.low == cell.high ? "" : fmt::format("{:.2f} to {:.2f}", cell.low, cell.high);
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
void draw_hatch(Svg& svg, double x, double y, double width) {
  for (double at = 8; at < width; at += 16) {
    const double reach = std::min(kCellHeight, at);
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

std::string cell_tip(const std::string& workload, const VerdictCell& cell) {
  std::string tip = fmt::format("{}, {}: {}", workload, cell.policy, state_text(cell.state));
  if (cell.best) tip += fmt::format(", {}, {}", where_text(cell), cell.median);
  if (cell.best && cell.state != State::alone) tip += ", " + gain_text(cell.gain);
  if (cell.failed) tip += "; " + failures_text(cell);
  return tip;
}

void draw_cell(Svg& svg, const std::string& workload, const VerdictCell& cell, double x, double y,
               double width) {
  const Colour fill = cell_colour(cell);
  const Colour ink = ink_on(fill);
  const bool empty = cell.state == State::failed || cell.state == State::not_measured;
  svg.open_group("cell");
  svg.rectangle({x, y}, width, kCellHeight, fill, {"#767676", 1, ""}, cell_tip(workload, cell));
  if (empty) draw_hatch(svg, x, y, width);
  const auto lines = cell_lines(cell);
  const double middle = x + width / 2;
  const double offsets[] = {28, 47, 64};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double size = i == 0 ? 19 : 13;
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

void draw_row(Svg& svg, const ReportSection& section, const std::vector<VerdictCell>& cells,
              double y, double width) {
  const std::string name = section.workload + ": " + judgement_of(section).metric;
  const double room = std::max(kLeastWidth, width * static_cast<double>(cells.size()));
  svg.text({1, y + 17}, fitted_text(name, room - 8, 14), {.size = 14});
  double x = 1;
  for (const VerdictCell& cell : cells) {
    draw_cell(svg, section.workload, cell, x, y + kRowHead, width - 6);
    x += width;
  }
}

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

Picture verdict_picture(std::span<const ReportSection> sections,
                        const std::vector<std::string>& policies) {
  const std::string title = "Every policy against the unpinned default";
  const auto columns = static_cast<double>(policies.size());
  const double whole = std::max(kLeastWidth, kLeastCell * columns);
  const double width = std::min(220.0, whole / columns);
  Svg svg(
      whole, kTop + kRow * static_cast<double>(sections.size()), title,
      "A row for each workload, a column for each policy: how many times as good as the default "
      "the policy's best configuration is. The table below holds the same figures.");
  Table table({"workload", "policy", "best configuration", "median", "times the default", "low",
               "high", "verdict", "failures"});
  for (std::size_t p = 0; p < policies.size(); ++p) {
    svg.text({width * (static_cast<double>(p) + 0.5), 18}, fitted_text(policies[p], width - 6, 14),
             {.size = 14, .anchor = Anchor::middle, .bold = true});
  }
  double y = kTop;
  for (const ReportSection& section : sections) {
    const auto cells = verdict_cells(section, policies);
    draw_row(svg, section, cells, y, width);
    add_rows(table, section.workload, cells);
    y += kRow;
  }
  return {title, kCaption, svg.inline_text(), table};
}

}  // namespace kinjo
