#include "report/where_text.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "observe/locality.hpp"
#include "report/machine_text.hpp"
#include "report/table.hpp"

namespace kinjo {

namespace {

using detail::format_bytes;
using detail::printable;

/// Threads that get a row each; more are folded by node.
constexpr std::size_t kMostRows = 16;
/// Threads that are named in a drift; of more only the number is told.
constexpr std::size_t kMostChanges = 8;

std::string plural(std::size_t n, const char* noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string node_text(int node) { return node < 0 ? "-" : std::to_string(node); }

std::string percent(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-" : percent(static_cast<double>(part) / static_cast<double>(whole));
}

std::string state_text(const ThreadView& thread) {
  if (thread.running) return "running";
  switch (thread.state) {
    case 'S':
    case 'I':
      return "asleep";
    case 'D':
      return "waiting";  // for a device
    case 'T':
    case 't':
      return "stopped";
    default:
      return std::string(1, thread.state);
  }
}

/// The kernel's count, or else what was seen between looks.
std::string migrations_text(const std::optional<std::uint64_t>& counted, std::uint64_t seen) {
  if (counted) return std::to_string(*counted);
  return seen > 0 ? fmt::format(">= {}", seen) : "-";
}

std::string thread_rows(const ProcessView& view) {
  Table table({"thread", "name", "state", "CPU", "node", "may use", "migrations"});
  for (const ThreadView& thread : view.threads) {
    table.add({std::to_string(thread.tid), printable(thread.name), state_text(thread),
               std::to_string(thread.cpu), node_text(thread.node), folded_list(thread.allowed_cpus),
               migrations_text(thread.migrations, thread.cpu_changes)});
  }
  return table.to_text();
}

/// Threads on one node together.
struct Fold {
  std::size_t threads = 0;
  std::size_t running = 0;
  std::size_t pinned = 0;  ///< to one CPU
  std::set<int> cpus;
  std::set<std::string> masks;
  std::set<std::string> names;
  std::optional<std::uint64_t> migrations;
  std::uint64_t cpu_changes = 0;

  void add(const ThreadView& thread) {
    ++threads;
    running += thread.running;
    pinned += thread.allowed_cpus.count() == 1;
    cpus.insert(thread.cpu);
    masks.insert(folded_list(thread.allowed_cpus));
    names.insert(printable(thread.name));
    cpu_changes += thread.cpu_changes;
    if (thread.migrations) migrations = migrations.value_or(0) + *thread.migrations;
  }
  std::string mask() const {
    if (masks.size() == 1) return *masks.begin();
    if (pinned == threads) return fmt::format("one CPU each, of {}", masks.size());
    return fmt::format("{} different masks", masks.size());
  }
  std::string name() const {
    constexpr std::size_t kMostNames = 3;
    const bool all = names.size() <= kMostNames;
    std::vector<std::string> shown(
        names.begin(),
        std::next(names.begin(), static_cast<long>(all ? names.size() : kMostNames)));
    if (!all) shown.push_back(fmt::format("and {} more", names.size() - kMostNames));
    return fmt::format("{}", fmt::join(shown, ", "));
  }
};

std::string folded_rows(const ProcessView& view) {
  std::map<int, Fold> folds;
  for (const ThreadView& thread : view.threads) folds[thread.node].add(thread);
  Table table({"node", "threads", "running", "on CPUs", "may use", "migrations", "names"});
  for (const auto& [node, fold] : folds) {
    table.add({node_text(node), std::to_string(fold.threads), std::to_string(fold.running),
               folded_list(fold.cpus), fold.mask(),
               migrations_text(fold.migrations, fold.cpu_changes), fold.name()});
  }
  return table.to_text();
}

std::string node_rows(const ProcessView& view) {
  const NodeThreads threads = threads_by_node(view, Counted::all);
  const NodeThreads running = threads_by_node(view, Counted::running);
  std::set<int> nodes;
  for (const auto& [node, n] : threads) nodes.insert(node);
  for (const auto& [node, bytes] : view.memory->bytes) nodes.insert(node);
  const auto count = [](const NodeThreads& counts, int node) {
    const auto found = counts.find(node);
    return std::to_string(found == counts.end() ? 0 : found->second);
  };
  Table table({"node", "threads", "running", "memory", "share"});
  for (int node : nodes) {
    const std::uint64_t bytes = view.memory->on(node);
    table.add({node_text(node), count(threads, node), count(running, node), format_bytes(bytes),
               percent(bytes, view.memory->total())});
  }
  return table.to_text();
}

/// `0: 75.0 %, 2: 25.0 %`.
std::string shares_text(const NodeBytes& bytes) {
  std::vector<std::string> shares;
  for (const auto& [node, n] : bytes) {
    shares.push_back(fmt::format("{}: {}", node, percent(n, total_bytes(bytes))));
  }
  return fmt::format("{}", fmt::join(shares, ", "));
}

std::string mapping_rows(const MemoryView& memory, const WhereDetail& detail) {
  const auto mappings = largest_mappings(memory, detail.largest);
  if (mappings.empty()) return "";
  Table table({"address", "memory", "pages of", "policy", "by node", "mapping"});
  for (const MappingView* mapping : mappings) {
    table.add({fmt::format("{:x}", mapping->begin), format_bytes(total_bytes(mapping->bytes)),
               format_bytes(mapping->page_bytes), mapping->policy.empty() ? "-" : mapping->policy,
               shares_text(mapping->bytes), printable(mapping_name(*mapping))});
  }
  const std::string heading =
      mappings.size() == memory.mappings.size()
          ? "mappings with pages in memory\n"
          : fmt::format("the largest {} of {} mappings with pages in memory\n", mappings.size(),
                        memory.mappings.size());
  return heading + table.to_text();
}

std::string locality_text(const ProcessView& view) {
  const auto local = locality(view);
  if (!local) return "";
  std::string text =
      fmt::format("{} of the memory is on nodes of {}", percent(local->near),
                  local->none_running ? "threads (none is running: each counts where it ran last)"
                                      : "running threads");
  // Threads of one node are near to all of that, or far from it, however they share it.
  if (local->near - local->if_shared > 1e-9) {
    text += fmt::format(
        "; an access is local in {} of cases if all threads use all of it alike, in "
        "at most {} if each uses a part of its own",
        percent(local->if_shared), percent(local->if_divided));
  }
  return text + '\n';
}

std::string heading(const ProcessView& view) {
  const auto running = std::count_if(view.threads.begin(), view.threads.end(),
                                     [](const ThreadView& thread) { return thread.running; });
  const std::string memory =
      view.memory ? fmt::format("{} in memory (asked of {})", format_bytes(view.memory->total()),
                                view.memory->source == PageSource::one_node
                                    ? "nobody: there is one node"
                                    : to_string(view.memory->source))
                  : "pages unknown";
  return fmt::format("process {} ({}): {}, {} running, {}\n", view.pid, printable(view.name),
                     plural(view.threads.size(), "thread"), running, memory);
}

std::string change_text(const ThreadDrift& thread) {
  std::vector<std::string> changes;
  if (thread.changed_cpu()) {
    changes.push_back(fmt::format("CPU {} → {}", thread.cpu_before, thread.cpu_now));
  }
  if (thread.changed_node()) {
    changes.push_back(
        fmt::format("node {} → {}", node_text(thread.node_before), node_text(thread.node_now)));
  }
  if (thread.changed_mask()) {
    changes.push_back(fmt::format("may use {} → {}", folded_list(thread.allowed_before),
                                  folded_list(thread.allowed_now)));
  }
  return fmt::format("  thread {} ({}): {}\n", thread.tid, printable(thread.name),
                     fmt::join(changes, ", "));
}

std::string changes_text(const Drift& drift) {
  std::string text;
  if (drift.threads.size() <= kMostChanges) {
    for (const ThreadDrift& thread : drift.threads) text += change_text(thread);
  } else {
    const auto count = [&](auto changed) {
      return std::count_if(drift.threads.begin(), drift.threads.end(), changed);
    };
    text += fmt::format("  of {} threads {} changed their CPU, {} their node, {} their mask\n",
                        drift.threads.size(), count([](auto& t) { return t.changed_cpu(); }),
                        count([](auto& t) { return t.changed_node(); }),
                        count([](auto& t) { return t.changed_mask(); }));
  }
  if (drift.started + drift.ended > 0) {
    text += fmt::format("  {} started, {} ended\n", plural(drift.started, "thread"), drift.ended);
  }
  if (drift.migrations.value_or(0) > 0) {
    text +=
        fmt::format("  {} of threads from CPU to CPU\n", plural(*drift.migrations, "migration"));
  }
  return text;
}

std::string memory_change_text(const Drift& drift) {
  std::string text;
  std::vector<std::string> changes;
  for (const auto& [node, bytes] : drift.memory) {
    changes.push_back(fmt::format("node {} {}{}", node, bytes < 0 ? "-" : "+",
                                  format_bytes(static_cast<std::uint64_t>(std::llabs(bytes)))));
  }
  if (!changes.empty()) text += fmt::format("  memory: {}\n", fmt::join(changes, ", "));
  if (drift.moved_bytes > 0) {
    text += fmt::format(
        "  of it at least {} moved from node to node{}\n", format_bytes(drift.moved_bytes),
        drift.numa_pages_migrated.value_or(0) > 0
            ? fmt::format(", {} by AutoNUMA", plural(*drift.numa_pages_migrated, "page"))
            : "");
  }
  return text;
}

}  // namespace

std::vector<const MappingView*> largest_mappings(const MemoryView& memory,
                                                 std::optional<std::size_t> largest) {
  std::vector<const MappingView*> mappings;
  for (const MappingView& mapping : memory.mappings) mappings.push_back(&mapping);
  std::stable_sort(mappings.begin(), mappings.end(),
                   [](const MappingView* a, const MappingView* b) {
                     return total_bytes(a->bytes) > total_bytes(b->bytes);
                   });
  if (largest && *largest < mappings.size()) mappings.resize(*largest);
  return mappings;
}

std::string mapping_name(const MappingView& mapping) {
  return mapping.name.empty() ? "anonymous" : mapping.name;
}

std::string look_text(const ProcessView& view, const WhereDetail& detail) {
  std::string text = heading(view);
  text += detail.every_thread || view.threads.size() <= kMostRows ? thread_rows(view)
                                                                  : folded_rows(view);
  if (!view.memory) return text;
  return text + node_rows(view) + mapping_rows(*view.memory, detail) + locality_text(view);
}

std::string drift_text(const Drift& drift, const ProcessView& now, std::size_t look,
                       double seconds) {
  std::string text =
      fmt::format("look {}, after {:.1f} s: {}\n", look, seconds,
                  drift.empty() && drift.migrations.value_or(0) == 0 ? "nothing has moved"
                                                                     : "since the look before");
  text += changes_text(drift) + memory_change_text(drift);
  if (!drift.empty() && now.memory) text += node_rows(now) + locality_text(now);
  return text;
}

std::string expectation_text(const WhereExpectation& checked) {
  const bool met = checked.finding.verdict == Finding::Verdict::satisfied;
  return fmt::format("{}: {}, found {}\n", met ? "as expected" : "not as expected",
                     checked.expectation.to_string(), checked.finding.found);
}

}  // namespace kinjo
