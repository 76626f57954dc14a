/// Cells that do not share this cell's memory, behind one interface.
///
/// The world checks arguments, so nothing wrong gets here. Everything may be called while a thread
/// of the implementation carries puts and gets on: what that thread does itself is writing into
/// this cell's symmetric memory, raising flags, reading it for gets, and ending completions.
/// Messages for handlers and receivers are kept until `progress` hands them to `Inbox`, in the
/// cell's own thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include <kinjo/comm.hpp>

#include "comm/deadline.hpp"

namespace kinjo::comm::detail {

/// How the payload of an active message reaches its handler.
enum class Payload : std::uint8_t {
  medium,  ///< comes along
  longer,  ///< has been put into the target's memory
};

/// One active message on its way.
struct Outgoing {
  HandlerId handler = 0;
  Payload payload = Payload::medium;
  bool is_reply = false;
  Offset to = 0;  ///< of a long one
  const void* data = nullptr;
  std::size_t bytes = 0;
};

/// What has come for this cell's own thread.
class Inbox {
 public:
  virtual ~Inbox() = default;
  /// `data` is valid during the call; in the symmetric memory for a long message.
  virtual void message(int from, HandlerId handler, bool is_reply, const void* data,
                       std::size_t bytes) = 0;
  /// A piece of a two-sided message: pieces of one sender arrive in order; the first one has
  /// `position` 0.
  virtual void piece(int from, int tag, std::uint64_t total, std::uint64_t position,
                     const void* data, std::size_t bytes) = 0;
};

class Remote {
 public:
  virtual ~Remote() = default;

  // What is put, got or sent waits for room on its way; where the deadline is over before there is
  // any, it throws `Error` (`timed_out`), and nothing has begun.

  /// `signal` may be null; `local` too. Sources of up to `kReusableBytes` are copied.
  virtual void put(int cell, Offset to, const void* from, std::size_t bytes, const Signal* signal,
                   Completion* local, const Deadline& deadline) = 0;
  virtual void put_rows(int cell, Offset to, const Rows& shape, const void* from,
                        std::size_t from_stride, const Signal* signal, Completion* local,
                        const Deadline& deadline) = 0;
  virtual void get(int cell, void* to, Offset from, std::size_t bytes, Completion& done,
                   const Deadline& deadline) = 0;
  virtual void get_rows(int cell, void* to, std::size_t to_stride, Offset from, const Rows& shape,
                        Completion& done, const Deadline& deadline) = 0;
  /// The payload of a medium message is copied; that of a long one may be changed when `local` is
  /// done, or on return where it is null. A reply does not wait: it is a handler's.
  virtual void request(int cell, const Outgoing& message, Completion* local,
                       const Deadline& deadline) = 0;
  /// The data is copied.
  virtual void send(int cell, int tag, const void* data, std::size_t bytes,
                    const Deadline& deadline) = 0;

  /// Later puts arrive after earlier ones.
  virtual void fence() = 0;
  /// Asks the targets to say when all puts so far are complete; `settled` tells whether they have.
  virtual void begin_quiet() = 0;
  virtual bool settled() = 0;

  /// Sends and takes what can be without waiting; calls `inbox` for messages.
  virtual void progress(Inbox& inbox) = 0;
  /// The caller is going to wait and calls `progress` again and again until `end_polling`, so no
  /// other thread need look.
  virtual void begin_polling() = 0;
  virtual void end_polling() = 0;
  /// Sleeps until something may have come, or `nanoseconds` have passed.
  virtual void doze(std::int64_t nanoseconds) = 0;

  /// A cell is lost to this one, whose program may end for it: the other hosts are told which one
  /// it was, and why, unless they have been told of another one.
  virtual void note_loss(int cell, const std::string& reason) = 0;
  /// A cell that is known to be lost, −1 if none is. Its reason in words, for the message:
  /// "cell 3 is lost: <reason>".
  virtual int lost(std::string* reason) = 0;
  /// The first cell that has left in good order, −1 if none has: what needs all cells waits in
  /// vain. It is told a little later than it happens, since others may be on their way out of the
  /// same barrier.
  virtual int left() { return -1; }
};

}  // namespace kinjo::comm::detail
