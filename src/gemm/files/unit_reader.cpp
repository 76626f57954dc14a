#include "gemm/files/unit_reader.hpp"

#include <algorithm>

namespace kinjo::gemm {

namespace {

std::size_t distinct(const std::vector<LinePart>& units) {
  std::vector<LinePart> seen;
  for (const LinePart& unit : units) {
    if (std::ranges::find(seen, unit) == seen.end()) seen.push_back(unit);
  }
  return seen.size();
}

}  // namespace

Slots own_slots(std::size_t count, std::size_t bytes, std::span<const int> nodes) {
  const AllocOptions options{.pages = Pages::transparent};
  Slots slots;
  slots.ahead = count;
  if (nodes.size() > 1) {
    NodeSet set;
    for (const int node : nodes) set.insert(node);
    slots.buffer = alloc_interleaved(set, count * bytes, options);
  } else {
    slots.buffer = alloc(count * bytes, options);
  }
  for (std::size_t i = 0; i < count; ++i) {
    slots.memory.push_back(static_cast<char*>(slots.buffer->data()) + i * bytes);
  }
  return slots;
}

UnitReader::UnitReader(const StoredMatrix& matrix, TouchTasks& tasks, const SlotShape& shape,
                       Slots slots, UnitUses uses, Touch touch)
    : matrix_(matrix),
      tasks_(tasks),
      shape_(shape),
      uses_(std::move(uses)),
      touch_(touch),
      slots_(std::move(slots)) {
  const auto& units = uses_.units;
  const bool all_stay = distinct(units) <= slots_.ahead;
  for (std::size_t step = 0; step < units.size(); ++step) {
    const auto is_same = [&](const Fetch& f) { return units[f.first_step] == units[step]; };
    const auto from = all_stay || fetches_.empty() ? fetches_.begin() : fetches_.end() - 1;
    const auto found = std::find_if(from, fetches_.end(), is_same);
    of_step_.push_back(static_cast<std::size_t>(found - fetches_.begin()));
    if (found == fetches_.end()) fetches_.push_back({step, {}, {}});
  }
}

UnitReader::~UnitReader() {
  // Tasks write to the slots.
  for (const Fetch& fetch : fetches_) {
    for (const auto& slice : fetch.slices) {
      try {
        tasks_.join(slice.ticket);
      } catch (...) {  // whoever needs the unit has been told
      }
    }
  }
}

void UnitReader::start(std::size_t number) {
  Fetch& fetch = fetches_[number];
  char* const slot = slots_.memory[number % slots_.memory.size()];
  const PartRuns& runs =
      fetch.runs.emplace(matrix_.layout(), uses_.units[fetch.first_step], shape_, slot);
  bytes_read_ += runs.bytes();
  const std::size_t pieces = runs.pieces(), slices = std::min(kSlices, pieces);
  const std::size_t step =
      uses_.together.empty() ? fetch.first_step : uses_.together[fetch.first_step];
  for (std::size_t i = 0; i < slices; ++i) {
    const std::size_t first = pieces * i / slices, end = pieces * (i + 1) / slices;
    const auto read = [this, &runs, first](std::size_t piece) {
      runs.for_each_run(first + piece, [this](const Run& run) {
        matrix_.read(run.offset, run.bytes, run.memory);
      });
    };
    fetch.slices.push_back(
        {first, tasks_.start({deadline_of(step, uses_.line_by_line ? i : 0),
                              end - first,
                              read,
                              {},
                              slots_.behind ? slots_.behind(number) : nullptr})});
  }
}

void UnitReader::advance(std::size_t step) {
  const std::size_t needed = of_step_[step];
  const std::size_t ahead = touch_ == Touch::ahead ? needed + slots_.ahead : needed + 1;
  while (started_ < std::min(ahead, fetches_.size())) start(started_++);
}

const PartRuns& UnitReader::ready(std::size_t step, std::size_t lines) {
  Fetch& fetch = fetches_[of_step_[step]];
  const std::size_t last = lines == 0 ? 0 : fetch.runs->piece_of(lines - 1);
  for (const auto& slice : fetch.slices) {
    if (slice.first_piece <= last) tasks_.join(slice.ticket);
  }
  return *fetch.runs;
}

}  // namespace kinjo::gemm
