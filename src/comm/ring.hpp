/// A ring of cache lines by which one cell sends messages to another in shared memory.
///
/// A message is a tag of 8 bytes and a payload, in as many consecutive lines as they need; a short
/// one is one line, S4's short form. The tag is stored last and holds the position of the line, so
/// the reader tells a new message from that of the lap before. Where the line behind a message was
/// inside another one a lap ago, its first bytes are a user's: the writer clears them first. Where
/// a message would not fit before the end of the ring, a tag of kind `skip` sends the reader to its
/// beginning.
///
///   tag: position + 1 (32 bits) | kind (3 bits) | bytes of payload (13 bits) | handler (16 bits)
///
/// The reader publishes how many lines it has consumed in a line of its own, which the writer reads
/// only when it has no room left by what it has seen there before.
#pragma once

#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "memory/claim.hpp"

namespace kinjo::comm::detail {

inline constexpr std::size_t kLine = 64;

/// What a message in a ring is.
enum class Kind : std::uint8_t {
  skip,
  request,
  reply,
  long_request,  ///< payload: `LongPayload`
  long_reply,
  piece,  ///< of a two-sided message; payload: `PiecePayload`, then data
};

struct LongPayload {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct PiecePayload {
  std::uint64_t total = 0;
  std::uint64_t position = 0;
  std::int64_t tag = 0;
};

/// The memory of a ring, zeroed at first: `kLines` lines, and the reader's line.
struct Ring {
  static constexpr std::size_t kLines = 256;
  /// With its own line each ring starts at another set of the caches.
  static constexpr std::size_t kBytes = (kLines + 1) * kLine;
  static constexpr std::size_t kMaxPayload = 4096 + 64;

  explicit Ring(std::byte* memory) : lines(memory) {}
  std::byte* line(std::uint64_t position) const { return lines + position % kLines * kLine; }
  std::atomic_ref<std::uint64_t> tag(std::uint64_t position) const {
    return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(line(position)));
  }
  std::atomic_ref<std::uint64_t> consumed() const {
    return std::atomic_ref<std::uint64_t>(
        *reinterpret_cast<std::uint64_t*>(lines + kLines * kLine));
  }
  static std::size_t lines_for(std::size_t payload) { return (8 + payload + kLine - 1) / kLine; }
  static std::uint64_t stamp(std::uint64_t position) { return (position + 1) << 32; }

  std::byte* lines;
};

class RingWriter {
 public:
  explicit RingWriter(std::byte* memory) : ring_(memory) {}

  /// Appends a message whose payload is `head` and then `data`, at most `Ring::kMaxPayload` bytes
  /// together. Returns false, and does nothing, where there is no room.
  bool write(Kind kind, std::uint16_t handler, const void* head, std::size_t head_bytes,
             const void* data, std::size_t data_bytes) {
    const std::size_t lines = Ring::lines_for(head_bytes + data_bytes);
    const std::size_t to_end = Ring::kLines - position_ % Ring::kLines;
    const std::size_t skipped = lines > to_end ? to_end : 0;
    const std::uint64_t next = position_ + skipped + lines;
    const bool looks_like_a_tag = inside_[next % Ring::kLines];
    if (!has_room(skipped + lines + (looks_like_a_tag ? 1 : 0))) return false;
    if (skipped != 0) {
      publish(Kind::skip, 0, 0);
      position_ += skipped;
    }
    std::byte* payload = ring_.line(position_) + 8;
    if (head_bytes != 0) std::memcpy(payload, head, head_bytes);
    if (data_bytes != 0) std::memcpy(payload + head_bytes, data, data_bytes);
    for (std::size_t i = 0; i < lines; ++i) inside_[(position_ + i) % Ring::kLines] = i != 0;
    if (looks_like_a_tag) {
      ring_.tag(next).store(~Ring::stamp(next), std::memory_order_relaxed);
      inside_[next % Ring::kLines] = false;
    }
    publish(kind, handler, head_bytes + data_bytes);
    position_ += lines;
    return true;
  }

 private:
  bool has_room(std::size_t lines) {
    if (position_ + lines - consumed_ <= Ring::kLines) return true;
    consumed_ = ring_.consumed().load(std::memory_order_acquire);
    return position_ + lines - consumed_ <= Ring::kLines;
  }
  void publish(Kind kind, std::uint16_t handler, std::size_t bytes) {
    ring_.tag(position_).store(Ring::stamp(position_) | static_cast<std::uint64_t>(kind) << 29 |
                                   static_cast<std::uint64_t>(bytes) << 16 | handler,
                               std::memory_order_release);
  }

  Ring ring_;
  std::uint64_t position_ = 0;
  std::uint64_t consumed_ = 0;
  /// Lines that begin with bytes of a payload, which could be those of any tag.
  std::bitset<Ring::kLines> inside_;
};

class RingReader {
 public:
  struct Entry {
    Kind kind = Kind::skip;
    std::uint16_t handler = 0;
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
  };

  /// Pieces of so many bytes, all of which will be read, are claimed: from there on the writer's
  /// time counts for more than an answer's, which waits for what was written before it.
  static constexpr std::size_t kClaimed = 1024;

  explicit RingReader(std::byte* memory) : ring_(memory) { advance(0); }

  /// Whether there is something to take: one load and a comparison, since waiting cells ask often.
  bool waiting() const { return next_->load(std::memory_order_acquire) >> 32 == expected_; }

  /// Takes the oldest message; false where there is none. Its data stay until `release`, or the
  /// next `take` if nobody holds.
  bool take(Entry& entry) {
    while (waiting()) {
      const std::uint64_t tag = next_->load(std::memory_order_relaxed);
      entry.kind = static_cast<Kind>(tag >> 29 & 7);
      if (entry.kind == Kind::skip) {
        advance(Ring::kLines - position_ % Ring::kLines);
        continue;
      }
      entry.handler = static_cast<std::uint16_t>(tag);
      entry.bytes = tag >> 16 & 0x1fff;
      entry.data = ring_.line(position_) + 8;
      if (entry.kind == Kind::piece && entry.bytes >= kClaimed) {
        kinjo::detail::claim(std::span(ring_.line(position_) + 8, entry.bytes));
      }
      advance(Ring::lines_for(entry.bytes));
      return true;
    }
    return false;
  }
  /// Gives the lines of all that has been taken back to the writer, unless the data are held.
  void release() {
    if (!held_) ring_.consumed().store(position_, std::memory_order_release);
  }
  void hold() { held_ = true; }
  void release_held() {
    held_ = false;
    release();
  }

 private:
  void advance(std::size_t lines) {
    position_ += lines;
    next_ = reinterpret_cast<const std::atomic<std::uint64_t>*>(ring_.line(position_));
    expected_ = Ring::stamp(position_) >> 32;
  }

  Ring ring_;
  const std::atomic<std::uint64_t>* next_ = nullptr;
  std::uint64_t expected_ = 0;
  std::uint64_t position_ = 0;
  bool held_ = false;
};

}  // namespace kinjo::comm::detail
