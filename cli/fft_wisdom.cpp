#include "fft_wisdom.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"

namespace kinjo::cli {

namespace {

constexpr std::size_t kMostWisdom = 16 << 20;

/// One program at a time: a lock on the folder, as the file itself is replaced. Where the file
/// system has no locks there is none, and the file is whole all the same.
class FolderLock {
 public:
  explicit FolderLock(const std::string& path) {
    std::error_code failed;
    const auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path), failed);
    folder_ = open(whole.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (folder_ >= 0 && flock(folder_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FolderLock() {
    if (folder_ >= 0) close(folder_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int folder_ = -1;
};

}  // namespace

fft::Wisdom read_wisdom(const std::string& path, Absent absent) {
  const auto text = detail::read_small_file(path, kMostWisdom);
  if (text) {
    try {
      return fft::Wisdom::parse(*text);
    } catch (const Error& error) {
      throw Error(error.code(),
                  fmt::format("cannot read '{}': {}", detail::printable(path), error.what()));
    }
  }
  if (absent == Absent::empty && errno == ENOENT) return {};
  throw Error(Errc::not_found,
              fmt::format("cannot read '{}': {}", detail::printable(path), std::strerror(errno)));
}

void add_wisdom(const std::string& path, const fft::Wisdom& found) {
  const FolderLock alone(path);
  fft::Wisdom all = read_wisdom(path, Absent::empty);
  all.remember(found);
  detail::write_whole_file(path, all.to_string());
}

}  // namespace kinjo::cli
