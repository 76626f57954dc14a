/// Files under /proc, read whole and with errno as a value.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kinjo::detail {

struct ProcFile {
  std::string text;
  int error = 0;  ///< errno of `open` or `read`; the text is then empty
};
/// All of a file that is at most 1 GiB; EFBIG beyond.
ProcFile read_file(const std::string& path);

/// The numbers among the names in a directory such as /proc/PID/task, ascending; empty if it is not
/// there.
std::vector<int> list_numbers(const std::string& directory);

/// A file of 64-bit words that is read in pieces, such as /proc/PID/pagemap.
class WordFile {
 public:
  explicit WordFile(const std::string& path);
  ~WordFile();
  WordFile(const WordFile&) = delete;
  WordFile& operator=(const WordFile&) = delete;

  int error() const { return error_; }  ///< errno of `open`, or of the last `read`
  /// Words from number `first` on; what lies behind the end of the file is 0.
  void read(std::uint64_t first, std::span<std::uint64_t> words);

 private:
  int file_;
  int error_ = 0;
};

}  // namespace kinjo::detail
