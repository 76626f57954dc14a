#include "sdp/files/zip.hpp"

#include <array>
#include <utility>

namespace kinjo::sdp::detail {

namespace {

constexpr std::uint32_t kNarrow = 0xffffffff;  // says that 64 bits stand elsewhere
constexpr std::uint64_t kMostMembers = 0xffff;

/// Eight tables, so that eight bytes are taken at a time: M. E. Kounavis, F. L. Berry, A systematic
/// approach to building high performance software-based CRC generators, 2005.
using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr CrcTables make_tables() {
  CrcTables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t rest = i;
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest & 1 ? 0xedb88320 : 0);
    tables[0][i] = rest;
  }
  for (std::size_t t = 1; t < 8; ++t) {
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t before = tables[t - 1][i];
      tables[t][i] = before >> 8 ^ tables[0][before & 255];
    }
  }
  return tables;
}
constexpr CrcTables kTables = make_tables();

/// Appends so many bytes of a number, the lowest first.
void append(std::string& text, std::uint64_t value, int bytes) {
  for (; bytes > 0; --bytes, value >>= 8) text += static_cast<char>(value & 255);
}

struct Record {
  std::uint64_t size = 0, begin = 0;
  std::uint32_t crc = 0;
};

/// What the head of a member and its line in the directory have in common; the extra field with
/// sizes of 64 bits has `extra` bytes.
void append_facts(std::string& text, const ZipMember& member, const Record& record, bool is_wide,
                  int extra) {
  append(text, is_wide ? 45 : 20, 2);  // the version that reads it
  append(text, 0, 2 + 2);              // no flags; stored
  append(text, 0, 2);                  // midnight
  append(text, 1 << 5 | 1, 2);         // 1 January 1980: the same content makes the same file
  append(text, record.crc, 4);
  for (int i = 0; i < 2; ++i) append(text, is_wide ? kNarrow : record.size, 4);
  append(text, member.name.size(), 2);
  append(text, static_cast<std::uint64_t>(extra), 2);
}

std::string head_of(const ZipMember& member, const Record& record, bool is_wide) {
  std::string text = "PK\3\4";
  append_facts(text, member, record, is_wide, is_wide ? 20 : 0);
  text += member.name;
  if (!is_wide) return text;
  append(text, 1, 2);
  append(text, 16, 2);
  for (int i = 0; i < 2; ++i) append(text, record.size, 8);
  return text;
}

std::string line_of(const ZipMember& member, const Record& record, bool is_wide) {
  std::string text = "PK\1\2";
  append(text, 45, 2);
  append_facts(text, member, record, is_wide, is_wide ? 28 : 0);
  append(text, 0, 2 + 2 + 2 + 4);  // no remark, the first disk, no attributes
  append(text, is_wide ? kNarrow : record.begin, 4);
  text += member.name;
  if (!is_wide) return text;
  append(text, 1, 2);
  append(text, 24, 2);
  for (const std::uint64_t value : {record.size, record.size, record.begin}) append(text, value, 8);
  return text;
}

std::string end_of(std::uint64_t members, std::uint64_t begin, std::uint64_t size, bool is_wide) {
  std::string text;
  if (is_wide) {
    text += "PK\6\6";
    append(text, 44, 8);
    append(text, 45, 2);
    append(text, 45, 2);
    append(text, 0, 4 + 4);
    for (const std::uint64_t value : {members, members, size, begin}) append(text, value, 8);
    text += "PK\6\7";
    append(text, 0, 4);
    append(text, begin + size, 8);
    append(text, 1, 4);
  }
  text += "PK\5\6";
  append(text, 0, 2 + 2);
  for (int i = 0; i < 2; ++i) append(text, is_wide ? kMostMembers : members, 2);
  append(text, is_wide ? kNarrow : size, 4);
  append(text, is_wide ? kNarrow : begin, 4);
  append(text, 0, 2);
  return text;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint32_t next = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      const std::uint32_t mixed = k < 4 ? byte(i + k) ^ (crc >> 8 * k & 255) : byte(i + k);
      next ^= kTables[7 - k][mixed];
    }
    crc = next;
  }
  for (; i < bytes.size(); ++i) crc = crc >> 8 ^ kTables[0][(crc ^ byte(i)) & 255];
  return ~crc;
}

ZipArchive::ZipArchive(std::vector<ZipMember> members, std::uint64_t wide)
    : members_(std::move(members)) {
  std::uint64_t at = 0;
  bool is_any_wide = members_.size() >= kMostMembers;
  for (const ZipMember& member : members_) {
    const Record record{member.head.size() + member.data.size(), at,
                        crc32(member.data, crc32(member.head))};
    const bool is_wide = record.size >= wide || at >= wide;
    is_any_wide |= is_wide;
    heads_.push_back(head_of(member, record, is_wide));
    directory_ += line_of(member, record, is_wide);
    at += heads_.back().size() + record.size;
  }
  is_any_wide |= at >= wide;
  directory_ += end_of(members_.size(), at, directory_.size(), is_any_wide);
}

std::vector<std::string_view> ZipArchive::pieces() const {
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    all.insert(all.end(), {heads_[i], members_[i].head, members_[i].data});
  }
  all.push_back(directory_);
  return all;
}

}  // namespace kinjo::sdp::detail
