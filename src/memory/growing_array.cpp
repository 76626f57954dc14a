#include "memory/growing_array.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

#include "base/text.hpp"
#include "memory/spare_pages.hpp"

namespace kinjo::detail {

namespace {

constexpr std::size_t kLeast = std::size_t{64} << 10;

[[noreturn]] void refuse(std::size_t bytes) {
  throw Error(Errc::out_of_memory,
              fmt::format("cannot get {} of memory for an array that grows", format_bytes(bytes)));
}

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

std::size_t in_pages(std::size_t bytes) { return round_up(bytes, page_bytes()); }

/// From here on an array gains by huge pages, and loses little of one by not filling its last.
constexpr std::size_t kLarge = std::size_t{4} << 20;

/// Whether an array of so many bytes lies on huge pages. They are too large on some machines.
bool is_large(std::size_t bytes) { return bytes >= kLarge && huge_page_bytes() <= kLarge; }

void* map(std::size_t bytes) {
  return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
              -1, 0);
}

/// Likewise from where a huge page begins.
void* map_on_huge_pages(std::size_t bytes) {
  const std::size_t huge = huge_page_bytes(), more = bytes + huge;
  void* const data = map(more);
  if (data == MAP_FAILED) return data;
  char* const begin = static_cast<char*>(data);
  const std::size_t before = (huge - reinterpret_cast<std::uintptr_t>(data) % huge) % huge;
  if (before != 0) munmap(begin, before);
  munmap(begin + before + bytes, huge - before);
  return begin + before;
}

void* map_new(std::size_t bytes) { return is_large(bytes) ? map_on_huge_pages(bytes) : map(bytes); }

/// As mremap, to where huge pages stay whole: the kernel splits those that come to lie across two.
void* remap(void* data, std::size_t bytes, std::size_t more) {
#ifdef __SANITIZE_THREAD__
  // It does not know mremap, and would take memory that was given back for the array that it
  // belonged to.
  void* const moved = map_new(more);
  if (moved == MAP_FAILED) return moved;
  std::memcpy(moved, data, bytes);
  munmap(data, bytes);
  return moved;
#else
  if (!is_large(more)) return mremap(data, bytes, more, MREMAP_MAYMOVE);
  if (is_large(bytes)) {
    if (void* const same = mremap(data, bytes, more, 0); same != MAP_FAILED) return same;
  }
  void* const to = map_on_huge_pages(more);
  if (to == MAP_FAILED) return to;
  // If this fails, what is at `to` may be another thread's by now.
  return mremap(data, bytes, more, MREMAP_MAYMOVE | MREMAP_FIXED, to);
#endif
}

/// The kernel joins small arrays that lie side by side, whoever maps them, and where it gives huge
/// pages unasked one would lie where the first of their threads writes. A kernel without huge pages
/// refuses the advice.
void advise(void* data, std::size_t before, std::size_t bytes) {
  if (before == 0 && bytes < kLarge) madvise(data, bytes, MADV_NOHUGEPAGE);
  if (before < kLarge && bytes >= kLarge) madvise(data, bytes, MADV_HUGEPAGE);
}

}  // namespace

GrowingMemory::~GrowingMemory() {
  if (data_ == nullptr) return;
  mark_.reset();
  // Fewer, which an array has left that gave back what it did not use, are of no use to any.
  const bool serve = bytes_ >= kLeast && thread_ == std::this_thread::get_id();
  if (!serve || !keep_spare({data_, bytes_})) munmap(data_, bytes_);
}

void GrowingMemory::grow(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(-1) / 2) refuse(bytes);
  std::size_t size = in_pages(std::max(bytes, kLeast));
  if (is_large(size)) size = round_up(size, huge_page_bytes());
  if (size <= bytes_) return;
  if (const Pages spare = take_spare(size); spare.data != nullptr) return move_to(spare);
  mark_.reset();
  void* data = data_ == nullptr ? map_new(size) : remap(data_, bytes_, size);
  if (data == MAP_FAILED) refuse(size);
  advise(data, bytes_, size);
  if (data_ == nullptr) thread_ = std::this_thread::get_id();
  data_ = data;
  bytes_ = size;
  mark();
}

void GrowingMemory::move_to(Pages pages) {
  const GrowingMemory before(std::move(*this));
  data_ = pages.data;
  bytes_ = pages.bytes;
  thread_ = std::this_thread::get_id();
  mark();
  if (before.data_ != nullptr) std::memcpy(data_, before.data_, before.bytes_);
}

/// A mark ends before its pages go: whoever gets them next may mark them as his.
void GrowingMemory::mark() {
  if (region_ != nullptr) mark_ = std::make_unique<RegionMark>(region_, data_, bytes_);
}

void GrowingMemory::shrink(std::size_t bytes) {
  const std::size_t size = in_pages(bytes);
  if (size >= bytes_) return;
  mark_.reset();
  munmap(static_cast<char*>(data_) + size, bytes_ - size);
  bytes_ = size;
  if (size == 0) {
    data_ = nullptr;
  } else {
    mark();
  }
}

void GrowingMemory::discard(std::size_t begin, std::size_t end) {
  const std::size_t first = in_pages(begin), last = end / page_bytes() * page_bytes();
  if (first < last) madvise(static_cast<char*>(data_) + first, last - first, MADV_DONTNEED);
}

}  // namespace kinjo::detail
