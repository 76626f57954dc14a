/// The loop nest of a matrix product as data (S3 section 2: R/S/P///C).
///
/// C ← αAB + βC is cut by loops over rows m, columns n and the inner dimension k. Each loop has a
/// letter for the level of memory that its block is to stay in:
///
/// | letter | level | what it does |
/// | --- | --- | --- |
/// | `R` | storage | cuts the matrices into what memory holds at a time |
/// | `N` | node | a panel of A or B, copied once for each node and shared by its threads (L3) |
/// | `M` | machine | the same with one copy for all nodes |
/// | `S` | section | a block of A or B, copied for one thread, or for those that share it (L2) |
/// | `C` | cache | the run of the inner dimension of which a strip stays in L1 |
/// | `P` | parallel | starts tasks, one for each stroke behind it |
/// | `V` | vector registers | a tile of C |
///
/// As text: `N(n=4080)/C(k=256)/P(m)//S(m=120)/V(n)/V(m)`, outermost first. docs/gemm.md has the
/// grammar and an example of each order.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kinjo/cache_sizes.hpp>
#include <kinjo/partition.hpp>
#include <kinjo/topology.hpp>

namespace kinjo::gemm {

/// How a matrix lies in memory.
enum class Order {
  row_major,     ///< element (i, j) at [i·ld + j]
  column_major,  ///< element (i, j) at [j·ld + i]
};
const char* to_string(Order order) noexcept;

/// C is m × n, A is m × k, B is k × n.
enum class Dimension { m, n, k };
/// `'m'`, `'n'` or `'k'`.
char letter(Dimension dimension) noexcept;

/// The level of memory that a loop's block is to stay in; docs/gemm.md has each one's size.
enum class Level { storage, node, machine, section, cache, parallel, registers };
char letter(Level level) noexcept;
const char* to_string(Level level) noexcept;

/// One loop of a plan. It cuts the range that the loops outside of it leave of its dimension: a
/// storage loop into blocks of `block` elements, a parallel one into `block` parts for a task each,
/// the others into even parts of at most `block` elements.
struct Loop {
  Level level = Level::registers;
  Dimension dimension = Dimension::m;
  std::size_t block = 0;  ///< 0 for `registers`: the tile has the size that the kernels have
  bool operator==(const Loop&) const = default;
};

/// What a plan is for.
struct Problem {
  std::size_t m = 0, n = 0, k = 0;
  std::size_t element_bytes = sizeof(double);  ///< 4 or 8
  Order a = Order::row_major;                  ///< of op(A), as it is multiplied
  Order b = Order::row_major;
  Order c = Order::row_major;
  std::size_t ld_a = 0, ld_b = 0;  ///< leading dimensions; 0: lines lie back to back
  std::size_t threads = 1;
  std::size_t nodes = 1;  ///< that the threads are on
  CacheSizes caches = cache_sizes();

  /// m, n or k.
  std::size_t size(Dimension d) const { return d == Dimension::m ? m : d == Dimension::n ? n : k; }
  /// The dimension along which C is contiguous, and the other one.
  Dimension contiguous() const { return c == Order::row_major ? Dimension::n : Dimension::m; }
  Dimension strided() const { return c == Order::row_major ? Dimension::m : Dimension::n; }
};

/// What moves between levels in one product, in bytes, by the formulas of docs/gemm.md: reads and
/// writes together.
struct BytesMoved {
  double memory = 0;  ///< between memory and L3
  double l3 = 0;      ///< between L3 and L2
  double l2 = 0;      ///< between L2 and L1
  double packed = 0;  ///< written to copies; part of them reaches each level above
};

/// One turn of the storage loops: C(m, n) += A(m, k) · B(k, n).
struct StorageStep {
  Range m, n, k;
  bool first_of_k = true;  ///< β applies, and C's old content counts
  bool last_of_k = true;   ///< afterwards this part of C is finished
};

/// How a multiplication is done: its loops, outermost first. A value, which can be written and
/// read.
class Plan {
 public:
  static constexpr std::size_t kMostLoops = 12;

  /// The plan for a problem. Blocks by these formulas, with e bytes for an element, strips of the
  /// kernels' tile, and L1, L2, L3 bytes of cache (docs/gemm.md says why):
  ///
  ///     kc = L1/2 / (strip of the side that stays in L1 · e), at most L1/16 / e; of
  ///          seven tenths of L1 where that saves turns of k and C is too large to stay in L2
  ///     section = s / (kc · e), with s = L2/2 of an L2 below 1 MiB, else 3·L2/4, at most 1 MiB
  ///     panel = L3/2 / (kc · e), at most 4352
  static Plan choose(const Problem& problem);

  /// Reads a plan. Dimensions that are not written are S3's (R, P, N, M: n; S: m; C: k), blocks
  /// that are not written are those of `choose`, and register loops that are not written follow.
  /// Throws `Error` (`bad_input`) that names the place and what was expected there, if the text is
  /// no plan, or its loops do not go together, or a block does not fit its cache.
  static Plan parse(std::string_view text, const Problem& problem);

  std::span<const Loop> loops() const { return {loops_.data(), count_}; }
  /// The whole notation, which `parse` reads.
  std::string to_string() const;
  /// S3's: letters and strokes, e.g. `R/S/P///C`.
  std::string short_form() const;

  /// Tasks that its parallel loops start: the product of their numbers.
  std::size_t tasks() const;

  /// Bytes moved between levels; none for a product of nothing.
  BytesMoved bytes_moved(const Problem& problem) const;

  /// What the storage loops go over, in order; one step if there are none.
  std::vector<StorageStep> storage_steps(const Problem& problem) const;
  /// The same plan without its storage loops: what is run for each step.
  Plan in_memory() const;

  /// Appends a loop; for those who put a plan together themselves. Throws `Error`
  /// (`invalid_argument`) if there are kMostLoops already.
  Plan& add(const Loop& loop);
  /// What is wrong with the loops or their blocks for a problem, beginning with the loop that it is
  /// about; nothing if they go together.
  std::optional<std::string> fault(const Problem& problem) const;

  bool operator==(const Plan& other) const;

 private:
  std::array<Loop, kMostLoops> loops_{};
  std::size_t count_ = 0;
};

}  // namespace kinjo::gemm
