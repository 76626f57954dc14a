/// Tests that are written once and run in every kind of world: cells as threads, and as processes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <kinjo/comm.hpp>
#include <kinjo/comm_start.hpp>

#include "support/expect.hpp"

namespace kinjo::comm::test {

using kinjo::test::error_of;

enum class Kind { threads, processes };

inline const char* to_string(Kind kind) { return kind == Kind::threads ? "Threads" : "Processes"; }

/// A process cannot tell gtest what it saw, so cells throw. The line is the caller's
/// (std::source_location needs Clang 16).
inline void expect(bool holds, const std::string& what, int line = __builtin_LINE()) {
  if (!holds) throw std::runtime_error(fmt::format("line {}: {}", line, what));
}

template <class A, class B>
void expect_equal(const A& is, const B& expected, const std::string& what = "",
                  int line = __builtin_LINE()) {
  if (is == expected) return;
  throw std::runtime_error(fmt::format("line {}: {} is {}, expected {}", line, what, is, expected));
}

/// Looks for a value of a flag without making progress; not for ever, since who raises it may have
/// failed.
inline void await_raw(const World& world, Offset flag, std::uint64_t value,
                      int line = __builtin_LINE()) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (world.flag(flag) != value) {
    expect(std::chrono::steady_clock::now() < limit, fmt::format("no flag of {}", value), line);
    std::this_thread::yield();
  }
}

/// So many cells wherever the system puts them, so that tests pass on one CPU too.
inline Mapping cells_anywhere(int cells) {
  return Mapping(Topology::discover(), Policy::none(), static_cast<std::size_t>(cells),
                 Oversubscribe::wrap);
}

using Body = std::function<void(World&)>;

/// What the first cell that failed by itself threw; empty if none did.
inline std::string failure_of(Kind kind, const Mapping& mapping, const WorldOptions& options,
                              const Body& body) {
  if (kind == Kind::threads) {
    Team team(mapping);
    try {
      run_threads(team, options, [&](World& world, const Place&) { body(world); });
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
  const auto ends = run_processes(mapping, options, [&](World& world, const Place&) {
    body(world);
    return std::string();
  });
  for (const CellEnd& end : ends) {
    if (!end.error.empty() && !end.because_of_another) return end.error;
  }
  for (const CellEnd& end : ends) {
    if (!end.error.empty()) return end.error;
  }
  return "";
}

inline std::string failure_of(Kind kind, int cells, const WorldOptions& options, const Body& body) {
  return failure_of(kind, cells_anywhere(cells), options, body);
}

class Cells : public testing::TestWithParam<Kind> {
 protected:
  Cells() { options.heap_bytes = std::size_t{4} << 20; }
  /// Runs `body` in so many cells, none of which may fail.
  void run(int cells, const Body& body) {
    EXPECT_EQ(failure_of(GetParam(), cells, options, body), "");
  }
  WorldOptions options;
};

/// Barriers that nobody may leave before all have come: each tells all others the round before it.
inline void meet_often(World& world) {
  const auto cells = static_cast<std::size_t>(world.cells());
  const auto rounds = world.allocate_array<std::uint64_t>(cells);
  const auto me = static_cast<std::size_t>(world.cell());
  for (std::uint64_t round = 1; round <= 300; ++round) {
    for (int to = 0; to < world.cells(); ++to) {
      world.put(to, rounds.at(me), &round, sizeof round);
    }
    world.barrier();
    for (const std::uint64_t seen : world.local(rounds)) expect_equal(seen, round, "a round");
    world.barrier();
  }
}

/// The same numbers at both ends, without a message.
inline std::uint8_t pattern(std::uint64_t round, std::size_t index) {
  return static_cast<std::uint8_t>(round * 131 + index * 7 + (index >> 8) * 13 + 1);
}

inline void fill(std::span<std::uint8_t> bytes, std::uint64_t round) {
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = pattern(round, i);
}

/// The first byte that is not of that round, or the size.
inline std::size_t first_wrong(std::span<const std::uint8_t> bytes, std::uint64_t round) {
  std::size_t i = 0;
  while (i < bytes.size() && bytes[i] == pattern(round, i)) ++i;
  return i;
}

inline std::string kind_name(const testing::TestParamInfo<Kind>& info) {
  return to_string(info.param);
}

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define KINJO_IN_EVERY_WORLD(suite) \
  INSTANTIATE_TEST_SUITE_P(World, suite, testing::Values(Kind::threads, Kind::processes), kind_name)

}  // namespace kinjo::comm::test
