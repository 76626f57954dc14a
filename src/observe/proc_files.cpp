#include "observe/proc_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/input_file.hpp"
#include "base/text.hpp"

namespace kinjo::detail {

namespace {

/// As read(2), without the interruptions.
ssize_t read_some(int file, void* data, std::size_t bytes) {
  for (;;) {
    const ssize_t got = ::read(file, data, bytes);
    if (got >= 0 || errno != EINTR) return got;
  }
}

}  // namespace

ProcFile read_file(const std::string& path) {
  constexpr std::size_t kBlock = 1 << 16;
  constexpr std::size_t kLimit = 1 << 30;
  const FileHandle file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return {{}, errno};
  ProcFile reading;
  for (;;) {
    const std::size_t before = reading.text.size();
    reading.text.resize(before + kBlock);
    const ssize_t got = read_some(file.get(), reading.text.data() + before, kBlock);
    if (got < 0) reading.error = errno;
    reading.text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (reading.text.size() > kLimit) reading.error = EFBIG;
    if (got <= 0 || reading.error != 0) break;
  }
  if (reading.error != 0) reading.text.clear();
  return reading;
}

std::vector<int> list_numbers(const std::string& directory) {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(directory.c_str()), closedir);
  std::vector<int> numbers;
  while (const dirent* entry = open ? readdir(open.get()) : nullptr) {
    if (const auto number = parse_number<int>(entry->d_name)) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

WordFile::WordFile(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) error_ = errno;
}

WordFile::~WordFile() {
  if (file_ >= 0) close(file_);
}

void WordFile::read(std::uint64_t first, std::span<std::uint64_t> words) {
  std::size_t done = 0;
  const auto bytes = std::as_writable_bytes(words);
  while (file_ >= 0 && done < bytes.size()) {
    const auto offset = static_cast<off_t>(first * sizeof(std::uint64_t) + done);
    const ssize_t got = pread(file_, bytes.data() + done, bytes.size() - done, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) error_ = errno;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(done), bytes.end(), std::byte{0});
}

}  // namespace kinjo::detail
