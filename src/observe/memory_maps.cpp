#include "observe/memory_maps.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/index_set.hpp>

#include "base/text.hpp"

namespace kinjo {

std::uint64_t total_bytes(const NodeBytes& bytes) {
  std::uint64_t total = 0;
  for (const auto& [node, n] : bytes) total += n;
  return total;
}

namespace detail {

namespace {

[[noreturn]] void malformed(const char* file, std::size_t line, std::string_view at,
                            const char* expected) {
  throw Error(Errc::bad_input, fmt::format("malformed {}, line {}, at '{}': expected {}", file,
                                           line, printable(at.substr(0, 80)), expected));
}

/// The kernel writes blanks, line feeds and backslashes of a name in octal, `\040`.
std::string unescape(std::string_view text) {
  const auto octal = [&](std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '7';
  };
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && octal(i + 1) && octal(i + 2) && octal(i + 3)) {
      name +=
          static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + text[i + 3] - '0');
      i += 3;
    } else {
      name += text[i];
    }
  }
  return name;
}

/// `N3=17`: the node and its pages, nothing if the word is another.
struct NodePages {
  int node;
  std::uint64_t pages;
};
std::optional<NodePages> parse_node_pages(std::string_view word) {
  const auto equals = word.find('=');
  if (equals == word.npos || !word.starts_with('N')) return std::nullopt;
  const auto node = parse_number<int>(word.substr(1, equals - 1));
  const auto pages = parse_number<std::uint64_t>(word.substr(equals + 1));
  if (!node || *node < 0 || *node > kMaxIndex || !pages) return std::nullopt;
  return NodePages{*node, *pages};
}

/// Words behind the policy, gathered: the unit stands behind the counts that are in it.
struct NumaLine {
  NumaMapping mapping;
  std::vector<NodePages> counts;

  /// False if the word is damaged; words that are not needed (anon=, dirty=, …) pass.
  bool take(std::string_view word) {
    if (word.starts_with("file=")) {
      mapping.name = unescape(word.substr(5));
    } else if (word == "heap" || word == "stack") {
      mapping.name = fmt::format("[{}]", word);
    } else if (word.starts_with("kernelpagesize_kB=")) {
      const auto kib = parse_number<std::uint64_t>(word.substr(18));
      if (!kib || *kib == 0 || *kib > (std::uint64_t{1} << 40)) return false;
      mapping.page_bytes = *kib * 1024;
    } else if (word.size() > 1 && word[0] == 'N' && word[1] >= '0' && word[1] <= '9') {
      const auto count = parse_node_pages(word);
      if (!count) return false;
      counts.push_back(*count);
    }
    return true;
  }

  /// False if a count of bytes does not fit.
  bool close() {
    for (const NodePages& count : counts) {
      if (count.pages > std::numeric_limits<std::uint64_t>::max() / mapping.page_bytes)
        return false;
      mapping.bytes[count.node] += count.pages * mapping.page_bytes;
    }
    return true;
  }
};

NumaMapping parse_numa_line(std::string_view line, std::size_t number, std::uint64_t page_bytes) {
  constexpr const char* kFile = "numa_maps";
  const std::vector<std::string_view> words = split(line, ' ');
  const auto begin = parse_hex<std::uint64_t>(words[0]);
  if (!begin) malformed(kFile, number, line, "an address in hexadecimal");
  if (words.size() < 2 || words[1].empty()) {
    malformed(kFile, number, line, "a memory policy behind the address");
  }
  NumaLine read;
  read.mapping.begin = *begin;
  read.mapping.page_bytes = page_bytes;
  read.mapping.policy = words[1];
  for (std::size_t w = 2; w < words.size(); ++w) {
    if (w == 2 && words[w].starts_with('(')) {  // the policy `prefer (many):0-1`
      read.mapping.policy += fmt::format(" {}", words[w]);
    } else if (!read.take(words[w])) {
      malformed(kFile, number, words[w], "pages of a node as N0=123, or kernelpagesize_kB=4");
    }
  }
  if (!read.close()) malformed(kFile, number, line, "less than 16 EiB in a mapping");
  return std::move(read.mapping);
}

AddressRange parse_maps_line(std::string_view line, std::size_t number) {
  constexpr const char* kFile = "maps";
  const std::string_view range = line.substr(0, line.find(' '));
  const auto dash = range.find('-');
  const auto begin = parse_hex<std::uint64_t>(range.substr(0, dash));
  const auto end =
      dash == range.npos ? std::nullopt : parse_hex<std::uint64_t>(range.substr(dash + 1));
  if (!begin || !end || *end < *begin) {
    malformed(kFile, number, line, "a range of addresses as 1000-2000");
  }
  // Permissions, offset, device and inode, each behind one blank; then the name behind several.
  std::string_view rest = line.substr(range.size());
  for (int field = 0; field < 4; ++field) {
    if (!rest.starts_with(' ') || rest.size() < 2) {
      malformed(kFile, number, line, "permissions, offset, device and inode");
    }
    rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.find(' '), rest.size()));
  }
  return {*begin, *end, unescape(rest.substr(std::min(rest.find_first_not_of(' '), rest.size())))};
}

/// What `parse_line` makes of each line that is not empty.
template <class Parse>
auto parse_lines(std::string_view text, Parse parse_line) {
  std::vector<decltype(parse_line(text, std::size_t{1}))> found;
  std::size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    if (!line.empty()) found.push_back(parse_line(line, number));
  }
  return found;
}

}  // namespace

std::vector<NumaMapping> parse_numa_maps(std::string_view text, std::uint64_t page_bytes) {
  return parse_lines(text, [&](std::string_view line, std::size_t number) {
    return parse_numa_line(line, number, page_bytes);
  });
}

std::vector<AddressRange> parse_maps(std::string_view text) {
  return parse_lines(text, parse_maps_line);
}

}  // namespace detail
}  // namespace kinjo
