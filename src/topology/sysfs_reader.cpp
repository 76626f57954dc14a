#include "topology/sysfs_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/directory.hpp"
#include "base/text.hpp"

namespace kinjo::detail {

namespace {

std::optional<std::string> read_trimmed(const std::string& path) {
  const auto text = read_small_file(path);
  if (!text || trim(*text).empty()) return std::nullopt;
  return std::string(trim(*text));
}

/// The set in a file of a list, or else in one of a mask; nothing if neither is there.
std::optional<CpuSet> read_set(const std::string& list, const std::string& mask) {
  if (const auto text = read_trimmed(list)) {
    try {
      return CpuSet::parse(*text);
    } catch (const Error& error) {
      throw Error(Errc::bad_input, fmt::format("{}: {}", list, error.what()));
    }
  }
  if (const auto text = read_trimmed(mask)) return parse_mask(*text, mask);
  return std::nullopt;
}

std::optional<long> read_number(const std::string& path) {
  const auto text = read_trimmed(path);
  if (!text) return std::nullopt;
  const auto number = parse_number<long>(*text);
  if (number) return number;
  throw Error(Errc::bad_input,
              fmt::format("{} is '{}': expected a number", path, printable(*text)));
}

/// Directories such as cpu12 or node3, by number.
std::vector<int> numbered(const std::string& folder, std::string_view name) {
  std::vector<int> numbers;
  for (const std::string& file : names_in(folder).value_or(std::vector<std::string>())) {
    if (!file.starts_with(name)) continue;
    const auto number = parse_number<int>(std::string_view(file).substr(name.size()));
    if (number && *number >= 0 && *number <= kMaxIndex) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// Gathers sets that CPUs name themselves, each once.
class Sets {
 public:
  void add(const CpuSet& set) { sets_.emplace(set.to_string(), set); }
  Groups groups() const {
    Groups groups;
    for (const auto& [text, set] : sets_) groups.push_back(set);
    return groups;
  }

 private:
  std::map<std::string, CpuSet> sets_;
};

class Reader {
 public:
  explicit Reader(const std::string& root) : system_(root + "/sys/devices/system") {
    reading_ = {"sysfs", system_, {}, {}, true, {}};
  }

  Reading read() {
    read_cpus();
    for (const int cpu : reading_.cpus) {
      const std::string folder = fmt::format("{}/cpu/cpu{}", system_, cpu);
      read_topology(folder + "/topology", cpu);
      read_caches(folder + "/cache");
    }
    read_nodes();
    add(kSharePackage, packages_.groups());
    add(kShareCore, cores_.groups());
    for (const auto& [name, sets] : caches_) add(name, sets.groups());
    if (reading_.cpus.empty()) reading_.obstacle = "there is no " + system_ + "/cpu/cpu0 or other";
    return std::move(reading_);
  }

 private:
  /// By the list of those that are online, or, where old kernels have none, by each one's file.
  void read_cpus() {
    const auto online = read_set(system_ + "/cpu/online", system_ + "/cpu/online");
    for (const int cpu : numbered(system_ + "/cpu", "cpu")) {
      const auto own = read_number(fmt::format("{}/cpu/cpu{}/online", system_, cpu));
      if (online ? online->contains(cpu) : own.value_or(1) != 0) reading_.cpus.insert(cpu);
    }
  }

  void read_topology(const std::string& folder, int cpu) {
    // −1: the firmware does not say.
    if (const auto package = read_number(folder + "/physical_package_id").value_or(-1);
        package >= 0) {
      packages_.add({package}, cpu);
    }
    auto siblings = read_set(folder + "/core_cpus_list", folder + "/core_cpus");
    if (!siblings) {
      siblings = read_set(folder + "/thread_siblings_list", folder + "/thread_siblings");
    }
    if (siblings) cores_.add(*siblings);
  }

  void read_caches(const std::string& folder) {
    for (const int index : numbered(folder, "index")) {
      const std::string cache = fmt::format("{}/index{}", folder, index);
      const auto level = read_number(cache + "/level");
      const auto type = read_trimmed(cache + "/type");
      const auto cpus = read_set(cache + "/shared_cpu_list", cache + "/shared_cpu_map");
      if (!level || !type || !cpus) continue;
      const CacheKind kind = *type == "Data"          ? CacheKind::data
                             : *type == "Instruction" ? CacheKind::instruction
                                                      : CacheKind::unified;
      caches_[cache_name(static_cast<int>(*level), kind)].add(*cpus);
    }
  }

  void read_nodes() {
    Groups groups;
    for (const int node : numbered(system_ + "/node", "node")) {
      const std::string folder = fmt::format("{}/node/node{}", system_, node);
      const auto cpus = read_set(folder + "/cpulist", folder + "/cpumap");
      if (cpus && !cpus->empty()) groups.push_back(*cpus);
    }
    add(kShareNode, std::move(groups));
  }

  void add(const std::string& relation, Groups groups) {
    if (!groups.empty()) reading_.groups[relation] = std::move(groups);
  }

  std::string system_;
  Reading reading_;
  Grouping packages_;
  Sets cores_;
  std::map<std::string, Sets> caches_;
};

}  // namespace

CpuSet parse_mask(std::string_view text, const std::string& what) {
  constexpr int kWordBits = 32;
  CpuSet cpus;
  const auto words = split(text, ',');
  for (std::size_t w = 0; w < words.size(); ++w) {
    const auto bits = parse_hex<std::uint32_t>(words[w]);
    const std::size_t first = (words.size() - 1 - w) * kWordBits;
    if (!bits || (*bits != 0 && first > static_cast<std::size_t>(kMaxIndex) - kWordBits)) {
      throw Error(Errc::bad_input, fmt::format("{} is '{}': expected a mask such as 00000001,"
                                               "0000000f",
                                               what, printable(text)));
    }
    for (int bit = 0; bit < kWordBits; ++bit) {
      if ((*bits >> bit) & 1) cpus.insert(static_cast<int>(first) + bit);
    }
  }
  return cpus;
}

Reading read_sysfs(const std::string& root) { return Reader(root).read(); }

}  // namespace kinjo::detail
