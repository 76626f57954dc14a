/// Binding and auditing the pages of a partition.
///
/// Pieces that lie next to each other and belong to the same node are one run. Each run gets one
/// `mbind`. Where two runs meet inside a huge page, that one is kept from being huge: it would lie
/// whole on the node of whoever touches it first.
#include <kinjo/partitioned_array.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "base/text.hpp"
#include "memory/page_query.hpp"

namespace kinjo {

namespace {

struct Run {
  int node = -1;
  Range bytes;
};

/// Each run costs a mapping in the kernel, of which a process has 65530 for everything.
constexpr std::size_t kMostRuns = 4096;

/// Calls `f(node, range)` for every piece in the order of addresses.
template <class F>
void for_each_piece(const Partition& partition, const Mapping& mapping, F&& f) {
  const auto visit = [&](std::size_t part, std::size_t k) {
    const Range piece = partition.piece(part, k);
    if (!piece.empty()) f(mapping[part].node, piece);
  };
  std::size_t rounds = 0;
  for (std::size_t p = 0; p < partition.parts(); ++p)
    rounds = std::max(rounds, partition.pieces(p));
  for (std::size_t k = 0; k < rounds; ++k) {
    for (std::size_t p = 0; p < partition.parts(); ++p) {
      if (k < partition.pieces(p)) visit(p, k);
    }
  }
}

/// All runs in the order of addresses, or the first `most` + 1 of them if there are more.
std::vector<Run> find_runs(const Partition& partition, const Mapping& mapping,
                           std::size_t element_bytes, std::size_t most = SIZE_MAX - 1) {
  std::vector<Run> runs;
  for_each_piece(partition, mapping, [&](int node, const Range& piece) {
    const Range bytes{piece.begin * element_bytes, piece.end * element_bytes};
    if (runs.size() > most) return;
    if (!runs.empty() && runs.back().node == node) {
      runs.back().bytes.end = bytes.end;
    } else {
      runs.push_back({node, bytes});
    }
  });
  return runs;
}

void keep_small(std::byte* data, const Range& bytes) {
  madvise(data + bytes.begin, bytes.size(), MADV_NOHUGEPAGE);
}

/// No huge page may reach over the beginning of a run.
void split_huge_pages(const Buffer& buffer, const std::vector<Run>& runs) {
  auto* data = static_cast<std::byte*>(buffer.data());
  const std::size_t huge = huge_page_bytes();
  const std::size_t pages = buffer.capacity();
  if (runs.size() > kMostRuns) return keep_small(data, {0, pages});
  const auto base = reinterpret_cast<std::uintptr_t>(data);
  for (std::size_t r = 1; r < runs.size(); ++r) {
    const std::uintptr_t border = base + runs[r].bytes.begin;
    const std::uintptr_t first = std::max(base, border / huge * huge);
    const std::uintptr_t last = std::min(base + pages, border / huge * huge + huge);
    if (border % huge != 0) keep_small(data, {first - base, last - base});
  }
}

}  // namespace

std::size_t ArrayAudit::as_asked() const {
  std::size_t right = 0;
  for (const auto& [node, audit] : by_owner_node) right += audit.on(node);
  return right;
}

std::size_t ArrayAudit::pages() const { return total().pages; }

Audit ArrayAudit::total() const {
  Audit sum;
  for (const auto& [node, audit] : by_owner_node) sum += audit;
  return sum;
}

namespace detail {

Partition make_partition(const ArrayOptions& options, std::size_t size, std::size_t parts,
                         std::size_t granule) {
  switch (options.layout) {
    case Layout::block:
      return Partition::block(size, parts, granule);
    case Layout::cyclic:
      return Partition::cyclic(size, parts, granule);
    case Layout::block_cyclic:
      return Partition::block_cyclic(size, parts, options.chunk, granule);
  }
  throw Error(Errc::invalid_argument, "unknown layout");
}

std::size_t array_granule(std::size_t element_bytes, std::size_t size, std::size_t parts,
                          Pages pages) {
  constexpr std::size_t kLeastHugePages = 16;  // a part that has one more than another has 6 % more
  const std::size_t small = page_granule(element_bytes, page_bytes());
  const std::size_t huge = page_granule(element_bytes, huge_page_bytes());
  if (pages == Pages::normal) return small;
  return pages == Pages::huge || size / huge / parts >= kLeastHugePages ? huge : small;
}

void add_counts(PlacementReport& report, const ArrayAudit& audit) {
  const Audit total = audit.total();
  report.message +=
      total.refusal
          ? fmt::format(", where they are is not known: move_pages returned {}",
                        errno_name(total.refusal))
          : fmt::format(", {} of {} where they were asked", audit.as_asked(), audit.pages());
}

PlacementReport bind_partition(Buffer& buffer, const Partition& partition, const Mapping& mapping,
                               std::size_t element_bytes) {
  if (!mapping.binds()) return {};
  std::vector<Run> runs = find_runs(partition, mapping, element_bytes, kMostRuns);
  split_huge_pages(buffer, runs);
  if (runs.size() > kMostRuns) {
    return {
        Rung::first_touch, 0,
        fmt::format("more than {} pieces on different nodes would need as many mappings; pages are "
                    "placed by the first touch of their owners instead",
                    kMostRuns)};
  }
  runs.back().bytes.end = buffer.capacity();  // a huge page is bound whole or not at all
  for (const Run& run : runs) {
    if (run.node < 0) continue;
    const int error = bind_pages(static_cast<std::byte*>(buffer.data()) + run.bytes.begin,
                                 run.bytes.size(), run.node);
    if (error != 0) {
      return {Rung::first_touch, error,
              fmt::format("{}; pages are placed by the first touch of their owners instead",
                          describe_refusal(run.bytes.size(), run.node, error))};
    }
  }
  return {.rung = Rung::bound};
}

ArrayAudit audit_partition(const Buffer& buffer, const Partition& partition, const Mapping& mapping,
                           std::size_t element_bytes) {
  ArrayAudit result;
  PageQuery query;
  for (const Run& run : find_runs(partition, mapping, element_bytes)) {
    query.add(static_cast<const std::byte*>(buffer.data()) + run.bytes.begin, run.bytes.size(),
              result.by_owner_node[run.node]);
  }
  query.finish();
  return result;
}

}  // namespace detail
}  // namespace kinjo
