#include "sdp/files/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "base/text.hpp"
#include "sdp/files/file_text.hpp"

namespace kinjo::sdp::detail {

namespace {

/// What is beyond double's range: infinite or 0. The exponent of long double goes far enough for
/// all that is meant seriously.
double beyond(const char* begin, const char* end) {
  long double value = 0;
  const auto error = std::from_chars(begin, end, value).ec;
  const bool is_small = error == std::errc{} && std::abs(value) < 1;
  return is_small ? 0.0 : std::numeric_limits<double>::infinity();
}

/// Takes a number from [begin, end); nullptr if there is none.
const char* take(const char* begin, const char* end, double& value) {
  const auto [after, error] = std::from_chars(begin, end, value);
  if (error == std::errc::invalid_argument) return nullptr;
  if (error == std::errc::result_out_of_range) value = beyond(begin, after);
  return after;
}

/// The same of a number with Fortran's exponent, whose d is at `mark`.
const char* take_fortran(const char* begin, const char* mark, const char* end, double& value) {
  constexpr std::ptrdiff_t kMost = 64;
  char copy[kMost];
  const std::ptrdiff_t size = std::min(end - begin, kMost);
  if (mark - begin >= size) return nullptr;
  std::copy(begin, begin + size, copy);
  copy[mark - begin] = 'e';
  const char* const after = take(copy, copy + size, value);
  return after == nullptr ? nullptr : begin + (after - copy);
}

}  // namespace

bool Numbers::ends() {
  while (true) {
    const bool begins_line = at_ == begin_ || at_[-1] == '\n';
    if (begins_line && at_ != end_ && (*at_ == '"' || *at_ == '*')) {
      skip_line();
    } else if (!ends_line()) {
      return false;
    } else if (at_ == end_) {
      return true;
    } else {
      ++at_;
    }
  }
}

std::string_view Numbers::line() const {
  if (at_ == end_) return {};
  const void* const end = std::memchr(at_, '\n', left());
  return {at_, end ? static_cast<std::size_t>(static_cast<const char*>(end) - at_)
                   : static_cast<std::size_t>(left())};
}

void Numbers::skip_line() {
  at_ += line().size();
  if (at_ != end_) ++at_;
}

std::optional<double> Numbers::real() {
  const char* begin = at_;
  if (begin != end_ && *begin == '+') ++begin;
  if (begin == end_ || (begin != at_ && *begin == '-')) return std::nullopt;
  double value = 0;
  const char* after = take(begin, end_, value);
  if (after != nullptr && after != end_ && (*after == 'd' || *after == 'D')) {
    after = take_fortran(begin, after, end_, value);
  }
  if (after == nullptr || !is_word_end(after)) return std::nullopt;
  at_ = after;
  return value;
}

std::string Numbers::found() const {
  constexpr std::ptrdiff_t kMost = 40;
  const char* end = at_;
  while (!is_word_end(end) && end - at_ < kMost) ++end;
  if (end != at_) {
    std::string word = kinjo::detail::printable({at_, static_cast<std::size_t>(end - at_)});
    // Rubbish, or a character that was cut: no terminal should have to make sense of it.
    std::ranges::replace_if(
        word, [](char c) { return static_cast<signed char>(c) < 0; }, '?');
    return fmt::format("'{}'{}", word, is_word_end(end) ? "" : "…");
  }
  return at_ == end_ ? "the end of the file" : "the end of the line";
}

void Numbers::refuse(const std::string& fault) const {
  refuse_file(file_, fmt::format("line {}: {}", line_number(), fault));
}

void Numbers::expected(const std::string& what) const {
  refuse(fmt::format("{}: expected {}", found(), what));
}

std::size_t Numbers::line_number() const {
  return 1 + static_cast<std::size_t>(std::count(begin_, at_, '\n'));
}

}  // namespace kinjo::sdp::detail
