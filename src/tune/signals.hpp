/// Interruptions, taken one at a time where they can be handled and not where they happen to come.
#pragma once

#include <signal.h>

#include <atomic>
#include <functional>
#include <thread>

namespace kinjo::detail {

/// While it lives SIGINT, SIGTERM, SIGHUP and SIGCHLD of this process wait until they are asked
/// for, in threads that are started meanwhile too; but for those that are ignored, as by nohup, and
/// stay so. One at a time, made by the thread that asks.
class Signals {
 public:
  /// What SIGQUIT does, to which people turn when nothing else helps.
  enum class Quit {
    ends_at_once,  ///< as if nobody watched
    waits,         ///< as the others: where children would be left behind
  };
  explicit Signals(Quit quit = Quit::ends_at_once);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// Waits for a child's end or an interruption, at most so many seconds.
  void wait(double seconds);

  /// The signal by which somebody asked to stop, 0 if nobody did; it stays once it came.
  int interrupted();

  /// While it lives an interruption ends the program where it comes, in the thread that has made
  /// it, as if nobody watched: for work that would leave nothing behind.
  class Ending {
   public:
    explicit Ending(const Signals& signals);
    ~Ending();
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;

   private:
    const Signals& signals_;
  };

  /// While it lives, for work that is better finished: the first interruption is kept for
  /// `interrupted`, and `told` is called at once, in a thread of its own; a second one, unless
  /// it comes with the first, ends the program where it stands. Nobody may wait or ask meanwhile.
  class Finishing {
   public:
    Finishing(Signals& signals, std::function<void()> told);
    ~Finishing();
    Finishing(const Finishing&) = delete;
    Finishing& operator=(const Finishing&) = delete;

   private:
    void listen();

    Signals& signals_;
    std::function<void()> told_;
    std::atomic<bool> over_ = false;
    std::thread listener_;
  };

  /// In a forked child, before it becomes another program: signals as they were.
  void restore() const;

 private:
  void take(double seconds);

  sigset_t watched_;
  sigset_t previous_mask_;
  struct sigaction previous_child_;
  std::atomic<int> interrupted_ = 0;
};

}  // namespace kinjo::detail
