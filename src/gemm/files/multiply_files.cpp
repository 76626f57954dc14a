#include "gemm/files/multiply_files.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/simd.hpp>

#include "base/text.hpp"
#include "gemm/blocking.hpp"
#include "gemm/files/step_groups.hpp"

namespace kinjo::gemm {

namespace {

using detail::ceil_div;

/// Transfers that are under way at a time: disks want several, CPUs notice few.
constexpr std::size_t kTouchThreads = 8;

constexpr std::uint64_t kMostFileBytes = std::numeric_limits<std::int64_t>::max();

/// The journal's field of the vector instructions, on which the bits of C depend.
constexpr const char* kSimd = "simd";

/// Code, tables, the touch threads, and in each of them the edges of C's lines on their way through
/// the cache (OutputFile::kEdgesMost).
constexpr std::uint64_t kProgramBytes = std::uint64_t{20} << 20;
/// What a thread of the team takes: stacks, its own and the kernel's, and what the C library keeps
/// for it (measured: see docs/gemm_files.md).
constexpr std::uint64_t kThreadBytes = std::uint64_t{96} << 10;
/// Pages of files on their way through the cache: one run in every thread.
constexpr std::uint64_t kCachedBytes = kTouchThreads * kLongestRun;
static_assert(OutputFile::kCachedMost <= kLongestRun);

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Sizes for which loops can be chosen: an empty dimension counts as one. Where C is empty, nothing
/// is cut, however long its other side is.
Problem filled(Problem p) {
  if (p.m == 0 || p.n == 0) p.m = p.n = p.k = 0;
  p.m = std::max<std::size_t>(p.m, 1);
  p.n = std::max<std::size_t>(p.n, 1);
  p.k = std::max<std::size_t>(p.k, 1);
  return p;
}

/// So many bytes or more, as few as are enough when they are printed and given as a limit.
std::uint64_t printed_limit(std::uint64_t bytes) {
  std::uint64_t limit = bytes;
  while (detail::parse_bytes(detail::format_bytes(limit)).value_or(0) < bytes) {
    limit += std::max<std::uint64_t>(bytes / 4096, 1);
  }
  return limit;
}

std::string shape_text(const StoredMatrix& m) {
  return fmt::format("'{}' is {} × {}", detail::printable(m.path()), m.rows(), m.columns());
}

}  // namespace

/// The steps that are left, on elements of one type.
template <class T>
class FilesProduct::Loop {
 public:
  Loop(FilesProduct& product, Team& team)
      : product_(product),
        team_(team),
        layout_(product.c_layout()),
        tasks_(kTouchThreads),
        inside_(product.plan_.in_memory()),
        shape_(slot_shape(layout_, c_lines(), c_elements())),
        a_shape_(shape_of(product.a_, storage().mc, a_inner())),
        b_shape_(shape_of(product.b_, b_inner(), storage().nc)),
        slots_(c_slots()),
        writes_(slots_.memory.size()),
        runs_(slots_.memory.size()),
        a_(product.a_, tasks_, a_shape_, slots_of(Dimension::m, a_shape_, storage().a_slots),
           uses(product.a_, Dimension::m, storage().a_slots), product.request_.touch),
        b_(product.b_, tasks_, b_shape_, slots_of(Dimension::n, b_shape_, storage().b_slots),
           uses(product.b_, Dimension::n, storage().b_slots), product.request_.touch) {}
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() {
    // Tasks write from the slots.
    for (const auto& ticket : writes_) {
      if (!ticket) continue;
      try {
        tasks_.join(ticket);
      } catch (...) {  // the run has failed already
      }
    }
  }

  FilesResult run(const std::function<bool(std::size_t)>& progress) {
    const std::size_t todo = all().count();
    for (std::size_t i = 0;;) {
      const bool goes_on = progress(product_.steps_done() + i);
      if (i == todo) break;
      result_.interrupted = !goes_on;
      if (result_.interrupted) break;
      const Range group = this->group(i);
      steps(group);
      i = group.end;
    }
    const auto start = std::chrono::steady_clock::now();
    for (const auto& ticket : writes_) {
      if (ticket) tasks_.join(ticket);
    }
    result_.waited_seconds += seconds_since(start);
    result_.read_bytes = a_.bytes_read() + b_.bytes_read();
    result_.panels = all().panels();
    result_.finished = product_.output_.finished();
    return result_;
  }

