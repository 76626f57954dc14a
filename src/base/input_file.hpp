/// Files that are read: opened with care, and refused in one line that names them.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>

#include <kinjo/error.hpp>

namespace kinjo::detail {

/// An open file.
class FileHandle {
 public:
  explicit FileHandle(int number = -1) : number_(number) {}
  ~FileHandle();
  FileHandle(FileHandle&& other) noexcept;
  FileHandle& operator=(FileHandle&& other) noexcept;
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

/// The kind of what the system has said of a file: `not_permitted`, `not_found` or `system`.
Errc code_of(int error) noexcept;

/// Throws `Error`: `cannot read 'PATH': FAULT`, `bad_input`.
[[noreturn]] void refuse_file(const std::string& path, const std::string& fault);
/// The same for what the system has said, with the code of that.
[[noreturn]] void refuse_errno(const std::string& path, int error);

/// An ordinary file that is open for reading.
struct InputFile {
  FileHandle handle;
  struct stat status;  ///< as it was when the file was opened

  std::size_t size() const { return static_cast<std::size_t>(status.st_size); }
};

/// Does not wait for who writes to a pipe. Throws `Error` as above if the file cannot be opened or
/// is no ordinary one.
InputFile open_input(const std::string& path);

/// What the system says of an open file. Throws `Error` as above.
struct stat status_of(int file, const std::string& path);

/// The first `most` bytes of a file, or all if it is shorter. Throws `Error` as above.
std::string read_start(int file, const std::string& path, std::size_t most);

}  // namespace kinjo::detail
