/// The plan for a problem.
///
/// The *panel* is the operand that threads share in L3; the *section* is the one of which each
/// thread keeps a block in L2. On one node the panel is the broadcast side: its strips are narrow,
/// so one of them fits L1 with a long inner block. On several nodes C and the strided operand are
/// placed by C's rows (columns), so that each thread finds them on its node; then the section is
/// that operand, and the panel, the other one, is what each node copies.
///
/// Operands that are small, or that are used too few times, are used in place.
#include <kinjo/gemm_plan.hpp>

#include <algorithm>

#include "gemm/blocking.hpp"

namespace kinjo::gemm {

namespace {

/// Multiply-adds below which one more task costs more than it saves.
constexpr std::size_t kTaskWork = std::size_t{32} * 32 * 32;

/// Columns up to which vectors are used in place though they begin anywhere.
constexpr std::size_t kFewColumns = 160;

/// Sizes up to which a copy on each node costs more than it saves.
constexpr std::size_t kFewForNodes = 128;

/// Bytes from one line to the next up to which CPUs foresee it (Intel's and AMD's manuals).
constexpr std::size_t kForeseen = 2048;

/// Sections for which strips are used as they lie; for more of them a copy is faster. Several tasks
/// would wait for each other twice in each run of k to copy it together.
constexpr std::size_t kFewSections = 10, kFewSectionsOfTasks = 13;

/// Sections for which longer runs of k are faster; each of more and smaller ones reads all strips.
constexpr std::size_t kFewForLonger = 7;

/// Two shares of C, the lesser over the greater, from which on they are alike; and where the tasks
/// of the greater would wait for a panel that they share. Dealt blocks even shares out.
constexpr double kAlike = 0.95, kAlikeShared = 0.98;

/// Blocks of its part that each task has where tasks may take over those of others, and the strips
/// that a block has at least.
constexpr std::size_t kBlocksToDeal = 4, kLeastStrips = 4;

double work_of(const Problem& p) {
  return static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
}

std::size_t useful_tasks(const Problem& p) {
  const double most = work_of(p) / static_cast<double>(kTaskWork);
  return most >= static_cast<double>(p.threads)
             ? p.threads
             : std::max<std::size_t>(static_cast<std::size_t>(most), 1);
}

/// Elements of a dimension that the largest of so many shares of whole units has.
double largest_share(const Problem& p, Dimension dimension, std::size_t shares) {
  const Range all{0, p.size(dimension)};
  return static_cast<double>(even_share(all, strips_of(p, dimension).unit, shares, 0).size());
}

/// How many tasks share each of two dimensions.
struct Grid {
  std::size_t first, second;
};

/// The grid whose largest share of C is smallest; among those that are alike the one with most
/// tasks over the first dimension.
Grid choose_grid(const Problem& p, std::size_t tasks, Dimension first, Dimension second,
                 double alike) {
  Grid best{tasks, 1};
  double least = 1e300;
  for (std::size_t over_first = tasks; over_first > 0; --over_first) {
    const Grid grid{over_first, tasks / over_first};
    const double share =
        largest_share(p, first, grid.first) * largest_share(p, second, grid.second);
    if (share < least * alike) {
      least = share;
      best = grid;
    }
  }
  return best;
}

double bytes_of(const Problem& p, std::size_t rows, std::size_t columns) {
  return static_cast<double>(rows) * static_cast<double>(columns) *
         static_cast<double>(p.element_bytes);
}

/// Bytes of L2 that the vector side may fill as it lies. Where C is no larger than L2, half of it,
/// of a small one less; a larger C passes through L2 beside it, and a copy in smaller sections is
/// then faster. So it is where a task's shares of the others leave a small L2 no room, as soon as
/// anything else needs some of it.
std::size_t room_in_place(const Problem& p) {
  const std::size_t l2 = p.caches.l2;
  const double c = bytes_of(p, p.m, p.n), all = static_cast<double>(l2);
  if (c > all) return l2 / 4;
  if (l2 < kSmallL2) return l2 / 16 * 7;
  if (l2 > kSmallL2) return l2 / 2;
  const double others =
      (c + bytes_of(p, p.size(p.strided()), p.k)) / static_cast<double>(useful_tasks(p));
  return static_cast<std::size_t>(std::clamp(all - others, all / 4, all / 2));
}

/// Whether the broadcast side's strips can stay in L1 as they lie, each some lines of the inner
/// dimension: lines a power of two apart take a way each, and two thirds of a cache's ways are what
/// is left beside what passes through it. A way is a page, since addresses are looked up while a
/// set is. Measured with 2 MiB of L2 only: below, both operands are copied.
bool strips_fit_in_place(const Problem& p) {
  constexpr std::size_t kWay = 4096;
  if (p.caches.l2 <= kSmallL2) return false;
  const bool along_inner =
      p.c == Order::row_major ? p.a == Order::row_major : p.b == Order::column_major;
  const std::size_t lines = strips_of(p, p.strided()).whole;
  return p.nodes == 1 && along_inner && 3 * lines * kWay <= 2 * p.caches.l1;
}

/// The inner block with which the vector side is used in place, 0 for none: it stays in L2 as it
/// lies, so that a copy would cost more than it saves. Lines far apart fill L2 with what lies
/// between them.
std::size_t block_in_place(const Problem& p) {
  const std::size_t along = p.size(p.contiguous()), across = p.size(p.strided());
  const std::size_t ld = operand_of(p.contiguous()) == Operand::a ? p.ld_a : p.ld_b;
  const std::size_t line = std::max({along, ld, std::size_t{1}});
  // Divided twice: bytes of a line may be more than fit a number.
  const std::size_t most = room_in_place(p) / p.element_bytes / line;
  const std::size_t usual = cache_block(p, p.strided()), block = std::min({p.k, most, usual});
  // With a shorter one C's reads and writes would cost what is saved: of a small L2 at once.
  const std::size_t least = p.caches.l2 <= kSmallL2 ? usual : usual / 8 * 5;
  if (block < std::min(p.k, least)) return 0;
  if (p.nodes > 1 && (std::max(along, across) > kFewForNodes || block < p.k)) return 0;
  // A copy of this side alone is cheap. Lines that no CPU foresees need some room besides.
  const bool foreseen = line * p.element_bytes <= kForeseen;
  const bool has_room = block == p.k && (foreseen || block <= most / 8 * 7);
  if (!has_room && strips_fit_in_place(p)) return 0;
  // Lines that are no multiple of a vector begin anywhere in a cache line, and most loads of the
  // vector side then touch two; copying pays for that as soon as a strip is used often enough.
  const bool whole_lines = line % strips_of(p, p.contiguous()).unit == 0;
  return whole_lines || across <= kFewColumns ? block : 0;
}

/// The inner block where the broadcast side's strips stay in L1 as they lie: seven tenths of it
/// instead of half, so that what is just above a power of two makes no more runs than it, if C is
/// then read and written less often and too large to stay in L2 meanwhile. (Sums are rounded better
/// in shorter runs.)
std::size_t longer_block(const Problem& p, Dimension strips, std::size_t block) {
  if (block >= p.k || bytes_of(p, p.m, p.n) <= static_cast<double>(p.caches.l2) / 4) return block;
  const std::size_t longer = cache_block(p, strips) / 12 * 17;
  const bool saves_runs = detail::ceil_div(p.k, longer) < detail::ceil_div(p.k, block);
  return saves_runs ? std::min(longer, p.k) : block;
}

struct Choice {
  Dimension panel, section;
  bool copies_panel, copies_section, cuts_inner;
  std::size_t inner;
  Grid grid;  ///< tasks over the section's and over the panel's dimension
};

Choice choose_for(const Problem& p) {
  Choice c{};
  const bool many_nodes = p.nodes > 1;
  c.panel = many_nodes ? p.contiguous() : p.strided();
  c.section = many_nodes ? p.strided() : p.contiguous();
  const std::size_t in_place = block_in_place(p);
  c.inner = in_place > 0 ? in_place : std::min(p.k, cache_block(p, c.panel));
  c.copies_section = in_place == 0 || !usable_in_place(p, operand_of(c.section));
  const std::size_t tasks = useful_tasks(p);
  const std::size_t section = section_block(p, c.section, c.inner), size = p.size(c.section);
  const std::size_t few = tasks > 1 ? kFewSectionsOfTasks : kFewSections;
  const std::size_t most_in_place = strips_fit_in_place(p) ? few * section : 128;
  c.copies_panel =
      (in_place == 0 && size > most_in_place) || !usable_in_place(p, operand_of(c.panel));
  const bool stays = in_place == 0 && !c.copies_panel && strips_fit_in_place(p);
  if (stays && size <= kFewForLonger * section) c.inner = longer_block(p, c.panel, c.inner);
  c.cuts_inner = c.inner < p.k;
  // A panel that all tasks need is best shared whole, and each has sections of its own. Without
  // one, what all of them read should be the smaller operand: each copies sections of its own, or
  // has lines of C of its own and copies the section for itself.
  const bool panel_is_smaller = c.copies_section && p.size(c.panel) <= p.size(c.section);
  if (c.copies_panel || panel_is_smaller) {
    const bool waits = c.copies_panel && !many_nodes;
    c.grid = choose_grid(p, tasks, c.section, c.panel, waits ? kAlikeShared : kAlike);
  } else {
    const Grid grid = choose_grid(p, tasks, c.panel, c.section, kAlike);
    c.grid = {grid.second, grid.first};
  }
  return c;
}

/// Whether tasks share the section alone, and nothing else is copied: blocks of it can then be
/// dealt, each with all of the inner dimension.
bool deals_sections(const Choice& c) {
  return c.copies_section && !c.copies_panel && c.grid.first > 1 && c.grid.second == 1;
}

std::size_t block_to_deal(const Problem& p, const Choice& c) {
  const std::size_t strip = strips_of(p, c.section).whole;
  const std::size_t blocks = c.grid.first * kBlocksToDeal;
  const std::size_t strips = detail::ceil_div(detail::ceil_div(p.size(c.section), blocks), strip);
  return std::min(std::max(strips, kLeastStrips) * strip, section_block(p, c.section, c.inner));
}

}  // namespace

Plan Plan::choose(const Problem& p) {
  const Choice c = choose_for(p);
  Plan plan;
  if (c.copies_panel) plan.add({Level::node, c.panel, panel_block(p, c.panel, c.inner)});
  const Loop cache{Level::cache, Dimension::k, c.inner};
  if (deals_sections(c)) {
    plan.add({Level::parallel, c.section, c.grid.first});
    plan.add({Level::section, c.section, block_to_deal(p, c)});
    if (c.cuts_inner) plan.add(cache);
  } else {
    if (c.cuts_inner) plan.add(cache);
    if (c.grid.first > 1) plan.add({Level::parallel, c.section, c.grid.first});
    if (c.grid.second > 1) plan.add({Level::parallel, c.panel, c.grid.second});
    if (c.copies_section) {
      plan.add({Level::section, c.section, section_block(p, c.section, c.inner)});
    }
  }
  plan.add({Level::registers, c.panel, 0});
  plan.add({Level::registers, c.section, 0});
  return plan;
}

}  // namespace kinjo::gemm
