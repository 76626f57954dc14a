#include "report/machine_svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

#include "base/contract.hpp"
#include "base/text.hpp"
#include "report/box_layout.hpp"
#include "report/legend.hpp"
#include "report/machine_text.hpp"

namespace kinjo {

namespace {

constexpr double kMargin = 10;
constexpr double kLeastWidth = 380;  // so that a legend can be read below one CPU
constexpr double kRowWidth = 1300;   // pictures lie side by side up to here
constexpr double kHeading = 22;
constexpr const char* kUnusable = "#d9d9d9";

const char* class_name(BoxKind kind) {
  static constexpr std::array kNames = {"machine", "package", "group", "cache",
                                        "core",    "cpu",     "memory"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// The threads of one mapping, to be shown on the CPUs; none for the machine by itself.
struct Threads {
  std::map<int, std::vector<const Place*>> on_cpu;
  std::map<int, Colour> colour;  ///< by CPU
};

struct Style {
  const Topology& machine;
  bool kinds = false;  ///< cores are of several kinds
  const Threads* threads = nullptr;
};

Colour kind_colour(int kind) {
  return lighter(category_colour(static_cast<std::size_t>(kind)), 0.65);
}

Colour memory_colour(const Node* node) {
  switch (node ? node->memory_kind : MemoryKind::none) {
    case MemoryKind::ordinary:
      return "#cfe3f2";
    case MemoryKind::high_bandwidth:
      return "#f7dfa5";
    case MemoryKind::non_volatile:
      return "#cdeadf";
    case MemoryKind::device:
      return "#eed7e4";
    case MemoryKind::none:
      break;
  }
  return "#ffffff";
}

Colour fill_of(const MachineBox& box, const Style& style) {
  switch (box.kind) {
    case BoxKind::package:
      return "#ededed";
    case BoxKind::core: {
      const Cpu* cpu = style.machine.find_cpu(box.cpus.first());
      return style.kinds && cpu ? kind_colour(cpu->kind) : Colour("#d5d5d5");
    }
    case BoxKind::cpu: {
      if (!box.allowed) return kUnusable;
      if (!style.threads) return "#ffffff";
      const auto found = style.threads->colour.find(box.number);
      return found == style.threads->colour.end() ? "#ffffff" : found->second;
    }
    case BoxKind::memory:
      return box.allowed ? memory_colour(style.machine.find_node(box.number)) : Colour(kUnusable);
    case BoxKind::group:
      return "#f8f8f8";
    default:
      return "#ffffff";
  }
}

/// The threads on a CPU, as far as they fit: `3`, `0,8`, `0,+3`.
std::string threads_label(const std::vector<const Place*>& places, double width, double size) {
  std::string all;
  for (const Place* place : places) {
    all += fmt::format("{}{}", all.empty() ? "" : ",", place->thread);
  }
  if (text_width(all, size, Weight::bold) <= width) return all;
  const std::string first = fmt::format("{},+{}", places[0]->thread, places.size() - 1);
  return text_width(first, size, Weight::bold) <= width ? first : fmt::format("×{}", places.size());
}

void draw_cpu_label(Svg& svg, const MachineBox& box, Point at, const Style& style) {
  const double middle = at.x + box.width / 2;
  const Colour ink = box.allowed ? ink_on(fill_of(box, style)) : Colour("#555555");
  if (!style.threads) {
    svg.text({middle, at.y + box.height / 2 + 4}, box.lines[0].text,
             {.size = kBoxTextSize, .colour = ink, .anchor = Anchor::middle});
    return;
  }
  const auto found = style.threads->on_cpu.find(box.number);
  if (found != style.threads->on_cpu.end()) {
    svg.text({middle, at.y + 14},
             threads_label(found->second, box.width - 2 * kBoxPad / 2, kBoxTextSize + 1),
             {.size = kBoxTextSize + 1, .colour = ink, .anchor = Anchor::middle, .bold = true});
  }
  svg.text({middle, at.y + box.height - 4}, box.lines[0].text,
           {.size = 8, .colour = ink, .anchor = Anchor::middle});
}

void draw_label(Svg& svg, const MachineBox& box, Point at) {
  double y = at.y + kBoxPad + 10.5;
  bool first = true;
  for (const BoxLine& line : box.lines) {
    const auto weight = first && box.kind != BoxKind::cache ? Weight::bold : Weight::normal;
    svg.text({at.x + kBoxPad, y},
             fitted_text(line.text, box.width - 2 * kBoxPad, kBoxTextSize, weight),
             {.size = kBoxTextSize, .bold = weight == Weight::bold});
    first = false;
    y += kBoxLineHeight;
  }
}

std::string tip_of(const MachineBox& box, const Style& style) {
  if (!style.threads || box.kind != BoxKind::cpu) return box.tip;
  const auto found = style.threads->on_cpu.find(box.number);
  if (found == style.threads->on_cpu.end()) return box.tip + "; no thread";
  std::vector<int> threads;
  for (const Place* place : found->second) threads.push_back(place->thread);
  return fmt::format("{}; thread{} {}", box.tip, threads.size() == 1 ? "" : "s",
                     fmt::join(threads, ", "));
}

/// A box with all in it, moved by `origin`.
void draw_box(Svg& svg, const MachineBox& box, Point origin, const Style& style) {
  const Point at{origin.x + box.x, origin.y + box.y};
  svg.open_group(class_name(box.kind));
  const Stroke stroke{.colour = "#666666",
                      .width = box.kind == BoxKind::core || box.kind == BoxKind::cpu ? 0.75 : 1,
                      .dashes = box.kind == BoxKind::group ? "4 3" : ""};
  svg.rectangle(at, box.width, box.height, fill_of(box, style), stroke, tip_of(box, style));
  if (!box.allowed && box.kind == BoxKind::cpu) draw_cross(svg, at, box.width, box.height);
  if (box.kind == BoxKind::cpu) {
    draw_cpu_label(svg, box, at, style);
  } else {
    draw_label(svg, box, at);
  }
  for (const MachineBox& memory : box.memory) draw_box(svg, memory, origin, style);
  for (const MachineBox& child : box.children) draw_box(svg, child, origin, style);
  svg.close_group();
}

std::string kind_name(const CoreKind& kind, std::size_t index) {
  return kind.name.empty() ? fmt::format("kind {}", index) : detail::printable(kind.name);
}

/// What holds for the machine, with or without threads on it.
std::vector<LegendEntry> machine_legend(const Topology& machine, MachineDetail detail) {
  std::vector<LegendEntry> entries;
  const auto kinds = machine.core_kinds();
  for (std::size_t k = 0; kinds.size() > 1 && k < kinds.size(); ++k) {
    entries.push_back({.fill = kind_colour(static_cast<int>(k)),
                       .text = fmt::format("cores of {}: CPUs {}", kind_name(kinds[k], k),
                                           folded_list(kinds[k].cpus))});
  }
  const bool all_nodes = std::ranges::all_of(machine.nodes(), &Node::allowed);
  if (!(machine.allowed_cpus() == machine.all_cpus()) || !all_nodes) {
    entries.push_back({.fill = kUnusable, .crossed = true, .text = "may not be used"});
  }
  if (detail == MachineDetail::compact) {
    for (std::string& sentence : private_caches(machine)) entries.push_back({.text = sentence});
  }
  return entries;
}

MachineDetail settled(const Topology& machine, std::optional<MachineDetail> detail) {
  constexpr std::size_t kMostCores = 32;
  if (detail) return *detail;
  std::map<std::pair<int, int>, bool> cores;
  for (const Cpu& cpu : machine.cpus()) cores[{cpu.package, cpu.core}] = true;
  return cores.size() > kMostCores ? MachineDetail::compact : MachineDetail::full;
}

std::string described(const std::vector<LegendEntry>& legend, std::string text) {
  for (const LegendEntry& entry : legend) text += "; " + entry.text;
  return text + '.';
}

/// The node's colour is that of its rank among the machine's nodes.
Colour node_colour(const Topology& machine, int number) {
  const auto nodes = machine.nodes();
  const auto found = std::ranges::find(nodes, number, &Node::node);
  if (found == nodes.end()) return "#ffffff";
  return lighter(category_colour(static_cast<std::size_t>(found - nodes.begin())), 0.3);
}

Threads threads_of(const Topology& machine, const Mapping& mapping, ThreadColour colour) {
  Threads threads;
  for (const Place& place : mapping) {
    threads.on_cpu[place.cpu].push_back(&place);
    // A CPU that was dealt several times keeps the colour of its first thread.
    const auto order = static_cast<double>(place.thread) /
                       static_cast<double>(std::max<std::size_t>(mapping.size() - 1, 1));
    threads.colour.try_emplace(place.cpu, colour == ThreadColour::order
                                              ? share_colour(order)
                                              : node_colour(machine, place.node));
  }
  return threads;
}

std::vector<LegendEntry> threads_legend(const Topology& machine, std::span<const Mapping> mappings,
                                        ThreadColour colour) {
  std::vector<LegendEntry> entries = {
      {.text = "in a CPU's box: the thread's number above, the CPU's below"}};
  if (std::ranges::any_of(mappings, [](const Mapping& m) { return m.rounds() > 1; })) {
    entries.push_back({.text = "×3, or 0,+2: three threads on one CPU"});
  }
  if (colour == ThreadColour::order) {
    entries.push_back({.fill = share_colour(0), .text = "first thread"});
    if (std::ranges::any_of(mappings, [](const Mapping& m) { return m.size() > 2; })) {
      entries.push_back({.fill = share_colour(0.5), .text = "thread in the middle"});
    }
    entries.push_back({.fill = share_colour(1), .text = "last thread"});
    return entries;
  }
  NodeSet seen;
  for (const Mapping& mapping : mappings) {
    for (int node : mapping.nodes()) {
      if (node >= 0) seen.insert(node);
    }
  }
  for (int node : seen) {
    entries.push_back({.fill = node_colour(machine, node), .text = fmt::format("node {}", node)});
  }
  return entries;
}

/// The widest label that a CPU gets under these mappings.
CpuBoxSize cpu_size(std::span<const Mapping> mappings) {
  std::size_t most = 0;
  for (const Mapping& mapping : mappings) most = std::max(most, mapping.size());
  const std::string widest(std::to_string(most).size(), '0');
  return {.width = std::max(26.0, text_width(widest, kBoxTextSize + 1, Weight::bold) + kBoxPad),
          .height = 30};
}

/// Pictures of one size in rows, as many beside each other as `kRowWidth` has room for.
struct Panels {
  double panel_width = 0;
  double panel_height = 0;  ///< with its heading
  std::size_t columns = 1;
  double width = 0;  ///< of all together, as the next
  double height = 0;

  Point corner(std::size_t i) const {
    return {kMargin + static_cast<double>(i % columns) * (panel_width + kMargin),
            kMargin + static_cast<double>(i / columns) * (panel_height + kMargin)};
  }
};

Panels panels_for(const MachineBox& root, std::size_t count) {
  Panels panels{.panel_width = root.width, .panel_height = root.height + kHeading};
  const auto fit = static_cast<std::size_t>((kRowWidth + kMargin) / (root.width + kMargin));
  panels.columns = std::clamp<std::size_t>(fit, 1, count);
  const std::size_t rows = (count + panels.columns - 1) / panels.columns;
  panels.width =
      std::max(kLeastWidth, static_cast<double>(panels.columns) * (root.width + kMargin) - kMargin);
  panels.height = static_cast<double>(rows) * (panels.panel_height + kMargin);
  return panels;
}

std::string heading_of(const Mapping& mapping) {
  return fmt::format("{}, {} thread{}", mapping.policy().name(), mapping.size(),
                     mapping.size() == 1 ? "" : "s");
}

void draw_mapping(Svg& svg, const Topology& machine, const MachineBox& root, const Mapping& mapping,
                  Point corner, ThreadColour colour) {
  const Threads threads = threads_of(machine, mapping, colour);
  svg.open_group("mapping");
  svg.text({corner.x, corner.y + 14},
           fitted_text(heading_of(mapping), root.width, 13, Weight::bold),
           {.size = 13, .bold = true});
  draw_box(svg, root, {corner.x, corner.y + kHeading},
           {.machine = machine, .kinds = machine.core_kinds().size() > 1, .threads = &threads});
  svg.close_group();
}

}  // namespace

Svg machine_svg(const Topology& machine, std::optional<MachineDetail> detail) {
  const MachineDetail drawn = settled(machine, detail);
  MachineBox root = machine_boxes(machine, drawn);
  arrange(root, {}, kLeastWidth);
  const auto legend = machine_legend(machine, drawn);
  const double below = legend.empty() ? 0 : legend_height(legend, root.width) + kMargin;
  Svg svg(root.width + 2 * kMargin, root.height + below + 2 * kMargin,
          "The machine: " + root.lines[0].text,
          described(legend, root.lines[1].text + ", as boxes within boxes"));
  draw_box(svg, root, {kMargin, kMargin},
           {.machine = machine, .kinds = machine.core_kinds().size() > 1});
  if (!legend.empty()) {
    draw_legend(svg, {kMargin, root.height + 2 * kMargin}, root.width, legend);
  }
  return svg;
}

Svg mappings_svg(const Topology& machine, std::span<const Mapping> mappings, ThreadColour colour) {
  KINJO_ASSERT(!mappings.empty() && std::ranges::all_of(mappings, &Mapping::binds));
  MachineBox root = machine_boxes(machine, MachineDetail::compact);
  const std::vector<BoxLine> about = std::exchange(root.lines, {});  // the heading stands for it
  arrange(root, cpu_size(mappings), kLeastWidth / 2);
  const Panels panels = panels_for(root, mappings.size());
  auto legend = threads_legend(machine, mappings, colour);
  std::ranges::move(machine_legend(machine, MachineDetail::compact), std::back_inserter(legend));
  std::string description = about[1].text + ", once for each of: ";
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    description += (i ? "; " : "") + heading_of(mappings[i]);
  }
  Svg svg(panels.width + 2 * kMargin,
          panels.height + legend_height(legend, panels.width) + 2 * kMargin,
          "Threads on the machine: " + about[0].text, described(legend, description));
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    draw_mapping(svg, machine, root, mappings[i], panels.corner(i), colour);
  }
  draw_legend(svg, {kMargin, panels.height + kMargin}, panels.width, legend);
  return svg;
}

Table mappings_table(std::span<const Mapping> mappings) {
  std::vector<std::string> header{"thread"};
  std::size_t most = 0;
  for (const Mapping& mapping : mappings) {
    header.push_back(fmt::format("CPU ({})", mapping.policy().name()));
    header.push_back(fmt::format("node ({})", mapping.policy().name()));
    most = std::max(most, mapping.size());
  }
  Table table(header);
  const auto number = [](int value) { return value < 0 ? "-" : std::to_string(value); };
  for (std::size_t thread = 0; thread < most; ++thread) {
    std::vector<std::string> row{std::to_string(thread)};
    for (const Mapping& mapping : mappings) {
      const bool there = thread < mapping.size();
      row.push_back(there ? number(mapping[thread].cpu) : "");
      row.push_back(there ? number(mapping[thread].node) : "");
    }
    table.add(std::move(row));
  }
  return table;
}

}  // namespace kinjo
