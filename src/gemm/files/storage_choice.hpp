/// The storage loops for matrices that memory does not hold.
///
/// C is cut into panels of mc × nc, the inner dimension into blocks of kc. A panel of C stays in
/// memory while A and B stream past it in *units*, each in one of these forms:
///
/// | form | a unit of A | of B | times A is read | times B is read |
/// | --- | --- | --- | --- | --- |
/// | step | mc × kc | kc × nc | N | M |
/// | long | mc × k | k × nc | 1 if m is outside, else N | 1 if n is outside, else M |
/// | kept | all of them stay | | 1 | 1 |
///
/// where M, N are the numbers of panels of C along m and n. There are two units of an operand in
/// memory (one that is used, one that comes), and two panels of C (one that is computed, one that
/// is written). Where every panel of C has a long unit of its own, the two take turns in three
/// slots: one for the unit that is used, one for the panel that is computed, and one for the panel
/// before it until that is written, and then for the unit that comes. A disk serves runs of bytes:
/// a unit of whole lines is one run, any other a run for each line, and beginning a run costs as
/// much as kRunBytes. Of all forms, orders and sizes that fit the memory, the one with the least
///
///     max(work, moved − first − last) + first + last + moved / 16
///
/// is taken, with the sections that are best for a step, or in halves or quarters, whose copies
/// take less; in bytes: moved = bytes read and written + kRunBytes · runs; first: what must be read
/// before anything can be computed; last: the last panel of C; work = (1 + 64/mc + 64/nc +
/// (parts − 1)/50) ·
/// 2mnk / (40 · threads · 8/e): as many bytes as a disk of 2 GB/s moves during the multiplication
/// at 80 GFLOP/s for each thread, and copying an operand for a step costs as much as 64 rows or
/// columns of it. None of it is measured, so that the same matrices, threads and limit give the
/// same plan.
#pragma once

#include <cstdint>

#include <kinjo/gemm_plan.hpp>

#include "gemm/files/stored_matrix.hpp"

namespace kinjo::gemm {

/// What beginning a run of bytes costs, in bytes (docs/gemm_files.md has the measurement).
inline constexpr std::size_t kRunBytes = 64 << 10;
/// The longest run that is asked for at once.
inline constexpr std::size_t kLongestRun = 2 << 20;

/// How a part of a file lies in memory. Lines begin at addresses that are congruent to their
/// offsets in the file modulo `kDirectBlock`, with room for the blocks around their ends.
struct SlotShape {
  std::size_t lines = 0;
  std::size_t leading = 0;  ///< bytes from line to line
  std::size_t bytes = 0;    ///< of all, in whole blocks
  bool is_one_run = false;  ///< whole lines: the run goes on from line to line
};
SlotShape slot_shape(const FileLayout& layout, std::size_t lines, std::size_t elements);

/// One cut of a product, and what it costs.
struct StorageChoice {
  std::size_t mc = 0, nc = 0, kc = 0;
  Dimension outer = Dimension::m;  ///< m: panels of C row by row; n: column by column
  struct Form {
    bool is_long = false, is_kept = false;
    bool operator==(const Form&) const = default;
  } a, b;
  std::size_t parts = 1;  ///< in which a section is done that would be best for a step

  // Made by `evaluate`:
  std::size_t a_slots = 0, b_slots = 0, c_slots = 0;
  bool takes_turns = false;  ///< the outer operand's units and C's panels do
  static constexpr std::size_t kTurnSlots = 3;
  std::size_t copies_bytes = 0;  ///< into which the loops inside pack a step's operands
  std::size_t memory_bytes = 0;  ///< of all slots, and of these copies
  double read_bytes = 0, written_bytes = 0, runs = 0;
  double first_bytes = 0, last_bytes = 0;  ///< what cannot be hidden

  double moved() const {
    return read_bytes + written_bytes + static_cast<double>(kRunBytes) * runs;
  }
  /// The cost above; smaller is better.
  double cost(const Problem& problem) const;
  /// R loops of this cut around those of `inside`, or around the plan for one step if it has none.
  Plan plan(const Problem& problem, const Plan& inside = {}) const;
};

/// Fills in what the cut of `choice` costs, with the loops of `inside` in a step, or those that are
/// chosen for it if there are none.
void evaluate(StorageChoice& choice, const Problem& problem, const Plan& inside = {});

/// The best cut whose panels and copies take at most `budget` bytes, which are at least
/// `least_storage`. If `plan` has storage loops, the cut is theirs. Throws `Error`: `bad_input` if
/// one over k has another inside, `out_of_memory` if nothing fits.
StorageChoice choose_storage(const Problem& problem, const Plan& plan, std::size_t budget);
/// Bytes of the panels and copies of the smallest cut, or of that of a plan's storage loops.
std::size_t least_storage(const Problem& problem, const Plan& plan = {});

/// Bytes that a plan's copies take, on all threads and nodes.
std::size_t copies_bytes(const Problem& problem, const Plan& plan);

}  // namespace kinjo::gemm
