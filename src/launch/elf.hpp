/// What a program's file says about how it can be started.
#pragma once

#include <string>
#include <vector>

namespace kinjo::detail {

/// The facts of an ELF file that decide whether a library can be preloaded into it.
struct ElfFile {
  enum class Kind {
    other,    ///< not ELF, or damaged
    foreign,  ///< ELF for another architecture or word size
    native,   ///< ELF as this program is
  };
  Kind kind = Kind::other;
  std::string loader;               ///< PT_INTERP; empty for a static program or a library
  std::vector<std::string> needed;  ///< DT_NEEDED, the libraries that it names itself
  bool dynamic = false;             ///< has a dynamic section
  bool go = false;                  ///< holds the note of Go's linker
};

/// Reads the headers of `path`, defensively: whatever is damaged or cannot be read is `other`.
ElfFile read_elf(const std::string& path);

/// The loader (PT_INTERP) of the program that this is part of, as it lies in memory: its file is
/// not to be had where /proc is not mounted. Empty for a static program.
std::string own_loader();

/// Whether a name of a library is that of an OpenMP runtime: libgomp, libomp or libiomp5.
bool is_openmp_runtime(const std::string& library);

}  // namespace kinjo::detail
