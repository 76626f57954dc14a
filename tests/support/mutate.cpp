#include "support/mutate.hpp"

#include <algorithm>
#include <array>

namespace kinjo::test {

namespace {

constexpr std::string_view kDigits = "0123456789";
/// Numbers at which parsers break: around limits, negative, and in other notations.
constexpr std::array<std::string_view, 14> kNumbers = {"0",          "1",
                                                       "-1",         "63",
                                                       "64",         "1048575",
                                                       "1048576",    "2147483647",
                                                       "4294967295", "4294967296",
                                                       "0xffffffff", "99999999999999999999",
                                                       "1e9",        ""};

}  // namespace

void Mutator::damage_once(std::string& text) {
  const std::size_t at = below(text.size());
  const std::size_t length = 1 + below(std::min<std::size_t>(64, text.size()));
  switch (below(6)) {
    case 0:  // a flipped bit
      if (!text.empty()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      break;
    case 1:  // another byte
      if (!text.empty()) text[at] = static_cast<char>(below(256));
      break;
    case 2:  // a lost piece
      text.erase(at, length);
      break;
    case 3:  // a piece twice
      text.insert(at, text.substr(below(text.size()), length));
      break;
    case 4:  // the rest lost
      if (below(8) == 0) text.resize(at);
      break;
    default:
      change_number(text);
  }
}

void Mutator::change_number(std::string& text) {
  const auto begin = text.find_first_of(kDigits, below(text.size()));
  if (begin == text.npos) return;
  const auto end = std::min(text.find_first_not_of(kDigits, begin), text.size());
  text.replace(begin, end - begin, kNumbers[below(kNumbers.size())]);
}

}  // namespace kinjo::test
