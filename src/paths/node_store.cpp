#include "paths/node_store.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <utility>

#include <kinjo/memory.hpp>

#include "memory/growing_array.hpp"
#include "paths/spill_file.hpp"

namespace kinjo::paths::detail {

namespace {

/// Of pages that the thread may have kept: they are written sooner than new ones come.
class SmallArena final : public NodeArena {
 public:
  explicit SmallArena(kinjo::detail::GrowingMemory&& pages)
      : NodeArena(pages.data(), Contents::any), pages_(std::move(pages)) {}

  static std::shared_ptr<const NodeArena> make(std::size_t bytes) {
    kinjo::detail::GrowingMemory pages;
    pages.grow(bytes);
    return std::make_shared<const SmallArena>(std::move(pages));
  }

 private:
  kinjo::detail::GrowingMemory pages_;
};

/// Beyond it, what new pages take is little beside what fills them.
constexpr std::size_t kSmall = std::size_t{1} << 19;

class MemoryArena final : public NodeArena {
 public:
  explicit MemoryArena(Buffer&& buffer)
      : NodeArena(buffer.data(), Contents::zeros), buffer_(std::move(buffer)) {}

 private:
  Buffer buffer_;
};

}  // namespace

class NodeStore::File : public SpillFile {
 public:
  explicit File(const std::string& directory) : SpillFile(directory, "nodes") {}
  /// Makes it longer, and says where.
  off_t grow(std::size_t bytes) {
    const off_t at = take(bytes);
    // To write to a page that has no room on the disk would end the program by a signal.
    int error;
    do {
      error = posix_fallocate(number(), at, static_cast<off_t>(bytes));
    } while (error == EINTR);  // of a signal that somebody handles, such as a profiler's
    if (error != 0) refuse(error);
    return at;
  }
};

namespace {

class FileArena final : public NodeArena {
 public:
  /// Mapped at `data`, from `at` of the file.
  FileArena(std::shared_ptr<const void> keeper, int file, off_t at, void* data, std::size_t bytes)
      : NodeArena(data, Contents::zeros),
        keeper_(std::move(keeper)),
        file_(file),
        at_(at),
        bytes_(bytes) {}
  ~FileArena() override {
    munmap(data(), bytes_);
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at_, static_cast<off_t>(bytes_));
  }
  void put_away() const override {
    sync_file_range(file_, at_, static_cast<off_t>(bytes_), SYNC_FILE_RANGE_WRITE);
    madvise(data(), bytes_, MADV_DONTNEED);  // of a shared map nothing is lost
  }
  void fetch() const override { madvise(data(), bytes_, MADV_WILLNEED); }

 private:
  std::shared_ptr<const void> keeper_;
  int file_;
  off_t at_;
  std::size_t bytes_;
};

}  // namespace

NodeStore::NodeStore(const std::string& directory) : file_(std::make_shared<File>(directory)) {}

std::shared_ptr<const NodeArena> NodeStore::take(std::size_t bytes) const {
  if (!file_ && bytes <= kSmall) return SmallArena::make(bytes);
  if (!file_) {
    const Pages pages = bytes < huge_page_bytes() ? Pages::normal : Pages::transparent;
    return std::make_shared<const MemoryArena>(alloc(bytes, {.pages = pages}));
  }
  const off_t at = file_->grow(bytes);
  void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_->number(), at);
  if (data == MAP_FAILED) file_->refuse(errno);
  return std::make_shared<const FileArena>(file_, file_->number(), at, data, bytes);
}

}  // namespace kinjo::paths::detail
