/// The program that is to be started: where it is, and what can be done to it.
#pragma once

#include <string>
#include <vector>

#include "launch/elf.hpp"

namespace kinjo::detail {

/// A command as execvp(3) would find it.
struct FoundProgram {
  std::string path;  ///< empty if not found
  int error = 0;     ///< ENOENT: nothing of that name; EACCES: there, but not executable
};
FoundProgram find_program(const std::string& command);

/// What runs when a program is started: the ELF file, or that of a script's `#!` interpreter.
struct Executable {
  std::string path;
  ElfFile elf;
};
/// Follows `#!` lines as far as the kernel does.
Executable find_executable(const std::string& path);

/// Why no library can be preloaded into it, as the end of a sentence that begins with its name
/// ("is statically linked"); empty if nothing speaks against it.
std::string preload_obstacle(const Executable& executable);

}  // namespace kinjo::detail
