/// Zip archives whose members are stored as they are, as NumPy's `.npz` are (PKWARE, APPNOTE.TXT):
///
///     for each member   PK\3\4, sizes, CRC-32, name; its bytes
///     the directory     for each member PK\1\2, the same, and where it begins
///     the end           PK\5\6, how many, where the directory begins; before it PK\6\6 and PK\6\7
///                       where 16 and 32 bits do not hold these
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinjo::sdp::detail {

/// Of the bytes, as zip, gzip and PNG have it; `before` is that of the bytes before them.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

/// A member: a name, and the bytes of `head` and then of `data`, which must outlive the archive.
struct ZipMember {
  std::string name;
  std::string head;
  std::string_view data;
};

/// An archive as the pieces of a file.
class ZipArchive {
 public:
  /// Sizes from `wide` on take 64 bits.
  explicit ZipArchive(std::vector<ZipMember> members, std::uint64_t wide = 0xffffffff);
  std::vector<std::string_view> pieces() const;

 private:
  std::vector<ZipMember> members_;
  std::vector<std::string> heads_;  ///< before each member
  std::string directory_;
};

/// A member of an archive that is read.
struct ZipEntry {
  std::string_view name;
  std::string_view data;
};

/// The members of an archive. Throws `Error` (`cannot read 'FILE': …`, `bad_input`) if it is none,
/// is cut off, contradicts itself, or has a member that is compressed or whose check sum is
/// another.
std::vector<ZipEntry> read_zip(std::string_view bytes, const std::string& file);

}  // namespace kinjo::sdp::detail
