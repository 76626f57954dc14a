#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "sdp/files/file_text.hpp"
#include "sdp/files/zip.hpp"

namespace kinjo::sdp::detail {

namespace {

constexpr std::string_view kEnd = "PK\5\6", kWideEnd = "PK\6\6", kWideLocator = "PK\6\7",
                           kLine = "PK\1\2", kHead = "PK\3\4";
constexpr std::uint64_t kNarrow = 0xffffffff, kEndSize = 22, kLocatorSize = 20, kWideEndSize = 56,
                        kLineSize = 46, kHeadSize = 30;

struct Facts {
  std::string_view name;
  std::uint64_t method = 0, crc = 0, stored = 0, size = 0, begin = 0;
};

class ZipReader {
 public:
  ZipReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  std::vector<ZipEntry> run() {
    find_directory();
    std::vector<ZipEntry> entries;
    for (std::uint64_t i = 0; i < members_; ++i) entries.push_back(entry_of(next_line()));
    return entries;
  }

 private:
  [[noreturn]] void refuse(const std::string& fault) const { refuse_file(file_, fault); }

  /// A number of so many bytes at a place that must be there.
  std::uint64_t number(std::uint64_t at, unsigned bytes) const {
    const std::string_view part = slice(at, bytes);
    std::uint64_t value = 0;
    for (unsigned i = bytes; i > 0; --i) {
      value = value << 8 | static_cast<unsigned char>(part[i - 1]);
    }
    return value;
  }
  std::string_view slice(std::uint64_t at, std::uint64_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) {
      refuse(fmt::format("it is cut off: expected {} bytes at byte {} of {}", size, at,
                         bytes_.size()));
    }
    return bytes_.substr(at, size);
  }
  bool has(std::uint64_t at, std::string_view mark) const {
    return at <= bytes_.size() && bytes_.substr(at).starts_with(mark);
  }

  /// The end may have a remark of 64 KiB behind it.
  void find_directory() {
    const std::uint64_t from =
        bytes_.size() - std::min<std::uint64_t>(bytes_.size(), 65535 + kEndSize);
    const std::size_t found = bytes_.substr(from).rfind(kEnd);
    if (!has(0, "PK") || found == std::string_view::npos) {
      refuse("it is no .npz file, or cut off: it has no directory at its end");
    }
    const std::uint64_t end = from + found;
    members_ = number(end + 10, 2);
    at_ = number(end + 16, 4);
    if (end >= kLocatorSize && has(end - kLocatorSize, kWideLocator)) {
      const std::uint64_t wide = number(end - kLocatorSize + 8, 8);
      if (wide > bytes_.size() - std::min<std::uint64_t>(bytes_.size(), kWideEndSize) ||
          !has(wide, kWideEnd)) {
        refuse(fmt::format("its directory ends at byte {}, where nothing says so", wide));
      }
      members_ = number(wide + 32, 8);
      at_ = number(wide + 48, 8);
    }
    if (members_ > bytes_.size() / kLineSize) {
      refuse(fmt::format("{} members: expected at most {}, since it has {} bytes", members_,
                         bytes_.size() / kLineSize, bytes_.size()));
    }
  }

  Facts next_line() {
    slice(at_, kLineSize);
    if (!has(at_, kLine)) refuse(fmt::format("expected a line of its directory at byte {}", at_));
    Facts facts;
    facts.method = number(at_ + 10, 2);
    facts.crc = number(at_ + 16, 4);
    facts.stored = number(at_ + 20, 4);
    facts.size = number(at_ + 24, 4);
    facts.begin = number(at_ + 42, 4);
    const std::uint64_t name = number(at_ + 28, 2), extra = number(at_ + 30, 2),
                        remark = number(at_ + 32, 2);
    facts.name = slice(at_ + kLineSize, name);
    read_extra(facts, at_ + kLineSize + name, extra);
    at_ += kLineSize + name + extra + remark;
    return facts;
  }

  /// Sizes of 64 bits stand in the field 1, those that 32 bits do not hold, in this order.
  void read_extra(Facts& facts, std::uint64_t at, std::uint64_t size) const {
    slice(at, size);
    const std::uint64_t end = at + size;
    while (end - at >= 4) {
      const std::uint64_t kind = number(at, 2), length = number(at + 2, 2);
      at += 4;
      if (length > end - at) break;
      if (kind == 1) {
        std::uint64_t next = at;
        for (std::uint64_t* value : {&facts.size, &facts.stored, &facts.begin}) {
          if (*value != kNarrow || next + 8 > at + length) continue;
          *value = number(next, 8);
          next += 8;
        }
      }
      at += length;
    }
  }

  ZipEntry entry_of(const Facts& facts) {
    const auto fault = [&](const std::string& what) {
      refuse(fmt::format("member '{}': {}", kinjo::detail::printable(facts.name), what));
    };
    if (facts.method != 0 || facts.stored != facts.size) {
      fault("it is compressed: expected an archive of numpy.savez");
    }
    slice(facts.begin, kHeadSize);
    if (!has(facts.begin, kHead)) fault(fmt::format("nothing begins at byte {}", facts.begin));
    const std::uint64_t head =
        kHeadSize + number(facts.begin + 26, 2) + number(facts.begin + 28, 2);
    const std::string_view data = slice(facts.begin + head, facts.size);
    // A small file could make us read the same bytes again and again.
    read_ += facts.size;
    if (read_ > bytes_.size()) fault("members overlap");
    if (crc32(data) != facts.crc) fault("its check sum is another: it was damaged");
    return {facts.name, data};
  }

  std::string_view bytes_;
  const std::string& file_;
  std::uint64_t members_ = 0, at_ = 0, read_ = 0;
};

}  // namespace

std::vector<ZipEntry> read_zip(std::string_view bytes, const std::string& file) {
  return ZipReader(bytes, file).run();
}

}  // namespace kinjo::sdp::detail
