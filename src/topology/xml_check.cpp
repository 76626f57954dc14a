/// A scanner over tags, which keeps the stack of open elements; `XmlObjects` looks at each of them.
#include "topology/xml_check.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "topology/xml_objects.hpp"

namespace kinjo::detail {

namespace {

// What hwloc's own parser knows of XML, and no more: at anything else it stops to read attributes
// and goes on without them.
constexpr std::string_view kElementName = "abcdefghijklmnopqrstuvwxyz0123456789_";
constexpr std::string_view kAttributeName = "abcdefghijklmnopqrstuvwxyz_";
constexpr std::string_view kSpace = " \t\n";
constexpr std::array<std::string_view, 7> kEntities = {"&#10;", "&#13;", "&#9;", "&quot;",
                                                       "&lt;",  "&gt;",  "&amp;"};

bool has_unknown_entity(std::string_view value) {
  for (auto at = value.find('&'); at != value.npos; at = value.find('&', at + 1)) {
    const std::string_view rest = value.substr(at);
    if (std::none_of(kEntities.begin(), kEntities.end(),
                     [&](std::string_view entity) { return rest.starts_with(entity); })) {
      return true;
    }
  }
  return false;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<std::string> run() {
    if (const auto binary = text_.find('\0'); binary != text_.npos) {
      advance(binary);
      fail(line_, "a NUL byte: expected text");
    }
    while (fault_.empty() && skip_to_tag()) {
      const XmlTag tag = read_tag();
      if (fault_.empty()) take(tag);
    }
    if (fault_.empty() && !open_.empty()) {
      fail(line_, fmt::format("the file ends inside <{}> of line {}: expected </{}>",
                              open_.back().name, open_.back().line, open_.back().name));
    }
    if (fault_.empty() && !seen_root_) fail(line_, "no element in it: expected <topology>");
    if (fault_.empty()) return std::nullopt;
    return fault_;
  }

 private:
  struct Open {
    std::string_view name;
    int line;
  };

  void fail(int line, const std::string& what) {
    if (fault_.empty()) fault_ = fmt::format("line {}: {}", line, what);
  }

  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  void advance(std::size_t to) {
    to = std::min(to, text_.size());
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
  }
  void skip_space() { advance(text_.find_first_not_of(kSpace, at_)); }

  /// Leaves `at_` on the name of the next element's tag; false at the end of the file.
  bool skip_to_tag() {
    for (;;) {
      const auto open = text_.find('<', at_);
      const auto stray = text_.find_first_not_of(" \t\r\n", at_);
      if (open_.empty() && stray < open && stray != text_.npos) {
        advance(stray);
        fail(line_,
             seen_root_ ? "text behind </topology>" : "expected an XML file with <topology>");
        return false;
      }
      if (open == text_.npos) {
        advance(text_.size());
        return false;
      }
      advance(open);
      if (!skip_if("<?", "?>") && !skip_if("<!--", "-->") && !skip_if("<!", ">")) {
        advance(at_ + 1);
        return fault_.empty();
      }
      if (!fault_.empty()) return false;
    }
  }

  bool skip_if(std::string_view begin, std::string_view end) {
    if (!text_.substr(at_).starts_with(begin)) return false;
    const auto close = text_.find(end, at_ + begin.size());
    if (close == text_.npos) {
      fail(line_, fmt::format("'{}' without its '{}'", begin, end));
      return true;
    }
    advance(close + end.size());
    return true;
  }

  std::string_view read_name(std::string_view letters) {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_not_of(letters, at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  XmlTag read_tag() {
    XmlTag tag;
    tag.line = line_;
    if (peek() == '/') {
      tag.kind = XmlTag::Kind::close;
      ++at_;
    }
    tag.name = read_name(kElementName);
    if (tag.name.empty()) fail(line_, "expected the name of an element behind '<'");
    for (skip_space(); fault_.empty() && kAttributeName.find(peek()) != kAttributeName.npos;
         skip_space()) {
      read_attribute(tag);
    }
    if (peek() == '/') {
      tag.kind = XmlTag::Kind::empty;
      ++at_;
    }
    if (peek() != '>') {
      fail(line_, fmt::format("expected '>' at the end of <{}>", tag.name));
    } else {
      ++at_;
    }
    return tag;
  }

  void read_attribute(XmlTag& tag) {
    XmlAttribute attribute{.name = read_name(kAttributeName), .value = {}};
    if (!text_.substr(at_).starts_with("=\"")) {
      fail(line_, fmt::format("expected =\"value\" behind the attribute {}", attribute.name));
      return;
    }
    const auto close = text_.find_first_of("\"<>", at_ + 2);
    if (close == text_.npos || text_[close] != '"') {
      fail(line_, fmt::format("the value of {} has no closing quote", attribute.name));
      return;
    }
    attribute.value = text_.substr(at_ + 2, close - at_ - 2);
    if (has_unknown_entity(attribute.value)) {
      fail(line_, fmt::format("the value of {} has a stray '&': expected &amp; or another entity",
                              attribute.name));
    }
    advance(close + 1);
    tag.attributes.push_back(attribute);
  }

  void take(const XmlTag& tag) {
    if (tag.kind == XmlTag::Kind::close) return take_close(tag);
    if (open_.empty() && (seen_root_ || tag.name != "topology")) {
      fail(tag.line, fmt::format("<{}> at the top: expected one <topology>", tag.name));
      return;
    }
    seen_root_ = true;
    if (const auto fault = objects_.enter(tag)) fail(tag.line, *fault);
    if (tag.kind == XmlTag::Kind::empty) return objects_.leave();
    open_.push_back({tag.name, tag.line});
    if (open_.size() > kDeepest) fail(tag.line, "elements are nested too deeply");
  }

  void take_close(const XmlTag& tag) {
    if (open_.empty() || open_.back().name != tag.name) {
      fail(tag.line, open_.empty() ? fmt::format("</{}> closes nothing", tag.name)
                                   : fmt::format("</{}>: expected </{}> for line {}", tag.name,
                                                 open_.back().name, open_.back().line));
      return;
    }
    open_.pop_back();
    objects_.leave();
  }

  static constexpr std::size_t kDeepest = 256;
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool seen_root_ = false;
  std::vector<Open> open_;
  XmlObjects objects_;
  std::string fault_;
};

}  // namespace

std::optional<std::string> find_xml_fault(std::string_view text) { return Scanner(text).run(); }

}  // namespace kinjo::detail
