/// Cells of one process that reach each other by UCX all the same (TCP over the loopback device):
/// each has a thread, a memory and a board that stands for a launcher's.
#pragma once

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "comm/deadline.hpp"
#include "comm/ucx/connect.hpp"

namespace kinjo::comm::test {

/// UCX puts hooks into the allocator, which a sanitizer has replaced. Only devices with registered
/// memory need them.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
[[maybe_unused]] inline const int kNoHooks = setenv("UCX_MEM_EVENTS", "n", 1);
#endif

/// What all cells of a test publish.
class Board {
 public:
  void publish(int cell, const std::string& key, std::span<const std::byte> value) {
    const std::lock_guard lock(mutex_);
    values_[{cell, key}].assign(value.begin(), value.end());
    changed_.notify_all();
  }
  std::vector<std::byte> fetch(int cell, const std::string& key,
                               detail::Exchange::Clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    const std::pair name(cell, key);
    if (!changed_.wait_until(lock, deadline, [&] { return values_.contains(name); })) {
      throw detail::not_come(cell);
    }
    return values_[name];
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<int, std::string>, std::vector<std::byte>> values_;
};

class BoardExchange final : public detail::Exchange {
 public:
  BoardExchange(Board& board, int cell, int cells) : board_(board), cell_(cell), cells_(cells) {}
  int cell() const override { return cell_; }
  int cells() const override { return cells_; }
  void publish(const std::string& key, std::span<const std::byte> value) override {
    board_.publish(cell_, key, value);
  }
  std::vector<std::byte> fetch(int cell, const std::string& key,
                               Clock::time_point deadline) override {
    return board_.fetch(cell, key, deadline);
  }

 private:
  Board& board_;
  int cell_, cells_;
};

/// For what may wait as long as it likes.
inline const detail::Deadline kAnyTime(kForever);

inline constexpr std::uint32_t kWorld = 0x6b696e6a;
inline constexpr std::size_t kHandlers = 4;

/// One cell: its memory, its way to the others, and what has come for it.
class Side final : public detail::Inbox {
 public:
  struct Arrived {
    int from;
    HandlerId handler;
    bool is_reply;
    const void* data;
    std::string text;
  };
  struct Piece {
    int from, tag;
    std::uint64_t total, position;
    std::string text;
  };

  Side(Board& board, int number, int cells, std::chrono::milliseconds patience,
       std::size_t bytes = std::size_t{8} << 20,
       detail::Announce announce = detail::Announce::where_faster)
      : cell(number), memory(bytes / sizeof(std::uint64_t)), exchange_(board, number, cells) {
    detail::RemoteSetup setup{.cell = cell,
                              .cells = cells,
                              .remote = {},
                              .memory = std::as_writable_bytes(std::span(memory)),
                              .patience = patience,
                              .exchange = &exchange_,
                              .world = kWorld,
                              .handlers = kHandlers,
                              .announce = announce};
    for (int other = 0; other < cells; ++other) {
      if (other != cell) setup.remote.push_back(other);
    }
    remote = detail::connect_remote(setup);
  }

  void message(int from, HandlerId handler, bool is_reply, const void* data,
               std::size_t bytes) override {
    messages.push_back({from, handler, is_reply, data, {static_cast<const char*>(data), bytes}});
    if (on_message) on_message(messages.back());
  }
  void piece(int from, int tag, std::uint64_t total, std::uint64_t position, const void* data,
             std::size_t bytes) override {
    pieces.push_back({from, tag, total, position, {static_cast<const char*>(data), bytes}});
  }

  std::byte* at(Offset offset) { return reinterpret_cast<std::byte*>(memory.data()) + offset; }
  std::uint64_t flag(Offset offset) {
    return std::atomic_ref(memory[offset / sizeof(std::uint64_t)]).load(std::memory_order_acquire);
  }

  /// Waits as a world does. Throws when another cell is lost, or after a minute.
  template <class Ready>
  void wait(const Ready& ready) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!ready()) {
      remote->progress(*this);
      std::string reason;
      const int lost = remote->lost(&reason);
      if (lost >= 0) throw CellLost(lost, fmt::format("cell {} is lost: {}", lost, reason));
      if (std::chrono::steady_clock::now() > end) throw std::runtime_error("waited for a minute");
    }
  }
  void wait_flag(Offset offset, std::uint64_t value) {
    wait([&] { return flag(offset) >= value; });
  }
  void quiet() {
    remote->begin_quiet();
    wait([this] { return remote->settled(); });
  }
  /// All cells meet, by flags at the memory's end.
  void barrier(int cells) {
    quiet();
    ++barriers_;
    const Offset mine = memory.size() * sizeof(std::uint64_t) - 8 * static_cast<Offset>(cells);
    const Signal here{.flag = mine + 8 * static_cast<Offset>(cell), .value = barriers_};
    for (int other = 0; other < cells; ++other) {
      if (other != cell) remote->put(other, 0, nullptr, 0, &here, nullptr, kAnyTime);
    }
    for (int other = 0; other < cells; ++other) {
      if (other != cell) wait_flag(mine + 8 * static_cast<Offset>(other), barriers_);
    }
  }

  const int cell;
  std::vector<std::uint64_t> memory;
  std::unique_ptr<detail::Remote> remote;
  std::vector<Arrived> messages;
  std::vector<Piece> pieces;
  std::function<void(const Arrived&)> on_message;

 private:
  BoardExchange exchange_;
  std::uint64_t barriers_ = 0;
};

/// Runs `body` in so many cells, then a barrier; what each threw, empty for those that threw
/// nothing.
inline std::vector<std::string> run_sides(
    int cells, const std::function<void(Side&)>& body,
    detail::Announce announce = detail::Announce::where_faster) {
  Board board;
  std::vector<std::string> thrown(static_cast<std::size_t>(cells));
  std::vector<std::jthread> threads;
  for (int cell = 0; cell < cells; ++cell) {
    threads.emplace_back([&, cell] {
      try {
        Side side(board, cell, cells, std::chrono::seconds(10), std::size_t{8} << 20, announce);
        body(side);
        side.barrier(cells);
      } catch (const std::exception& error) {
        thrown[static_cast<std::size_t>(cell)] = error.what();
      }
    });
  }
  threads.clear();
  return thrown;
}

inline std::vector<std::string> nothing(int cells) {
  return std::vector<std::string>(static_cast<std::size_t>(cells));
}

}  // namespace kinjo::comm::test
