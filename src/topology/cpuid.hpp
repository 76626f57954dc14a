/// The CPUID instruction of one CPU, as it answers or as it was recorded.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kinjo::detail {

struct CpuidRegisters {
  std::uint32_t eax = 0;
  std::uint32_t ebx = 0;
  std::uint32_t ecx = 0;
  std::uint32_t edx = 0;
};

/// Answers a leaf and subleaf; zeros for what it does not know.
using Cpuid = std::function<CpuidRegisters(std::uint32_t leaf, std::uint32_t subleaf)>;

/// Answers of one CPU in the form of hwloc-gather-cpuid: lines of
/// `MASK EAX EBX ECX EDX => EAX EBX ECX EDX` in hexadecimal, where MASK says which inputs matter
/// (1 EAX, 2 EBX, 4 ECX, 8 EDX) and `#` begins a comment.
class CpuidRecording {
 public:
  /// Throws `Error` (`bad_input`) that names `source` and the line.
  CpuidRecording(std::string_view text, const std::string& source);

  CpuidRegisters operator()(std::uint32_t leaf, std::uint32_t subleaf) const;

 private:
  struct Entry {
    std::uint32_t mask;
    CpuidRegisters in;
    CpuidRegisters out;
  };
  std::vector<Entry> entries_;
};

/// What a CPU says of its place by APIC ids. Numbers of packages, cores and caches mean something
/// only beside those of other CPUs of the machine.
struct CpuidFacts {
  /// One cache and which of its kind it is.
  struct Cache {
    std::string name;  ///< as `cache_name`
    long number;
  };
  std::uint32_t apic = 0;
  long package = 0;
  long core = 0;  ///< in the machine
  std::vector<Cache> caches;
};

/// The algorithm of Intel's topology enumeration (S1's source [10]) and AMD's of the same form:
/// an APIC id is a number whose bits are, from below, the CPU in its core, the core (and what lies
/// between) in its package, and the package. Where the borders are, leaf 0x1F says, or 0xB, or on
/// older CPUs leaves 1 and 4 together, on AMD's 0x80000008 and 0x8000001E. Caches are shared by the
/// CPUs whose ids agree above the bits that leaf 4 (AMD: 0x8000001D) counts. An answer that
/// contradicts itself gives contradicting numbers and no error.
CpuidFacts decode_cpuid(const Cpuid& cpuid);

}  // namespace kinjo::detail
