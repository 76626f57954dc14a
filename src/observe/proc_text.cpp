#include "observe/proc_text.hpp"

#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

[[noreturn]] void malformed(const char* file, const std::string& expected) {
  throw Error(Errc::bad_input, fmt::format("malformed {}: expected {}", file, expected));
}

/// The fields of `stat` behind the name, by their numbers in proc(5): the first of them is 3.
class StatFields {
 public:
  explicit StatFields(std::string_view text) : words_(split(trim(text), ' ')) {}

  template <class Number>
  Number number(std::size_t field, const char* name) const {
    const std::size_t at = field - 3;
    const auto value = at < words_.size() ? parse_number<Number>(words_[at]) : std::nullopt;
    if (!value) malformed("stat", fmt::format("a number in field {} ({})", field, name));
    return *value;
  }
  char state() const {
    if (words_[0].size() != 1) malformed("stat", "a letter in field 3 (state)");
    return words_[0][0];
  }

 private:
  std::vector<std::string_view> words_;
};

/// Calls `use(label, value)` for each line `Label: value`; blanks around both are left out.
template <class Use>
void for_each_label(std::string_view text, Use use) {
  for (std::string_view line : split(text, '\n')) {
    const auto colon = line.find(':');
    if (colon != line.npos) use(trim(line.substr(0, colon)), trim(line.substr(colon + 1)));
  }
}

/// The n-th word of a line whose words are divided by tabs or blanks; empty if there are fewer.
std::string_view word_of(std::string_view line, std::size_t n) {
  for (;; --n) {
    const auto end = line.find_first_of(" \t");
    if (n == 0) return line.substr(0, end);
    if (end == line.npos) return {};
    line = trim(line.substr(end));
  }
}

}  // namespace

StatText parse_stat(std::string_view text) {
  // The name may hold whatever its owner likes; the last parenthesis is the kernel's.
  const auto open = text.find(" (");
  const auto close = text.rfind(") ");
  if (open == text.npos || close == text.npos || close < open + 2) {
    malformed("stat", "a number and a name in parentheses");
  }
  const auto id = parse_number<int>(text.substr(0, open));
  if (!id || *id < 1) malformed("stat", "a positive number in field 1 (pid)");
  const StatFields fields(text.substr(close + 2));
  StatText stat;
  stat.id = *id;
  stat.name = text.substr(open + 2, close - open - 2);
  stat.state = fields.state();
  stat.flags = fields.number<std::uint64_t>(9, "flags");
  stat.cpu_ticks =
      fields.number<std::uint64_t>(14, "utime") + fields.number<std::uint64_t>(15, "stime");
  stat.start_ticks = fields.number<std::uint64_t>(22, "starttime");
  stat.cpu = fields.number<int>(39, "processor");
  if (stat.cpu < 0 || stat.cpu > kMaxIndex) malformed("stat", "a CPU in field 39 (processor)");
  return stat;
}

StatusText parse_status(std::string_view text) {
  StatusText status;
  bool has_uid = false;
  for_each_label(text, [&](std::string_view label, std::string_view value) {
    if (label == "Tgid") {
      status.process = parse_number<int>(value).value_or(0);
    } else if (label == "Uid") {
      const auto effective = parse_number<std::uint32_t>(word_of(value, 1));
      has_uid = effective.has_value();
      status.uid = effective.value_or(0);
    } else if (label == "Cpus_allowed_list") {
      status.allowed_cpus = CpuSet::parse(value);
    } else if (label == "Mems_allowed_list") {
      status.allowed_nodes = NodeSet::parse(value);
    }
  });
  if (status.process < 1) malformed("status", "a line 'Tgid:' with a positive number");
  if (!has_uid) malformed("status", "a line 'Uid:' with numbers");
  if (status.allowed_cpus.empty()) malformed("status", "a line 'Cpus_allowed_list:' with CPUs");
  return status;
}

SchedText parse_sched(std::string_view text) {
  SchedText sched;
  for_each_label(text, [&](std::string_view label, std::string_view value) {
    std::optional<std::uint64_t>* wanted = label == "se.nr_migrations" ? &sched.migrations
                                           : label == "numa_pages_migrated"
                                               ? &sched.numa_pages_migrated
                                               : nullptr;
    if (!wanted) return;
    *wanted = parse_number<std::uint64_t>(value);
    if (!*wanted) malformed("sched", fmt::format("a number behind '{}'", label));
  });
  return sched;
}

std::uint64_t parse_schedstat_ns(std::string_view text) {
  const auto time = parse_number<std::uint64_t>(word_of(trim(text), 0));
  if (!time) malformed("schedstat", "a number of nanoseconds first");
  return *time;
}

}  // namespace kinjo::detail
