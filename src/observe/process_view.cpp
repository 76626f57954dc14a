#include "observe/process_view.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/kernel.hpp"
#include "base/text.hpp"
#include "observe/proc_files.hpp"
#include "observe/proc_text.hpp"

namespace kinjo {

namespace {

using detail::ProcFile;
using detail::read_file;
using detail::StatText;

/// Whether a file is missing because its thread has ended.
bool is_gone(const ProcFile& reading) { return reading.error == ENOENT || reading.error == ESRCH; }

/// `process 7 (name)`, on one line whatever the name.
std::string title(int pid, const std::string& name) {
  return fmt::format("process {} ({})", pid, detail::printable(name));
}

[[noreturn]] void refuse_unreadable(const std::string& path, int error) {
  throw Error(error == EACCES || error == EPERM ? Errc::not_permitted : Errc::system,
              fmt::format("cannot read {}: {}", path, detail::errno_name(error)));
}

[[noreturn]] void refuse_absent(int pid, const std::string& root) {
  if (detail::list_numbers(root + "/proc").empty()) {
    throw Error(Errc::not_found, fmt::format("cannot see process {}: /proc is not mounted", pid));
  }
  if (root.empty() && (kill(pid, 0) == 0 || errno == EPERM)) {
    throw Error(Errc::not_permitted,
                fmt::format("cannot see process {}: /proc hides it (mount option hidepid); run "
                            "kinjo as its user or as root",
                            pid));
  }
  throw Error(Errc::not_found, fmt::format("there is no process {}", pid));
}

/// Time on a CPU in nanoseconds, in ticks of 10 ms where the kernel counts no finer.
std::uint64_t cpu_time_ns(const std::string& task, const StatText& stat) {
  const ProcFile reading = read_file(task + "/schedstat");
  if (reading.error == 0) return detail::parse_schedstat_ns(reading.text);
  static const auto ticks_per_s = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  return stat.cpu_ticks * (1'000'000'000 / ticks_per_s);
}

/// One thread, nothing if it has ended.
std::optional<ThreadView> look_at_thread(const std::string& task, const Topology& machine) {
  const ProcFile stat_file = read_file(task + "/stat");
  const ProcFile status_file = read_file(task + "/status");
  if (is_gone(stat_file) || is_gone(status_file)) return std::nullopt;
  if (stat_file.error != 0) refuse_unreadable(task + "/stat", stat_file.error);
  if (status_file.error != 0) refuse_unreadable(task + "/status", status_file.error);
  const StatText stat = detail::parse_stat(stat_file.text);
  if (stat.has_ended()) return std::nullopt;
  const detail::StatusText status = detail::parse_status(status_file.text);
  const ProcFile sched_file = read_file(task + "/sched");
  const detail::SchedText sched = detail::parse_sched(sched_file.text);
  return ThreadView{.tid = stat.id,
                    .name = stat.name,
                    .state = stat.state,
                    .running = stat.state == 'R',
                    .cpu = stat.cpu,
                    .node = node_of_cpu(machine, stat.cpu),
                    .allowed_cpus = status.allowed_cpus,
                    .allowed_nodes = status.allowed_nodes,
                    .migrations = sched.migrations,
                    .numa_pages_migrated = sched.numa_pages_migrated,
                    .cpu_time_ns = cpu_time_ns(task, stat),
                    .start_ticks = stat.start_ticks};
}

/// A look in the making.
class Look {
 public:
  Look(int pid, const Topology& machine, const LookOptions& options)
      : machine_(machine), options_(options), proc_(fmt::format("{}/proc/{}", options.root, pid)) {
    view_.pid = pid;
    if (!options_.query) {
      options_.query = [](int process, std::span<void* const> pages, std::span<int> nodes) {
        return detail::query_pages(pages, nodes, process);
      };
    }
  }

  ProcessView take() {
    identify();
    view_.when = std::chrono::steady_clock::now();
    look_at_threads();
    look_at_pages();
    return std::move(view_);
  }

 private:
  std::string task(int tid) const { return fmt::format("{}/task/{}", proc_, tid); }

  void identify() {
    const ProcFile stat_file = read_file(proc_ + "/stat");
    if (is_gone(stat_file)) refuse_absent(view_.pid, options_.root);
    if (stat_file.error != 0) refuse_unreadable(proc_ + "/stat", stat_file.error);
    const StatText stat = detail::parse_stat(stat_file.text);
    view_.name = stat.name;
    view_.start_ticks = stat.start_ticks;
    if (stat.is_kernel_thread()) {
      throw Error(Errc::not_supported,
                  fmt::format("{} is a thread of the kernel: it has no memory of its own",
                              title(view_.pid, view_.name)));
    }
    const ProcFile status_file = read_file(proc_ + "/status");
    if (is_gone(status_file)) refuse_ended();
    if (status_file.error != 0) refuse_unreadable(proc_ + "/status", status_file.error);
    const detail::StatusText status = detail::parse_status(status_file.text);
    view_.uid = status.uid;
    if (status.process != view_.pid) {
      throw Error(Errc::not_found, fmt::format("{} is a thread of process {}: expected the "
                                               "number of the process",
                                               view_.pid, status.process));
    }
  }

  void look_at_threads() {
    for (int tid : detail::list_numbers(proc_ + "/task")) {
      if (auto thread = look_at_thread(task(tid), machine_)) view_.threads.push_back(*thread);
    }
    if (view_.threads.empty()) refuse_ended();
    if (std::none_of(view_.threads.begin(), view_.threads.end(),
                     [](const ThreadView& thread) { return thread.migrations.has_value(); })) {
      view_.missing.push_back(fmt::format(
          "migrations are not counted: the kernel has no {}/sched (CONFIG_SCHED_DEBUG); changes of "
          "CPU between looks are counted instead (--every)",
          proc_));
    }
  }

  /// Through a thread that lives: one that has ended has no memory, be it the first of them.
  void look_at_pages() {
    for (const ThreadView& thread : view_.threads) {
      auto counts = detail::count_pages(task(thread.tid), thread.tid, options_.source, machine_,
                                        options_.query);
      if (!look_at_thread(task(thread.tid), machine_)) continue;
      if (!counts.memory) {
        view_.missing.push_back(detail::refusal_text(view_, counts.refusal, geteuid()));
      } else if (counts.memory->unknown_bytes > 0) {
        view_.missing.push_back(fmt::format("move_pages did not say where {} of process {} lie",
                                            detail::format_bytes(counts.memory->unknown_bytes),
                                            view_.pid));
      }
      view_.memory = std::move(counts.memory);
      return;
    }
    refuse_ended();
  }

  [[noreturn]] void refuse_ended() const {
    const ProcFile stat = read_file(proc_ + "/stat");
    const bool zombie = stat.error == 0 && detail::parse_stat(stat.text).state == 'Z';
    throw Error(Errc::not_found,
                title(view_.pid, view_.name) +
                    (zombie ? " has ended, and its parent has not asked for its status (a zombie): "
                              "it has neither threads nor memory"
                            : " ended while it was looked at"));
  }

  const Topology& machine_;
  LookOptions options_;
  std::string proc_;
  ProcessView view_;
};

}  // namespace

int node_of_cpu(const Topology& machine, int cpu) {
  // A Cpu's own node is one that this process may use; what another process may use is its affair.
  for (const Node& node : machine.nodes()) {
    if (node.memory_kind == MemoryKind::ordinary && node.cpus.contains(cpu)) return node.node;
  }
  const Cpu* found = machine.find_cpu(cpu);
  return found ? found->node : -1;
}

std::optional<bool> numa_balancing(const std::string& root) {
  const ProcFile reading = read_file(root + "/proc/sys/kernel/numa_balancing");
  const auto mode = detail::parse_number<int>(detail::trim(reading.text));
  if (!mode) return std::nullopt;
  return (*mode & 1) != 0;  // bit 0: between nodes of like memory; bit 1: tiers
}

ProcessView look(pid_t pid, const Topology& machine, const LookOptions& options) {
  if (pid < 1) {
    throw Error(Errc::invalid_argument,
                fmt::format("'{}' is no process: expected a PID from 1 on", pid));
  }
  return Look(pid, machine, options).take();
}

ProcessView where(const Topology& machine) { return look(getpid(), machine); }

namespace detail {

std::string refusal_text(const ProcessView& view, const Refusal& refusal, std::uint32_t observer) {
  std::string help;
  if (refusal.error == EACCES || refusal.error == EPERM) {
    if (observer == 0) {
      help =
          "; the system refuses it even to root (a container or a security module: "
          "CAP_SYS_PTRACE is needed)";
    } else if (observer == view.uid) {
      help =
          "; the process has privileges that kinjo lacks or is not dumpable: run kinjo as root or "
          "with CAP_SYS_PTRACE";
    } else {
      help = fmt::format(
          "; it belongs to user {}: run kinjo as that user, as root or with CAP_SYS_PTRACE",
          view.uid);
    }
  } else if (refusal.error == ENOSYS) {
    help = "; the kernel was built without CONFIG_NUMA";
  } else if (refusal.error == ENOENT) {
    help = "; the kernel was built without CONFIG_NUMA or CONFIG_PROC_PAGE_MONITOR";
  }
  return fmt::format("cannot see the pages of {}: {} returned {}{}", title(view.pid, view.name),
                     refusal.what, errno_name(refusal.error), help);
}

}  // namespace detail
}  // namespace kinjo
