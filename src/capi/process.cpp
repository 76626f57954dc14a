/// One mapping for the whole process, for threads that the program makes itself: S1's functions
/// (figure 7).
///
/// A table is complete before it is published through one atomic pointer, and is never freed, so a
/// look-up is an acquire load and two reads of an array. A later `kinjo_policy_set` publishes
/// another; it waits on a mutex, look-ups do not.
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include <kinjo/detail/environment.hpp>

#include "base/forks.hpp"
#include "base/text.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/memory.hpp"

using namespace kinjo::capi;
using kinjo::Errc;
using kinjo::Error;
using kinjo::detail::from_environment;

namespace {

struct ProcessTable {
  kinjo::Mapping mapping;
  kinjo::BindLevel level;
  std::vector<int> node_index;    ///< by thread
  std::vector<int> node_threads;  ///< by node index
};

std::atomic<const ProcessTable*> current{nullptr};
/// Held while a table is made.
std::mutex& making() { return kinjo::detail::mutex_of(kinjo::detail::ForkLock::process_table); }
/// The calling thread's row, as long as it is bound to one.
thread_local std::optional<kinjo::Binding> row;

std::size_t parse_threads(const char* text) {
  const auto threads = kinjo::detail::parse_number<int>(text);
  if (!threads || *threads < 1) {
    throw Error(Errc::bad_input,
                fmt::format("'{}' is no number of threads: expected 1 or more", text));
  }
  return static_cast<std::size_t>(*threads);
}

std::size_t count_threads(const kinjo::Topology& machine, const kinjo::Policy& policy) {
  return from_environment("KINJO_THREADS", parse_threads, kinjo::default_threads(machine, policy));
}

void number_nodes(ProcessTable& table) {
  const auto nodes = table.mapping.nodes();
  table.node_index.resize(table.mapping.size());
  for (std::size_t index = 0; index < nodes.size(); ++index) {
    const std::vector<int> threads = table.mapping.threads_on(nodes[index]);
    table.node_threads.push_back(static_cast<int>(threads.size()));
    for (int t : threads) table.node_index[static_cast<std::size_t>(t)] = static_cast<int>(index);
  }
}

kinjo::Mapping deal(const kinjo::Topology& machine, const kinjo::Policy& dealt, const char* policy,
                    int threads, kinjo::Oversubscribe more) {
  const std::size_t wanted = threads == 0 ? 0 : need_threads(threads);
  try {
    return {machine, dealt, threads == 0 ? count_threads(machine, dealt) : wanted, more};
  } catch (const Error& error) {
    if (error.code() != Errc::invalid_argument) throw;
    throw kinjo::detail::explain_refusal(
        error, {.policy = policy != nullptr, .threads = threads != 0}, machine.origin());
  }
}

std::unique_ptr<const ProcessTable> make_table(const char* policy, int threads, unsigned flags) {
  need_flags(flags, KINJO_OVERSUBSCRIBE | KINJO_BIND_CORE | KINJO_BIND_NODE);
  const kinjo::Topology& machine = kinjo::Topology::this_machine();
  const kinjo::Policy dealt =
      policy ? kinjo::Policy::parse(policy)
             : from_environment("KINJO_POLICY", kinjo::Policy::parse, kinjo::Policy::scatter());
  const bool bind_given = flags & (KINJO_BIND_CORE | KINJO_BIND_NODE);
  auto table = std::make_unique<ProcessTable>(ProcessTable{
      .mapping = deal(
          machine, dealt, policy, threads,
          flags & KINJO_OVERSUBSCRIBE ? kinjo::Oversubscribe::wrap : kinjo::Oversubscribe::refuse),
      .level = bind_given
                   ? bind_level_of(flags)
                   : from_environment("KINJO_BIND", kinjo::parse_bind_level, kinjo::BindLevel::cpu),
      .node_index = {},
      .node_threads = {}});
  number_nodes(*table);
  return table;
}

/// Call it with `making()` held.
const ProcessTable& publish(std::unique_ptr<const ProcessTable> table) {
  // Kept until the process ends, since a thread may be reading it. Reachable, so no leak.
  static auto& kept = *new std::vector<std::unique_ptr<const ProcessTable>>;
  kept.push_back(std::move(table));
  current.store(kept.back().get(), std::memory_order_release);
  return *kept.back();
}

const ProcessTable& process_table() {
  if (const ProcessTable* table = current.load(std::memory_order_acquire)) return *table;
  const std::lock_guard lock(making());
  if (const ProcessTable* table = current.load(std::memory_order_acquire)) return *table;
  return publish(make_table(nullptr, 0, 0));
}

const kinjo::Place& place_at(const ProcessTable& table, int thread) {
  return table.mapping[need_index(thread, table.mapping.size(), "thread")];
}

/// One number of a thread's place.
int look_up(int thread, int kinjo::Place::*number) {
  return guarded([&] { return place_at(process_table(), thread).*number; });
}

/// Pinning by row and by handle undo each other only in order, so they do not mix in one thread.
void need_free_thread() {
  if (thread_state.running) {
    throw Error(Errc::usage, "the thread belongs to a team, which has pinned it");
  }
  if (thread_state.innermost) {
    throw Error(Errc::usage, "the thread holds a kinjo_binding: undo that first");
  }
}

}  // namespace

