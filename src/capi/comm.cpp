#include <algorithm>
#include <new>
#include <string>
#include <vector>

#include <kinjo/comm.hpp>
#include <kinjo/comm_start.hpp>

#include "capi/guard.hpp"
#include "capi/handles.hpp"

using namespace kinjo::capi;

struct kinjo_world {
  kinjo::comm::World value;
};

struct kinjo_message {
  kinjo::comm::Message& value;
};

struct kinjo_completion {
  kinjo::comm::Completion value;
};

namespace {

using kinjo::Errc;
using kinjo::Error;
namespace comm = kinjo::comm;

thread_local int last_lost = -1;

/// As `guarded`, and keeps which cell is lost.
template <class Body>
int with_lost(Body&& body) noexcept {
  return guarded([&]() -> int {
    try {
      body();
    } catch (const comm::CellLost& lost) {
      last_lost = lost.cell();
      throw;
    }
    return KINJO_OK;
  });
}

comm::Timeout timeout_of(std::int64_t nanoseconds) {
  return nanoseconds < 0 ? comm::kForever : comm::Timeout(nanoseconds);
}

comm::Signal signal_of(const kinjo_signal& signal) {
  return {.flag = signal.flag,
          .value = signal.value,
          .op = signal.add != 0 ? comm::SignalOp::add : comm::SignalOp::set};
}

comm::Rows rows_of(const kinjo_rows* shape) {
  const kinjo_rows& rows = need(shape, "shape");
  return {rows.rows, rows.row_bytes, rows.stride};
}

comm::Completion* completion_of(kinjo_completion* completion) {
  return completion ? &completion->value : nullptr;
}

/// What is read or written, which may be NULL if it is nothing.
template <class T>
T* need_bytes(T* data, std::size_t bytes, const char* what) {
  if (bytes != 0 && !data) throw Error(Errc::invalid_argument, fmt::format("{} is NULL", what));
  return data;
}

comm::HandlerId handler_of(unsigned handler) {
  if (handler <= UINT16_MAX) return static_cast<comm::HandlerId>(handler);
  throw Error(Errc::invalid_argument, fmt::format("there is no handler {}", handler));
}

/// A handler of C as one of C++: what it returns becomes an exception that passes through the
/// library.
comm::Handler handler_of(const kinjo_handler& given) {
  need(given.function, "a handler's function");
  const std::string name = &need(given.name, "a handler's name");
  return {name, [name, function = given.function, context = given.context](comm::Message& message) {
            kinjo_message handle{message};
            const int status = function(context, &handle);
            if (status == 0) return;
            const bool own = status < 0 && status == kinjo_last_status();
            throw FunctionFailed{
                status, own ? fmt::format("handler {}: {}", name, kinjo_last_error())
                            : fmt::format("handler {}: its function returned {}", name, status)};
          }};
}

comm::WorldOptions options_of(const kinjo_world_options* given) {
  comm::WorldOptions options;
  if (!given) return options;
  if (given->heap_bytes != 0) options.heap_bytes = given->heap_bytes;
  if (given->patience_ms < 0) {
    throw Error(Errc::invalid_argument,
                fmt::format("a patience of {} ms: expected 0 or more", given->patience_ms));
  }
  if (given->patience_ms != 0) options.patience = std::chrono::milliseconds(given->patience_ms);
  need_bytes(given->handlers, given->handler_count, "handlers");
  for (std::size_t i = 0; i < given->handler_count; ++i) {
    options.handlers.push_back(handler_of(given->handlers[i]));
  }
  return options;
}

/// Runs a cell's function on a world that the library owns.
void run_cell(comm::World& world, kinjo_cell_function function, void* context) {
  kinjo_world handle{std::move(world)};
  const int cell = handle.value.cell();
  const int status = function(context, &handle);
  world = std::move(handle.value);
  if (status == 0) return;
  const bool own = status < 0 && status == kinjo_last_status();
  const std::string message = own ? fmt::format("cell {}: {}", cell, kinjo_last_error())
                                  : fmt::format("cell {}: its function returned {}", cell, status);
  // So the cell that was lost is told of, and not those that lost it.
  if (status == KINJO_CELL_LOST && own) throw comm::CellLost(last_lost, message);
  throw FunctionFailed{status, message};
}

/// How a process tells its status: in front of the message.
std::string packed(int status, const std::string& message) {
  return fmt::format("{} {}", status, message);
}

}  // namespace

int kinjo_world_run_threads(kinjo_team* team, const kinjo_world_options* options,
                            kinjo_cell_function function, void* context) {
  return with_lost([&] {
    need(function, "function");
    kinjo::Team& threads = need(team, "team").value;
    comm::run_threads(threads, options_of(options), [&](comm::World& world, const kinjo::Place&) {
      run_cell(world, function, context);
    });
  });
}

