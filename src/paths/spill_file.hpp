/// A file that no directory names, for what memory does not hold: it is gone with the program,
/// however that ends.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace kinjo::paths::detail {

/// Threads may use it at the same time.
class SpillFile {
 public:
  /// In a directory; `what`, a string literal, is what will be kept there. Throws `Error`
  /// (`not_found`, `not_permitted` or `system`), as all that follows.
  SpillFile(std::string directory, const char* what);
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  int number() const { return file_; }
  /// Where so many bytes go that nobody else gets. They take no room before they are written.
  off_t take(std::size_t bytes) { return end_.fetch_add(static_cast<off_t>(bytes)); }
  /// Nobody needs what is there: the room is taken again from the beginning. To get new room takes
  /// the system longer than to write there.
  void clear() { end_ = 0; }
  void write(off_t at, const void* data, std::size_t bytes) const;
  void read(off_t at, void* data, std::size_t bytes) const;
  /// Says that the file could not be used as it should, and why.
  [[noreturn]] void refuse(int error) const;

 private:
  std::string directory_;
  const char* what_;
  int file_;
  std::atomic<off_t> end_{0};
};

/// Bytes that are free where a directory lies. Throws as `SpillFile`.
std::uint64_t free_bytes(const std::string& directory);

}  // namespace kinjo::paths::detail
