#include "paths/node_store.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

#include "base/text.hpp"

namespace kinjo::paths::detail {

namespace {

[[noreturn]] void refuse(const std::string& directory, int error) {
  const Errc code = error == ENOENT || error == ENOTDIR ? Errc::not_found
                    : error == EACCES || error == EPERM ? Errc::not_permitted
                                                        : Errc::system;
  throw Error(code, fmt::format("cannot keep nodes in a file in '{}': {}; expected a directory "
                                "with room for them",
                                kinjo::detail::printable(directory), std::strerror(error)));
}

class MemoryArena final : public NodeArena {
 public:
  explicit MemoryArena(Buffer&& buffer) : NodeArena(buffer.data()), buffer_(std::move(buffer)) {}

 private:
  Buffer buffer_;
};

/// A file that no directory names, so that it is gone with the program.
int make_file(const std::string& directory) {
  std::string path = directory + "/kinjo-nodes-XXXXXX";
  const int file = mkostemp(path.data(), O_CLOEXEC);
  if (file < 0) refuse(directory, errno);
  unlink(path.c_str());
  return file;
}

}  // namespace

class NodeStore::File {
 public:
  explicit File(const std::string& directory)
      : directory_(directory), file_(make_file(directory)) {}
  ~File() { close(file_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int number() const { return file_; }
  const std::string& directory() const { return directory_; }
  /// Makes it longer, and says where.
  off_t grow(std::size_t bytes) {
    const off_t at = end_.fetch_add(static_cast<off_t>(bytes));
    // To write to a page that has no room on the disk would end the program by a signal.
    if (const int error = posix_fallocate(file_, at, static_cast<off_t>(bytes)); error != 0) {
      refuse(directory_, error);
    }
    return at;
  }

 private:
  std::string directory_;
  int file_;
  std::atomic<off_t> end_{0};
};

namespace {

class FileArena final : public NodeArena {
 public:
  /// Mapped at `data`, from `at` of the file.
  FileArena(std::shared_ptr<const void> keeper, int file, off_t at, void* data, std::size_t bytes)
      : NodeArena(data), keeper_(std::move(keeper)), file_(file), at_(at), bytes_(bytes) {}
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
  if (!file_) return std::make_shared<const MemoryArena>(alloc(bytes));
  const off_t at = file_->grow(bytes);
  void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_->number(), at);
  if (data == MAP_FAILED) refuse(file_->directory(), errno);
  return std::make_shared<const FileArena>(file_, file_->number(), at, data, bytes);
}

std::uint64_t free_bytes(const std::string& directory) {
  struct statvfs disk;
  if (statvfs(directory.c_str(), &disk) != 0) refuse(directory, errno);
  return std::uint64_t{disk.f_bavail} * disk.f_frsize;
}

}  // namespace kinjo::paths::detail
