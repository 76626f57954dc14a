/// A `.npy` file that is open for reading, its header read and its length checked.
#pragma once

#include <cstdint>
#include <string>

#include "base/input_file.hpp"
#include "base/npy.hpp"

namespace kinjo::detail {

class NpyFile {
 public:
  /// Throws `Error` (`cannot read 'PATH': …`) if the file cannot be read, is no ordinary one, its
  /// header is refused (base/npy.hpp), or it is not as long as its header says.
  explicit NpyFile(const std::string& path, NpyElements accepted = NpyElements::real);

  const std::string& path() const { return path_; }
  const NpyHeader& header() const { return header_; }
  int number() const { return file_.get(); }

  /// What tells this content from another: `N bytes, modified SECONDS`.
  std::string identity() const;
  /// Throws `Error` (`bad_input`) if size or time of modification are no longer as they were.
  void check_unchanged() const;

  /// Reads bytes from `begin` on until `need` is reached; up to `end` may come. Throws `Error`.
  void read(std::uint64_t begin, std::uint64_t need, std::uint64_t end, char* into) const {
    read_by(file_.get(), begin, need, end, into);
  }
  /// The same by another descriptor of the file.
  void read_by(int file, std::uint64_t begin, std::uint64_t need, std::uint64_t end,
               char* into) const;

  /// Throws `Error` (`bad_input`): `cannot read 'PATH': FAULT`.
  [[noreturn]] void refuse(const std::string& fault) const;

 private:
  std::string path_;
  FileHandle file_;
  NpyHeader header_;
  std::uint64_t size_ = 0;
  std::int64_t seconds_ = 0, nanoseconds_ = 0;  ///< of the last modification
};

}  // namespace kinjo::detail
