/// A team is a set of groups, one for each node that has threads. A group's threads poll lines of
/// their own node, both for work and in barriers; one thread of each group meets the others'.
///
///   run:      the caller publishes the task and raises every group's `epoch`;
///             each thread runs it and counts itself out of its group, the last one of its group
///             counts the group out of the team, and the last group wakes the caller
///   barrier:  arrive in the group; the last to arrive meets the other groups, then opens the group
#include <kinjo/team.hpp>

#include <atomic>
#include <exception>
#include <latch>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <kinjo/barrier.hpp>
#include <kinjo/detail/wait_word.hpp>
#include <kinjo/error.hpp>
#include <kinjo/lab.hpp>
#include <kinjo/memory.hpp>

#include "base/forks.hpp"
#include "base/signals_later.hpp"
#include "base/text.hpp"

namespace kinjo {

namespace {

/// About 50 µs on current cores: longer than the gap between two parallel loops, short enough not
/// to be seen as load.
constexpr unsigned kSpins = 1500;

/// The threads of one node.
struct Group {
  Group(std::size_t size, unsigned spins)
      : team_barrier(size, spins), node_barrier(size, spins), threads(size) {}
  alignas(128) detail::WaitWord epoch;
  alignas(128) std::atomic<std::uint32_t> running{0};
  Barrier team_barrier;
  Barrier node_barrier;
  const std::size_t threads;
};

/// A group in memory of its own node, as far as the kernel allows: it is only a matter of speed.
/// One of no node is anywhere: pages of its own would take most of the time of a small team.
class GroupHolder {
 public:
  GroupHolder(int node, std::size_t threads, unsigned spins) {
    if (node < 0) {
      anywhere_ = std::make_unique<Group>(threads, spins);
      group_ = anywhere_.get();
    } else {
      memory_ = alloc(sizeof(Group), {.alignment = alignof(Group)});
      detail::bind_pages(memory_.data(), memory_.size(), node);
      group_ = new (memory_.data()) Group(threads, spins);
    }
    mark_ = std::make_unique<RegionMark>(kBarrierRegion, group_, sizeof(Group));
  }
  Group& operator*() const { return *group_; }
  Group* operator->() const { return group_; }

 private:
  static_assert(std::is_trivially_destructible_v<Group>, "its memory is dropped as it is");
  Buffer memory_;
  std::unique_ptr<Group> anywhere_;
  Group* group_ = nullptr;
  std::unique_ptr<RegionMark> mark_;  ///< apart, because holders move
};

/// How many threads of the mapping must share a CPU at worst.
bool is_crowded(const Mapping& mapping) {
  if (!mapping.binds()) return mapping.size() > initial_affinity().count();
  CpuSet cpus;
  for (const Place& place : mapping) {
    if (cpus.contains(place.cpu)) return true;
    cpus.insert(place.cpu);
  }
  return false;
}

}  // namespace

struct Team::Impl {
  Impl(Mapping m, TeamOptions o);
  ~Impl();

  void start_threads();
  void stop_threads() noexcept;
  /// What a thread begins with, and why it cannot.
  struct Start {
    CpuSet cpus;  ///< none: the system chooses
    std::exception_ptr failure;
  };
  void work(std::size_t thread, std::latch& ready, Start& start);
  void run(Task next);
  /// Throws `Error` (`usage`) in a process to which the threads did not come.
  void need_threads() const;
  /// The same, in a thread that runs no team's function and would wait for others for ever, and for
  /// a place of another mapping, or of none.
  void need_run(const Place& me) const;
  void execute(const Place& me) noexcept;
  void finish(Group& group) noexcept;
  /// Keeps the first exception of a run and sends everyone out of the barriers.
  void fail_with(std::exception_ptr exception) noexcept;
  void break_barriers() noexcept;
  Group& group_of(const Place& me) const {
    return *groups[group_index[static_cast<std::size_t>(me.thread)]];
  }

  static thread_local const Impl* tls_member;  ///< the team whose function this thread is running

