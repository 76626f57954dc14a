#include "gemm/files/storage_choice.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "gemm/strips.hpp"

namespace kinjo::gemm {

namespace {

using detail::ceil_div;
using detail::round_up;

constexpr std::size_t kLeastBlock = 64;
constexpr std::size_t kBlockUnit = 8;     // blocks are multiples of it
constexpr std::size_t kLeastInner = 256;  // as long as a strip's in L1
constexpr std::size_t kWidestStrip = 64;  // or more than that
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kSlotBytes = 1024;  // what is kept on a transfer to or from a slot
constexpr std::size_t kEachCut = 4096;    // up to here every number of parts is tried
constexpr double kWorkPerByte = 40;       // see the header
constexpr double kCopyCost = 64;
constexpr double kPartCost = 0.02;
constexpr std::size_t kMostParts = 4;     // of a section
constexpr std::size_t kSectionUnit = 24;  // whole strips on every level of instructions

using Form = StorageChoice::Form;

/// The operand that runs along `along` (m: A, n: B) and the inner dimension, in units.
struct Units {
  std::size_t outer_count, inner_count;  ///< distinct units along both dimensions
  FileLayout layout;
  std::size_t lines, elements;  ///< of a unit
  bool by_outer;                ///< lines are counted along the outer dimension

