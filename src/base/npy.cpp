#include "base/npy.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
/// What is known of each type, in the order of NpyType.
struct TypeFacts {
  const char* description;
  const char* name;
  std::size_t bytes;
};
constexpr TypeFacts kTypes[] = {
    {"<f4", "float32", 4},      {"<f8", "float64", 8}, {"<c8", "complex64", 8},
    {"<c16", "complex128", 16}, {"|i1", "int8", 1},    {"<i2", "int16", 2},
    {"<i4", "int32", 4},        {"<i8", "int64", 8},   {"|u1", "uint8", 1},
    {"<u2", "uint16", 2},       {"<u4", "uint32", 4},  {"<u8", "uint64", 8},
    {"|b1", "bool", 1}};
constexpr std::size_t kRealTypes = 2;

const TypeFacts& facts(NpyType type) { return kTypes[static_cast<std::size_t>(type)]; }

/// Whether a number may end with an L.
enum class Longs { refused, accepted };

/// The dictionary, by recursive descent over what NumPy writes:
///
///     dictionary = "{" { key ":" value [","] } "}"      value = string | True | False | tuple
class Parser {
 public:
  Parser(std::string_view text, const std::string& name, NpyElements accepted, Longs longs)
      : text_(text), name_(name), accepted_(accepted), longs_(longs) {}

  NpyHeader header() {
    expect('{', "a dictionary");
    while (!takes('}')) {
      entry();
      if (takes(',')) continue;
      expect('}', ", or }");
      break;
    }
    blanks();
    if (at_ < text_.size()) refuse("the end of the header");
    for (std::size_t i = 0; i < 3; ++i) {
      if (!seen_[i]) refuse(fmt::format("the key '{}'", kKeys[i]));
    }
    return header_;
  }

 private:
  static constexpr const char* kKeys[] = {"descr", "fortran_order", "shape"};

  [[noreturn]] void refuse(const std::string& expected) const {
    throw Error(Errc::bad_input, fmt::format("cannot read '{}': character {} of its header: "
                                             "expected {}",
                                             printable(name_), at_ + 1, expected));
  }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool takes(char c) {
    blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool takes(std::string_view word) {
    blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void expect(char c, const std::string& what) {
    if (!takes(c)) refuse(what);
  }

  std::string_view string(const char* what) {
    blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') refuse(what);
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) refuse(fmt::format("{} that ends", what));
    const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return content;
  }

  void entry() {
    const std::size_t begin = at_;
    const std::string_view key = string("a key in quotes");
    const auto known = std::ranges::find(kKeys, key);
    const auto index = static_cast<std::size_t>(known - std::begin(kKeys));
    if (known == std::end(kKeys) || seen_[index]) {
      at_ = begin;
      refuse("descr, fortran_order and shape, each once");
    }
    seen_[index] = true;
    expect(':', ":");
    if (index == 0) description();
    if (index == 1) fortran_order();
    if (index == 2) shape();
  }

  void description() {
    blanks();
    const std::size_t begin = at_;
    const bool is_list = begin < text_.size() && text_[begin] == '[';
    const std::string_view text = is_list ? "a record" : string("a type in quotes");
    const bool any = accepted_ == NpyElements::any;
    const std::span<const TypeFacts> accepted(kTypes, any ? std::size(kTypes) : kRealTypes);
    const auto known = std::ranges::find(accepted, text, &TypeFacts::description);
    if (known == accepted.end()) {
      throw Error(
          Errc::bad_input,
          fmt::format(
              "cannot read '{}': its elements are {}: expected {}", printable(name_),
              is_list ? "records" : fmt::format("'{}'", printable(text)),
              any ? "float32, float64, complex64, complex128, bool or integers, little-endian "
                    "('<f4', '<f8', '<c8', '<c16', '<i8' …)"
                  : "float32 or float64, little-endian ('<f4' or '<f8')"));
    }
    header_.type = static_cast<NpyType>(known - accepted.begin());
  }

  void fortran_order() {
    if (takes("True")) {
      header_.order = NpyOrder::fortran;
    } else if (!takes("False")) {
      refuse("True or False");
    }
  }

  void shape() {
    expect('(', "a tuple of numbers");
    while (!takes(')')) {
      header_.shape.push_back(number());
      constexpr std::size_t kMostAxes = 64;  // as NumPy has
      if (header_.shape.size() > kMostAxes) refuse("a shape of at most 64 axes");
      if (takes(',')) continue;
      if (header_.shape.size() == 1) refuse(", behind the only number of a tuple");
      expect(')', ", or )");
      break;
    }
  }

  std::uint64_t number() {
    blanks();
    std::size_t end = at_;
    while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
    const auto value = parse_number<std::uint64_t>(text_.substr(at_, end - at_));
    if (!value || *value > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
      refuse("a size from 0 to 2^63 - 1");
    }
    at_ = end;
    if (longs_ == Longs::accepted && at_ < text_.size() && text_[at_] == 'L') ++at_;
    return *value;
  }

  std::string_view text_;
  const std::string& name_;
  NpyElements accepted_;
  Longs longs_;
  std::size_t at_ = 0;
  bool seen_[3] = {};
  NpyHeader header_;
};

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) {
    value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
  }
  return value;
}

