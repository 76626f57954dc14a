/// What CPUID says of this CPU.
#pragma once

#include <cstdint>

namespace kinjo::detail {

/// Zeros where there is no such leaf, and on CPUs other than x86.
struct CpuidWords {
  unsigned vendor = 0;            ///< leaf 0, ECX: the last four letters of its name
  unsigned version = 0;           ///< leaf 1, EAX: family, model and stepping
  unsigned features = 0;          ///< leaf 1, ECX
  unsigned more_features = 0;     ///< leaf 7, EBX
  unsigned later_features = 0;    ///< leaf 80000001h, ECX
  std::uint64_t saved_state = 0;  ///< XCR0: the registers that the system saves
};

/// Asked once: in a virtual machine each question goes to the host, and takes microseconds.
const CpuidWords& cpuid_words();

}  // namespace kinjo::detail
