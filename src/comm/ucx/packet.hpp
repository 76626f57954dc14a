/// What travels: a header of one of these kinds, and data behind it (S4 figures 2 and 3). Nothing
/// here relies on the order in which packets arrive.
///
///   put      a whole put: where to, which flag, the data
///   piece    part of a put too long for one packet; all its pieces carry all of its description
///   ask      please send that memory; got: part of it
///   message  for a handler;  sent: part of a two-sided message
///   settle   have you applied that many puts of mine? settled: yes
///   greet    the first that travels a connection; 1: and yours has come
///   alive    a heartbeat;  lost: another cell is gone, or this one fails
///   leave    I go, after that many packets;  farewell: I have them all
///
/// All cells of a world run one program on one kind of processor, so structures travel as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include <kinjo/comm.hpp>

namespace kinjo::comm::detail {

enum class PacketKind : std::uint8_t {
  put,
  piece,
  ask,
  got,
  message,
  sent,
  settle,
  settled,
  greet,
  alive,
  lost,
  leave,
  farewell,
};

/// What happens at the target when all bytes of a put are there.
enum class Then : std::uint8_t { nothing, set, add, message, reply };

struct Head {
  std::uint32_t world = 0;  ///< another one: the packet is none of ours
  std::uint32_t from = 0;
  PacketKind kind = PacketKind::alive;
  Then then = Then::nothing;
  HandlerId handler = 0;
  std::uint32_t reserved = 0;
};

/// `rows` pieces of `row_bytes` whose starts lie `stride` apart, from `at` on: of symmetric memory.
struct Region {
  Offset at = 0;
  std::uint64_t rows = 0;
  std::uint64_t row_bytes = 0;
  std::uint64_t stride = 0;

  std::uint64_t bytes() const { return rows * row_bytes; }
  bool is_contiguous() const { return rows <= 1 || stride == row_bytes; }
  /// Whether all of it lies in a memory of `size` bytes, whatever the numbers are.
  bool lies_in(std::uint64_t size) const;
};

/// What comes after a put.
struct Flag {
  Offset at = 0;
  std::uint64_t value = 0;
};

struct PutHead {
  static constexpr PacketKind kKind = PacketKind::put;
  Head head;
  Offset to = 0;
  Flag flag;
  std::uint64_t after = 0;  ///< puts of this sender that must be applied before (fence)
};

struct PieceHead {
  static constexpr PacketKind kKind = PacketKind::piece;
  Head head;
  std::uint64_t put = 0;  ///< of this sender
  Region to;
  std::uint64_t position = 0;  ///< of these bytes among the region's
  Flag flag;
  std::uint64_t after = 0;
};

struct AskHead {
  static constexpr PacketKind kKind = PacketKind::ask;
  Head head;
  std::uint64_t get = 0;
  Region from;
};

struct GotHead {
  static constexpr PacketKind kKind = PacketKind::got;
  Head head;
  std::uint64_t get = 0;
  std::uint64_t position = 0;
};

struct MessageHead {
  static constexpr PacketKind kKind = PacketKind::message;
  Head head;
};

struct SentHead {
  static constexpr PacketKind kKind = PacketKind::sent;
  Head head;
  std::uint64_t number = 0;  ///< of this piece, among all that this sender has sent
  std::uint64_t total = 0;
  std::uint64_t position = 0;
  std::int64_t tag = 0;
};

/// settle, settled, lost, leave and farewell: one number.
struct NumberHead {
  Head head;
  std::uint64_t number = 0;
};

inline constexpr std::size_t kMostHeader = sizeof(PieceHead);
/// What TCP sends at once without a copy, and receives without a buffer to put it together in
/// (UCX's segments are of 64 KiB, headers included).
inline constexpr std::size_t kTcpChunk = 60 << 10;
/// Elsewhere UCX announces what is long, and fetches it by itself.
inline constexpr std::size_t kMostChunk = 1 << 20;

/// A header as it came; nothing where its size is not that of T. It need not be aligned.
template <class T>
std::optional<T> read_header(const void* header, std::size_t bytes) {
  if (bytes != sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, header, sizeof(T));
  return value;
}

/// A piece of memory that is read or written row by row, as one stream of bytes.
struct Strided {
  std::byte* base = nullptr;
  std::uint64_t row_bytes = 0;
  std::uint64_t stride = 0;

  bool is_contiguous() const { return row_bytes == stride; }
  std::byte* address(std::uint64_t position) const {
    return base + (position / row_bytes) * stride + position % row_bytes;
  }
  /// Writes `bytes` of the stream from `position` on.
  void write(std::uint64_t position, const std::byte* data, std::uint64_t bytes) const;
  void read(std::uint64_t position, std::byte* data, std::uint64_t bytes) const;
};

}  // namespace kinjo::comm::detail
