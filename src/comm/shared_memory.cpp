/// The memory of a host's cells: a board (who is there, barriers, words that nodes wait on), then
/// for each cell its rings and its heap, in segments that begin on huge pages. Among processes it
/// is a memory file without a name, which is inherited or passed on and goes with its last user.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>

#include <fmt/format.h>

#include "base/text.hpp"
#include "comm/neighbourhood.hpp"

namespace kinjo::comm::detail {
namespace {

// Heaps begin on huge pages, so that the kernel may serve those.
constexpr std::size_t kSegmentAlignment = std::size_t{2} << 20;

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

std::size_t board_bytes(int members) {
  const auto count = static_cast<std::size_t>(members);
  return round_up(count * sizeof(Member) + sizeof(BarrierWords) + 2 * count * sizeof(GroupWord),
                  page_bytes());
}

[[noreturn]] void fail(const char* what, std::size_t bytes, int error) {
  const Errc code = error == ENOMEM || error == ENOSPC ? Errc::out_of_memory : Errc::system;
  throw Error(code, fmt::format("cannot {} of {} bytes for the cells of this host: {}", what, bytes,
                                kinjo::detail::errno_name(error)));
}

std::byte* map_file(int file, std::size_t offset, std::size_t bytes) {
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(offset));
  if (memory == MAP_FAILED) fail("map a memory file", bytes, errno);
  return static_cast<std::byte*>(memory);
}

}  // namespace

int create_memory_file(int members) {
  const int file = memfd_create("kinjo-cells", MFD_CLOEXEC);
  if (file < 0) fail("create a memory file", board_bytes(members), errno);
  if (ftruncate(file, static_cast<off_t>(board_bytes(members))) != 0) {
    const int error = errno;
    close(file);
    fail("create a memory file", board_bytes(members), error);
  }
  return file;
}

SharedMemory::SharedMemory(int members)
    : members_(members),
      rings_(round_up(static_cast<std::size_t>(members) * Ring::kBytes, kSegmentAlignment)) {}

std::size_t SharedMemory::segment_bytes(std::size_t heap_bytes) const {
  return rings_ + round_up(heap_bytes, kSegmentAlignment);
}

std::shared_ptr<SharedMemory> SharedMemory::allocate(const std::vector<int>& nodes,
                                                     std::size_t heap_bytes) {
  const int members = static_cast<int>(nodes.size());
  std::shared_ptr<SharedMemory> memory(new SharedMemory(members));
  memory->buffers_.push_back(alloc(board_bytes(members)));
  memory->board_ = static_cast<std::byte*>(memory->buffers_.back().data());
  memory->begin_board();
  const std::size_t bytes = memory->segment_bytes(heap_bytes);
  for (const int node : nodes) {
    memory->buffers_.push_back(node < 0 ? alloc(bytes) : alloc_on(node, bytes));
    memory->segments_.push_back(static_cast<std::byte*>(memory->buffers_.back().data()));
  }
  return memory;
}

std::shared_ptr<SharedMemory> SharedMemory::map_board(int file, int members) {
  std::shared_ptr<SharedMemory> memory(new SharedMemory(members));
  memory->board_mapped_ = board_bytes(members);
  struct stat status {};
  // Beyond the end of a file memory can be mapped, but not touched.
  if (fstat(file, &status) != 0 ||
      static_cast<std::uint64_t>(status.st_size) < memory->board_mapped_) {
    throw Error(Errc::bad_input, fmt::format("the memory file of {} cells has {} bytes: expected "
                                             "{} at least",
                                             members, status.st_size, memory->board_mapped_));
  }
  memory->board_ = map_file(file, 0, memory->board_mapped_);
  memory->file_ = file;
  return memory;
}

// A memory file begins as zeros, which is what all words of the board begin as.
void SharedMemory::begin_board() {
  for (int i = 0; i < members_; ++i) new (&member(i)) Member;
  new (&barrier()) BarrierWords;
  for (int i = 0; i < 2 * members_; ++i) new (&group_words()[i]) GroupWord;
}

BarrierWords& SharedMemory::barrier() const {
  return *reinterpret_cast<BarrierWords*>(board_ +
                                          static_cast<std::size_t>(members_) * sizeof(Member));
}

GroupWord* SharedMemory::group_words() const {
  return reinterpret_cast<GroupWord*>(reinterpret_cast<std::byte*>(&barrier()) +
                                      sizeof(BarrierWords));
}

void SharedMemory::map_segments(std::size_t heap_bytes, int mine, int node) {
  if (file_ < 0) return;
  const auto count = static_cast<std::size_t>(members_);
  const std::size_t bytes = segment_bytes(heap_bytes);
  const std::size_t first = round_up(board_mapped_, kSegmentAlignment);
  segments_mapped_ = count * bytes;
  // All members grow it to the same length, so that nobody has to wait for a first one.
  if (ftruncate(file_, static_cast<off_t>(first + segments_mapped_)) != 0) {
    fail("grow a memory file", first + segments_mapped_, errno);
  }
  segments_mapping_ = map_file(file_, first, segments_mapped_);
  for (std::size_t i = 0; i < count; ++i) segments_.push_back(segments_mapping_ + i * bytes);
  std::byte* own = segments_[static_cast<std::size_t>(mine)];
  madvise(own + rings_, bytes - rings_, MADV_HUGEPAGE);
  // The policy belongs to the file's pages, whoever touches them first. Where it is refused the
  // owner touches what it allocates before others may.
  if (node >= 0) kinjo::detail::bind_pages(own, bytes, node);
}

void SharedMemory::note_failure(int index) {
  std::atomic<State>& state = member(index).state;
  State last = state.load(std::memory_order_relaxed);
  while (last == State::absent || last == State::here) {
    if (state.compare_exchange_weak(last, State::failed, std::memory_order_acq_rel)) return;
  }
}

SharedMemory::~SharedMemory() {
  if (segments_mapping_ != nullptr) munmap(segments_mapping_, segments_mapped_);
  if (file_ >= 0) munmap(board_, board_mapped_);
}

}  // namespace kinjo::comm::detail
