#include "base/kernel.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::detail {

static_assert(sizeof(unsigned long) == sizeof(std::uint64_t), "masks are passed as 64-bit words");

namespace {

int errno_of(long result) { return result < 0 ? errno : 0; }

/// The kernel reads maxnode − 1 bits, and wants at least one word.
struct NodeMask {
  explicit NodeMask(const NodeSet& nodes) : words(nodes.words()) { words.push_back(0); }
  unsigned long bits() const { return words.size() * 64; }
  std::vector<std::uint64_t> words;
};

}  // namespace

int set_affinity(const CpuSet& cpus) {
  const auto& words = cpus.words();
  return errno_of(syscall(SYS_sched_setaffinity, 0, words.size() * sizeof(words[0]), words.data()));
}

CpuSet get_affinity() {
  // The kernel refuses a buffer that is smaller than its own mask, whose size it does not tell.
  for (std::size_t words = 16; words <= std::size_t{kMaxIndex + 1} / 64; words *= 2) {
    std::vector<std::uint64_t> mask(words);
    const long bytes = syscall(SYS_sched_getaffinity, 0, words * sizeof(mask[0]), mask.data());
    if (bytes < 0) {
      if (errno == EINVAL) continue;
      break;
    }
    CpuSet cpus;
    for (std::size_t bit = 0; bit < static_cast<std::size_t>(bytes) * 8; ++bit) {
      if ((mask[bit / 64] >> (bit % 64)) & 1) cpus.insert(static_cast<int>(bit));
    }
    return cpus;
  }
  throw Error(Errc::system,
              fmt::format("cannot read the affinity mask: sched_getaffinity returned {}",
                          errno_name(errno)));
}

int bind_memory(void* data, std::size_t bytes, MemoryPolicy policy, const NodeSet& nodes) {
  const NodeMask mask(nodes);
  return errno_of(
      syscall(SYS_mbind, data, bytes, static_cast<int>(policy), mask.words.data(), mask.bits(), 0));
}

int set_memory_policy(MemoryPolicy policy, const NodeSet& nodes) {
  const NodeMask mask(nodes);
  return errno_of(
      syscall(SYS_set_mempolicy, static_cast<int>(policy), mask.words.data(), mask.bits()));
}

int query_pages(std::span<void* const> pages, std::span<int> nodes, int process) {
  return errno_of(
      syscall(SYS_move_pages, process, pages.size(), pages.data(), nullptr, nodes.data(), 0));
}

}  // namespace kinjo::detail
