/// An operand in a file, brought into memory unit by unit ahead of its use.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <kinjo/memory.hpp>

#include "gemm/files/runs.hpp"
#include "gemm/files/touch_tasks.hpp"

namespace kinjo::gemm {

/// Whether units are fetched while others are multiplied, or only when they are needed.
enum class Touch { ahead, when_needed };

/// The slots of an operand, which its units use in turn.
struct Slots {
  std::vector<char*> memory;
  std::size_t ahead = 0;         ///< how many are filled at a time: the one that is used and others
  std::optional<Buffer> buffer;  ///< of slots that are its own
  /// What must be done before unit i may come; none where it is not given.
  std::function<TouchTasks::Ticket(std::size_t)> behind;
};
/// `count` slots of so many bytes, which are whole blocks: side by side in huge pages where there
/// are any, in turn on `nodes` if they are several. `tasks` bring their pages.
Slots own_slots(std::size_t count, std::size_t bytes, std::span<const int> nodes,
                TouchTasks& tasks);

/// What steps use of an operand, and when. Units are fetched in the order in which steps use them
/// first.
struct UnitUses {
  std::size_t fetches = 0;
  std::function<std::size_t(std::size_t)> of_step;     ///< the fetch that a step uses
  std::function<LinePart(std::size_t)> unit;           ///< what a fetch brings
  std::function<std::size_t(std::size_t)> first_step;  ///< with which a fetch must be there
  bool line_by_line = false;  ///< the lines of a unit are needed one after another
};

/// Parts of a unit that can be waited for.
inline constexpr std::size_t kSlices = 32;
/// The deadline of what is needed with a step, or with one of its slices.
constexpr std::size_t deadline_of(std::size_t step, std::size_t slice = 0) {
  return step * kSlices + slice;
}

class UnitReader {
 public:
  /// Units of steps come to slots of `shape`. With fewer slots than fetches the slots are used in
  /// turn. Keeps references to `matrix`, `tasks` and the slots' memory.
  UnitReader(const StoredMatrix& matrix, TouchTasks& tasks, const SlotShape& shape, Slots slots,
             UnitUses uses, Touch touch);
  ~UnitReader();
  UnitReader(const UnitReader&) = delete;
  UnitReader& operator=(const UnitReader&) = delete;

  /// Starts to fetch what step `step` uses, and ahead of it what there are slots for. The steps
  /// before must be over.
  void advance(std::size_t step);
  /// Waits for what holds part `part` of a step's unit, and returns it. Throws what reading threw.
  template <class T>
  View<const T> part(std::size_t step, const LinePart& part) {
    Fetch& fetch = this->fetch(uses_.of_step(step));
    const LinePart& unit = fetch.unit;
    const PartRuns& runs = ready(fetch, part.lines.end - unit.lines.begin);
    const std::size_t e = matrix_.layout().element_bytes;
    const char* first = runs.data() + (part.lines.begin - unit.lines.begin) * runs.leading() +
                        (part.elements.begin - unit.elements.begin) * e;
    const std::size_t lines = part.lines.size(), elements = part.elements.size();
    const bool by_rows = matrix_.order() == Order::row_major;
    return {reinterpret_cast<const T*>(first), by_rows ? lines : elements,
            by_rows ? elements : lines, matrix_.order(), runs.leading() / e};
  }
  /// Bytes of the units that have been asked for.
  std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  struct Fetch {
    LinePart unit;
    std::optional<PartRuns> runs;
    struct Slice {
      std::size_t first_piece;
      TouchTasks::Ticket ticket;
    };
    std::vector<Slice> slices;  ///< in the order of the file
  };
  Fetch& fetch(std::size_t number) { return fetches_[number % fetches_.size()]; }
  void start(std::size_t number);
  /// The runs of a unit, of which so many lines are there.
  const PartRuns& ready(Fetch& fetch, std::size_t lines);

  const StoredMatrix& matrix_;
  TouchTasks& tasks_;
  SlotShape shape_;
  UnitUses uses_;
  Touch touch_;
  Slots slots_;
  std::vector<Fetch> fetches_;  ///< the last one of each slot
  std::size_t started_ = 0;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace kinjo::gemm