 private:
  const StorageChoice& storage() const { return product_.storage_; }
  const StorageSteps& all() const { return product_.steps_; }
  std::size_t a_inner() const { return inner(storage().a); }
  std::size_t b_inner() const { return inner(storage().b); }
  std::size_t inner(const StorageChoice::Form& form) const {
    return form.is_long ? product_.problem_.k : storage().kc;
  }
  bool is_ahead() const { return product_.request_.touch == Touch::ahead; }
  bool by_rows() const { return product_.problem_.c == Order::row_major; }
  std::size_t c_lines() const { return by_rows() ? storage().mc : storage().nc; }
  std::size_t c_elements() const { return by_rows() ? storage().nc : storage().mc; }

  static SlotShape shape_of(const StoredMatrix& m, std::size_t rows, std::size_t columns) {
    const LinePart part = m.part({0, rows}, {0, columns});
    return slot_shape(m.layout(), std::min(part.lines.size(), m.layout().lines),
                      std::min(part.elements.size(), m.layout().length));
  }

  /// Panel i of C takes turn 2i + 1, and unit i of the operand with which it takes turns 2i: so the
  /// unit comes where the panel before the last one has been.
  Slots every_second_turn(std::size_t first) const {
    const auto& all = turns_.memory;
    Slots slots;
    for (std::size_t i = 0; i < all.size(); ++i) {
      slots.memory.push_back(all[(2 * i + first) % all.size()]);
    }
    return slots;
  }
  Slots c_slots() {
    if (!storage().takes_turns) {
      return own_slots(storage().c_slots, shape_.bytes, product_.nodes_, tasks_);
    }
    const SlotShape& unit = storage().outer == Dimension::m ? a_shape_ : b_shape_;
    turns_ = own_slots(StorageChoice::kTurnSlots, std::max(unit.bytes, shape_.bytes),
                       product_.nodes_, tasks_);
    return every_second_turn(1);
  }
  /// Of the operand that runs along a dimension.
  Slots slots_of(Dimension along, const SlotShape& shape, std::size_t count) {
    if (!storage().takes_turns || along != storage().outer) {
      return own_slots(count, shape.bytes, product_.nodes_, tasks_);
    }
    Slots slots = every_second_turn(0);
    slots.ahead = 2;
    slots.behind = [this](std::size_t i) { return i < 2 ? nullptr : write_of(i - 2); };
    return slots;
  }
  /// What has been started to write the panel that was begun as the i-th, one of the last ones.
  TouchTasks::Ticket& write_of(std::size_t i) { return writes_[i % writes_.size()]; }

  Range group(std::size_t step) const {
    if (!is_ahead()) return {step, step + 1};
    return step_group(step, all().count(), all().in_panel());
  }
  UnitUses uses(const StoredMatrix& m, Dimension along, std::size_t slots) const {
    const bool is_a = along == Dimension::m;
    const UnitOrder order(all(), along, is_a ? storage().a.is_long : storage().b.is_long, slots);
    UnitUses uses;
    uses.fetches = order.fetches();
    uses.of_step = [order](std::size_t step) { return order.of_step(step); };
    uses.unit = [order, &m, is_a](std::size_t fetch) {
      const UnitOrder::Unit unit = order.unit(fetch);
      return is_a ? m.part(unit.along, unit.inner) : m.part(unit.inner, unit.along);
    };
    uses.first_step = [this, order](std::size_t fetch) {
      return group(order.first_step(fetch)).begin;
    };
    uses.line_by_line = by_rows() == is_a;
    return uses;
  }

  void steps(Range group) {
    advance(group.begin);
    const StorageStep first = all().step(group.begin), last = all().step(group.end - 1);
    const View<T> c = panel(first);
    const Range lines = by_rows() ? first.m : first.n;
    for (const Range& now : parts_of(group, lines)) {
      const bool is_end = now.end == lines.end;
      for (std::size_t i = group.begin; i < group.end; ++i) {
        if (is_end) advance(i);
        multiply_lines(i, now, c);
      }
      const Range of_panel = {now.begin - lines.begin, now.end - lines.begin};
      if (last.last_of_k) write(group.end - 1, of_panel, is_end);
    }
  }
  void advance(std::size_t i) {
    a_.advance(i);
    b_.advance(i);
  }

