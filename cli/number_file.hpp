/// Whole numbers of a computation, one for each vertex, on their way into a file.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <kinjo/memory.hpp>

#include "base/npy.hpp"

namespace kinjo::cli {

class NumberFile {
 public:
  /// Room for so many numbers of `type` (`int32` or `int64`). Throws `Error` (`out_of_memory`).
  NumberFile(detail::NpyType type, std::size_t size);

  detail::NpyType type() const { return type_; }
  /// The numbers; T as wide as the type.
  template <class T>
  std::span<T> numbers() const {
    return {static_cast<T*>(memory_.data()), size_};
  }

  /// Writes them as the name asks: .npy, or .txt with a number on each line. The file is replaced
  /// when all of it is on the disk. Throws `Error` (`cannot write 'PATH': …`).
  void write(const std::string& path) const;
  /// The same behind the ids that they are of: .npy with two columns of 64 bits, or .txt with both
  /// on each line.
  void write(const std::string& path, std::span<const std::uint64_t> ids) const;

 private:
  std::string text() const;

  detail::NpyType type_;
  std::size_t size_;
  Buffer memory_;
};

/// Throws `Error` for a name that ends in neither .npy nor .txt (`'PATH' for WHAT: …`), and what
/// `check_writable` throws.
void check_number_file(const std::string& path, const char* what);

}  // namespace kinjo::cli
