#include "memory/spare_pages.hpp"

#include <sched.h>
#include <sys/mman.h>

#include <array>
#include <span>
#include <utility>

namespace kinjo::detail {

namespace {

/// The node of the CPU that this thread runs on; without a system call.
unsigned node_here() {
  unsigned cpu = 0, node = 0;
  return getcpu(&cpu, &node) == 0 ? node : 0;
}

/// Arrays that live as long as the process, or as the thread, give their pages back when nothing is
/// kept any more.
thread_local bool keeps_nothing = false;

/// What one thread keeps.
class Spare {
 public:
  ~Spare() {
    give_back();
    keeps_nothing = true;
  }

  void give_back() {
    for (const Kept& kept : all()) munmap(kept.pages.data, kept.pages.bytes);
    count_ = bytes_ = 0;
  }

  bool keep(Pages pages) {
    if (count_ == kMost || pages.bytes > kLargest || bytes_ + pages.bytes > kMostBytes)
      return false;
    kept_[count_++] = {pages, node_here()};
    bytes_ += pages.bytes;
    return true;
  }

  /// The smallest that will do.
  Pages take(std::size_t bytes) {
    if (count_ == 0 || bytes > kLargest) return {};
    const unsigned node = node_here();
    Kept* best = nullptr;
    for (Kept& kept : all()) {
      const bool does = kept.node == node && kept.pages.bytes >= bytes;
      if (does && (best == nullptr || kept.pages.bytes < best->pages.bytes)) best = &kept;
    }
    if (best == nullptr) return {};
    std::swap(*best, kept_[--count_]);
    bytes_ -= kept_[count_].pages.bytes;
    return kept_[count_].pages;
  }

 private:
  struct Kept {
    Pages pages;
    unsigned node = 0;
  };

  static constexpr std::size_t kMost = 32;
  static constexpr std::size_t kLargest = std::size_t{2} << 20, kMostBytes = 2 * kLargest;

  std::span<Kept> all() { return std::span(kept_).first(count_); }

  std::array<Kept, kMost> kept_;
  std::size_t count_ = 0, bytes_ = 0;
};

thread_local Spare spare;

}  // namespace

bool keep_spare(Pages pages) { return !keeps_nothing && spare.keep(pages); }

Pages take_spare(std::size_t bytes) { return keeps_nothing ? Pages{} : spare.take(bytes); }

void give_back_spare() {
  if (!keeps_nothing) spare.give_back();
}

}  // namespace kinjo::detail
