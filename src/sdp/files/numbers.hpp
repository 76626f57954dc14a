/// Walks over a text of numbers as SDPA and its kin write them: apart by blanks and `{ } ( ) ,`,
/// with + signs and Fortran's d in exponents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kinjo::sdp::detail {

class Numbers {
 public:
  Numbers(std::string_view text, const std::string& file)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), file_(file) {}

  /// Passes over what is between numbers; true if a line ends there, or the text.
  bool ends_line();
  /// The same, and over ends of lines and comments; true if the text ends there.
  bool ends();
  /// Goes behind the end of this line.
  void skip_line();
  /// The rest of the line.
  std::string_view line() const;
  /// Bytes that follow.
  std::uint64_t left() const { return static_cast<std::uint64_t>(end_ - at_); }

  /// What a number is made of in front of the place: nothing is taken where it is not one.
  enum class After {
    separator,  ///< a blank or the like, or an end, must follow
    remark,     ///< anything may, but no fraction or exponent
  };
  /// An integer of at most 18 digits.
  std::optional<std::int64_t> integer(After after = After::separator);
  /// A number; too large ones are infinite, too small ones 0.
  std::optional<double> real();
  /// The word at the place, quoted for messages; `the end of the line` or `of the file` if none is.
  std::string found() const;

  /// Throws `Error` (`bad_input`): `cannot read 'FILE': line N: FAULT`, with the line of the place.
  [[noreturn]] void refuse(const std::string& fault) const;
  /// The same: `FOUND: expected WHAT`.
  [[noreturn]] void expected(const std::string& what) const;
  /// Of the place, from 1.
  std::size_t line_number() const;

 private:
  bool is_word_end(const char* at) const;
  bool is_part_of_real(const char* at) const;

  const char *begin_, *at_, *end_;
  const std::string& file_;
};

// What is called for every number is compiled into its caller.

inline bool is_separator(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == ',' || c == '{' || c == '}' || c == '(' ||
         c == ')';
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline bool Numbers::is_word_end(const char* at) const {
  return at == end_ || *at == '\n' || is_separator(*at);
}

/// Whether a fraction or an exponent goes on there with the digits in front of it.
inline bool Numbers::is_part_of_real(const char* at) const {
  if (at == end_) return false;
  const bool is_exponent = *at == 'e' || *at == 'E' || *at == 'd' || *at == 'D';
  if (*at != '.' && !is_exponent) return false;
  ++at;
  if (is_exponent && at != end_ && (*at == '+' || *at == '-')) ++at;
  return at != end_ && is_digit(*at);
}

inline bool Numbers::ends_line() {
  while (at_ != end_ && is_separator(*at_)) ++at_;
  return at_ == end_ || *at_ == '\n';
}

inline std::optional<std::int64_t> Numbers::integer(After after) {
  const char* at = at_;
  const bool is_negative = at != end_ && *at == '-';
  if (at != end_ && (*at == '-' || *at == '+')) ++at;
  const char* const digits = at;
  std::int64_t value = 0;
  constexpr std::ptrdiff_t kMostDigits = 18;
  for (; at != end_ && is_digit(*at) && at - digits < kMostDigits; ++at) {
    value = 10 * value + (*at - '0');
  }
  const bool is_over = at != end_ && is_digit(*at);
  if (at == digits || is_over) return std::nullopt;
  if (after == After::separator ? !is_word_end(at) : is_part_of_real(at)) return std::nullopt;
  at_ = at;
  return is_negative ? -value : value;
}

}  // namespace kinjo::sdp::detail
