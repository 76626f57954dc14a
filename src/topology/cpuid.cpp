#include "topology/cpuid.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "topology/reading.hpp"

namespace kinjo::detail {

namespace {

std::uint32_t bits(std::uint32_t word, int high, int low) {
  return (word >> low) & ((2U << (high - low)) - 1);
}

/// Above the bits that `count` ids take.
int width_of(std::uint32_t count) { return count <= 1 ? 0 : std::bit_width(count - 1); }

/// An id without its lowest bits, however many an answer claims.
long above(std::uint32_t id, int low) { return low >= 32 ? 0 : static_cast<long>(id >> low); }

/// How many low bits of an APIC id number a CPU in its core, and in its package.
struct Borders {
  std::uint32_t apic = 0;
  int core = 0;
  int package = 0;
};

/// Leaves 0x1F and 0xB: one subleaf for each level, from the core up.
std::optional<Borders> borders_by_levels(const Cpuid& cpuid, std::uint32_t leaf) {
  constexpr std::uint32_t kEnd = 0;
  constexpr std::uint32_t kSmt = 1;
  constexpr std::uint32_t kMostLevels = 16;
  Borders borders;
  std::uint32_t level = 0;
  for (; level < kMostLevels; ++level) {
    const CpuidRegisters r = cpuid(leaf, level);
    const std::uint32_t type = bits(r.ecx, 15, 8);
    if (type == kEnd || (level == 0 && r.ebx == 0)) break;
    borders.apic = r.edx;
    borders.package = static_cast<int>(bits(r.eax, 4, 0));
    if (type == kSmt) borders.core = borders.package;
  }
  if (level == 0) return std::nullopt;
  return borders;
}

class Decoder {
 public:
  explicit Decoder(const Cpuid& cpuid)
      : cpuid_(cpuid),
        last_(cpuid(0, 0).eax),
        last_extended_(cpuid(0x80000000, 0).eax),
        first_(cpuid(1, 0)) {
    const CpuidRegisters vendor = cpuid(0, 0);
    amd_ = vendor.ecx == 0x444d4163 || vendor.ecx == 0x656e6975;  // "cAMD", "uine" of HygonGenuine
    family_ = bits(first_.eax, 11, 8);
    if (family_ == 0xf) family_ += bits(first_.eax, 27, 20);
  }

  CpuidFacts decode() const {
    const Borders borders = find_borders();
    CpuidFacts facts;
    facts.apic = borders.apic;
    facts.package = above(borders.apic, borders.package);
    facts.core = above(borders.apic, borders.core);
    facts.caches = caches(borders);
    return facts;
  }

 private:
  Borders find_borders() const {
    for (const std::uint32_t leaf : {0x1FU, 0xBU}) {
      if (last_ < leaf) continue;
      if (const auto borders = borders_by_levels(cpuid_, leaf)) return *borders;
    }
    return amd_ ? borders_of_amd() : borders_of_intel();
  }

  /// Leaf 1 counts the ids of a package, leaf 4 those of its cores.
  Borders borders_of_intel() const {
    Borders borders{bits(first_.ebx, 31, 24), 0, 0};
    if (!threads_in_package()) return borders;
    borders.package = width_of(bits(first_.ebx, 23, 16));
    const std::uint32_t cores = last_ >= 4 ? bits(cpuid_(4, 0).eax, 31, 26) + 1 : 1;
    borders.core = std::max(borders.package - width_of(cores), 0);
    return borders;
  }

  /// The halves of family 15h's modules are cores, as Linux and hwloc have them; siblings began
  /// with family 17h.
  Borders borders_of_amd() const {
    Borders borders{bits(first_.ebx, 31, 24), 0, 0};
    if (last_extended_ >= 0x80000008) {
      const CpuidRegisters sizes = cpuid_(0x80000008, 0);
      borders.package = static_cast<int>(bits(sizes.ecx, 15, 12));
      if (borders.package == 0) borders.package = width_of(bits(sizes.ecx, 7, 0) + 1);
    }
    if (family_ >= 0x17 && has_topology_extensions()) {
      const CpuidRegisters unit = cpuid_(0x8000001E, 0);
      borders.apic = unit.eax;
      borders.core = width_of(bits(unit.ebx, 15, 8) + 1);
    }
    return borders;
  }

  bool threads_in_package() const { return bits(first_.edx, 28, 28) != 0; }

