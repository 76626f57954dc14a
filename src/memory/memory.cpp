/// Allocation on chosen nodes: map, ask the kernel to bind, and where it refuses take the next
/// rung.
#include <kinjo/memory.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <kinjo/binding.hpp>
#include <kinjo/error.hpp>

#include "base/kernel.hpp"
#include "base/text.hpp"
#include "memory/available.hpp"

namespace kinjo {

class BufferBuilder {
 public:
  static Buffer map(std::size_t bytes, const AllocOptions& options);
  static PlacementReport& report(Buffer& buffer) { return buffer.report_; }

 private:
  static void map_from_pool(Buffer& buffer, std::size_t alignment);
  static int map_aligned(Buffer& buffer, std::size_t alignment, std::size_t natural, int flags);
};

namespace {

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Whether so little memory is better off without huge pages: clearing one takes a tenth of a
/// millisecond.
bool too_little_for_huge(std::size_t bytes, Pages pages) {
  return pages == Pages::transparent && bytes < huge_page_bytes() / 8;
}

std::size_t alignment_for(const AllocOptions& options, std::size_t bytes) {
  if (options.alignment != 0 && !std::has_single_bit(options.alignment)) {
    throw Error(Errc::invalid_argument,
                fmt::format("alignment {}: expected a power of two", options.alignment));
  }
  const bool small = options.pages == Pages::normal || too_little_for_huge(bytes, options.pages);
  const std::size_t unit = small ? page_bytes() : huge_page_bytes();
  return std::max(options.alignment, unit);
}

void check_node(const Topology& machine, int node) {
  const Node* found = machine.find_node(node);
  if (found && found->allowed && found->memory_kind != MemoryKind::none) return;
  NodeSet usable;
  for (const Node& n : machine.nodes()) {
    if (n.allowed && n.memory_kind != MemoryKind::none) usable.insert(n.node);
  }
  // The system allows nobody a node without memory; that is the better reason.
  const char* fault = !found                                   ? "does not exist"
                      : found->memory_kind == MemoryKind::none ? "has no memory"
                                                               : "may not be used by this process";
  throw Error(Errc::not_found, fmt::format("cannot allocate on node {}: it {}; expected one of {}",
                                           node, fault, usable.to_string()));
}

/// Touches every page from a thread that is pinned to the node's CPUs. False if there is no such
/// CPU or the kernel does not let a thread be pinned.
bool touch_from(const CpuSet& cpus, std::span<std::byte> range) {
  if (cpus.empty()) return false;
  bool pinned = false;
  const auto touch = [&] {
    pinned = detail::set_affinity(cpus) == 0;
    if (!pinned) return;
    detail::touch_pages(range.data(), range.size());
  };
  try {
    std::thread(touch).join();
  } catch (const std::system_error&) {
    return false;  // no thread could be started
  }
  return pinned;
}

/// The pool's refusal as one line, with what the pool holds.
std::string describe_pool(std::size_t bytes, int error) {
  const std::size_t huge = huge_page_bytes();
  const std::string folder = fmt::format("/sys/kernel/mm/hugepages/hugepages-{}kB/", huge / 1024);
  const auto read = [&](const char* name) {
    const auto text = detail::read_small_file(folder + name);
    return text ? std::string(detail::trim(*text)) : "0";
  };
  return fmt::format(
      "cannot get {} in huge pages of {}: mmap returned {} ({} needed, {} of {} in the pool are "
      "free; /proc/sys/vm/nr_hugepages sets how many there are); transparent huge pages were asked "
      "for instead",
      detail::format_bytes(bytes), detail::format_bytes(huge), detail::errno_name(error),
      round_up(bytes, huge) / huge, read("free_hugepages"), read("nr_hugepages"));
}

PlacementReport place_by_touch(Buffer& buffer, int node, int error) {
  const Topology& machine = Topology::this_machine();
  const std::string refusal = detail::describe_refusal(buffer.size(), node, error);
  // Pages of the pool are reserved; to write to more others than there are would end the process.
  const std::uint64_t available = available_memory_bytes();
  if (buffer.pages().pages != Pages::huge && available != 0 && buffer.size() > available) {
    return {Rung::unplaced, error,
            fmt::format("{}; the system has {} available, too little to touch them all, so pages "
                        "are where the system puts them",
                        refusal, detail::format_bytes(available))};
  }
  // CPUs that are merely near to it, as those of memory without CPUs, would touch another node's.
  CpuSet cpus;
  for (const Cpu& cpu : machine.cpus()) {
    if (cpu.allowed && cpu.node == node) cpus.insert(cpu.cpu);
  }
  if (!touch_from(cpus, {static_cast<std::byte*>(buffer.data()), buffer.size()})) {
    return {Rung::unplaced, error,
            fmt::format("{}; no thread could be pinned there to touch them either, so pages are "
                        "where the system puts them",
                        refusal)};
  }
  const Audit audit = buffer.audit();
  const std::string result =
      audit.refusal ? fmt::format("where they are is not known: move_pages returned {}",
                                  detail::errno_name(audit.refusal))
                    : fmt::format("{} of {} on node {}", audit.on(node), audit.pages, node);
  return {Rung::first_touch, error,
          fmt::format("{}; pages were placed by first touch instead, {}", refusal, result)};
}

}  // namespace

const char* to_string(Pages pages) noexcept {
  switch (pages) {
    case Pages::normal:
      return "normal";
    case Pages::transparent:
      return "transparent";
    case Pages::huge:
      return "huge";
  }
  return "unknown";
}

const char* to_string(Rung rung) noexcept {
  switch (rung) {
    case Rung::bound:
      return "bound";
    case Rung::first_touch:
      return "first_touch";
    case Rung::unplaced:
      return "unplaced";
  }
  return "unknown";
}

// Neither is initialised in place, see `Topology::this_machine`. 0: not known yet.

std::size_t page_bytes() {
  static std::atomic<std::size_t> known{0};
  std::size_t bytes = known.load(std::memory_order_relaxed);
  if (bytes == 0) {
    bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    known.store(bytes, std::memory_order_relaxed);
  }
  return bytes;
}

std::size_t huge_page_bytes() {
  static std::atomic<std::size_t> known{0};
  std::size_t bytes = known.load(std::memory_order_relaxed);
  if (bytes == 0) {
    bytes = detail::read_huge_page_bytes("");
    known.store(bytes, std::memory_order_relaxed);
  }
  return bytes;
}

Buffer::~Buffer() {
  if (mapping_) munmap(mapping_, mapped_);
}

Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(capacity_, other.capacity_);
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_, other.mapped_);
  std::swap(report_, other.report_);
  std::swap(pages_, other.pages_);
  return *this;
}

