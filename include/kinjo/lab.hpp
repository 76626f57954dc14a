#pragma once

/// @file
/// Marks for the laboratory's access counter (docs/laboratory.md).
///
/// In the laboratory the counter says, for each phase and each region, how many bytes were loaded
/// and stored on the node of the CPU and on the others.  Anywhere else a phase is two no-op
/// instructions, and a region a few dozen loads of one cache line when it begins and ends.
/// On other processors than x86-64 the marks are nothing at all.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kinjo/lab_protocol.h"

/// From here to the end of the scope the program is in phase `name`, a string literal.
///
/// A phase belongs to the whole program: what other threads do meanwhile counts for it too, so a
/// phase is opened once, around `Team::run`, and not by every thread.  Where phases are nested
/// the innermost one counts.
#define KINJO_PHASE(name)                                                                          \
  static const bool KINJO_LAB_JOIN(kinjo_lab_named_, __LINE__) =                                   \
      ::kinjo::detail::lab_name(::kinjo::detail::lab_tag(name), name);                             \
  (void)KINJO_LAB_JOIN(kinjo_lab_named_, __LINE__);                                                \
  const ::kinjo::detail::LabPhase<::kinjo::detail::lab_tag(name)> KINJO_LAB_JOIN(kinjo_lab_phase_, \
                                                                                 __LINE__)

/// From here to the end of the scope this thread's CPU is in phase `name`, whatever the others do;
/// it goes before the program's phase. For threads or processes that are each alone on a CPU and do
/// not leave it: what else runs there meanwhile counts for it too.
#define KINJO_CPU_PHASE(name)                                                        \
  static const bool KINJO_LAB_JOIN(kinjo_lab_named_, __LINE__) =                     \
      ::kinjo::detail::lab_name(::kinjo::detail::lab_tag(name), name);               \
  (void)KINJO_LAB_JOIN(kinjo_lab_named_, __LINE__);                                  \
  const ::kinjo::detail::LabCpuPhase<::kinjo::detail::lab_tag(name)> KINJO_LAB_JOIN( \
      kinjo_lab_phase_, __LINE__)

/// To the end of the scope the `bytes` at `pointer` are counted apart, under `name`.
///
/// Regions of one name are added up; where regions overlap the one registered last counts. An
/// object that owns an array keeps a `RegionMark` beside it instead.
#define KINJO_REGION(name, pointer, bytes) \
  const ::kinjo::RegionMark KINJO_LAB_JOIN(kinjo_lab_region_, __LINE__)(name, pointer, bytes)

/// To the end of the scope what this thread does is counted as barrier: the bytes of spinning say
/// how long a thread waited and not what it computed.
#define KINJO_BARRIER() \
  const ::kinjo::detail::LabBarrier KINJO_LAB_JOIN(kinjo_lab_barrier_, __LINE__)

#define KINJO_LAB_JOIN(a, b) KINJO_LAB_JOIN_(a, b)
#define KINJO_LAB_JOIN_(a, b) a##b

namespace kinjo::detail {

/// The tag of a phase: FNV-1a of its name, folded to 20 bits. The counter refuses two names of
/// one tag.
constexpr std::uint32_t lab_tag(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return (hash ^ hash >> KINJO_LAB_TAG_BITS) & KINJO_LAB_TAG_MASK;
}

#ifdef KINJO_LAB_CAN_SPEAK

alignas(256) inline constexpr unsigned char lab_board[256] = {};
inline std::atomic_flag lab_speaking = ATOMIC_FLAG_INIT;

/// One message from its construction to its destruction; no other thread speaks meanwhile.
class LabMessage {
 public:
  LabMessage(kinjo_lab_message kind, std::size_t payload_bytes) {
    while (lab_speaking.test_and_set(std::memory_order_acquire)) __builtin_ia32_pause();
    say(1 + payload_bytes);
    say(kind);
  }
  ~LabMessage() { lab_speaking.clear(std::memory_order_release); }
  LabMessage(const LabMessage&) = delete;
  LabMessage& operator=(const LabMessage&) = delete;