  const Mapping mapping;
  const TeamOptions options;
  const unsigned barrier_spins;
  unsigned start_spins = 0;
  std::vector<GroupHolder> groups;
  std::vector<std::size_t> group_index;  ///< by thread
  Barrier top;                           ///< one thread of each group

  Task task;
  bool stopping = false;
  alignas(128) detail::WaitWord running_groups;
  std::atomic_flag busy;

  const RegionMark mark{kBarrierRegion, this, sizeof *this};

  std::mutex failure_mutex;
  std::exception_ptr failure;

  std::optional<Binding> caller_binding;
  std::vector<std::jthread> threads;
  const detail::ForkMark made;
};

thread_local const Team::Impl* Team::Impl::tls_member = nullptr;

Team::Impl::Impl(Mapping m, TeamOptions o)
    : mapping(std::move(m)),
      options(o),
      barrier_spins(is_crowded(mapping) ? 0 : kSpins),
      top(mapping.nodes().size(), barrier_spins) {
  group_index.resize(mapping.size());
  for (std::size_t g = 0; g < mapping.nodes().size(); ++g) {
    const int node = mapping.nodes()[g];
    const auto members = mapping.threads_on(node);
    groups.emplace_back(node, members.size(), barrier_spins);
    for (int thread : members) group_index[static_cast<std::size_t>(thread)] = g;
  }
  // A caller that only waits needs a CPU too; if the team takes them all, its idle threads must let
  // go at once.
  const bool room = options.caller == Caller::joins || mapping.size() < initial_affinity().count();
  start_spins = room ? barrier_spins : 0;
  start_threads();
}

Team::Impl::~Impl() { stop_threads(); }

void Team::Impl::start_threads() {
  const std::size_t first = options.caller == Caller::joins ? 1 : 0;
  if (first == 1) caller_binding.emplace(mapping, 0, options.bind);
  if (mapping.size() == first) return;  // to hold signals back takes longer than all else
  std::latch ready(static_cast<std::ptrdiff_t>(mapping.size() - first));
  std::vector<Start> starts(mapping.size());
  for (std::size_t t = first; t < mapping.size(); ++t) {
    if (mapping[t].cpu >= 0) starts[t].cpus = bound_cpus(mapping, t, options.bind);
  }
  threads.reserve(mapping.size());
  // Threads that run must not outlive the latch that they count down.
  const auto abandon = [&] {
    ready.count_down(static_cast<std::ptrdiff_t>(mapping.size() - first - threads.size()));
    ready.wait();
    stop_threads();
  };
  // A signal to the process then comes to a thread of the caller's, who may hold it back.
  const detail::SignalsLater for_callers;
  try {
    for (std::size_t t = first; t < mapping.size(); ++t) {
      threads.emplace_back([this, t, &ready, &starts] { work(t, ready, starts[t]); });
    }
  } catch (const std::system_error& refusal) {
    const std::size_t started = first + threads.size();
    abandon();
    throw Error(
        Errc::system,
        fmt::format("cannot start thread {} of {}: {} (a limit on threads or memory?)", started + 1,
                    mapping.size(), detail::errno_name(refusal.code().value())));
  } catch (...) {
    abandon();
    throw;
  }
  ready.wait();
  for (const Start& start : starts) {
    if (!start.failure) continue;
    stop_threads();
    std::rethrow_exception(start.failure);
  }
}

void Team::Impl::need_threads() const {
  if (!made.is_in_child() || threads.empty()) return;
  throw Error(Errc::usage,
              "the team's threads stayed in the process that made it: make a team after the fork");
}

void Team::Impl::need_run(const Place& me) const {
  need_threads();
  if (tls_member == nullptr && mapping.size() > 1) {
    throw Error(Errc::usage, "a barrier is only for threads that run a function of its team");
  }
  if (static_cast<std::size_t>(me.thread) < mapping.size()) return;
  throw Error(Errc::usage, fmt::format("a barrier of {} threads has no place for thread {}",
                                       mapping.size(), me.thread));
}

void Team::Impl::stop_threads() noexcept {
  if (made.is_in_child()) {
    // They cannot be ended where they are not, nor waited for: what is known of them stays for
    // good.
    static_cast<void>(new (std::nothrow) std::vector<std::jthread>(std::move(threads)));
    return;
  }
  stopping = true;
  for (GroupHolder& group : groups) {
    group->epoch.add(1);
  }
  threads.clear();
}

void Team::Impl::work(std::size_t thread, std::latch& ready, Start& start) {
  Group& group = *groups[group_index[thread]];
  std::optional<Binding> binding;
  std::uint32_t seen = group.epoch.load();
  try {
    // Before anything is allocated: the first page of the thread's heap lies where it then runs.
    if (!start.cpus.empty()) set_thread_affinity(start.cpus);
    binding.emplace(mapping, thread, options.bind);
  } catch (...) {
    start.failure = std::current_exception();
  }
  ready.count_down();
  while (binding) {
    seen = group.epoch.wait_while(seen, start_spins);
    if (stopping) return;
    execute(binding->place());
    finish(group);
  }
}

void Team::Impl::execute(const Place& me) noexcept {
  const Impl* outer = std::exchange(tls_member, this);
  try {
    task.call(task.context, me);
  } catch (const BarrierBroken&) {
    // Someone else's exception is on its way to the caller, unless the barrier was none of ours.
    fail_with(std::current_exception());
  } catch (...) {
    fail_with(std::current_exception());
  }
  tls_member = outer;
}

void Team::Impl::fail_with(std::exception_ptr exception) noexcept {
  {
    const std::lock_guard lock(failure_mutex);
    if (failure) return;  // whoever stored it breaks the barriers
    failure = std::move(exception);
  }
  break_barriers();
}

void Team::Impl::finish(Group& group) noexcept {
  if (group.running.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  running_groups.subtract(1);
}

void Team::Impl::break_barriers() noexcept {
  top.break_it();
  for (GroupHolder& group : groups) {
    group->team_barrier.break_it();
    group->node_barrier.break_it();
  }
}

void Team::Impl::run(Task next) {
  task = next;
  running_groups.store(static_cast<std::uint32_t>(groups.size()));
  for (GroupHolder& group : groups) {
    group->running.store(static_cast<std::uint32_t>(group->threads), std::memory_order_relaxed);
  }
  for (GroupHolder& group : groups) {
    group->epoch.add(1);
  }
  if (options.caller == Caller::joins) {
    execute(mapping[0]);
    finish(group_of(mapping[0]));
  }
  for (std::uint32_t left = running_groups.load(); left != 0;) {
    left = running_groups.wait_while(left, start_spins);
  }
  if (failure) {
    top.repair();
    for (GroupHolder& group : groups) {
      group->team_barrier.repair();
      group->node_barrier.repair();
    }
    std::rethrow_exception(std::exchange(failure, nullptr));
  }
}

Team::Team(Mapping mapping, TeamOptions options)
    : impl_(std::make_unique<Impl>(std::move(mapping), options)) {}

Team::~Team() = default;

const Mapping& Team::mapping() const { return impl_->mapping; }

bool Team::begins_at_once() const noexcept { return impl_->start_spins > 0; }

void Team::run_erased(Task task) {
  if (Impl::tls_member == impl_.get()) {
    throw Error(Errc::usage, "Team::run was called inside the team's own function");
  }
  impl_->need_threads();
  if (impl_->busy.test_and_set(std::memory_order_acquire)) {
    throw Error(Errc::usage, "Team::run was called while another thread is in it");
  }
  struct Release {
    std::atomic_flag& flag;
    ~Release() { flag.clear(std::memory_order_release); }
  } release{impl_->busy};
  impl_->run(task);
}

void Team::barrier(const Place& me) {
  impl_->need_run(me);
  Barrier& barrier = impl_->group_of(me).team_barrier;
  if (impl_->groups.size() == 1) return barrier.arrive_and_wait();
  barrier.arrive_and_wait([this] { impl_->top.arrive_and_wait(); });
}

void Team::node_barrier(const Place& me) {
  impl_->need_run(me);
  impl_->group_of(me).node_barrier.arrive_and_wait();
}

}  // namespace kinjo