  std::size_t count() const { return outer_count * inner_count; }
};

Units units_of(const Problem& p, bool is_a, std::size_t block, std::size_t inner) {
  const std::size_t size = is_a ? p.m : p.n;
  const Order order = is_a ? p.a : p.b;
  Units u{ceil_div(size, block), ceil_div(p.k, inner), {}, 0, 0, false};
  u.by_outer = (order == Order::row_major) == is_a;
  u.layout = {0, u.by_outer ? size : p.k, u.by_outer ? p.k : size, p.element_bytes};
  u.lines = u.by_outer ? block : inner;
  u.elements = u.by_outer ? inner : block;
  return u;
}

std::size_t slots_of(const Units& u, const Form& form) {
  return form.is_kept ? u.count() : std::min<std::size_t>(u.count(), 2);
}

/// Times that all units of an operand are read. `others`: panels of C along the other dimension.
std::size_t passes(const Units& u, const Form& form, std::size_t others, bool is_outside) {
  if (slots_of(u, form) >= u.count()) return 1;
  if (u.inner_count == 1 && is_outside) return 1;
  return others;
}

struct Traffic {
  double bytes, runs;
};

/// Of one pass over an operand.
Traffic traffic_of(const Units& u) {
  const double bytes =
      static_cast<double>(u.layout.lines) * static_cast<double>(u.layout.line_bytes());
  if (u.elements >= u.layout.length) {
    return {bytes, static_cast<double>(u.count()) + bytes / static_cast<double>(kLongestRun)};
  }
  const double runs = static_cast<double>(u.layout.lines) *
                      static_cast<double>(ceil_div(u.layout.length, u.elements));
  return {bytes + runs * static_cast<double>(kDirectBlock), runs};
}

double moved(const Traffic& t) { return t.bytes + t.runs * static_cast<double>(kRunBytes); }

std::size_t slot_bytes(const Units& u) { return slot_shape(u.layout, u.lines, u.elements).bytes; }

/// More bytes than any memory has, of which a few together are still a number.
constexpr std::size_t kTooMany = std::size_t{1} << 60;

/// The product, or so many if it is more.
std::size_t bytes_of(std::size_t count, std::size_t bytes) {
  std::size_t all = 0;
  return __builtin_mul_overflow(count, bytes, &all) ? kTooMany : std::min(all, kTooMany);
}

/// What memory in huge pages takes; less than `least` bytes have none.
std::size_t in_huge_pages(std::size_t bytes, std::size_t least = kHugePage / 8) {
  return bytes < least ? bytes : round_up(bytes, kHugePage);
}

/// How many bytes the slots and the copies take. `outer` is the operand of the outer loop.
void settle_slots(StorageChoice& s, const Units& outer, const Units& other, const Units& c) {
  const bool is_by_rows = s.outer == Dimension::m;
  const std::size_t outer_slots = is_by_rows ? s.a_slots : s.b_slots;
  const std::size_t other_slots = is_by_rows ? s.b_slots : s.a_slots;
  const std::size_t apart = in_huge_pages(bytes_of(outer_slots, slot_bytes(outer))) +
                            in_huge_pages(bytes_of(s.c_slots, slot_bytes(c)));
  const std::size_t in_turn = in_huge_pages(
      bytes_of(StorageChoice::kTurnSlots, std::max(slot_bytes(outer), slot_bytes(c))));
  const bool each_has_one = outer.inner_count == 1 && outer.count() == c.count();
  s.takes_turns = each_has_one && in_turn < apart;
  s.memory_bytes = in_huge_pages(bytes_of(other_slots, slot_bytes(other))) +
                   (s.takes_turns ? in_turn : apart) +
                   bytes_of(s.a_slots + s.b_slots + s.c_slots, kSlotBytes) + s.copies_bytes;
}

Units units_of_c(const StorageChoice& s, const Problem& p) {
  Units u{ceil_div(p.m, s.mc), ceil_div(p.n, s.nc), {}, 0, 0, true};
  u.by_outer = p.c == Order::row_major;
  u.layout = {0, u.by_outer ? p.m : p.n, u.by_outer ? p.n : p.m, p.element_bytes};
  u.lines = u.by_outer ? s.mc : s.nc;
  u.elements = u.by_outer ? s.nc : s.mc;
  return u;
}

std::vector<std::size_t> inner_blocks(const Problem& p) {
  std::vector<std::size_t> blocks;
  for (std::size_t block = kLeastInner; block < p.k; block *= 2) blocks.push_back(block);
  blocks.push_back(p.k);
  return blocks;
}

/// Blocks that cut `size` into 1, 2, 3 … even parts, behind kEachCut into twice as many each time.
std::vector<std::size_t> even_blocks(std::size_t size) {
  std::vector<std::size_t> blocks;
  for (std::size_t parts = 1;; parts += parts < kEachCut ? 1 : parts) {
    const std::size_t even = std::max(ceil_div(size, parts), kLeastBlock);
    const std::size_t block = std::min(size, round_up(even, kBlockUnit));
    if (blocks.empty() || block < blocks.back()) blocks.push_back(block);
    if (block <= kLeastBlock) break;
  }
  return blocks;
}

std::vector<Form> forms_of(std::size_t kc, std::size_t k) {
  if (kc >= k) return {{false, false}, {false, true}};
  return {{false, false}, {true, false}, {false, true}};
}

/// The product of one step.
Problem step_of(const StorageChoice& s, const Problem& p) {
  Problem step = p;
  step.m = std::min(s.mc, p.m);
  step.n = std::min(s.nc, p.n);
  step.k = std::min(s.kc, p.k);
  return step;
}

/// The loops of a step: those of `inside` below storage, or the ones chosen for it, with sections
/// in so many parts.
Plan loops_inside(const Problem& step, const Plan& inside, std::size_t parts) {
  if (!inside.loops().empty()) return inside.in_memory();
  const Plan chosen = Plan::choose(step);
  if (parts == 1) return chosen;
  Plan plan;
  for (Loop loop : chosen.loops()) {
    if (loop.level == Level::section) {
      loop.block = std::min(loop.block, round_up(ceil_div(loop.block, parts), kSectionUnit));
    }
    plan.add(loop);
  }
  return plan;
}

/// The cheapest of what it is offered that fits; the first of equals.
struct Search {
  const Problem& problem;
  const Plan& inside;
  std::size_t budget;
  StorageChoice best;
  double least = std::numeric_limits<double>::infinity();