/// Maps `capacity_` bytes at a multiple of `alignment`; of itself the kernel gives one of
/// `natural`. Returns 0 or errno.
int BufferBuilder::map_aligned(Buffer& buffer, std::size_t alignment, std::size_t natural,
                               int flags) {
  const std::size_t mapped = buffer.capacity_ + (alignment - natural);
  void* mapping =
      mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (mapping == MAP_FAILED) return errno;
  buffer.mapping_ = mapping;
  buffer.mapped_ = mapped;
  buffer.data_ =
      reinterpret_cast<void*>(round_up(reinterpret_cast<std::uintptr_t>(mapping), alignment));
  return 0;
}

Buffer BufferBuilder::map(std::size_t bytes, const AllocOptions& options) {
  const std::size_t alignment = alignment_for(options, bytes);
  if (bytes == 0) throw Error(Errc::invalid_argument, "cannot allocate 0 bytes");
  constexpr std::size_t kMost = SIZE_MAX / 4;
  Buffer buffer;
  buffer.bytes_ = bytes;
  buffer.pages_.pages = options.pages;
  int error = bytes > kMost || alignment > kMost ? ENOMEM : 0;
  if (error == 0) {
    // Whole huge pages, so that the last one can be huge too.
    buffer.capacity_ = round_up(bytes, alignment);
    if (options.pages == Pages::huge) map_from_pool(buffer, alignment);
    if (!buffer.mapping_) error = map_aligned(buffer, alignment, page_bytes(), MAP_NORESERVE);
  }
  if (error != 0) {
    throw Error(Errc::out_of_memory,
                fmt::format("cannot allocate {}: mmap returned {}", detail::format_bytes(bytes),
                            detail::errno_name(error)));
  }
  if (buffer.pages_.pages == Pages::transparent && !too_little_for_huge(bytes, options.pages)) {
    // Advice: a kernel without huge pages refuses it, and normal pages then serve as well.
    madvise(buffer.data_, buffer.capacity_, MADV_HUGEPAGE);
  }
  return buffer;
}