/// Bytes of the elements, or nothing if they are more than a file can have. NumPy refuses sizes of
/// an empty array, too, whose product without the zeros is too large.
std::optional<std::uint64_t> size_of(const NpyHeader& header) {
  std::uint64_t most = std::uint64_t{std::numeric_limits<std::int64_t>::max()} - header.data_offset;
  std::uint64_t bytes = bytes_of(header.type);
  for (const std::uint64_t size : header.shape) {
    if (size == 0) continue;
    if (size > most / bytes) return std::nullopt;
    bytes *= size;
  }
  return std::ranges::find(header.shape, 0u) == header.shape.end() ? bytes : 0;
}

[[noreturn]] void refuse(const std::string& name, const std::string& fault) {
  throw Error(Errc::bad_input, fmt::format("cannot read '{}': {}", printable(name), fault));
}

}  // namespace

const char* to_string(NpyType type) noexcept { return facts(type).name; }
std::size_t bytes_of(NpyType type) noexcept { return facts(type).bytes; }
const char* to_string(NpyOrder order) noexcept {
  return order == NpyOrder::c ? "C order" : "Fortran order";
}

std::uint64_t NpyHeader::data_bytes() const { return size_of(*this).value_or(0); }

NpyHeader parse_npy_header(std::string_view bytes, const std::string& name, NpyElements accepted) {
  if (!bytes.starts_with(kMagic)) {
    refuse(name, "it is no .npy file: expected it to begin with \\x93NUMPY");
  }
  const auto expect_bytes = [&](std::size_t least) {
    if (bytes.size() >= least) return;
    refuse(name, fmt::format("its header is cut off after {} bytes: expected at least {}",
                             bytes.size(), least));
  };
  expect_bytes(kMagic.size() + 4);
  const int major = static_cast<unsigned char>(bytes[6]),
            minor = static_cast<unsigned char>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0) {
    refuse(name, fmt::format("it has version {}.{}: expected 1.0, 2.0 or 3.0", major, minor));
  }
  const std::size_t begin = major == 1 ? 10 : 12;
  const std::size_t length = little_endian(bytes.substr(8, begin - 8));
  // Of a longer file there are as many bytes as a header may have.
  if (length > kNpyHeaderMost - begin && bytes.size() >= kNpyHeaderMost) {
    refuse(name, fmt::format("its header has {} bytes: expected at most {}", length,
                             kNpyHeaderMost - begin));
  }
  expect_bytes(begin + length);
  // Python 2 wrote sizes as 300L; the third version came after it.
  const auto longs = major < 3 ? Longs::accepted : Longs::refused;
  NpyHeader header = Parser(bytes.substr(begin, length), name, accepted, longs).header();
  header.data_offset = begin + length;
  if (!size_of(header)) refuse(name, "its shape exceeds the size of a file");
  if (header.data_offset % bytes_of(header.type) != 0) {
    refuse(name, fmt::format("its elements begin at byte {}: expected a multiple of {}",
                             header.data_offset, bytes_of(header.type)));
  }
  return header;
}

std::string npy_header_text(const NpyHeader& header, std::size_t alignment) {
  std::string shape;
  for (const std::uint64_t size : header.shape) shape += fmt::format("{}, ", size);
  if (header.shape.size() > 1) shape.resize(shape.size() - 2);
  if (header.shape.size() == 1) shape.pop_back();
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}",
                                 facts(header.type).description,
                                 header.order == NpyOrder::fortran ? "True" : "False", shape);
  constexpr std::size_t kBefore = 10;
  const std::size_t whole = (kBefore + text.size() + 1 + alignment - 1) / alignment * alignment;
  text.append(whole - kBefore - text.size() - 1, ' ');
  text += '\n';
  std::string start(kMagic);
  start +=
      {'\x01', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return start + text;
}

}  // namespace kinjo::detail
