#include <kinjo/comm.hpp>

#include <fmt/format.h>

#include "comm/copying.hpp"
#include "comm/fence.hpp"
#include "comm/waiting.hpp"
#include "comm/world_impl.hpp"

namespace kinjo::comm {

using detail::Deadline;
using detail::wait_for;

const char* to_string(Path path) noexcept {
  switch (path) {
    case Path::self:
      return "self";
    case Path::threads:
      return "threads";
    case Path::shared:
      return "shared";
    case Path::network:
      return "network";
  }
  return "unknown";
}

World::World(std::unique_ptr<detail::WorldImpl> impl)
    : impl_(std::move(impl)), short_way_(&impl_->short_way), bases_(impl_->bases.data()) {
  impl_->open_short_way();
}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

int World::cell() const noexcept { return impl_->cells.cell; }
int World::cells() const noexcept { return impl_->cells.count; }

Path World::path(int cell) const {
  impl_->check_cell(cell);
  if (cell == impl_->cells.cell) return Path::self;
  return impl_->base(cell) != nullptr ? impl_->neighbourhood.path() : Path::network;
}

void World::check_range(int cell, Offset offset, std::size_t bytes) const {
  impl_->check_range(cell, offset, bytes);
}

void* World::local(Offset offset) const { return ptr(cell(), offset); }

void* World::ptr(int cell, Offset offset) const {
  impl_->check_range(cell, offset, 0);
  std::byte* const base = impl_->base(cell);
  return base == nullptr ? nullptr : base + offset;
}

// ---- PUT ----

void World::put(int cell, Offset to, const void* from, std::size_t bytes, Completion* local,
                Timeout timeout) {
  impl_->check_caller("put");
  impl_->check_range(cell, to, bytes);
  impl_->put(cell, to, from, bytes, nullptr, local, Deadline(timeout));
}

void World::put_any(int cell, Offset to, const void* from, std::size_t bytes, Signal signal,
                    Completion* local, Timeout timeout) {
  impl_->check_caller("put_signal");
  impl_->check_range(cell, to, bytes);
  impl_->check_signal(cell, signal);
  impl_->put(cell, to, from, bytes, &signal, local, Deadline(timeout));
}

void World::put_signal_to_all(std::span<const Target> targets, const void* from, std::size_t bytes,
                              Completion* local, Timeout timeout) {
  impl_->check_caller("put_signal_to_all");
  for (const Target& target : targets) {
    impl_->check_range(target.cell, target.to, bytes);
    impl_->check_signal(target.cell, target.signal);
  }
  impl_->put_to_all(targets, from, bytes, local, Deadline(timeout));
}

void World::put_any_short(int cell, Offset to, std::uint64_t value, std::size_t bytes,
                          Signal signal, Timeout timeout) {
  impl_->check_short(cell, to, bytes, signal);
  impl_->put(cell, to, &value, bytes, &signal, nullptr, Deadline(timeout));
}

void World::signal(int cell, const Signal& signal, Timeout timeout) {
  impl_->check_caller("signal");
  impl_->check_signal(cell, signal);
  impl_->raise(cell, signal, Deadline(timeout));
}

void World::put_rows(int cell, Offset to, const Rows& shape, const void* from,
                     std::size_t from_stride, const Signal* signal, Completion* local,
                     Timeout timeout) {
  impl_->check_caller("put_rows");
  impl_->check_rows(cell, to, shape, from_stride);
  if (signal != nullptr) impl_->check_signal(cell, *signal);
  std::byte* const there = impl_->base(cell);
  if (there == nullptr) {
    return impl_->remote->put_rows(cell, to, shape, from, from_stride, signal, local,
                                   Deadline(timeout));
  }
  const auto* row = static_cast<const std::byte*>(from);
  for (std::size_t i = 0; i < shape.rows; ++i) {
    detail::copy_row(there + to + i * shape.stride, row + i * from_stride, shape.row_bytes);
  }
  if (signal != nullptr) impl_->raise_here(cell, there, *signal);
}

// ---- GET ----

void World::get(int cell, void* to, Offset from, std::size_t bytes, Completion& done,
                Timeout timeout) {
  impl_->check_caller("get");
  impl_->check_range(cell, from, bytes);
  const std::byte* const there = impl_->base(cell);
  if (there == nullptr) {
    return impl_->remote->get(cell, to, from, bytes, done, Deadline(timeout));
  }
  detail::copy_block(to, there + from, bytes, impl_->stream_from);
}

void World::get_rows(int cell, void* to, std::size_t to_stride, Offset from, const Rows& shape,
                     Completion& done, Timeout timeout) {
  impl_->check_caller("get_rows");
  impl_->check_rows(cell, from, shape, to_stride);
  const std::byte* const there = impl_->base(cell);
  if (there == nullptr) {
    return impl_->remote->get_rows(cell, to, to_stride, from, shape, done, Deadline(timeout));
  }
  auto* row = static_cast<std::byte*>(to);
  for (std::size_t i = 0; i < shape.rows; ++i) {
    detail::copy_row(row + i * to_stride, there + from + i * shape.stride, shape.row_bytes);
  }
}

// ---- Order, completion, waiting ----

void World::fence() {
  impl_->check_caller("fence");
  detail::full_fence();
  if (impl_->remote) impl_->remote->fence();
}

void World::quiet(Timeout timeout) {
  impl_->check_caller("quiet");
  impl_->quiet(Deadline(timeout));
}

std::uint64_t World::flag(Offset flag) const {
  impl_->check_signal(cell(), {.flag = flag});
  return impl_->load_flag(flag);
}

namespace {

const char* in_words(Until until) {
  switch (until) {
    case Until::equal:
      return "to be";
    case Until::not_equal:
      return "not to be";
    case Until::at_least:
      return "to be at least";
  }
  return "";
}

}  // namespace

std::uint64_t World::keep_waiting_for_flag(Offset flag, Until until, std::uint64_t value,
                                           Timeout timeout) {
  detail::WorldImpl& world = *impl_;
  world.check_caller("wait_flag");
  world.check_signal(world.cells.cell, {.flag = flag});
  std::uint64_t now = 0;
  const auto ready = [&] {
    now = world.load_flag(flag);
    return detail::holds(now, until, value);
  };
  if (ready()) return now;
  detail::keep_waiting(world, Wait::For::flag, detail::Needs::some, Deadline(timeout), ready, [&] {
    return fmt::format("the flag at offset {} {} {} (it is {})", flag, in_words(until), value, now);
  });
  return now;
}

void World::wait(const Completion& completion, Timeout timeout) {
  impl_->check_caller("wait");
  wait_for(
      *impl_, Wait::For::completion, detail::Needs::some, Deadline(timeout),
      [&] { return completion.done(); }, [] { return std::string("puts or gets to complete"); });
}

void World::wait_until(const std::function<bool()>& ready, Timeout timeout) {
  impl_->check_caller("wait_until");
  // What handlers tell, as a rule.
  wait_for(*impl_, Wait::For::message, detail::Needs::some, Deadline(timeout), ready,
           [] { return std::string("what its program waits for"); });
}

void World::progress() {
  impl_->check_caller("progress");
  impl_->progress();
  // Asking the kernel each time would cost more than the progress.
  if (++impl_->progress_calls % 1024 != 0) return;
  impl_->watch->look(0);
  impl_->check_lost(detail::Needs::some);
}

// ---- Messages ----

namespace {

void check_medium(std::size_t bytes) {
  if (bytes > kMediumBytes) {
    throw Error(
        Errc::invalid_argument,
        fmt::format("a message brings at most {} bytes along, not {}: send it as a long one",
                    kMediumBytes, bytes));
  }
}

}  // namespace

void World::request(int cell, HandlerId handler, const void* data, std::size_t bytes,
                    Timeout timeout) {
  impl_->check_caller("request");
  impl_->check_cell(cell);
  impl_->check_handler(handler);
  check_medium(bytes);
  impl_->send_message(cell, {.handler = handler, .data = data, .bytes = bytes}, nullptr,
                      Deadline(timeout));
}

void World::request_long(int cell, HandlerId handler, const void* data, std::size_t bytes,
                         Offset to, Completion* local, Timeout timeout) {
  impl_->check_caller("request_long");
  impl_->check_range(cell, to, bytes);
  impl_->check_handler(handler);
  impl_->send_message(cell,
                      {.handler = handler,
                       .payload = detail::Payload::longer,
                       .to = to,
                       .data = data,
                       .bytes = bytes},
                      local, Deadline(timeout));
}

void Message::reply(HandlerId handler, const void* data, std::size_t bytes) {
  impl_->check_handler(handler);
  check_medium(bytes);
  impl_->reply(*this, {.handler = handler, .is_reply = true, .data = data, .bytes = bytes});
}

void Message::reply_long(HandlerId handler, const void* data, std::size_t bytes, Offset to) {
  impl_->check_handler(handler);
  impl_->check_range(from_, to, bytes);
  impl_->reply(*this, {.handler = handler,
                       .payload = detail::Payload::longer,
                       .is_reply = true,
                       .to = to,
                       .data = data,
                       .bytes = bytes});
}

void World::send(int cell, int tag, const void* data, std::size_t bytes, Timeout timeout) {
  impl_->check_caller("send");
  impl_->check_cell(cell);
  if (tag < 0) {
    throw Error(Errc::invalid_argument,
                fmt::format("a message cannot have the tag {}: expected 0 or more", tag));
  }
  impl_->send_pieces(cell, tag, static_cast<const std::byte*>(data), bytes, Deadline(timeout));
}

Received World::receive(int from, int tag, void* data, std::size_t capacity, Timeout timeout) {
  impl_->check_caller("receive");
  if (from != kAny) impl_->check_cell(from);
  if (tag < 0 && tag != kAny) {
    throw Error(Errc::invalid_argument,
                fmt::format("no message has the tag {}: expected 0 or more, or any", tag));
  }
  std::optional<Received> received;
  const auto has_come = [&] {
    received = impl_->receive_buffer.take(from, tag, data, capacity);
    return received.has_value();
  };
  wait_for(
      *impl_, Wait::For::message, detail::Needs::some, Deadline(timeout),
      [&] {
        if (has_come()) return true;
        if (from == kAny || !impl_->has_ended(from)) return false;
        while (impl_->progress()) continue;  // what it had sent before
        if (has_come()) return true;
        impl_->check_lost(detail::Needs::some);
        impl_->throw_left(from);
      },
      [] { return std::string("a message"); });
  return *received;
}

// ---- Time lost ----

double World::waited_seconds() const noexcept {
  return static_cast<double>(impl_->waited_ns) * 1e-9;
}

void World::start_trace() {
  impl_->waits.clear();
  impl_->trace_begin_ns = detail::now_ns();
}

std::vector<Wait> World::trace() const { return impl_->waits; }

}  // namespace kinjo::comm
