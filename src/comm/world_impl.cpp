#include "comm/world_impl.hpp"

#include <exception>

#include <fmt/format.h>

#include "base/text.hpp"
#include "comm/copying.hpp"
#include "comm/waiting.hpp"

namespace kinjo::comm::detail {

std::uint64_t hash_of(const std::vector<Handler>& handlers) {
  std::string names;
  for (const Handler& handler : handlers) names += handler.name + '\0';
  return kinjo::detail::fnv1a(names);
}

std::size_t Reserve::with_heap(std::size_t heap_bytes) const {
  // Half of the address space is the system's, and every segment is rounded up.
  constexpr std::size_t kMost = std::size_t{1} << 46;
  const std::size_t most = kMost / cells - bytes();
  if (heap_bytes <= most) return bytes() + heap_bytes;
  throw Error(Errc::out_of_memory, fmt::format("a heap of {} bytes for each of {} cells: expected "
                                               "at most {}, which have addresses",
                                               heap_bytes, cells, most));
}

WorldImpl::WorldImpl(Cells all, std::shared_ptr<SharedMemory> memory, const Identity& me, Path path,
                     const WorldOptions& options)
    : cells(std::move(all)),
      neighbourhood(std::move(memory), me, path),
      receive_buffer(cells.count),
      reserve(cells.count),
      handlers(options.handlers),
      exceptions(std::uncaught_exceptions()) {
  first = reserve.bytes();
  allocated = first;
  heap_bytes = reserve.with_heap(options.heap_bytes);
  neighbourhood.meet(options, hash_of(handlers), cells.members);
  stream_from =
      streaming_size(neighbourhood.size(), neighbourhood.shares_cpu() ? Cpu::shared : Cpu::own);
  neighbourhood.memory().map_segments(heap_bytes, me.index, me.node);
  bases.resize(static_cast<std::size_t>(cells.count), nullptr);
  member_of.resize(static_cast<std::size_t>(cells.count), -1);
  for (int i = 0; i < neighbourhood.size(); ++i) {
    const auto member_cell = static_cast<std::size_t>(cells.members[static_cast<std::size_t>(i)]);
    bases[member_cell] = neighbourhood.memory().heap(i);
    member_of[member_cell] = i;
  }
  watch = std::make_unique<Watch>(neighbourhood);
  mailbox = std::make_unique<Mailbox>(neighbourhood, cells.members);
}

WorldImpl::~WorldImpl() {
  const bool unwinds = std::uncaught_exceptions() > exceptions;
  // Who ends because of another is not what the others are to be told of: that one is.
  if (remote && unwinds && lost_cell >= 0) remote->note_loss(lost_cell, "it has left the world");
  // Before this cell says that it has left: others may still be served from its memory.
  remote.reset();
  Member& mine = neighbourhood.member(neighbourhood.index());
  mine.because = lost_cell;
  const State last = lost_cell >= 0 ? State::followed : unwinds ? State::failed : State::left;
  mine.state.store(last, std::memory_order_release);
}

void WorldImpl::open_short_way() {
  const bool open = !in_handler && !neighbourhood.has_bells();
  const Offset bytes = allocated - first;
  short_way = {
      .first = first,
      .offsets = open && bytes >= sizeof(std::uint64_t) ? bytes - sizeof(std::uint64_t) + 1 : 0,
      .cells = static_cast<unsigned>(cells.count),
      .looks = remote ? 1 : kFirstLooks,
      .own = own()};
}

namespace {

/// While a handler runs.
class Inside {
 public:
  explicit Inside(WorldImpl& world) : world_(world), offsets_(world.short_way.offsets) {
    world_.in_handler = true;
    world_.short_way.offsets = 0;
  }
  ~Inside() {
    world_.in_handler = false;
    world_.short_way.offsets = offsets_;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  WorldImpl& world_;
  std::uint64_t offsets_;
};

}  // namespace

void WorldImpl::message(int from, HandlerId handler, bool is_reply, const void* data,
                        std::size_t bytes) {
  Message message;
  message.from_ = from;
  message.data_ = data;
  message.bytes_ = bytes;
  message.may_reply_ = !is_reply;
  message.impl_ = this;
  const Inside inside(*this);
  handlers[handler].call(message);
}

bool WorldImpl::progress() {
  if (mailbox->keeps()) mailbox->send_kept();
  const bool came = mailbox->waiting();
  if (came) mailbox->deliver(*this, own());
  if (remote) remote->progress(*this);
  return came;
}

void WorldImpl::write_ring(int cell, Kind kind, HandlerId handler, const void* head,
                           std::size_t head_bytes, const void* data, std::size_t data_bytes,
                           const Deadline& deadline) {
  const int to = member_of[static_cast<std::size_t>(cell)];
  const auto written = [&] {
    return mailbox->write(to, kind, handler, head, head_bytes, data, data_bytes);
  };
  if (written()) return neighbourhood.ring(to);
  if (in_handler) {
    return mailbox->keep(to, kind, handler, head, head_bytes, data, data_bytes);
  }
  // Two cells that send to each other both wait for room, so both make room. Handlers do not run
  // here: their replies would need room themselves.
  Waiting waiting(*this, Wait::For::message, Needs::some, deadline);
  while (!written()) {
    mailbox->store();
    if (!waiting.pause(false)) {
      throw_timed_out(cells.cell, deadline, fmt::format("room for a message to cell {}", cell));
    }
    // The receiver may have left: then room never comes.
    if (neighbourhood.member(to).state.load(std::memory_order_acquire) != State::here) {
      check_lost(Needs::all);
    }
  }
  neighbourhood.ring(to);
}

void WorldImpl::put(int cell, Offset to, const void* from, std::size_t bytes, const Signal* signal,
                    Completion* local, const Deadline& deadline) {
  std::byte* const there = base(cell);
  if (there == nullptr) return remote->put(cell, to, from, bytes, signal, local, deadline);
  copy_block(there + to, from, bytes, stream_from);
  if (signal != nullptr) raise_here(cell, there, *signal);
}

void WorldImpl::put_to_all(std::span<const Target> targets, const void* from, std::size_t bytes,
                           Completion* local, const Deadline& deadline) {
  std::vector<void*> together;
  std::vector<const Target*> raised;
  for (const Target& target : targets) {
    std::byte* const there = base(target.cell);
    if (there != nullptr && streams(there + target.to, from, bytes, stream_from)) {
      together.push_back(there + target.to);
      raised.push_back(&target);
    } else {
      put(target.cell, target.to, from, bytes, &target.signal, local, deadline);
    }
  }
  if (!together.empty()) stream_to_all(together, from, bytes);
  for (const Target* target : raised) raise_here(target->cell, base(target->cell), target->signal);
}

void WorldImpl::send_message(int cell, const Outgoing& message, Completion* local,
                             const Deadline& deadline) {
  std::byte* const there = base(cell);
  if (there == nullptr) return remote->request(cell, message, local, deadline);
  if (message.payload == Payload::medium) {
    write_ring(cell, message.is_reply ? Kind::reply : Kind::request, message.handler, nullptr, 0,
               message.data, message.bytes, deadline);
    return;
  }
  copy_block(there + message.to, message.data, message.bytes, stream_from);
  const LongPayload payload{.offset = message.to, .bytes = message.bytes};
  write_ring(cell, message.is_reply ? Kind::long_reply : Kind::long_request, message.handler,
             &payload, sizeof(payload), nullptr, 0, deadline);
}

void WorldImpl::reply(Message& request, const Outgoing& message) {
  if (!request.may_reply_) {
    throw Error(Errc::usage,
                "a handler may reply once, and only to a request: this message has been answered "
                "or is a reply itself");
  }
  request.may_reply_ = false;
  send_message(request.from_, message, nullptr, Deadline(kForever));
}

void WorldImpl::send_pieces(int cell, int tag, const std::byte* data, std::size_t bytes,
                            const Deadline& deadline) {
  if (base(cell) == nullptr) return remote->send(cell, tag, data, bytes, deadline);
  constexpr std::size_t kPiece = Ring::kMaxPayload - sizeof(PiecePayload);
  std::size_t position = 0;
  do {
    const std::size_t piece = std::min(kPiece, bytes - position);
    const PiecePayload head{.total = bytes, .position = position, .tag = tag};
    write_ring(cell, Kind::piece, 0, &head, sizeof(head), data + position, piece, deadline);
    position += piece;
  } while (position < bytes);
}

void WorldImpl::check_lost(Needs needs) {
  int others_here = 0;
  int left = -1, follower = -1;  // the first of each
  for (int i = 0; i < neighbourhood.size(); ++i) {
    const State state = neighbourhood.member(i).state.load(std::memory_order_acquire);
    const int other = cells.members[static_cast<std::size_t>(i)];
    if (state == State::failed) {
      const std::string reason = neighbourhood.path() == Path::threads ? "an exception has ended it"
                                                                       : "its process has ended";
      if (remote) remote->note_loss(other, reason);
      throw_lost(other, reason);
    }
    if (state == State::left && left < 0) left = other;
    if (state == State::followed && follower < 0) follower = i;
    if (state == State::here && i != neighbourhood.index()) ++others_here;
  }
  if (remote) {
    std::string reason;
    const int lost = remote->lost(&reason);
    if (lost >= 0) throw_lost(lost, reason);
  }
  if (remote && needs == Needs::all && left < 0) left = remote->left();
  const bool alone = others_here == 0 && !remote;
  if (needs != Needs::all && !alone) return;
  if (left >= 0) throw_left(left);
  if (follower < 0) return;
  const int because = reason_of(follower);
  // Of a cell of this host the board tells by now.
  if (has_ended(because)) return check_lost(needs);
  throw_lost(because, fmt::format("cell {} has missed it",
                                  cells.members[static_cast<std::size_t>(follower)]));
}

int WorldImpl::reason_of(int follower) const {
  for (;;) {
    const int because = neighbourhood.member(follower).because;
    const int member = member_of[static_cast<std::size_t>(because)];
    const bool followed = member >= 0 && neighbourhood.member(member).state.load(
                                             std::memory_order_acquire) == State::followed;
    if (!followed) return because;
    follower = member;
  }
}

bool WorldImpl::has_ended(int cell) const {
  const int member = member_of[static_cast<std::size_t>(cell)];
  return member >= 0 &&
         neighbourhood.member(member).state.load(std::memory_order_acquire) > State::here;
}

void WorldImpl::throw_lost(int cell, const std::string& reason) {
  lost_cell = cell;
  throw CellLost(cell, fmt::format("cell {} is lost: {}", cell, reason));
}

void WorldImpl::throw_left(int cell) {
  lost_cell = cell;
  throw CellLost(cell, fmt::format("cell {} has left the world", cell));
}

}  // namespace kinjo::comm::detail
