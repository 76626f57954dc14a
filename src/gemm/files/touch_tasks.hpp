/// Touch tasks: threads of their own that move data between storage and memory while others
/// compute, and that are joined before the data is used (S3 section 3.2).
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace kinjo::gemm {

class TouchTasks {
 public:
  class State;
  using Ticket = std::shared_ptr<State>;
  /// Something to move: `piece(i)` for each i < `pieces`, in any thread and order, then `after` if
  /// all went well. Of several transfers, pieces of the one with the lowest deadline go first.
  /// Nothing of one begins before `behind`, if there is one, is done; it fails if that failed.
  struct Transfer {
    std::size_t deadline = 0;
    std::size_t pieces = 0;
    std::function<void(std::size_t)> piece;
    std::function<void()> after;
    Ticket behind;
  };

  /// Starts so many threads, which may run on every CPU that the caller may run on.
  explicit TouchTasks(std::size_t threads);
  /// Gives up what has not begun and waits for the rest.
  ~TouchTasks();
  TouchTasks(const TouchTasks&) = delete;
  TouchTasks& operator=(const TouchTasks&) = delete;

  Ticket start(Transfer transfer);
  /// Waits until all of a transfer is done, and throws what one of its pieces threw; then the rest
  /// of its pieces were left out.
  void join(const Ticket& ticket);

 private:
  void work();
  void end_threads();
  /// Lets those begin that waited for a transfer, which is done.
  void release_behind(const State& done);

  std::mutex mutex_;
  std::condition_variable more_, done_;
  /// Transfers with pieces that nobody has begun, by their deadlines: those that may begin, and
  /// those that are behind another one.
  std::multimap<std::size_t, Ticket> waiting_, behind_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace kinjo::gemm