  /// The parts in which a group of steps is done, cut along C's lines. The first steps begin with
  /// what is there of their units, and what the last ones have done is written while they do the
  /// rest.
  std::vector<Range> parts_of(Range group, Range lines) const {
    constexpr std::size_t kParts = 8, kLeastLines = 64;
    const bool is_at_an_end = group.begin == 0 || group.end == all().count();
    if (!is_at_an_end || !is_ahead() || lines.empty()) return {lines};
    const std::size_t block = std::max(ceil_div(lines.size(), kParts), kLeastLines);
    std::vector<Range> parts(even_parts(lines.size(), block, unit()));
    for (std::size_t p = 0; p < parts.size(); ++p) parts[p] = even_part(lines, block, unit(), p);
    return parts;
  }
  /// Parts are whole strips, so that they change no bits.
  std::size_t unit() const {
    return strips_of(product_.problem_, product_.problem_.strided()).whole;
  }

  /// Step i for some of its lines of C, which are those of `panel`.
  void multiply_lines(std::size_t i, Range lines, View<T> panel) {
    const StorageStep s = all().step(i);
    const Range m = by_rows() ? lines : s.m, n = by_rows() ? s.n : lines;
    const auto start = std::chrono::steady_clock::now();
    const View<const T> a = a_.template part<T>(i, product_.a_.part(m, s.k));
    const View<const T> b = b_.template part<T>(i, product_.b_.part(s.k, n));
    result_.waited_seconds += seconds_since(start);
    const View<T> c = panel.block({m.begin - s.m.begin, m.end - s.m.begin},
                                  {n.begin - s.n.begin, n.end - s.n.begin});
    multiply(team_, static_cast<T>(product_.request_.alpha), a, b, s.first_of_k ? T{0} : T{1}, c,
             inside_);
    result_.flops += 2.0 * static_cast<double>(m.size()) * static_cast<double>(n.size()) *
                     static_cast<double>(s.k.size());
  }

  /// The step's panel of C, in a slot that is free: what was there before is written.
  View<T> panel(const StorageStep& s) {
    if (s.first_of_k) ++begun_;
    const std::size_t slot = (begun_ - 1) % runs_.size();
    if (s.first_of_k) {
      const auto start = std::chrono::steady_clock::now();
      if (writes_[slot]) tasks_.join(writes_[slot]);
      result_.waited_seconds += seconds_since(start);
      const LinePart part = by_rows() ? LinePart{s.m, s.n} : LinePart{s.n, s.m};
      runs_[slot].emplace(layout_, part, shape_, slots_.memory[slot]);
    }
    return {reinterpret_cast<T*>(runs_[slot]->data()), s.m.size(), s.n.size(), product_.problem_.c,
            runs_[slot]->leading() / sizeof(T)};
  }

  /// Starts to write some lines of a step's panel of C, behind those before, which are on the disk
  /// then, and to record it with the last.
  void write(std::size_t step, Range lines, bool is_last) {
    const PartRuns runs = runs_[(begun_ - 1) % runs_.size()]->lines(lines);
    OutputFile& output = product_.output_;
    const auto piece = [&output, runs](std::size_t number) {
      OutputFile::Piece writer(output);
      runs.for_each_run(number, [&](const Run& run) { writer.announce(run); });
      runs.for_each_run(number, [&](const Run& run) { writer.write(run); });
      writer.end();
    };
    std::function<void()> after = [&output] { output.flush(); };
    if (is_last) after = [&output, panel = all().panel(step)] { output.finish_panel(panel); };
    result_.written_bytes += runs.block_bytes();
    if (runs.pieces() == 0) return after();
    TouchTasks::Ticket& ticket = write_of(begun_ - 1);
    ticket = tasks_.start(
        {deadline_of(step), runs.pieces(), piece, after, lines.begin == 0 ? nullptr : ticket});
    if (!is_ahead()) tasks_.join(ticket);
  }