int kinjo_policy_set(const char* policy, int threads, unsigned flags) {
  return guarded([&] {
    const std::lock_guard lock(making());
    publish(make_table(policy, threads, flags));
    return KINJO_OK;
  });
}

int kinjo_thread_count(void) {
  return guarded([] { return static_cast<int>(process_table().mapping.size()); });
}

int kinjo_thread_cpu(int thread) { return look_up(thread, &kinjo::Place::cpu); }

int kinjo_thread_node(int thread) { return look_up(thread, &kinjo::Place::node); }

int kinjo_thread_core(int thread) { return look_up(thread, &kinjo::Place::core); }

int kinjo_thread_smt(int thread) { return look_up(thread, &kinjo::Place::smt); }

int kinjo_thread_rank(int thread) { return look_up(thread, &kinjo::Place::rank_in_node); }

int kinjo_thread_node_index(int thread) {
  return guarded([&] {
    const ProcessTable& table = process_table();
    return table.node_index[need_index(thread, table.node_index.size(), "thread")];
  });
}

int kinjo_node_count(void) {
  return guarded([] { return static_cast<int>(process_table().node_threads.size()); });
}

int kinjo_node_number(int node_index) {
  return guarded([&] {
    const auto nodes = process_table().mapping.nodes();
    return nodes[need_index(node_index, nodes.size(), "node index")];
  });
}

int kinjo_node_threads(int node_index) {
  return guarded([&] {
    const std::vector<int>& threads = process_table().node_threads;
    return threads[need_index(node_index, threads.size(), "node index")];
  });
}

void* kinjo_node_alloc(int node_index, size_t bytes) {
  return guarded([&] {
    const auto nodes = process_table().mapping.nodes();
    const int node = nodes[need_index(node_index, nodes.size(), "node index")];
    return keep(node < 0 ? kinjo::alloc(bytes) : kinjo::alloc_on(node, bytes));
  });
}

int kinjo_thread_bind(int thread) {
  return guarded([&] {
    const ProcessTable& table = process_table();
    const kinjo::Place& place = place_at(table, thread);
    need_free_thread();
    row.reset();
    row.emplace(table.mapping, static_cast<std::size_t>(place.thread), table.level);
    return KINJO_OK;
  });
}

int kinjo_thread_pin(int cpu) {
  return guarded([&] {
    if (!kinjo::Topology::this_machine().find_cpu(cpu)) {
      throw Error(Errc::not_found,
                  fmt::format("no CPU {} on this machine: there are {}", cpu,
                              kinjo::Topology::this_machine().all_cpus().to_string()));
    }
    need_free_thread();
    row.reset();
    kinjo::set_thread_affinity({cpu});
    return KINJO_OK;
  });
}

int kinjo_thread_unbind(void) {
  return guarded([] {
    need_free_thread();
    row.reset();
    kinjo::set_thread_affinity(kinjo::initial_affinity());
    return KINJO_OK;
  });
}