int kinjo_world_run_processes(const kinjo_mapping* mapping, const kinjo_world_options* options,
                              kinjo_cell_function function, void* context) {
  return with_lost([&] {
    need(function, "function");
    const auto ends =
        comm::run_processes(need(mapping, "mapping").value, options_of(options),
                            [&](comm::World& world, const kinjo::Place&) -> std::string {
                              try {
                                run_cell(world, function, context);
                              } catch (const FunctionFailed& failed) {
                                // Only an `Error` keeps its code on the way out of the process.
                                throw std::runtime_error(packed(failed.status, failed.message));
                              }
                              return "";
                            });
    const comm::CellEnd* told = nullptr;
    for (const comm::CellEnd& end : ends) {
      if (end.error.empty()) continue;
      if (!told || (told->because_of_another && !end.because_of_another)) told = &end;
    }
    if (!told) return;
    const std::size_t space = told->error.find(' ');
    const int status = std::atoi(told->error.c_str());
    if (told->code == Errc::system && status != 0 && space != std::string::npos) {
      throw FunctionFailed{status, told->error.substr(space + 1)};
    }
    if (told->code == Errc::cell_lost) {
      throw comm::CellLost(told->lost_cell, told->error);
    }
    throw Error(told->code, told->error);
  });
}

int kinjo_world_launcher(void) {
  return guarded([] { return static_cast<int>(comm::launcher()); });
}

int kinjo_world_launch(const kinjo_mapping* mapping, const char* const* command, int* statuses) {
  return guarded([&]() -> int {
    std::vector<std::string> words;
    for (const char* const* word = &need(command, "command"); *word; ++word) words.push_back(*word);
    int failed = 0;
    for (const comm::ProcessEnd& end : comm::launch(need(mapping, "mapping").value, words)) {
      if (failed == 0) failed = end.status;
      if (statuses) statuses[end.cell] = end.status;
    }
    return failed;
  });
}

kinjo_world* kinjo_world_join(const kinjo_world_options* options) {
  return guarded([&] { return new kinjo_world{comm::join(options_of(options))}; });
}

void kinjo_world_free(kinjo_world* world) { delete world; }

int kinjo_world_cell(const kinjo_world* world) {
  return guarded([&] { return need(world, "world").value.cell(); });
}

int kinjo_world_cells(const kinjo_world* world) {
  return guarded([&] { return need(world, "world").value.cells(); });
}

int kinjo_world_path(const kinjo_world* world, int cell) {
  return guarded([&] { return static_cast<int>(need(world, "world").value.path(cell)); });
}

int kinjo_world_lost_cell(void) { return last_lost; }

int kinjo_world_allocate(kinjo_world* world, size_t bytes, size_t alignment, int64_t timeout_ns,
                         uint64_t* offset) {
  return with_lost([&] {
    std::uint64_t& out = need(offset, "offset");
    out = need(world, "world").value.allocate(bytes, alignment, timeout_of(timeout_ns));
  });
}

int kinjo_world_release(kinjo_world* world, uint64_t from, int64_t timeout_ns) {
  return with_lost([&] { need(world, "world").value.release(from, timeout_of(timeout_ns)); });
}

void* kinjo_world_local(const kinjo_world* world, uint64_t offset) {
  return guarded([&] { return need(world, "world").value.local(offset); });
}

void* kinjo_world_ptr(const kinjo_world* world, int cell, uint64_t offset) {
  return guarded([&] { return need(world, "world").value.ptr(cell, offset); });
}

kinjo_completion* kinjo_completion_create(void) {
  return guarded([] { return new kinjo_completion; });
}

void kinjo_completion_free(kinjo_completion* completion) { delete completion; }

int kinjo_completion_done(const kinjo_completion* completion) {
  return guarded([&] { return need(completion, "completion").value.done() ? 1 : 0; });
}

int kinjo_world_put(kinjo_world* world, int cell, uint64_t to, const void* from, size_t bytes,
                    kinjo_completion* local, int64_t timeout_ns) {
  return with_lost([&] {
    need(world, "world")
        .value.put(cell, to, need_bytes(from, bytes, "from"), bytes, completion_of(local),
                   timeout_of(timeout_ns));
  });
}

int kinjo_world_put_signal(kinjo_world* world, int cell, uint64_t to, const void* from,
                           size_t bytes, const kinjo_signal* signal, kinjo_completion* local,
                           int64_t timeout_ns) {
  return with_lost([&] {
    need(world, "world")
        .value.put_signal(cell, to, need_bytes(from, bytes, "from"), bytes,
                          signal_of(need(signal, "signal")), completion_of(local),
                          timeout_of(timeout_ns));
  });
}

