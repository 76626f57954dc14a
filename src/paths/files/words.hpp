/// Lines of words, for readers of small text files.
#pragma once

#include <string>
#include <string_view>

namespace kinjo::paths::detail {

/// Walks over a text's lines and counts them.
class Lines {
 public:
  Lines(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  /// Goes on to the next line that has words; false at the end.
  bool next();
  /// The next word of the line, without what is around it (blanks, tabs, commas); empty at its end.
  std::string_view word();
  /// Throws `Error`: `cannot read 'FILE': line N: FAULT`.
  [[noreturn]] void refuse(const std::string& fault) const;
  std::size_t number() const { return number_; }

 private:
  std::string_view text_, line_;
  const std::string& file_;
  std::size_t number_ = 0;
};

/// Whether a word is a number, whatever its size.
bool is_number(std::string_view word);

}  // namespace kinjo::paths::detail
