#include "support/machine_input.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "support/machine_check.hpp"

namespace kinjo::test {

namespace {

void demand(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

}  // namespace

MemoryFile::MemoryFile(std::string_view text) : file_(memfd_create("kinjo", MFD_CLOEXEC)) {
  demand(file_ >= 0, "memfd_create failed");
  demand(write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size()),
         "the file in memory cannot be written");
}

MemoryFile::~MemoryFile() { close(file_); }

std::string MemoryFile::path() const { return fmt::format("/proc/self/fd/{}", file_); }

std::string try_machine(const std::string& input) {
  try {
    const Topology machine = Topology::from(input);
    demand(fault_of(machine).empty(), fault_of(machine));
    for (const Policy& policy : tried_policies()) {
      const Mapping mapping(machine, policy, machine.allowed_cpus().count());
      demand(fault_of(mapping, machine).empty(), fault_of(mapping, machine));
    }
    return "";
  } catch (const Error& error) {
    const std::string message = error.what();
    // A NUL byte ends what an exception says.
    demand(message.find("'" + std::string(input.c_str())) != message.npos, "unnamed: " + message);
    return message;
  }
}

}  // namespace kinjo::test
