/// Cuts as text, and the names of options.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>
#include <kinjo/fft_plan.hpp>

#include "base/text.hpp"

namespace kinjo::fft {

const char* to_string(InCache in_cache) noexcept {
  constexpr std::array names{"automatic", "in_place", "stockham", "direct"};
  return names[static_cast<std::size_t>(in_cache)];
}

const char* to_string(Deal deal) noexcept { return deal == Deal::block ? "block" : "cyclic"; }

const char* to_string(Overlap overlap) noexcept {
  constexpr std::array names{"automatic", "off", "on"};
  return names[static_cast<std::size_t>(overlap)];
}

std::string Cut::to_string() const {
  if (factors.empty()) return "automatic";
  std::string text = fmt::format("{}", fmt::join(factors, "x"));
  if (width != 0) text += fmt::format(" width {}", width);
  if (in_cache != InCache::automatic) text += fmt::format(" {}", fft::to_string(in_cache));
  if (overlap == Overlap::on) text += " overlap";
  if (overlap == Overlap::off) text += " apart";
  return text;
}

namespace {

/// Takes a cut apart word by word.
class Reader {
 public:
  explicit Reader(std::string_view text) : all_(text), rest_(text) {}

  Cut read() {
    Cut cut;
    if (all_ == "automatic") return cut;
    cut.factors = factors(word());
    while (more_) option(word(), cut);
    return cut;
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    throw Error(
        Errc::bad_input,
        fmt::format("fft: cut '{}': {}: expected e.g. '4096x4096 width 64 in_place overlap'",
                    kinjo::detail::printable(all_), what));
  }

  /// What stands before the next space, behind which there is another word, be it empty.
  std::string_view word() {
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    const std::string_view first = rest_.substr(0, end);
    more_ = end < rest_.size();
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return first;
  }

  std::size_t number(std::string_view text) const {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value == 0) {
      refuse(fmt::format("'{}' is not a positive number", kinjo::detail::printable(text)));
    }
    return value;
  }

  std::vector<std::size_t> factors(std::string_view text) const {
    std::vector<std::size_t> list;
    std::size_t product = 1;
    while (true) {
      const std::size_t end = text.find('x');
      list.push_back(number(text.substr(0, end)));
      if (product > std::numeric_limits<std::ptrdiff_t>::max() / list.back()) {
        refuse("the line exceeds the address space");
      }
      product *= list.back();
      if (end == std::string_view::npos) return list;
      text.remove_prefix(end + 1);
    }
  }

  void option(std::string_view name, Cut& cut) {
    if (name == "width" && cut.width == 0) {
      cut.width = number(word());
    } else if (name == "in_place" && cut.in_cache == InCache::automatic) {
      cut.in_cache = InCache::in_place;
    } else if (name == "stockham" && cut.in_cache == InCache::automatic) {
      cut.in_cache = InCache::stockham;
    } else if (name == "direct" && cut.in_cache == InCache::automatic) {
      cut.in_cache = InCache::direct;
    } else if (name == "overlap" && cut.overlap == Overlap::automatic) {
      cut.overlap = Overlap::on;
    } else if (name == "apart" && cut.overlap == Overlap::automatic) {
      cut.overlap = Overlap::off;
    } else {
      refuse(fmt::format("'{}' is not expected there", kinjo::detail::printable(name)));
    }
  }

  std::string_view all_, rest_;
  bool more_ = true;
};

}  // namespace

Cut Cut::parse(std::string_view text) { return Reader(text).read(); }

}  // namespace kinjo::fft