int kinjo_world_put_signal_to_all(kinjo_world* world, const kinjo_target* targets, size_t count,
                                  const void* from, size_t bytes, kinjo_completion* local,
                                  int64_t timeout_ns) {
  return with_lost([&] {
    std::vector<comm::Target> all;
    for (size_t i = 0; i < count; ++i) {
      const kinjo_target& target = (&need(targets, "targets"))[i];
      all.push_back({target.cell, target.to, signal_of(target.signal)});
    }
    need(world, "world")
        .value.put_signal_to_all(all, need_bytes(from, bytes, "from"), bytes, completion_of(local),
                                 timeout_of(timeout_ns));
  });
}

int kinjo_world_put_short(kinjo_world* world, int cell, uint64_t to, uint64_t value, size_t bytes,
                          const kinjo_signal* signal, int64_t timeout_ns) {
  return with_lost([&] {
    need(world, "world")
        .value.put_short(cell, to, value, bytes, signal_of(need(signal, "signal")),
                         timeout_of(timeout_ns));
  });
}

int kinjo_world_put_rows(kinjo_world* world, int cell, uint64_t to, const kinjo_rows* shape,
                         const void* from, size_t from_stride, const kinjo_signal* signal,
                         kinjo_completion* local, int64_t timeout_ns) {
  return with_lost([&] {
    const comm::Rows rows = rows_of(shape);
    const comm::Signal raised = signal ? signal_of(*signal) : comm::Signal{};
    need(world, "world")
        .value.put_rows(cell, to, rows, need_bytes(from, rows.rows * rows.row_bytes, "from"),
                        from_stride, signal ? &raised : nullptr, completion_of(local),
                        timeout_of(timeout_ns));
  });
}

int kinjo_world_signal(kinjo_world* world, int cell, const kinjo_signal* signal,
                       int64_t timeout_ns) {
  return with_lost([&] {
    need(world, "world")
        .value.signal(cell, signal_of(need(signal, "signal")), timeout_of(timeout_ns));
  });
}

int kinjo_world_get(kinjo_world* world, int cell, void* to, uint64_t from, size_t bytes,
                    kinjo_completion* done, int64_t timeout_ns) {
  return with_lost([&] {
    need(world, "world")
        .value.get(cell, need_bytes(to, bytes, "to"), from, bytes, need(done, "done").value,
                   timeout_of(timeout_ns));
  });
}

int kinjo_world_get_rows(kinjo_world* world, int cell, void* to, size_t to_stride, uint64_t from,
                         const kinjo_rows* shape, kinjo_completion* done, int64_t timeout_ns) {
  return with_lost([&] {
    const comm::Rows rows = rows_of(shape);
    need(world, "world")
        .value.get_rows(cell, need_bytes(to, rows.rows * rows.row_bytes, "to"), to_stride, from,
                        rows, need(done, "done").value, timeout_of(timeout_ns));
  });
}

int kinjo_world_fence(kinjo_world* world) {
  return with_lost([&] { need(world, "world").value.fence(); });
}

int kinjo_world_quiet(kinjo_world* world, int64_t timeout_ns) {
  return with_lost([&] { need(world, "world").value.quiet(timeout_of(timeout_ns)); });
}

int kinjo_world_flag(const kinjo_world* world, uint64_t flag, uint64_t* value) {
  return with_lost([&] { need(value, "value") = need(world, "world").value.flag(flag); });
}

int kinjo_world_wait_flag(kinjo_world* world, uint64_t flag, kinjo_until until, uint64_t value,
                          int64_t timeout_ns, uint64_t* seen) {
  return with_lost([&] {
    if (until < KINJO_UNTIL_EQUAL || until > KINJO_UNTIL_AT_LEAST) {
      throw Error(Errc::invalid_argument,
                  fmt::format("{} is no kinjo_until", static_cast<int>(until)));
    }
    const std::uint64_t now =
        need(world, "world")
            .value.wait_flag(flag, static_cast<comm::Until>(until), value, timeout_of(timeout_ns));
    if (seen) *seen = now;
  });
}

int kinjo_world_wait(kinjo_world* world, const kinjo_completion* completion, int64_t timeout_ns) {
  return with_lost([&] {
    need(world, "world").value.wait(need(completion, "completion").value, timeout_of(timeout_ns));
  });
}

int kinjo_world_wait_until(kinjo_world* world, kinjo_ready_function ready, void* context,
                           int64_t timeout_ns) {
  return with_lost([&] {
    need(ready, "ready");
    need(world, "world")
        .value.wait_until([&] { return ready(context) != 0; }, timeout_of(timeout_ns));
  });
}

