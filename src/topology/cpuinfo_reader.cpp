#include "topology/cpuinfo_reader.hpp"

#include <optional>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

/// What the lines between two CPUs say.
struct Block {
  std::optional<int> cpu;
  std::optional<int> package;
  std::optional<int> core;
};

class Parser {
 public:
  explicit Parser(const std::string& source) { reading_ = {"cpuinfo", source, {}, {}, true, {}}; }

  void take_line(std::string_view line) {
    ++line_;
    const auto colon = line.find(':');
    if (colon == line.npos) return;
    const std::string_view key = trim(line.substr(0, colon));
    const std::string_view value = trim(line.substr(colon + 1));
    if (key == "processor" || key == "cpu number") {
      finish();
      block_.cpu = number(key, value);
      insert(*block_.cpu);
    } else if (key.starts_with("processor ")) {  // s390 lists them once more, each in its line
      insert_once(number("processor", trim(key.substr(key.find(' ')))));
    } else if (key == "physical id") {
      block_.package = number(key, value);
    } else if (key == "core id") {
      block_.core = number(key, value);
    }
  }

  Reading result() {
    finish();
    add(kSharePackage, packages_);
    add(kShareCore, cores_);
    if (reading_.cpus.empty()) reading_.obstacle = reading_.source + " lists no CPU";
    return std::move(reading_);
  }

 private:
  int number(std::string_view key, std::string_view value) const {
    const auto read = parse_number<int>(value);
    if (read && *read >= 0 && *read <= kMaxIndex) return *read;
    throw Error(Errc::bad_input,
                fmt::format("{}, line {}: '{}' is '{}': expected a number up to {}",
                            reading_.source, line_, key, printable(value), kMaxIndex));
  }

  /// A summary in front may have listed it: only a second block is a fault.
  void insert(int cpu) {
    if (described_.contains(cpu)) {
      throw Error(Errc::bad_input,
                  fmt::format("{}, line {}: CPU {} is listed twice", reading_.source, line_, cpu));
    }
    described_.insert(cpu);
    insert_once(cpu);
  }
  void insert_once(int cpu) { reading_.cpus.insert(cpu); }

  void finish() {
    const Block done = block_;
    block_ = {};
    if (!done.cpu) return;
    if (done.package) packages_.add({*done.package}, *done.cpu);
    if (done.package && done.core) cores_.add({*done.package, *done.core}, *done.cpu);
  }

  void add(const char* relation, const Grouping& grouping) {
    if (auto groups = grouping.groups(); !groups.empty()) {
      reading_.groups[relation] = std::move(groups);
    }
  }

  Reading reading_;
  std::size_t line_ = 0;
  Block block_;
  CpuSet described_;
  Grouping packages_;
  Grouping cores_;
};

}  // namespace

Reading read_cpuinfo(std::string_view text, const std::string& source) {
  Parser parser(source);
  for (const std::string_view line : split(text, '\n')) parser.take_line(line);
  return parser.result();
}

Reading read_cpuinfo_of(const std::string& root) {
  constexpr std::size_t kLimit = 64 << 20;
  const std::string path = root + "/proc/cpuinfo";
  const auto text = read_small_file(path, kLimit);
  if (!text) return {"cpuinfo", path, "there is no " + path, {}, true, {}};
  return read_cpuinfo(*text, path);
}

}  // namespace kinjo::detail