/// Reserves its pages: without, a pool that is empty when a page is touched would end the process.
void BufferBuilder::map_from_pool(Buffer& buffer, std::size_t alignment) {
  const std::size_t huge = huge_page_bytes();
  const int error =
      map_aligned(buffer, alignment, huge, MAP_HUGETLB | std::countr_zero(huge) << MAP_HUGE_SHIFT);
  if (error != 0) buffer.pages_ = {Pages::transparent, error, describe_pool(buffer.bytes_, error)};
}

Buffer alloc(std::size_t bytes, const AllocOptions& options) {
  return BufferBuilder::map(bytes, options);
}

Buffer alloc_on(int node, std::size_t bytes, const AllocOptions& options) {
  check_node(Topology::this_machine(), node);
  Buffer buffer = BufferBuilder::map(bytes, options);
  const int error = detail::bind_pages(buffer.data(), buffer.capacity(), node);
  BufferBuilder::report(buffer) =
      error == 0 ? PlacementReport{.rung = Rung::bound} : place_by_touch(buffer, node, error);
  return buffer;
}

Buffer alloc_interleaved(const NodeSet& nodes, std::size_t bytes, const AllocOptions& options) {
  if (nodes.empty()) {
    throw Error(Errc::invalid_argument, "cannot interleave over no nodes: expected at least one");
  }
  for (int node : nodes) check_node(Topology::this_machine(), node);
  Buffer buffer = BufferBuilder::map(bytes, options);
  // A system that serves huge pages unasked would deal those, unevenly.
  if (options.pages == Pages::normal) madvise(buffer.data(), buffer.capacity(), MADV_NOHUGEPAGE);
  const int error = detail::bind_memory(buffer.data(), buffer.capacity(),
                                        detail::MemoryPolicy::interleave, nodes);
  BufferBuilder::report(buffer) =
      error == 0 ? PlacementReport{.rung = Rung::bound}
                 : PlacementReport{.rung = Rung::unplaced,
                                   .error = error,
                                   .message = fmt::format(
                                       "cannot interleave {} over nodes {}: mbind returned {}; "
                                       "pages are where the system puts them",
                                       detail::format_bytes(bytes), nodes.to_string(),
                                       detail::errno_name(error))};
  return buffer;
}

namespace detail {

int bind_pages(void* data, std::size_t bytes, int node) {
  // Preferred, not strict: when a strict node is full the kernel kills the process.
  return bind_memory(data, round_up(bytes, page_bytes()), MemoryPolicy::preferred, {node});
}

void touch_pages(void* data, std::size_t bytes) {
  auto* const page = static_cast<volatile std::byte*>(data);
  for (std::size_t at = 0; at < bytes; at += page_bytes()) page[at] = std::byte{0};
}

void check_room(std::size_t bytes) {
  constexpr std::size_t kFew = 16 << 20;
  const std::uint64_t available = bytes <= kFew ? 0 : available_memory_bytes();
  if (available == 0 || bytes <= available) return;
  throw Error(Errc::out_of_memory, fmt::format("cannot allocate {}: the system has {} available",
                                               format_bytes(bytes), format_bytes(available)));
}

std::string describe_refusal(std::size_t bytes, int node, int error) {
  const char* cause = "";
  if (error == EPERM) cause = " (a container's seccomp profile?)";
  if (error == ENOSYS) cause = " (a kernel without NUMA support?)";
  return fmt::format("cannot bind {} to node {}: mbind returned {}{}", format_bytes(bytes), node,
                     errno_name(error), cause);
}

}  // namespace detail
}  // namespace kinjo