int kinjo_world_progress(kinjo_world* world) {
  return with_lost([&] { need(world, "world").value.progress(); });
}

int kinjo_world_waited_seconds(const kinjo_world* world, double* seconds) {
  return guarded([&] {
    need(seconds, "seconds") = need(world, "world").value.waited_seconds();
    return KINJO_OK;
  });
}

int kinjo_world_start_trace(kinjo_world* world) {
  return guarded([&] {
    need(world, "world").value.start_trace();
    return KINJO_OK;
  });
}

int kinjo_world_trace(const kinjo_world* world, kinjo_wait* waits, size_t capacity, size_t* count) {
  return guarded([&] {
    const auto all = need(world, "world").value.trace();
    need(count, "count") = all.size();
    need_bytes(waits, capacity, "waits");
    for (std::size_t i = 0; i < std::min(all.size(), capacity); ++i) {
      waits[i] = {all[i].begin_ns, all[i].end_ns, static_cast<int>(all[i].what)};
    }
    return KINJO_OK;
  });
}

int kinjo_world_request(kinjo_world* world, int cell, unsigned handler, const void* data,
                        size_t bytes, int64_t timeout_ns) {
  return with_lost([&] {
    need(world, "world")
        .value.request(cell, handler_of(handler), need_bytes(data, bytes, "data"), bytes,
                       timeout_of(timeout_ns));
  });
}

int kinjo_world_request_long(kinjo_world* world, int cell, unsigned handler, const void* data,
                             size_t bytes, uint64_t to, kinjo_completion* local,
                             int64_t timeout_ns) {
  return with_lost([&] {
    need(world, "world")
        .value.request_long(cell, handler_of(handler), need_bytes(data, bytes, "data"), bytes, to,
                            completion_of(local), timeout_of(timeout_ns));
  });
}

int kinjo_message_from(const kinjo_message* message) {
  return guarded([&] { return need(message, "message").value.from(); });
}

const void* kinjo_message_data(const kinjo_message* message) {
  return guarded([&] { return need(message, "message").value.data(); });
}

size_t kinjo_message_bytes(const kinjo_message* message) {
  return message ? message->value.bytes() : 0;
}

int kinjo_message_reply(kinjo_message* message, unsigned handler, const void* data, size_t bytes) {
  return with_lost([&] {
    need(message, "message")
        .value.reply(handler_of(handler), need_bytes(data, bytes, "data"), bytes);
  });
}

int kinjo_message_reply_long(kinjo_message* message, unsigned handler, const void* data,
                             size_t bytes, uint64_t to) {
  return with_lost([&] {
    need(message, "message")
        .value.reply_long(handler_of(handler), need_bytes(data, bytes, "data"), bytes, to);
  });
}

int kinjo_world_barrier(kinjo_world* world, int64_t timeout_ns) {
  return with_lost([&] { need(world, "world").value.barrier(timeout_of(timeout_ns)); });
}

int kinjo_world_broadcast(kinjo_world* world, int root, uint64_t at, size_t bytes,
                          int64_t timeout_ns) {
  return with_lost(
      [&] { need(world, "world").value.broadcast(root, at, bytes, timeout_of(timeout_ns)); });
}

int kinjo_world_all_reduce(kinjo_world* world, double* values, size_t count, kinjo_reduce_op op,
                           int64_t timeout_ns) {
  return with_lost([&] {
    if (op < KINJO_SUM || op > KINJO_MAX) {
      throw Error(Errc::invalid_argument,
                  fmt::format("{} is no kinjo_reduce_op", static_cast<int>(op)));
    }
    need(world, "world")
        .value.all_reduce({need_bytes(values, count, "values"), count},
                          static_cast<comm::ReduceOp>(op), timeout_of(timeout_ns));
  });
}

int kinjo_world_send(kinjo_world* world, int cell, int tag, const void* data, size_t bytes,
                     int64_t timeout_ns) {
  return with_lost([&] {
    need(world, "world")
        .value.send(cell, tag, need_bytes(data, bytes, "data"), bytes, timeout_of(timeout_ns));
  });
}

int kinjo_world_receive(kinjo_world* world, int from, int tag, void* data, size_t capacity,
                        int64_t timeout_ns, kinjo_received* out) {
  return with_lost([&] {
    const comm::Received received =
        need(world, "world")
            .value.receive(from, tag, need_bytes(data, capacity, "data"), capacity,
                           timeout_of(timeout_ns));
    if (out) *out = {received.from, received.tag, received.bytes};
  });
}