  FilesProduct& product_;
  Team& team_;
  FileLayout layout_;
  TouchTasks tasks_;
  Plan inside_;
  SlotShape shape_, a_shape_, b_shape_;  ///< of panels of C, and of units of A and B
  Slots turns_;                          ///< in which C and an operand take turns, if they do
  Slots slots_;                          ///< of panels of C
  std::size_t begun_ = 0;                ///< panels of C
  std::vector<TouchTasks::Ticket> writes_;
  std::vector<std::optional<PartRuns>> runs_;
  UnitReader a_, b_;
  FilesResult result_;
};

FilesProduct::FilesProduct(FilesRequest request, std::size_t threads, std::vector<int> nodes)
    : request_(std::move(request)),
      a_(request_.a, request_.transpose_a, request_.access),
      b_(request_.b, request_.transpose_b, request_.access),
      output_(request_.c, request_.access),
      nodes_(std::move(nodes)) {
  check_operands();
  problem_.m = a_.rows();
  problem_.n = b_.columns();
  problem_.k = a_.columns();
  problem_.element_bytes = detail::bytes_of(a_.type());
  problem_.a = a_.order();
  problem_.b = b_.order();
  problem_.c = request_.order == detail::NpyOrder::c ? Order::row_major : Order::column_major;
  problem_.threads = threads;
  problem_.nodes = std::max<std::size_t>(nodes_.size(), 1);
  if (request_.resume) {
    journal_ = output_.interrupted();
    check_same(*journal_, inputs());
    if (!request_.plan) take_plan(*journal_);
  } else {
    output_.check_free();
  }
  trial_ = output_.try_directory();
  settle_storage();
  settle_steps();
}

void FilesProduct::check_operands() const {
  if (a_.type() != b_.type()) {
    throw Error(Errc::bad_input,
                fmt::format("'{}' is {} and '{}' is {}: expected the same type",
                            detail::printable(a_.path()), detail::to_string(a_.type()),
                            detail::printable(b_.path()), detail::to_string(b_.type())));
  }
  if (a_.columns() != b_.rows()) {
    throw Error(Errc::bad_input, fmt::format("{} and {}: expected as many columns as rows",
                                             shape_text(a_), shape_text(b_)));
  }
  // As for NumPy, which reads no empty array either whose other sizes are too large.
  const std::uint64_t element = detail::bytes_of(a_.type());
  const std::uint64_t most = kMostFileBytes - kDirectBlock,
                      rows = std::max<std::uint64_t>(a_.rows(), 1),
                      columns = std::max<std::uint64_t>(b_.columns(), 1);
  if (rows > most / element || columns > most / element / rows) {
    throw Error(Errc::bad_input,
                fmt::format("'{}': the product of {} and {} is {} × {}: expected at most the {} "
                            "bytes of a file",
                            detail::printable(request_.c), detail::printable(a_.path()),
                            detail::printable(b_.path()), a_.rows(), b_.columns(), kMostFileBytes));
  }
}

/// An interrupted run's plan. Throws `Error` if it starts more tasks than there are threads now.
void FilesProduct::take_plan(const ProductJournal& journal) {
  const std::string* const plan = journal.find("plan");
  if (!plan) return;
  request_.plan = *plan;
  Problem any = filled(problem_);
  any.threads = std::numeric_limits<std::size_t>::max();
  const std::size_t tasks = Plan::parse(*plan, any).tasks();
  if (tasks <= problem_.threads) return;
  throw Error(Errc::bad_input,
              fmt::format("cannot resume: the plan of the interrupted run has {} tasks: expected "
                          "--threads {}",
                          tasks, tasks));
}

void FilesProduct::settle_storage() {
  const Problem whole = filled(problem_);
  const Plan given = request_.plan ? Plan::parse(*request_.plan, whole) : Plan();
  const std::uint64_t beside = program_bytes();
  const std::uint64_t budget = request_.memory_limit - std::min(request_.memory_limit, beside);
  const std::uint64_t least = least_storage(whole, given);
  if (least > budget) {
    throw Error(Errc::out_of_memory,
                fmt::format("a memory limit of {} is too small: expected at least {}",
                            detail::format_bytes(request_.memory_limit),
                            detail::format_bytes(printed_limit(beside + least))));
  }
  storage_ = choose_storage(whole, given, budget);
  budget_ = budget - storage_.copies_bytes;
  plan_ = storage_.plan(whole, given);
  if (problem_.m > 0 && problem_.n > 0 && problem_.k > 0) return;
  // Nothing is read, and C is empty or zero.
  storage_.read_bytes = storage_.runs = storage_.first_bytes = storage_.last_bytes = 0;
  storage_.written_bytes = static_cast<double>(problem_.m) * static_cast<double>(problem_.n) *
                           static_cast<double>(problem_.element_bytes);
}

void FilesProduct::settle_steps() {
  // An empty product is one step, whatever its sides are.
  Problem cut = problem_;
  if (cut.m == 0 || cut.n == 0) cut.m = cut.n = cut.k = 0;
  steps_ = StorageSteps(storage_, cut);
  if (!journal_) return;
  check_journal(*journal_);
  steps_ = StorageSteps(storage_, cut, journal_->panels);
}

std::uint64_t FilesProduct::program_bytes() const {
  const bool is_direct = a_.access() == Access::direct && b_.access() == Access::direct &&
                         trial_.access == Access::direct;
  return kProgramBytes + problem_.threads * kThreadBytes + (is_direct ? 0 : kCachedBytes);
}

std::uint64_t FilesProduct::memory_bytes() const { return program_bytes() + storage_.memory_bytes; }

std::string FilesProduct::header() const {
  detail::NpyHeader header;
  header.type = a_.type();
  header.order = request_.order;
  header.shape = {problem_.m, problem_.n};
  return detail::npy_header_text(header, kDirectBlock);
}

FileLayout FilesProduct::c_layout() const {
  const bool by_rows = problem_.c == Order::row_major;
  return {header().size(), by_rows ? problem_.m : problem_.n, by_rows ? problem_.n : problem_.m,
          problem_.element_bytes};
}

std::uint64_t FilesProduct::file_bytes() const { return c_layout().end(); }

ProductJournal::Fields FilesProduct::fields() const {
  ProductJournal::Fields all = inputs();
  all.push_back({"plan", plan_.to_string()});
  return all;
}

ProductJournal::Fields FilesProduct::inputs() const {
  return {{"A", a_.identity()},
          {"B", b_.identity()},
          {"alpha", fmt::format("{}", request_.alpha)},
          {"C",
           fmt::format("{} × {} in {}", problem_.m, problem_.n, detail::to_string(request_.order))},
          {kSimd, to_string(simd_level())}};
}

void FilesProduct::check_same(const ProductJournal& journal,
                              const ProductJournal::Fields& fields) const {
  for (const auto& [name, now] : fields) {
    const std::string* const then = journal.find(name);
    if (then && *then == now) continue;
    if (then && name == kSimd) {
      throw Error(Errc::bad_input,
                  fmt::format("cannot resume: the interrupted run computed with {} and this one "
                              "would with {}, which gives other bits: expected KINJO_SIMD={}",
                              detail::printable(*then), now, detail::printable(*then)));
    }
    const std::string what = name == "A"   ? fmt::format("'{}'", detail::printable(a_.path()))
                             : name == "B" ? fmt::format("'{}'", detail::printable(b_.path()))
                                           : name;
    throw Error(Errc::bad_input,
                fmt::format("cannot resume '{}': {} was: {}; it is: {}; to begin anew delete '{}' "
                            "and its journal",
                            detail::printable(request_.c), what,
                            then ? detail::printable(*then) : "not recorded", now,
                            detail::printable(output_.part_path())));
  }
}

void FilesProduct::check_journal(const ProductJournal& journal) const {
  check_same(journal, fields());
  if (journal.panels.empty() || journal.panels.back().end <= steps_.panels()) return;
  throw Error(Errc::bad_input, fmt::format("the journal '{}' has a panel {} of {}",
                                           detail::printable(output_.journal_path()),
                                           journal.panels.back().end - 1, steps_.panels()));
}

bool FilesProduct::is_input_unchanged() const {
  try {
    a_.check_unchanged();
    b_.check_unchanged();
    return true;
  } catch (const Error&) {
    return false;
  }
}

FilesResult FilesProduct::run(Team& team, const std::function<bool(std::size_t)>& progress) {
  if (journal_) {
    output_.resume(*journal_, header(), file_bytes());
  } else {
    output_.begin(header(), file_bytes(), fields());
  }
  const bool is_float = a_.type() == detail::NpyType::float32;
  const FilesResult result =
      is_float ? Loop<float>(*this, team).run(progress) : Loop<double>(*this, team).run(progress);
  a_.check_unchanged();
  b_.check_unchanged();
  return result;
}

}  // namespace kinjo::gemm
