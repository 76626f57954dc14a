/// A file whose bytes are read where they lie.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/input_file.hpp"

namespace kinjo::graph::detail {

using kinjo::detail::refuse_file;

/// The same of a number that a list's numbers do not reach; with 32 bits it is a `TooWide`.
template <class Number>
[[noreturn]] void refuse_number(const std::string& name, const std::string& fault);

class MappedFile {
 public:
  /// Throws `Error` (`cannot read 'PATH': …`) if it cannot be read or is no ordinary file.
  explicit MappedFile(const std::string& path);
  std::string_view bytes() const { return bytes_; }
  /// The same of a file of text, without the mark that some programs (those of Windows, and
  /// spreadsheets) write at the start of what is UTF-8.
  std::string_view text() const;
  /// What must live as long as the bytes are read.
  std::shared_ptr<const void> keeper() const { return keeper_; }

 private:
  std::string_view bytes_;
  std::shared_ptr<const void> keeper_;
};

}  // namespace kinjo::graph::detail
