/// UCX's objects, each of which gives back what it holds.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "comm/ucx/library.hpp"

namespace kinjo::comm::detail {

/// A context and its one worker: all connections of a cell. Calls must not overlap.
class Worker {
 public:
  /// Throws `Error` (`system`, `not_supported`).
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Active messages with number 0 call `function(argument, …)`.
  void receive_with(ucp_am_recv_callback_t function, void* argument);
  std::vector<std::byte> address() const;

  /// Sends and takes what can be; whether there was anything.
  bool progress() { return ucp_.worker_progress(worker_) != 0; }
  /// Becomes readable when there is something to do; only what comes after an `arm` counts.
  int event_descriptor() const { return descriptor_; }
  /// False when there is something to do already.
  bool arm() { return ucp_.worker_arm(worker_) == UCS_OK; }

  const Ucp& ucp() const { return ucp_; }
  ucp_worker_h get() const { return worker_; }

 private:
  const Ucp& ucp_;
  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  int descriptor_ = -1;
};

/// A connection to one cell.
class Link {
 public:
  Link() = default;
  /// `failed(argument, …)` is called, inside `progress`, when it breaks. Throws `Error` (`system`).
  void open(Worker& worker, const std::vector<std::byte>& address, ucp_err_handler_cb_t failed,
            void* argument);
  bool is_open() const { return endpoint_ != nullptr; }
  ucp_ep_h get() const { return endpoint_; }
  /// Whether all it sends goes through TCP.
  bool is_tcp(Worker& worker) const;
  /// Drops whatever is on its way. What `progress` must see through is returned, null if nothing.
  ucs_status_ptr_t close(Worker& worker);

 private:
  ucp_ep_h endpoint_ = nullptr;
};

/// Throws `Error` (`system`): "UCX cannot <what>: <status>".
void check_ucx(const Ucp& ucp, ucs_status_t status, const char* what);

}  // namespace kinjo::comm::detail
