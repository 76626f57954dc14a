#include "report/timeline.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/contract.hpp"
#include "report/axes.hpp"
#include "report/legend.hpp"

namespace kinjo {

namespace {

using For = comm::Wait::For;

constexpr double kWidth = 900;
constexpr double kLeft = 66;
constexpr double kRight = kWidth - 20;
constexpr double kTop = 14;
constexpr double kHead = 22;  ///< above the lanes of a run
constexpr double kFoot = 52;  ///< the axis
constexpr double kGap = 5;    ///< between runs
constexpr double kFont = 12;
constexpr const char* kWork = "#e8e8e8";
/// Waits nearer than this are drawn as one: nobody could tell them apart.
constexpr double kPixel = 0.4;

struct Kind {
  For what;
  const char* name;
  std::size_t colour;  ///< of `category_colour`
};
constexpr std::array kKinds = {Kind{For::flag, "flag", 5}, Kind{For::completion, "completion", 2},
                               Kind{For::barrier, "barrier", 4}, Kind{For::message, "message", 1}};

const Kind& kind_of(For what) { return *std::ranges::find(kKinds, what, &Kind::what); }

std::size_t lanes_of(const Timeline& run) { return std::min(run.cells.size(), kMostLanes); }

double lane_height(const std::vector<Timeline>& runs) {
  std::size_t most = 1;
  for (const Timeline& run : runs) most = std::max(most, lanes_of(run));
  return most <= 8 ? 22 : most <= 16 ? 16 : 10;
}

double milliseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

/// The end of the axis, in milliseconds.
double end_of(const std::vector<Timeline>& runs) {
  double end = 1e-3;
  for (const Timeline& run : runs) end = std::max(end, run.seconds * 1e3);
  return end;
}

/// A wait as it is drawn: several that are too near to each other are one.
struct Bar {
  For what;
  double from, to;         ///< coordinates
  double begin, duration;  ///< milliseconds
};

std::vector<Bar> bars_of(const std::vector<comm::Wait>& waits, const Scale& scale, double end) {
  std::vector<Bar> bars;
  for (const comm::Wait& wait : waits) {
    const double begin = milliseconds(wait.begin_ns);
    if (begin >= end) continue;  // of the end of the measurement, not of the run
    const double stop = std::min(milliseconds(wait.end_ns), end);
    const Bar bar{wait.what, scale.at(begin), scale.at(stop), begin, stop - begin};
    if (!bars.empty() && bars.back().what == bar.what && bar.from - bars.back().to < kPixel) {
      bars.back().to = std::max(bars.back().to, bar.to);
      bars.back().duration += bar.duration;
    } else {
      bars.push_back(bar);
    }
  }
  return bars;
}

void draw_lane(Svg& svg, std::size_t cell, const std::vector<comm::Wait>& waits, const Scale& scale,
               double end, Point corner, double height) {
  svg.open_group("lane");
  svg.rectangle(corner, scale.at(end) - corner.x, height - 2, kWork, {.width = 0});
  for (const Bar& bar : bars_of(waits, scale, end)) {
    svg.rectangle(
        {bar.from, corner.y}, std::max(bar.to - bar.from, kPixel), height - 2,
        category_colour(kind_of(bar.what).colour), {.width = 0},
        fmt::format("cell {} waits for a {}: {} ms, from {} ms on", cell, kind_of(bar.what).name,
                    short_number(bar.duration), short_number(bar.begin)));
  }
  if (height >= kFont || cell % 4 == 0) {
    svg.text({kLeft - 6, corner.y + height / 2 + 3}, fmt::format("cell {}", cell),
             {.size = std::min(kFont, height + 1), .anchor = Anchor::end});
  }
  svg.close_group();
}

void draw_axis(Svg& svg, const Scale& scale, double top, double bottom) {
  const auto ticks = linear_ticks(0, scale.high(), 9);
  const auto texts = tick_texts(ticks);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double x = scale.at(ticks[i]);
    svg.line({x, top}, {x, bottom + 4}, {.colour = "#767676", .width = 0.5, .dashes = "2 3"});
    svg.text({x, bottom + 18}, texts[i], {.size = kFont, .anchor = Anchor::middle});
  }
  svg.text({(kLeft + kRight) / 2, bottom + 34}, "milliseconds",
           {.size = kFont, .anchor = Anchor::middle});
}

std::vector<LegendEntry> legend() {
  std::vector<LegendEntry> entries = {{kWork, false, "its own work"}};
  for (const Kind& kind : kKinds) {
    entries.push_back(
        {category_colour(kind.colour), false, fmt::format("waits for a {}", kind.name)});
  }
  return entries;
}

/// The legend in a line, below the axis.
void draw_legend_line(Svg& svg, double y) {
  double x = kLeft;
  for (const LegendEntry& entry : legend()) {
    draw_legend(svg, {x, y}, 160, {entry});
    x += 162;
  }
}

double run_height(const Timeline& run, double lane) {
  return kHead + lane * static_cast<double>(lanes_of(run)) + kGap;
}

std::string run_name(const Timeline& run) {
  std::string name = fmt::format("{}: {} ms", run.name, short_number(run.seconds * 1e3));
  if (run.cells.size() > kMostLanes) {
    name += fmt::format("; the first {} of {} cells", kMostLanes, run.cells.size());
  }
  return name;
}

}  // namespace

