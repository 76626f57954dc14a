// Two passes over the tree. From the leaves up, each box learns its natural size: its label, the
// boxes of its memory, and its children in rows of equal length. From the root down, each gets the
// size that its neighbours leave it: rows are as high as their highest box, and all widths of a
// box's rows grow by one factor, so that columns stay columns.

#include "report/box_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "report/markup.hpp"

namespace kinjo {

namespace {

constexpr double kShape = 1.6;  // the width of a box to its height, for reading on a screen
constexpr std::size_t kMostColumns = 64;

struct Grid {
  std::size_t columns = 1;
  double width = 0;
  double height = 0;
};

using Boxes = std::vector<MachineBox>;

double row_height(const Boxes& boxes, std::size_t begin, std::size_t end) {
  double height = 0;
  for (std::size_t i = begin; i < end; ++i) height = std::max(height, boxes[i].height);
  return height;
}

Grid grid_of(const Boxes& boxes, std::size_t columns) {
  Grid grid{.columns = columns};
  for (std::size_t begin = 0; begin < boxes.size(); begin += columns) {
    const std::size_t end = std::min(begin + columns, boxes.size());
    double width = kBoxGap * static_cast<double>(end - begin - 1);
    for (std::size_t i = begin; i < end; ++i) width += boxes[i].width;
    grid.width = std::max(grid.width, width);
    grid.height += row_height(boxes, begin, end) + (begin ? kBoxGap : 0);
  }
  return grid;
}

/// The rows that come nearest to the shape; places left empty in the last one count against it.
Grid best_grid(const Boxes& boxes) {
  Grid best;
  double least = INFINITY;
  for (std::size_t columns = 1; columns <= std::min(boxes.size(), kMostColumns); ++columns) {
    const Grid grid = grid_of(boxes, columns);
    const std::size_t rows = (boxes.size() + columns - 1) / columns;
    const auto places = static_cast<double>(rows * columns);
    const double empty = (places - static_cast<double>(boxes.size())) / places;
    const double cost = std::fabs(std::log2(grid.width / grid.height / kShape)) + 8 * empty;
    if (cost < least) {
      least = cost;
      best = grid;
    }
  }
  return best;
}

double label_height(const MachineBox& box) {
  return static_cast<double>(box.lines.size()) * kBoxLineHeight;
}

double label_width(const MachineBox& box) {
  double width = 0;
  for (const BoxLine& line : box.lines) {
    if (line.must_fit) {
      width = std::max(width, text_width(line.text, kBoxTextSize, Weight::bold));
    }
  }
  return width;
}

/// The widest label of each kind: boxes that hold the same are equally wide whatever their numbers.
using LabelWidths = std::array<double, 7>;

void find_widest(const MachineBox& box, LabelWidths& widths) {
  double& widest = widths[static_cast<std::size_t>(box.kind)];
  widest = std::max(widest, label_width(box));
  for (const MachineBox& memory : box.memory) find_widest(memory, widths);
  for (const MachineBox& child : box.children) find_widest(child, widths);
}

/// The boxes of memory, which are equally wide, in as many columns as `width` has room for.
Grid memory_grid(const Boxes& memory, double width) {
  const auto room = static_cast<std::size_t>((width + kBoxGap) / (memory[0].width + kBoxGap));
  return grid_of(memory, std::clamp<std::size_t>(room, 1, memory.size()));
}

void measure(MachineBox& box, const CpuBoxSize& cpu, const LabelWidths& labels) {
  const double label = labels[static_cast<std::size_t>(box.kind)];
  if (box.kind == BoxKind::cpu) {
    box.width = std::max(cpu.width, label + 2 * kBoxPad);
    box.height = cpu.height;
    return;
  }
  double inner = label;
  double height = box.lines.empty() ? 0 : label_height(box) + kBoxGap;
  for (MachineBox& child : box.children) measure(child, cpu, labels);
  for (MachineBox& memory : box.memory) {
    measure(memory, cpu, labels);
    inner = std::max(inner, memory.width);
  }
  if (!box.children.empty()) {
    const Grid grid = best_grid(box.children);
    inner = std::max(inner, grid.width);
    height += grid.height + kBoxGap;
  }
  if (!box.memory.empty()) height += memory_grid(box.memory, inner).height + kBoxGap;
  box.width = inner + 2 * kBoxPad;
  box.height = height - kBoxGap + 2 * kBoxPad;
}

void place(MachineBox& box);

/// Puts rows of `columns` boxes under each other from `y` on. Returns where they end.
double place_rows(Boxes& boxes, const Grid& grid, double x, double y, double width,
                  double extra_height) {
  const auto columns = static_cast<double>(grid.columns - 1);
  const double factor = (width - columns * kBoxGap) / (grid.width - columns * kBoxGap);
  for (std::size_t begin = 0; begin < boxes.size(); begin += grid.columns) {
    const std::size_t end = std::min(begin + grid.columns, boxes.size());
    const double height = row_height(boxes, begin, end) + extra_height;
    double at = x;
    for (std::size_t i = begin; i < end; ++i) {
      MachineBox& box = boxes[i];
      box.x = at;
      box.y = y;
      box.width *= factor;
      box.height = height;
      at += box.width + kBoxGap;
      place(box);
    }
    y += height + kBoxGap;
  }
  return y;
}

void place(MachineBox& box) {
  const double x = box.x + kBoxPad;
  const double width = box.width - 2 * kBoxPad;
  double y = box.y + kBoxPad + (box.lines.empty() ? 0 : label_height(box) + kBoxGap);
  if (!box.memory.empty()) {
    const Grid grid = memory_grid(box.memory, width);
    y = place_rows(box.memory, grid, x, y, width, 0);
  }
  if (box.children.empty()) return;
  const Grid grid = best_grid(box.children);
  const std::size_t rows = (box.children.size() + grid.columns - 1) / grid.columns;
  const double spare = std::max(0.0, box.y + box.height - kBoxPad - y - grid.height);
  const bool grows = box.children[0].kind != BoxKind::cpu;
  place_rows(box.children, grid, x, y, width, grows ? spare / static_cast<double>(rows) : 0);
}

}  // namespace

void arrange(MachineBox& root, const CpuBoxSize& cpu, double least_width) {
  LabelWidths labels{};
  find_widest(root, labels);
  measure(root, cpu, labels);
  root.width = std::max(root.width, least_width);
  root.x = 0;
  root.y = 0;
  place(root);
}

}  // namespace kinjo
