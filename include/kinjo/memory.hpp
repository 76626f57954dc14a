/// Memory on chosen nodes (S0 section 4; S1's lmalloc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>

#include <kinjo/audit.hpp>
#include <kinjo/index_set.hpp>
#include <kinjo/topology.hpp>

namespace kinjo {

/// Size of pages to ask for.
enum class Pages {
  normal,       ///< what the system serves unasked: base pages, or huge ones if it is set to
  transparent,  ///< advise transparent huge pages, to which the range is aligned; as `normal` for
                ///< less than an eighth of one, which would take longer to clear than to use
  huge,         ///< huge pages out of the system's pool (`vm.nr_hugepages`), see `PagesReport`
};
const char* to_string(Pages pages) noexcept;

struct AllocOptions {
  std::size_t alignment = 0;  ///< a power of two; 0: the page
  Pages pages = Pages::normal;
};

/// Which rung of the ladder held: what was asked for, or the next best thing.
enum class Rung {
  bound,        ///< the kernel accepted the policy (`mbind`)
  first_touch,  ///< it refused, or was not asked since there are too many pieces; every page was
                ///< touched by a thread pinned on the node
  unplaced,     ///< neither was possible, also since all pages together exceed what is available,
                ///< or nothing was asked: pages are where the system puts them
};
const char* to_string(Rung rung) noexcept;

/// What was asked of the kernel for a range, and what came of it.
struct PlacementReport {
  Rung rung = Rung::unplaced;
  int error = 0;        ///< errno of the refused `mbind`, 0 if it was not refused
  std::string message;  ///< empty if `bound`, else one line that says what happened instead
};

/// What size of pages was had. Pages of the pool are reserved when they are allocated, so that they
/// cannot fail later; where the pool has too few, transparent ones are asked for instead. Those are
/// advice at any time: the kernel may serve small pages.
struct PagesReport {
  Pages pages = Pages::normal;
  int error = 0;        ///< errno of the refused `mmap`, 0 if it was not refused
  std::string message;  ///< empty if as asked, else one line that says what happened instead
};

namespace detail {
/// Of the reports on arrays that are used together the first that tells of a refusal, or the first.
template <class Report>
const Report& first_refused(std::initializer_list<std::reference_wrapper<const Report>> reports) {
  for (const Report& report : reports) {
    if (!report.message.empty()) return report;
  }
  return *reports.begin();
}
}  // namespace detail

/// Page-aligned memory that this object owns and unmaps. Movable, not copyable. Zero-filled.
class Buffer {
 public:
  Buffer() = default;
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;

  void* data() const { return data_; }
  std::size_t size() const { return bytes_; }         ///< bytes that were asked for
  std::size_t capacity() const { return capacity_; }  ///< the same in whole pages
  const PlacementReport& placement() const { return report_; }
  const PagesReport& pages() const { return pages_; }
  /// Where its pages are now.
  Audit audit() const { return kinjo::audit(data_, bytes_); }

 private:
  friend class BufferBuilder;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t capacity_ = 0;
  void* mapping_ = nullptr;  ///< what `munmap` gets: alignment may have moved `data_`
  std::size_t mapped_ = 0;
  PlacementReport report_;
  PagesReport pages_;
};

/// `bytes` of memory where the system puts it (first touch), as `malloc` would, but page-aligned.
/// Throws `Error` (`invalid_argument` for 0 bytes or a bad alignment, `out_of_memory`).
Buffer alloc(std::size_t bytes, const AllocOptions& options = {});

/// `bytes` of memory on one node of this machine. The ladder: `mbind`, then touching every page
/// from a thread pinned on the node, unless the system has less available than that, then leaving
/// it unplaced; `placement()` says which held.
/// A node that is full gives its nearest neighbour's pages instead of ending the process; `audit()`
/// shows it. Throws `Error` (`not_found`) if there is no such node or the process may not use it.
Buffer alloc_on(int node, std::size_t bytes, const AllocOptions& options = {});

/// `bytes` of memory whose pages are dealt in turn to `nodes` (ascending): base pages for
/// `Pages::normal`, else huge ones. Throws as `alloc_on`
/// does, also for an empty set. There is no rung between `bound` and `unplaced` here.
Buffer alloc_interleaved(const NodeSet& nodes, std::size_t bytes, const AllocOptions& options = {});

/// Bytes that this process can still get without swapping: what the system has available, or less
/// where a control group limits it. 0 where the system does not say.
std::uint64_t available_memory_bytes();

/// The system's base page in bytes.
std::size_t page_bytes();

/// The size of a huge page in bytes; the base page's where there are none.
std::size_t huge_page_bytes();

namespace detail {
/// Asks that the pages of a page-aligned range come from `node`: returns 0 or errno. Pages that
/// are there already stay where they are.
int bind_pages(void* data, std::size_t bytes, int node);
/// Writes a zero into every page of new memory, so that the pages are there. Memory that several
/// threads are about to write to needs it where its limit counts: threads that meet in a huge page
/// which is not there yet each take and clear one of their own, and all but the first give it back.
void touch_pages(void* data, std::size_t bytes);
/// Throws `Error` (`out_of_memory`) for more bytes than the system has available, before all of
/// them are written to, when it would end the process instead. A few are not asked about.
void check_room(std::size_t bytes);
/// `mbind`'s refusal as one clause: what could not be bound, errno's name and its likely cause.
std::string describe_refusal(std::size_t bytes, int node, int error);
}  // namespace detail

}  // namespace kinjo
