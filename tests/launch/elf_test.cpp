#include "launch/elf.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo::detail {
namespace {

std::string own_bytes() {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::string bytes(1 << 16, '\0');
  self.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(self.gcount()));
  return bytes;
}

/// A file of the test's own with the given content.
ElfFile read_bytes(const std::string& bytes) {
  const std::string path = testing::TempDir() + "kinjo_elf_" + std::to_string(getpid());
  std::ofstream(path, std::ios::binary) << bytes;
  ElfFile elf = read_elf(path);
  std::filesystem::remove(path);
  return elf;
}

TEST(Elf, ReadsThisProgram) {
  const ElfFile elf = read_elf("/proc/self/exe");
  EXPECT_EQ(elf.kind, ElfFile::Kind::native);
  EXPECT_THAT(elf.loader, testing::HasSubstr("ld-"));
  EXPECT_THAT(elf.needed, testing::Contains(testing::HasSubstr("libc.so")));
}

TEST(Elf, ReadsTheLoaderOfThisProgramInMemoryAsInItsFile) {
  EXPECT_EQ(own_loader(), read_elf("/proc/self/exe").loader);
}

TEST(Elf, CallsWhatIsNotElfOther) {
  EXPECT_EQ(read_elf("/etc/passwd").kind, ElfFile::Kind::other);
  EXPECT_EQ(read_elf("/nonexistent").kind, ElfFile::Kind::other);
  EXPECT_EQ(read_elf("/tmp").kind, ElfFile::Kind::other);
  EXPECT_EQ(read_bytes("").kind, ElfFile::Kind::other);
}

TEST(Elf, CallsAnotherArchitectureForeign) {
  std::string bytes = own_bytes();
  bytes[18] = '\x7f';  // e_machine
  EXPECT_EQ(read_bytes(bytes).kind, ElfFile::Kind::foreign);
  bytes = own_bytes();
  bytes[4] = '\1';  // ELFCLASS32
  EXPECT_EQ(read_bytes(bytes).kind, ElfFile::Kind::foreign);
}

TEST(Elf, SurvivesAFileThatEndsAnywhere) {
  const std::string bytes = own_bytes();
  for (std::size_t size = 0; size < 2048; size += 7) {
    const ElfFile elf = read_bytes(bytes.substr(0, size));
    EXPECT_EQ(elf.kind, size < 64 ? ElfFile::Kind::other : ElfFile::Kind::native) << size;
  }
}

TEST(Elf, SurvivesAnyDamagedByteOfItsHeaders) {
  const std::string bytes = own_bytes().substr(0, 4096);
  for (std::size_t at = 0; at < 1024; ++at) {
    std::string damaged = bytes;
    damaged[at] = '\xff';
    const ElfFile elf = read_bytes(damaged);
    EXPECT_LE(elf.needed.size(), 4096u) << at;
  }
}

/// Replaces the first note's owner and type in this program's headers.
std::string with_first_note(const std::string& owner, char type) {
  std::string bytes = own_bytes();
  const std::size_t at = bytes.find(std::string("GNU\0", 4));  // after namesz, descsz and type
  EXPECT_LT(at, std::string::npos);
  bytes.replace(at, 4, owner);
  bytes[at - 4] = type;
  return bytes;
}

TEST(Elf, KnowsGoByTheNoteOfItsLinker) {
  EXPECT_FALSE(read_elf("/proc/self/exe").go);
  EXPECT_TRUE(read_bytes(with_first_note({"Go\0\0", 4}, 4)).go);
  EXPECT_FALSE(read_bytes(with_first_note({"Go\0\0", 4}, 1)).go);
  EXPECT_FALSE(read_bytes(with_first_note({"Gp\0\0", 4}, 4)).go);
}

TEST(Elf, KnowsTheOpenMpRuntimes) {
  for (const char* name : {"libgomp.so.1", "libomp.so", "libomp.so.5", "libomp-14.so.5",
                           "libomp5.so", "libiomp5.so", "/opt/lib/libgomp.so.1"}) {
    EXPECT_TRUE(is_openmp_runtime(name)) << name;
  }
  for (const char* name : {"libc.so.6", "libompd.so", "libompi.so", "libgompx.so", "", "libomp"}) {
    EXPECT_FALSE(is_openmp_runtime(name)) << name;
  }
}

}  // namespace
}  // namespace kinjo::detail
