/// How the solver's loops are dealt to a team: tasks one by one to whoever is free.
///
/// A task's result must not depend on who does it, nor on how many tasks there are, and no two
/// tasks write the same number: then results are the same for any timing and any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <kinjo/team.hpp>

#include "base/relax.hpp"

namespace kinjo::sdp::detail {

/// A team, or nobody but the calling thread.
class Crew {
 public:
  Crew() = default;
  explicit Crew(Team& team) : team_(&team) {}

  std::size_t size() const { return team_ == nullptr ? 1 : team_->size(); }
  Team* team() const { return team_; }

  /// f(task, thread) for tasks 0 … count − 1, begun in this order. `operations`, of all of them,
  /// says whether it is worth to wake anybody.
  template <class F>
  void each(std::size_t count, double operations, F&& f) const {
    if (team_ == nullptr || team_->size() == 1 || count <= 1 || operations < kWorthwhile) {
      for (std::size_t task = 0; task < count; ++task) f(task, std::size_t{0});
      return;
    }
    std::atomic<std::size_t> next = 0;
    team_->run([&](const Place& me) {
      for (;;) {
        const std::size_t task = next.fetch_add(1, std::memory_order_relaxed);
        if (task >= count) return;
        f(task, static_cast<std::size_t>(me.thread));
      }
    });
  }

  /// As `each`, where a task uses memory of the thread owner(task): threads take what is on their
  /// own node first, in this order, and then help the others.
  template <class Owner, class F>
  void each_near(std::size_t count, double operations, Owner&& owner, F&& f) const {
    if (team_ == nullptr || team_->mapping().nodes().size() == 1 || operations < kWorthwhile) {
      each(count, operations, f);
      return;
    }
    const Mapping& mapping = team_->mapping();
    Heaps heaps(mapping, count);
    for (std::size_t task = 0; task < count; ++task) heaps.add(mapping[owner(task)].node, task);
    team_->run([&](const Place& me) {
      heaps.take_all(me.node,
                     [&](std::size_t task) { f(task, static_cast<std::size_t>(me.thread)); });
    });
  }

  /// f(begin, end, thread) for parts of 0 … count − 1 of at least `least`, a few for each thread.
  template <class F>
  void ranges(std::size_t count, std::size_t least, double operations, F&& f) const {
    if (count == 0) return;
    std::size_t parts = size() == 1 ? 1 : 4 * size();
    if (parts > count / least) parts = count / least;
    if (parts == 0 || operations < kWorthwhile) parts = 1;
    each(parts, operations, [&](std::size_t part, std::size_t thread) {
      f(count * part / parts, count * (part + 1) / parts, thread);
    });
  }

 private:
  /// Tasks by the node that they belong to.
  class Heaps {
   public:
    Heaps(const Mapping& mapping, std::size_t count)
        : nodes_(mapping.nodes()),
          tasks_(nodes_.size()),
          next_(std::make_unique<std::atomic<std::size_t>[]>(nodes_.size())) {
      for (std::vector<std::size_t>& tasks : tasks_) tasks.reserve(count / nodes_.size() + 1);
    }
    void add(int node, std::size_t task) { tasks_[place_of(node)].push_back(task); }
    /// f(task) for all that nobody else takes, those of the node first. Each of another node's is
    /// left to the threads of that node for a moment, in which one that is but a little late begins
    /// with it.
    template <class F>
    void take_all(int node, F&& f) {
      for (std::size_t i = 0, at = place_of(node); i < nodes_.size(); ++i, ++at) {
        if (at == nodes_.size()) at = 0;
        for (;;) {
          for (int turn = 0; i > 0 && turn < kMoment && is_left(at); ++turn) kinjo::detail::relax();
          const std::size_t task = next_[at].fetch_add(1, std::memory_order_relaxed);
          if (task >= tasks_[at].size()) break;
          f(tasks_[at][task]);
        }
      }
    }

   private:
    static constexpr int kMoment = 32;  // turns of waiting: one or two microseconds

    bool is_left(std::size_t at) const {
      return next_[at].load(std::memory_order_relaxed) < tasks_[at].size();
    }
    std::size_t place_of(int node) const {
      return static_cast<std::size_t>(std::ranges::find(nodes_, node) - nodes_.begin());
    }

    std::span<const int> nodes_;
    std::vector<std::vector<std::size_t>> tasks_;
    std::unique_ptr<std::atomic<std::size_t>[]> next_;
  };

  /// Below this a thread that sleeps is not woken: it takes some ten microseconds.
  static constexpr double kWorthwhile = 1e5;
  Team* team_ = nullptr;
};

}  // namespace kinjo::sdp::detail
