#include "gemm/files/unit_reader.hpp"

#include <algorithm>
#include <utility>

#include "gemm/strips.hpp"

namespace kinjo::gemm {

namespace {

/// Brings pages by several threads, no two of which meet in a huge page.
void touch(const Buffer& buffer, TouchTasks& tasks) {
  constexpr std::size_t kPiece = std::size_t{32} << 20;
  const auto piece = [&](std::size_t i) {
    const std::size_t begin = i * kPiece;
    detail::touch_pages(static_cast<char*>(buffer.data()) + begin,
                        std::min(kPiece, buffer.size() - begin));
  };
  tasks.join(tasks.start({0, detail::ceil_div(buffer.size(), kPiece), piece, {}, {}}));
}

}  // namespace

Slots own_slots(std::size_t count, std::size_t bytes, std::span<const int> nodes,
                TouchTasks& tasks) {
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
  touch(*slots.buffer, tasks);
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
      slots_(std::move(slots)),
      fetches_(slots_.memory.size()) {}

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
  Fetch& fetch = this->fetch(number);
  char* const slot = slots_.memory[number % slots_.memory.size()];
  // What was there before is over, with the steps that used it.
  fetch.slices.clear();
  fetch.unit = uses_.unit(number);
  const PartRuns& runs = fetch.runs.emplace(matrix_.layout(), fetch.unit, shape_, slot);
  bytes_read_ += runs.block_bytes();
  const std::size_t pieces = runs.pieces(), slices = std::min(kSlices, pieces);
  const std::size_t step = uses_.first_step(number);
  fetch.slices.reserve(slices);  // each that is started must be known, or nobody waits for it
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
  const std::size_t needed = uses_.of_step(step);
  const std::size_t ahead = touch_ == Touch::ahead ? needed + slots_.ahead : needed + 1;
  while (started_ < std::min(ahead, uses_.fetches)) start(started_++);
}

const PartRuns& UnitReader::ready(Fetch& fetch, std::size_t lines) {
  const std::size_t last = lines == 0 ? 0 : fetch.runs->piece_of(lines - 1);
  for (const auto& slice : fetch.slices) {
    if (slice.first_piece <= last) tasks_.join(slice.ticket);
  }
  return *fetch.runs;
}

}  // namespace kinjo::gemm
