#include "observe/page_counts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <utility>

#include <kinjo/memory.hpp>

#include "observe/proc_files.hpp"

namespace kinjo {

const char* to_string(PageSource source) noexcept {
  switch (source) {
    case PageSource::numa_maps:
      return "numa_maps";
    case PageSource::move_pages:
      return "move_pages";
    case PageSource::one_node:
      return "one_node";
  }
  return "?";
}

std::uint64_t MemoryView::on(int node) const {
  const auto found = bytes.find(node);
  return found == bytes.end() ? 0 : found->second;
}

namespace detail {

namespace {

void add_mapping(MemoryView& memory, MappingView mapping) {
  if (mapping.bytes.empty()) return;
  for (const auto& [node, bytes] : mapping.bytes) memory.bytes[node] += bytes;
  memory.mappings.push_back(std::move(mapping));
}

PageCounts from_numa_maps(const std::string& proc) {
  const std::string path = proc + "/numa_maps";
  const ProcFile reading = read_file(path);
  if (reading.error != 0) return {std::nullopt, {path, reading.error}};
  MemoryView memory{.source = PageSource::numa_maps};
  for (NumaMapping& line : parse_numa_maps(reading.text, page_bytes())) {
    add_mapping(memory, {.begin = line.begin,
                         .name = std::move(line.name),
                         .policy = std::move(line.policy),
                         .page_bytes = line.page_bytes,
                         .bytes = std::move(line.bytes)});
  }
  return {std::move(memory), {}};
}

/// Walks the resident pages of a process, a batch at a time.
class PageWalk {
 public:
  PageWalk(const std::string& proc, int task, const Topology& machine, const PageQuery& query)
      : path_(proc + "/pagemap"), pagemap_(path_), task_(task), machine_(machine), query_(query) {}

  PageCounts count(const std::vector<AddressRange>& ranges) {
    for (const AddressRange& range : ranges) {
      if (!failed()) count_range(range);
    }
    if (failed()) return {std::nullopt, refusal_};
    return {std::move(memory_), {}};
  }

 private:
  static constexpr std::size_t kBatch = 8192;
  static constexpr std::uint64_t kPresent = std::uint64_t{1} << 63;

  bool failed() {
    if (refusal_.error == 0 && pagemap_.error() != 0) refusal_ = {path_, pagemap_.error()};
    return refusal_.error != 0;
  }

  void count_range(const AddressRange& range) {
    MappingView mapping{.begin = range.begin, .name = range.name, .page_bytes = page_bytes()};
    const std::uint64_t end = range.end / page_bytes();
    for (std::uint64_t page = range.begin / page_bytes(); page < end && !failed();) {
      const auto n = std::min<std::uint64_t>(kBatch, end - page);
      pagemap_.read(page, {words_.data(), n});
      std::size_t present = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (words_[i] & kPresent) {
          pages_[present++] = reinterpret_cast<void*>((page + i) * page_bytes());
        }
      }
      count_batch({pages_.data(), present}, mapping.bytes);
      page += n;
    }
    add_mapping(memory_, std::move(mapping));
  }

  void count_batch(std::span<void* const> pages, NodeBytes& bytes) {
    if (pages.empty()) return;
    if (memory_.source == PageSource::move_pages) {
      const int error = query_(task_, pages, {nodes_.data(), pages.size()});
      if (error == ENOSYS && machine_.nodes().size() == 1) {
        memory_.source = PageSource::one_node;  // nothing was counted before: the first call fails
      } else if (error != 0) {
        refusal_ = {"move_pages", error};
        return;
      }
    }
    if (memory_.source == PageSource::one_node) {
      bytes[machine_.nodes()[0].node] += pages.size() * page_bytes();
      return;
    }
    for (std::size_t i = 0; i < pages.size(); ++i) {
      // The page of zeros is everybody's and has no place; a page may also have gone meanwhile.
      if (nodes_[i] == -ENOENT || nodes_[i] == -EFAULT) continue;
      (nodes_[i] >= 0 ? bytes[nodes_[i]] : memory_.unknown_bytes) += page_bytes();
    }
  }

  std::string path_;
  WordFile pagemap_;
  int task_;
  const Topology& machine_;
  const PageQuery& query_;
  MemoryView memory_{.source = PageSource::move_pages};
  Refusal refusal_;
  std::array<std::uint64_t, kBatch> words_;
  std::array<void*, kBatch> pages_;
  std::array<int, kBatch> nodes_;
};

PageCounts from_move_pages(const std::string& proc, int task, const Topology& machine,
                           const PageQuery& query) {
  const std::string path = proc + "/maps";
  const ProcFile maps = read_file(path);
  if (maps.error != 0) return {std::nullopt, {path, maps.error}};
  const auto walk =
      std::make_unique<PageWalk>(proc, task, machine, query);  // too large for a stack
  return walk->count(parse_maps(maps.text));
}

}  // namespace

PageCounts count_pages(const std::string& proc, int task, std::optional<PageSource> wanted,
                       const Topology& machine, const PageQuery& query) {
  if (wanted == PageSource::move_pages) return from_move_pages(proc, task, machine, query);
  PageCounts counts = from_numa_maps(proc);
  if (wanted || counts.memory || counts.refusal.error != ENOENT) return counts;
  return from_move_pages(proc, task, machine, query);
}

}  // namespace detail
}  // namespace kinjo
