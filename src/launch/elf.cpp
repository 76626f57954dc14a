/// Reads of an ELF file only what `ElfFile` holds: the identification, the program headers, and
/// through them the loader's name, the owners of notes, and the dynamic section, whose DT_NEEDED
/// entries are offsets into a string table that is given by its address in memory (System V ABI,
/// chapters 4 and 5).
#include "launch/elf.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

/// The header of what this is linked into, in memory, which linkers know by this name: what
/// "native" means. The file itself is not to be had where /proc is not mounted.
extern "C" const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

namespace kinjo::detail {

namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Dynamic = ElfW(Dyn);
using Note = ElfW(Nhdr);

/// More than any program has; a damaged file cannot make us read for long.
constexpr std::size_t kMaxSegments = 1 << 10;
constexpr std::size_t kMaxDynamic = 1 << 12;
constexpr std::size_t kMaxName = 1 << 12;
constexpr std::size_t kMaxNotes = 1 << 6;

/// Reads at offsets. Executables can be large, their headers are not, so nothing is mapped.
class Reader {
 public:
  explicit Reader(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Reader() {
    if (fd_ >= 0) close(fd_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  template <class T>
  std::optional<T> read(std::uint64_t offset) const {
    T value;
    if (read_bytes(offset, &value, sizeof value) != sizeof value) return std::nullopt;
    return value;
  }

  /// Whole records only; fewer than `count` where the file ends.
  template <class T>
  std::vector<T> read_many(std::uint64_t offset, std::size_t count) const {
    std::vector<T> values(count);
    values.resize(read_bytes(offset, values.data(), count * sizeof(T)) / sizeof(T));
    return values;
  }

  /// The text up to a NUL; nothing if there is none within kMaxName bytes.
  std::optional<std::string> read_name(std::uint64_t offset) const {
    std::string name(kMaxName, '\0');
    name.resize(read_bytes(offset, name.data(), name.size()));
    const std::size_t end = name.find('\0');
    if (end == std::string::npos) return std::nullopt;
    name.resize(end);
    return name;
  }

 private:
  std::size_t read_bytes(std::uint64_t offset, void* to, std::size_t bytes) const {
    const ssize_t got = pread(fd_, to, bytes, static_cast<off_t>(offset));
    return got < 0 ? 0 : static_cast<std::size_t>(got);
  }
  int fd_;
};

ElfFile::Kind kind_of(const std::optional<Header>& header) {
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return ElfFile::Kind::other;
  const Header& own = __ehdr_start;
  // The identification says how to read the rest, so it is compared before the machine is.
  const bool native = header->e_ident[EI_CLASS] == own.e_ident[EI_CLASS] &&
                      header->e_ident[EI_DATA] == own.e_ident[EI_DATA] &&
                      header->e_machine == own.e_machine;
  return native ? ElfFile::Kind::native : ElfFile::Kind::foreign;
}

/// Where in the file the byte lies that is loaded at `address`.
std::optional<std::uint64_t> file_offset(const std::vector<Segment>& segments,
                                         std::uint64_t address) {
  for (const Segment& s : segments) {
    if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz) {
      return s.p_offset + (address - s.p_vaddr);
    }
  }
  return std::nullopt;
}

std::vector<std::string> needed_libraries(const Reader& file, const std::vector<Segment>& segments,
                                          const Segment& section) {
  auto entries = file.read_many<Dynamic>(
      section.p_offset, std::min<std::size_t>(section.p_filesz / sizeof(Dynamic), kMaxDynamic));
  const auto strings = std::find_if(entries.begin(), entries.end(),
                                    [](const Dynamic& d) { return d.d_tag == DT_STRTAB; });
  if (strings == entries.end()) return {};
  const auto table = file_offset(segments, strings->d_un.d_ptr);
  if (!table) return {};
  std::vector<std::string> needed;
  for (const Dynamic& entry : entries) {
    if (entry.d_tag != DT_NEEDED) continue;
    if (auto name = file.read_name(*table + entry.d_un.d_val)) needed.push_back(std::move(*name));
  }
  return needed;
}

/// Whether one of the segment's notes is Go's build ID: owner "Go", type 4. Owner and content of a
/// note are filled up to four bytes each.
bool has_go_note(const Reader& file, const Segment& segment) {
  const auto padded = [](std::uint64_t bytes) { return (bytes + 3) / 4 * 4; };
  std::uint64_t at = 0;
  for (std::size_t n = 0; n < kMaxNotes && at < segment.p_filesz; ++n) {
    const auto note = file.read<Note>(segment.p_offset + at);
    if (!note) break;
    const auto owner = file.read<std::array<char, 4>>(segment.p_offset + at + sizeof(Note));
    if (note->n_type == 4 && note->n_namesz == 4 && owner == std::array{'G', 'o', '\0', '\0'}) {
      return true;
    }
    at += sizeof(Note) + padded(note->n_namesz) + padded(note->n_descsz);
  }
  return false;
}

}  // namespace

ElfFile read_elf(const std::string& path) {
  ElfFile elf;
  const Reader file(path);
  const auto header = file.read<Header>(0);
  elf.kind = kind_of(header);
  if (elf.kind != ElfFile::Kind::native) return elf;
  if (header->e_phentsize != sizeof(Segment)) return ElfFile{};
  const auto segments = file.read_many<Segment>(
      header->e_phoff, std::min<std::size_t>(header->e_phnum, kMaxSegments));
  for (const Segment& segment : segments) {
    if (segment.p_type == PT_INTERP) elf.loader = file.read_name(segment.p_offset).value_or("");
    if (segment.p_type == PT_NOTE && has_go_note(file, segment)) elf.go = true;
    if (segment.p_type == PT_DYNAMIC) {
      elf.dynamic = true;
      elf.needed = needed_libraries(file, segments, segment);
    }
  }
  return elf;
}

std::string own_loader() {
  std::string loader;
  const auto look = [](dl_phdr_info* program, std::size_t, void* found) {
    for (std::size_t i = 0; i < program->dlpi_phnum; ++i) {
      const Segment& segment = program->dlpi_phdr[i];
      if (segment.p_type != PT_INTERP) continue;
      // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses in memory are told as numbers
      const auto* name = reinterpret_cast<const char*>(program->dlpi_addr + segment.p_vaddr);
      *static_cast<std::string*>(found) = std::string(name, strnlen(name, segment.p_memsz));
    }
    return 1;  // the first is the program itself
  };
  dl_iterate_phdr(look, &loader);
  return loader;
}

bool is_openmp_runtime(const std::string& library) {
  const std::string_view name = std::string_view(library).substr(library.rfind('/') + 1);
  // Distributions version them before or after `.so`: libgomp.so.1, libomp-14.so.5.
  for (const std::string_view stem : {"libgomp", "libomp", "libiomp5"}) {
    if (!name.starts_with(stem)) continue;
    const std::string_view rest = name.substr(stem.size());
    if (rest.starts_with(".so") || rest.starts_with("-") || rest.starts_with("5.so")) return true;
  }
  return false;
}

}  // namespace kinjo::detail
