#include "paths/files/words.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "graph/files/mapped_file.hpp"
#include "graph/files/text_list.hpp"

namespace kinjo::paths::detail {

bool Lines::next() {
  while (!text_.empty()) {
    line_ = graph::detail::take_line(text_);
    ++number_;
    graph::detail::take_blanks(line_);
    if (!line_.empty()) return true;
  }
  return false;
}

std::string_view Lines::word() {
  const std::string_view found = line_.substr(0, line_.find_first_of(" \t,\r"));
  line_.remove_prefix(found.size());
  graph::detail::take_blanks(line_);
  return found;
}

void Lines::refuse(const std::string& fault) const {
  const std::size_t number = std::max<std::size_t>(number_, 1);  // also where there is no line
  graph::detail::refuse_file(file_, fmt::format("line {}: {}", number, fault));
}

bool is_number(std::string_view word) {
  double value;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error != std::errc::invalid_argument && end == word.data() + word.size();
}

}  // namespace kinjo::paths::detail