Svg timeline_svg(const std::string& title, const std::vector<Timeline>& runs) {
  KINJO_ASSERT(!runs.empty());
  const double lane = lane_height(runs), end = end_of(runs);
  double bottom = kTop;
  for (const Timeline& run : runs) bottom += run_height(run, lane);
  Svg svg(kWidth, bottom + kFoot + 24, title,
          "For each cell a lane over time, grey where it works and coloured where it waits. The "
          "table of the same figures says how long each waited.");
  const Scale scale(ScaleKind::linear, 0, end, kLeft, kRight);
  double y = kTop;
  for (const Timeline& run : runs) {
    svg.text({kLeft, y + 14}, run_name(run), {.size = kFont + 1, .bold = true});
    for (std::size_t c = 0; c < lanes_of(run); ++c) {
      draw_lane(svg, c, run.cells[c], scale, std::min(end, run.seconds * 1e3),
                {kLeft, y + kHead + lane * static_cast<double>(c)}, lane);
    }
    y += run_height(run, lane);
  }
  draw_axis(svg, scale, kTop + kHead, bottom - kGap);
  draw_legend_line(svg, bottom + kFoot - 8);
  return svg;
}

Table timeline_table(const std::vector<Timeline>& runs) {
  std::vector<std::string> header = {"run", "cell"};
  for (const Kind& kind : kKinds) header.push_back(fmt::format("{}, ms", kind.name));
  header.push_back("waiting, %");
  Table table(header);
  for (const Timeline& run : runs) {
    for (std::size_t c = 0; c < run.cells.size(); ++c) {
      std::vector<std::string> row = {run.name, std::to_string(c)};
      double all = 0;
      for (const Kind& kind : kKinds) {
        double sum = 0;
        for (const comm::Wait& wait : run.cells[c]) {
          if (wait.what == kind.what) sum += milliseconds(wait.end_ns - wait.begin_ns);
        }
        row.push_back(fmt::format("{:.3f}", sum));
        all += sum;
      }
      row.push_back(fmt::format("{:.1f}", run.seconds > 0 ? all / run.seconds / 10 : 0.0));
      table.add(row);
    }
  }
  return table;
}

Picture timeline_picture(const std::string& title, const std::vector<Timeline>& runs) {
  return {title,
          "The last round of each form. A cell that waits has a colour by what it waits for; waits "
          "of less than a microsecond are not noted.",
          timeline_svg(title, runs).inline_text(), timeline_table(runs)};
}

}  // namespace kinjo