  void number(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) say(value >> 8 * i);
  }
  void text(std::string_view name) {
    for (const char c : name) say(static_cast<unsigned char>(c));
  }

 private:
  static void say(std::uint64_t byte) {
    KINJO_LAB_LOAD(KINJO_LAB_BYTE_DISP, &lab_board[byte & 255]);
  }
};

inline bool lab_name(std::uint32_t tag, std::string_view name) {
  name = name.substr(0, KINJO_LAB_NAME_BYTES);
  LabMessage message(KINJO_LAB_NAME, 4 + name.size());
  message.number(tag, 4);
  message.text(name);
  return true;
}

template <std::uint32_t Tag>
class LabPhase {
 public:
  LabPhase() { KINJO_LAB_EMIT(KINJO_LAB_PHASE_BEGIN, Tag); }
  ~LabPhase() { KINJO_LAB_EMIT(KINJO_LAB_PHASE_END, Tag); }
  LabPhase(const LabPhase&) = delete;
  LabPhase& operator=(const LabPhase&) = delete;
};

template <std::uint32_t Tag>
class LabCpuPhase {
 public:
  LabCpuPhase() { KINJO_LAB_EMIT(KINJO_LAB_CPU_PHASE_BEGIN, Tag); }
  ~LabCpuPhase() { KINJO_LAB_EMIT(KINJO_LAB_CPU_PHASE_END, Tag); }
  LabCpuPhase(const LabCpuPhase&) = delete;
  LabCpuPhase& operator=(const LabCpuPhase&) = delete;
};

class LabBarrier {
 public:
  LabBarrier() { KINJO_LAB_EMIT(KINJO_LAB_BARRIER_BEGIN, 0); }
  ~LabBarrier() { KINJO_LAB_EMIT(KINJO_LAB_BARRIER_END, 0); }
  LabBarrier(const LabBarrier&) = delete;
  LabBarrier& operator=(const LabBarrier&) = delete;
};

#else  // No marks on this processor.

constexpr bool lab_name(std::uint32_t, std::string_view) { return true; }

template <std::uint32_t Tag>
struct LabPhase {
  LabPhase() {}
};

template <std::uint32_t Tag>
struct LabCpuPhase {
  LabCpuPhase() {}
};

struct LabBarrier {
  LabBarrier() {}
};

#endif

}  // namespace kinjo::detail

namespace kinjo {

/// The name of regions whose bytes count as barrier: memory that threads wait on.
inline constexpr std::string_view kBarrierRegion = KINJO_LAB_BARRIER_REGION;

/// While it lives the `bytes` at `pointer` are counted apart, under `name`; see `KINJO_REGION`.
class RegionMark {
 public:
#ifdef KINJO_LAB_CAN_SPEAK
  /// Longer names than `KINJO_LAB_NAME_BYTES` are cut.
  RegionMark(std::string_view name, const void* pointer, std::size_t bytes)
      : address_(reinterpret_cast<std::uintptr_t>(pointer)) {
    name = name.substr(0, KINJO_LAB_NAME_BYTES);
    detail::LabMessage message(KINJO_LAB_REGION, 16 + name.size());
    message.number(address_, 8);
    message.number(bytes, 8);
    message.text(name);
  }
  ~RegionMark() { detail::LabMessage(KINJO_LAB_FORGET, 8).number(address_, 8); }
#else
  /// Nothing, on processors that the laboratory does not know.
  RegionMark(std::string_view, const void*, std::size_t) {}
#endif
  RegionMark(const RegionMark&) = delete;
  RegionMark& operator=(const RegionMark&) = delete;

 private:
#ifdef KINJO_LAB_CAN_SPEAK
  std::uintptr_t address_;
#endif
};

}  // namespace kinjo
