/// Threads pinned by a mapping, which run a function together.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include <kinjo/binding.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/partition.hpp>
#include <kinjo/place.hpp>

namespace kinjo {

/// What the thread that owns a team does while the team runs.
enum class Caller {
  waits,  ///< every place gets a thread of its own; the caller sleeps
  joins,  ///< the caller is thread 0, pinned to its place from the team's construction to its
          ///< destruction; forking and joining is faster so. All calls must come from that thread.
};

/// How a team's threads are held, and what its owner does meanwhile.
struct TeamOptions {
  BindLevel bind = BindLevel::cpu;
  Caller caller = Caller::waits;
};

/// A team of persistent threads, one for each row of its mapping.
///
/// *Forks*: threads stay with the process that made the team. In a child that was forked off (and
/// has not become another program) running it and its barriers throw `Error` (`usage`), destroying
/// it is fine, and a new one can be made.
///
/// *Signals* that end programs (SIGINT, SIGTERM, SIGHUP, SIGQUIT) are blocked in the threads that
/// the team starts, so that one of the caller's receives them. What such a thread starts inherits
/// that: a program that is to be ended by them has to unblock them, or is started by another
/// thread.
class Team {
 public:
  /// Starts and pins the threads. Throws `Error` if the kernel refuses to pin one.
  explicit Team(Mapping mapping, TeamOptions options = {});
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  const Mapping& mapping() const;
  std::size_t size() const { return mapping().size(); }

  /// Whether idle threads look for work for a while (about 50 µs) before they sleep, so that a run
  /// begins at once. Not so where threads share CPUs, or take all of them from a caller who waits:
  /// then each run wakes them first.
  bool begins_at_once() const noexcept;

  /// Runs `f(place)` once in every thread and returns when all have. If threads throw, the first
  /// exception is rethrown here after the others have ended; their barriers are broken meanwhile
  /// (`BarrierBroken`), so that nobody waits for a thread that is gone. The team stays usable.
  /// Throws `Error` (`usage`) if called from one of its own threads, by two threads at once, or in
  /// a child of the process that made the team.
  template <class F>
  void run(F&& f) {
    using Function = std::remove_reference_t<F>;
    if constexpr (std::is_function_v<Function>) {
      run(&f);  // a pointer, whose own address is one of data
    } else {
      run_erased({[](void* context, const Place& me) { (*static_cast<Function*>(context))(me); },
                  const_cast<void*>(static_cast<const void*>(&f))});
    }
  }

  /// Runs `f(range, place)` for every piece of a partition in the thread that owns it: part p
  /// belongs to thread p mod size().
  template <class F>
  void parallel_for(const Partition& partition, F&& f) {
    run([&](const Place& me) {
      for (std::size_t p = static_cast<std::size_t>(me.thread); p < partition.parts();
           p += size()) {
        for (std::size_t k = 0; k < partition.pieces(p); ++k) f(partition.piece(p, k), me);
      }
    });
  }

  /// Inside `run`: waits until all threads of the team have arrived. Throws `Error` (`usage`) in a
  /// thread that runs no team's function, unless it is the only one, and for a place that is none
  /// of the team's.
  void barrier(const Place& me);
  /// Inside `run`: waits until all threads on the caller's node have arrived. Throws likewise.
  void node_barrier(const Place& me);

 private:
  struct Task {
    void (*call)(void* context, const Place& me) = nullptr;
    void* context = nullptr;
  };
  struct Impl;
  void run_erased(Task task);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kinjo