  void offer(const StorageChoice& s) {
    const double cost = s.cost(problem);
    if (s.memory_bytes > budget || cost >= least) return;
    best = s;
    least = cost;
  }
};

/// Puts the widest block of n that fits the budget into `s`; false if none does.
bool widen(StorageChoice& s, const Search& search, const std::vector<std::size_t>& blocks) {
  const auto fits = [&](std::size_t block) {
    s.nc = block;
    evaluate(s, search.problem, search.inside);
    return s.memory_bytes <= search.budget;
  };
  // A narrower block takes less memory, but for the step from one panel to two.
  if (fits(blocks.front())) return true;
  const auto found = std::partition_point(blocks.begin() + 1, blocks.end(),
                                          [&](std::size_t block) { return !fits(block); });
  return (found != blocks.end() && fits(*found)) || fits(blocks.back());
}

/// Every pair of forms of A and B.
template <class F>
void for_each_form(StorageChoice s, const Problem& p, F&& f) {
  for (const Form& a : forms_of(s.kc, p.k)) {
    for (const Form& b : forms_of(s.kc, p.k)) {
      s.a = a;
      s.b = b;
      f(s);
    }
  }
}

bool has_storage(const Plan& plan) {
  return !plan.loops().empty() && plan.loops().front().level == Level::storage;
}

/// The cut of a plan's storage loops.
StorageChoice blocks_of(const Plan& plan, const Problem& p) {
  StorageChoice s;
  s.mc = p.m;
  s.nc = p.n;
  s.kc = p.k;
  const Loop* inner = nullptr;
  bool has_outer = false;
  for (const Loop& loop : plan.loops()) {
    if (loop.level != Level::storage) break;
    if (inner) {
      throw Error(Errc::bad_input,
                  fmt::format("plan '{}': R(k={}): expected no R inside of R(k): a panel of C is "
                              "written once, when it is finished",
                              plan.to_string(), inner->block));
    }
    const std::size_t block = std::min(loop.block, p.size(loop.dimension));
    if (loop.dimension == Dimension::k) {
      inner = &loop;
      s.kc = block;
    } else {
      (loop.dimension == Dimension::m ? s.mc : s.nc) = block;
      if (!has_outer) s.outer = loop.dimension;
      has_outer = true;
    }
  }
  return s;
}

/// Sections of a plan that is given are as they are.
std::size_t most_parts(const Plan& inside) { return inside.loops().empty() ? kMostParts : 1; }

/// `f(s)` for every cut but for the columns of a panel: inner block, order, forms, rows of a panel.
template <class F>
void for_each_cut(const Problem& p, std::size_t parts, F&& f) {
  const auto rows = even_blocks(p.m);
  StorageChoice start;
  start.parts = parts;
  for (const std::size_t kc : inner_blocks(p)) {
    for (const Dimension outer : {Dimension::m, Dimension::n}) {
      start.kc = kc;
      start.outer = outer;
      for_each_form(start, p, [&](StorageChoice s) {
        for (const std::size_t mc : rows) {
          s.mc = mc;
          f(s);
        }
      });
    }
  }
}

/// Every cut, each with the most columns that fit.
void try_all(Search& search) {
  const auto columns = even_blocks(search.problem.n);
  for (std::size_t parts = 1; parts <= most_parts(search.inside); parts *= 2) {
    for_each_cut(search.problem, parts, [&](StorageChoice& s) {
      if (widen(s, search, columns)) search.offer(s);
    });
  }
}

}  // namespace

SlotShape slot_shape(const FileLayout& layout, std::size_t lines, std::size_t elements) {
  SlotShape shape;
  shape.lines = lines;
  shape.is_one_run = elements >= layout.length;
  const std::size_t stride = layout.line_bytes();
  shape.leading = stride;
  if (!shape.is_one_run) {
    const std::size_t least = elements * layout.element_bytes + 2 * kDirectBlock;
    shape.leading =
        least + (stride % kDirectBlock + kDirectBlock - least % kDirectBlock) % kDirectBlock;
  }
  shape.bytes = round_up(bytes_of(lines, shape.leading) + 3 * kDirectBlock, kDirectBlock);
  return shape;
}

double StorageChoice::cost(const Problem& p) const {
  const double copies = 1 + kCopyCost / static_cast<double>(mc) +
                        kCopyCost / static_cast<double>(nc) +
                        kPartCost * static_cast<double>(parts - 1);
  const double work =
      copies * 2.0 * static_cast<double>(p.m) * static_cast<double>(p.n) *
      static_cast<double>(p.k) /
      (kWorkPerByte * static_cast<double>(p.threads) * 8 / static_cast<double>(p.element_bytes));
  const double open = first_bytes + last_bytes;
  return std::max(work, moved() - open) + open + moved() / 16;
}

void evaluate(StorageChoice& s, const Problem& p, const Plan& inside) {
  const Problem step = step_of(s, p);
  s.copies_bytes = copies_bytes(step, loops_inside(step, inside, s.parts));
  const Units a = units_of(p, true, s.mc, s.a.is_long ? p.k : s.kc);
  const Units b = units_of(p, false, s.nc, s.b.is_long ? p.k : s.kc);
  const Units c = units_of_c(s, p);
  s.a_slots = slots_of(a, s.a);
  s.b_slots = slots_of(b, s.b);
  s.c_slots = std::min<std::size_t>(c.count(), 2);
  const bool is_by_rows = s.outer == Dimension::m;
  settle_slots(s, is_by_rows ? a : b, is_by_rows ? b : a, c);
  const Traffic a_pass = traffic_of(a), b_pass = traffic_of(b), c_pass = traffic_of(c);
  const auto a_times = static_cast<double>(passes(a, s.a, b.outer_count, s.outer == Dimension::m));
  const auto b_times = static_cast<double>(passes(b, s.b, a.outer_count, s.outer == Dimension::n));
  s.read_bytes = a_times * a_pass.bytes + b_times * b_pass.bytes;
  s.written_bytes = c_pass.bytes;
  s.runs = a_times * a_pass.runs + b_times * b_pass.runs + c_pass.runs;
  s.first_bytes = moved(a_pass) / static_cast<double>(a.count()) +
                  moved(b_pass) / static_cast<double>(b.count());
  s.last_bytes = moved(c_pass) / static_cast<double>(c.count());
}

Plan StorageChoice::plan(const Problem& problem, const Plan& inside) const {
  const Problem step = step_of(*this, problem);
  Plan plan;
  const Dimension second = outer == Dimension::m ? Dimension::n : Dimension::m;
  for (const Dimension d : {outer, second, Dimension::k}) {
    if (step.size(d) < problem.size(d)) plan.add({Level::storage, d, step.size(d)});
  }
  const Plan rest = loops_inside(step, inside, parts);
  for (const Loop& loop : rest.loops()) plan.add(loop);
  return plan;
}

StorageChoice choose_storage(const Problem& p, const Plan& plan, std::size_t budget) {
  Search search{p, plan, budget, {}};
  if (has_storage(plan)) {
    for_each_form(blocks_of(plan, p), p, [&](StorageChoice s) {
      evaluate(s, p, plan);
      search.offer(s);
    });
  } else {
    try_all(search);
  }
  if (search.best.mc == 0) {
    throw Error(Errc::out_of_memory,
                fmt::format("no panels fit {}: expected at least {}", detail::format_bytes(budget),
                            detail::format_bytes(least_storage(p, plan))));
  }
  return search.best;
}

std::size_t least_storage(const Problem& p, const Plan& plan) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  const auto look = [&](StorageChoice& s) {
    evaluate(s, p, plan);
    least = std::min(least, s.memory_bytes);
  };
  if (has_storage(plan)) {
    for_each_form(blocks_of(plan, p), p, look);
    return least;
  }
  // Not always the smallest blocks: whole pages, and one panel where there would be two, may take
  // less.
  const auto columns = even_blocks(p.n);
  for_each_cut(p, most_parts(plan), [&](StorageChoice& s) {
    for (const std::size_t nc : {columns.front(), columns.back()}) {
      s.nc = nc;
      look(s);
    }
  });
  return least;
}

std::size_t copies_bytes(const Problem& p, const Plan& plan) {
  std::size_t inner = p.k;
  for (const Loop& loop : plan.loops()) {
    if (loop.dimension == Dimension::k) inner = std::min(inner, loop.block);
  }
  std::size_t bytes = 0;
  for (const Loop& loop : plan.loops()) {
    const std::size_t block = std::min(loop.block, p.size(loop.dimension)) + kWidestStrip;
    const std::size_t copy = in_huge_pages(block * inner * p.element_bytes, kHugePage / 2);
    if (loop.level == Level::section) bytes += p.threads * copy;
    if (loop.level == Level::node) bytes += p.nodes * copy;
    if (loop.level == Level::machine) bytes += copy;
  }
  return bytes;
}

}  // namespace kinjo::gemm
