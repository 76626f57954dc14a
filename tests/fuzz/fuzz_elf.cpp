/// Any bytes as a program: what is damaged is no ELF file, and nothing is read beyond its end.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "fuzz/target.hpp"
#include "launch/elf.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using kinjo::detail::ElfFile;
  static const int file = memfd_create("program", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, 0) != 0) std::abort();
  if (pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  const ElfFile elf = kinjo::detail::read_elf("/proc/self/fd/" + std::to_string(file));
  const bool says_more = !elf.loader.empty() || !elf.needed.empty() || elf.dynamic || elf.go;
  if (elf.kind != ElfFile::Kind::native && says_more) std::abort();
  for (const std::string& name : elf.needed) {
    if (name.size() > size) std::abort();
    kinjo::detail::is_openmp_runtime(name);
  }
  return 0;
}
