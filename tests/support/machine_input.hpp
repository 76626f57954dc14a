/// Descriptions of machines as input that may be damaged.
#pragma once

#include <string>
#include <string_view>

namespace kinjo::test {

/// A file that lives in memory alone, with a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view text);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const;

 private:
  int file_;
};

/// Reads the machine `input`. Returns the message of the `Error`, or an empty text if there is a
/// machine. Aborts if the message does not name the input, or the machine or one of its mappings
/// breaks a promise.
std::string try_machine(const std::string& input);

}  // namespace kinjo::test