  bool has_topology_extensions() const {
    return last_extended_ >= 0x8000001E && bits(cpuid_(0x80000001, 0).ecx, 22, 22) != 0;
  }

  /// In the package. Counts are rounded up to whole bits; AMD before family 17h numbers the CPUs of
  /// a package without gaps instead. Kinds of cores may share by different counts, which numbers
  /// alone would mix up.
  long cache_number(const Borders& borders, std::uint32_t sharing) const {
    const auto in_package =
        static_cast<std::uint32_t>(borders.apic & ((std::uint64_t{1} << borders.package) - 1));
    const long number = amd_ && family_ < 0x17 ? static_cast<long>(in_package / sharing)
                                               : above(borders.apic, width_of(sharing));
    constexpr long kMostSharing = 1 << 12;
    return number * kMostSharing + (sharing - 1);
  }

  std::vector<CpuidFacts::Cache> caches(const Borders& borders) const {
    std::uint32_t leaf = 0;
    if (!amd_ && last_ >= 4) leaf = 4;
    if (amd_ && has_topology_extensions()) leaf = 0x8000001D;
    std::vector<CpuidFacts::Cache> caches;
    constexpr std::uint32_t kMostCaches = 16;
    for (std::uint32_t i = 0; leaf != 0 && i < kMostCaches; ++i) {
      const CpuidRegisters r = cpuid_(leaf, i);
      const std::uint32_t type = bits(r.eax, 4, 0);
      if (type == 0) break;
      if (type > 3) continue;
      constexpr std::array kKinds = {CacheKind::data, CacheKind::instruction, CacheKind::unified};
      const std::string name = cache_name(static_cast<int>(bits(r.eax, 7, 5)), kKinds[type - 1]);
      const std::uint32_t sharing = bits(r.eax, 25, 14) + 1;
      caches.push_back({name, cache_number(borders, sharing)});
    }
    return caches;
  }

  const Cpuid& cpuid_;
  std::uint32_t last_;
  std::uint32_t last_extended_;
  CpuidRegisters first_;
  bool amd_ = false;
  std::uint32_t family_ = 0;
};

/// The words of a line in hexadecimal, with `=>` between the fifth and the sixth.
std::optional<std::array<std::uint32_t, 9>> read_line(std::string_view line) {
  std::array<std::uint32_t, 9> words{};
  std::size_t found = 0;
  bool arrow = false;
  for (const std::string_view part : split(line, ' ')) {
    if (part.empty()) continue;
    if (part == "=>") {
      if (found != 5 || arrow) return std::nullopt;
      arrow = true;
      continue;
    }
    if (found == words.size() || (found == 5 && !arrow)) return std::nullopt;
    const auto word = parse_hex<std::uint32_t>(part.starts_with("0x") ? part.substr(2) : part);
    if (!word) return std::nullopt;
    words[found++] = *word;
  }
  if (found != words.size()) return std::nullopt;
  return words;
}

}  // namespace

CpuidRecording::CpuidRecording(std::string_view text, const std::string& source) {
  std::size_t number = 0;
  for (const std::string_view raw : split(text, '\n')) {
    ++number;
    const std::string_view line = trim(raw);
    if (line.empty() || line.starts_with('#')) continue;
    const auto w = read_line(line);
    if (!w) {
      throw Error(Errc::bad_input,
                  fmt::format("{}, line {}: '{}': expected MASK EAX EBX ECX EDX => EAX EBX ECX EDX "
                              "in hexadecimal",
                              source, number, printable(line)));
    }
    entries_.push_back(
        {(*w)[0], {(*w)[1], (*w)[2], (*w)[3], (*w)[4]}, {(*w)[5], (*w)[6], (*w)[7], (*w)[8]}});
  }
}

CpuidRegisters CpuidRecording::operator()(std::uint32_t leaf, std::uint32_t subleaf) const {
  constexpr std::uint32_t kEcx = 4;
  for (const Entry& entry : entries_) {
    const bool same_subleaf = (entry.mask & kEcx) == 0 || entry.in.ecx == subleaf;
    if (entry.in.eax == leaf && same_subleaf) return entry.out;
  }
  return {};
}

CpuidFacts decode_cpuid(const Cpuid& cpuid) { return Decoder(cpuid).decode(); }

}  // namespace kinjo::detail
