#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "comm/shared_object.hpp"
#include "comm/ucx/handles.hpp"
#include "comm/ucx/packet.hpp"
#include "comm/ucx/sides.hpp"
#include "support/expect.hpp"

namespace kinjo::comm::test {
namespace {

using detail::Head;
using detail::PacketKind;
using kinjo::test::error_of;
using namespace std::chrono_literals;

double seconds_of(const std::function<void()>& action) {
  const auto begin = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// What a wait of `side` ends by.
std::string end_of_wait(Side& side) {
  try {
    side.wait([] { return false; });
  } catch (const CellLost& lost) {
    return lost.what();
  }
  return "";
}

/// A stranger in place of cell 1: it has UCX's connection, and sends what it likes.
class Stranger {
 public:
  explicit Stranger(Board& board) : board_(board) {
    worker_.receive_with(
        [](void* has_come, const void*, std::size_t, void*, std::size_t,
           const ucp_am_recv_param_t*) {
          *static_cast<bool*>(has_come) = true;
          return UCS_OK;
        },
        &has_come_);
    board.publish(1, "kinjo.ucx", worker_.address());
  }
  ~Stranger() {
    if (ucs_status_ptr_t closing = link_.close(worker_)) {
      while (worker_.ucp().request_check_status(closing) == UCS_INPROGRESS) worker_.progress();
      worker_.ucp().request_free(closing);
    }
  }
  /// Greets cell 0 as a cell does, and is greeted: the connection stands.
  void meet() {
    link_.open(
        worker_, board_.fetch(0, "kinjo.ucx", std::chrono::steady_clock::now() + 10s),
        [](void*, ucp_ep_h, ucs_status_t) {}, nullptr);
    const Head head{.world = kWorld, .from = 1, .kind = PacketKind::greet};
    const detail::NumberHead greeting{head, 1};
    send(&greeting, sizeof(greeting), "");
    while (!has_come_) worker_.progress();
  }
  void send(const void* header, std::size_t header_bytes, const std::string& data,
            unsigned flags = UCP_AM_SEND_FLAG_EAGER) {
    ucp_request_param_t parameters{};
    parameters.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
    parameters.flags = flags;
    const ucs_status_ptr_t request = worker_.ucp().am_send_nbx(
        link_.get(), 0, header, header_bytes, data.data(), data.size(), &parameters);
    if (!UCS_PTR_IS_PTR(request)) return;
    while (worker_.ucp().request_check_status(request) == UCS_INPROGRESS) worker_.progress();
    worker_.ucp().request_free(request);
  }
  template <class T>
  void send(const T& header, const std::string& data) {
    send(&header, sizeof(header), data);
    send(&header, sizeof(header), data, UCP_AM_SEND_FLAG_RNDV);
  }

 private:
  Board& board_;
  bool has_come_ = false;
  detail::Worker worker_;
  detail::Link link_;
};

TEST(RemoteFaults, ACellThatDoesNotComeIsNamedInTimeByAllOthers) {
  Board board;
  const double seconds = seconds_of([&] {
    const auto come = [&](int cell) {
      EXPECT_EQ(error_of([&] { const Side side(board, cell, 3, 500ms); }),
                "cell_lost: cell 2 is lost: it has not come in time");
    };
    std::jthread other(come, 1);
    come(0);
  });
  EXPECT_LT(seconds, 3);
}

TEST(RemoteFaults, ALibraryThatIsMissingIsNamedWithItsPackage) {
  EXPECT_EQ(
      error_of([] { detail::SharedObject("libnothing.so.9", "libnothing9"); }),
      "not_supported: cells on other hosts need libnothing.so.9: install the package libnothing9 "
      "(libnothing.so.9: cannot open shared object file: No such file or directory)");
  const detail::SharedObject library("libc.so.6", "libc6");
  int (*function)() = nullptr;
  EXPECT_EQ(error_of([&] { library.find("no_such_function", function); }),
            "not_supported: cells on other hosts need libc.so.6: install the package libc6 "
            "(there is no no_such_function in it)");
}

TEST(RemoteFaults, ACellThatFallsSilentIsNamedInTimeAndNotWaitedForAtTheEnd) {
  Board board;
  Stranger silent(board);
  const double seconds = seconds_of([&] {
    Side side(board, 0, 2, 500ms);
    silent.meet();
    EXPECT_EQ(end_of_wait(side), "cell 1 is lost: no sign of life for 0.5 s");
  });
  EXPECT_LT(seconds, 4);
}

TEST(RemoteFaults, ACellThatHasLeftIsMissedByWhoAsksIt) {
  Board board;
  std::jthread other([&] { const Side side(board, 1, 2, 10s); });
  Side side(board, 0, 2, 10s);
  other.join();
  std::uint64_t value = 0;
  Completion done;
  side.remote->get(1, &value, 0, sizeof(value), done, kAnyTime);
  EXPECT_EQ(end_of_wait(side), "cell 1 is lost: it has left the world");
  EXPECT_FALSE(done.done());
}

TEST(RemoteFaults, ACellThatAnExceptionEndsIsLostToAllOthers) {
  Board board;
  const auto stay = [&](int cell) {
    Side side(board, cell, 3, 10s);
    EXPECT_EQ(end_of_wait(side), "cell 2 is lost: an exception has ended it");
  };
  std::jthread first(stay, 0), second(stay, 1);
  const double seconds = seconds_of([&] {
    EXPECT_THROW(
        {
          const Side side(board, 2, 3, 10s);
          throw std::runtime_error("something else");
        },
        std::runtime_error);
  });
  EXPECT_LT(seconds, 3);
}

// UCX 1.13 aborts the process where a connection goes before it stands.
TEST(RemoteFaults, AWorldThatFailsWhileItIsBeingConnectedEndsInTime) {
  constexpr int kCells = 6;
  const auto fail = [](Board& board, int cell) {
    const Side side(board, cell, kCells, 10s);
    throw std::runtime_error("something else");
  };
  const auto stay = [](Board& board, int cell) {
    Side side(board, cell, kCells, 10s);
    EXPECT_THAT(end_of_wait(side), testing::EndsWith("is lost: an exception has ended it"));
  };
  for (int round = 0; round < 3; ++round) {
    const double seconds = seconds_of([&] {
      Board board;
      std::vector<std::jthread> cells;
      for (int cell = 0; cell < kCells; cell += 2) {
        cells.emplace_back([&, cell] { stay(board, cell); });
        cells.emplace_back([&, cell] { EXPECT_THROW(fail(board, cell + 1), std::runtime_error); });
      }
    });
    EXPECT_LT(seconds, 5);
  }
}

TEST(RemoteFaults, WhoEndsBecauseOfAnotherOfItsHostIsNotNamed) {
  Board board;
  const auto stay = [&](int cell, const char* named) {
    Side side(board, cell, 3, 10s);
    EXPECT_THAT(end_of_wait(side), testing::StartsWith(named));
  };
  std::jthread first(stay, 0, "cell 1 is lost: its process has ended");
  std::jthread named(stay, 1, "cell ");  // whichever of the others gives it up first
  EXPECT_THROW(
      {
        const Side side(board, 2, 3, 10s);
        side.remote->note_loss(1, "its process has ended");
        throw std::runtime_error("something else");
      },
      std::runtime_error);
}

TEST(RemoteFaults, PatienceMayBeForEver) {
  Board board;
  const auto meet = [&](int cell) {
    Side side(board, cell, 2, std::chrono::milliseconds::max());
    side.barrier(2);
  };
  std::jthread other([&] { EXPECT_NO_THROW(meet(1)); });
  EXPECT_NO_THROW(meet(0));
}

TEST(RemoteFaults, OperationsToALostCellNeverComplete) {
  Board board;
  Stranger silent(board);
  Side side(board, 0, 2, 300ms);
  silent.meet();
  EXPECT_EQ(end_of_wait(side), "cell 1 is lost: no sign of life for 0.3 s");
  const std::vector<std::byte> data(1 << 20);
  Completion local;
  side.remote->put(1, 0, data.data(), data.size(), nullptr, &local, kAnyTime);
  EXPECT_FALSE(local.done());
}

TEST(RemoteFaults, WhatFindsNoRoomKeepsToItsDeadlineAndHasNotBegun) {
  Board board;
  Stranger silent(board);
  Side side(board, 0, 2, 5s);
  silent.meet();
  std::vector<std::byte> data(4096);
  const Rows rows{.rows = 64, .row_bytes = 32, .stride = 64};
  // Nobody takes anything from here on.
  const auto put_until_full = [&] {
    for (int sent = 0; sent < 100'000; ++sent) {
      side.remote->put(1, 0, data.data(), data.size(), nullptr, nullptr, detail::Deadline(100ms));
    }
  };
  const std::string over = ": the time allowed is over";
  EXPECT_EQ(error_of(put_until_full),
            "timed_out: cell 0 has waited 0.1 s for room for a put to cell 1" + over);
  Completion pending;
  struct Call {
    const char* what;
    std::function<void(const detail::Deadline&)> call;
  };
  const detail::Outgoing message{.data = data.data(), .bytes = 8};
  const Call calls[] = {
      {"a put",
       [&](const auto& end) {
         side.remote->put_rows(1, 0, rows, data.data(), 64, nullptr, &pending, end);
       }},
      {"a get", [&](const auto& end) { side.remote->get(1, data.data(), 0, 8, pending, end); }},
      {"a get",
       [&](const auto& end) { side.remote->get_rows(1, data.data(), 64, 0, rows, pending, end); }},
      {"a message", [&](const auto& end) { side.remote->request(1, message, nullptr, end); }},
      {"a message", [&](const auto& end) { side.remote->send(1, 0, data.data(), 8, end); }},
  };
  for (const Call& each : calls) {
    const double seconds = seconds_of([&] {
      EXPECT_EQ(error_of([&] { each.call(detail::Deadline(50ms)); }),
                fmt::format("timed_out: cell 0 has waited 0.05 s for room for {} to cell 1{}",
                            each.what, over));
    });
    EXPECT_GE(seconds, 0.05);
    EXPECT_LT(seconds, 5);
  }
  EXPECT_TRUE(pending.done());
  // A handler's reply goes without waiting.
  detail::Outgoing reply = message;
  reply.is_reply = true;
  EXPECT_LT(seconds_of([&] { side.remote->request(1, reply, nullptr, kAnyTime); }), 5);
}

TEST(RemoteFaults, WrongPacketsAreDroppedAndWriteNothing) {
  Board board;
  Stranger stranger(board);
  Side side(board, 0, 2, 1s, 4096);
  stranger.meet();
  const Offset end = 4096;
  const std::string eight = "12345678";
  const auto head = [](PacketKind kind, detail::Then then = detail::Then::nothing,
                       HandlerId handler = 0) {
    return Head{.world = kWorld, .from = 1, .kind = kind, .then = then, .handler = handler};
  };
  const Head put = head(PacketKind::put), piece = head(PacketKind::piece);
  using detail::PieceHead, detail::PutHead;
  stranger.send(PutHead{put, end - 7}, eight);
  stranger.send(PutHead{put, end + 1}, "");
  stranger.send(PutHead{put, ~Offset{0}}, eight);
  stranger.send(PutHead{head(PacketKind::put, detail::Then::set), 0, {end, 1}}, eight);
  stranger.send(PutHead{head(PacketKind::put, detail::Then::add), 0, {4, 1}}, eight);
  stranger.send(PutHead{head(PacketKind::put, detail::Then::message, kHandlers), 0}, eight);
  stranger.send(PutHead{head(PacketKind::put, static_cast<detail::Then>(77)), 0}, eight);
  stranger.send(PieceHead{piece, 1, {0, 1, 16, 16}, 9}, eight);
  stranger.send(PieceHead{piece, 1, {0, 1, 16, 16}, ~0ull}, eight);
  stranger.send(PieceHead{piece, 1, {0, ~0ull, 16, 16}, 0}, eight);
  stranger.send(PieceHead{piece, 1, {end - 8, 2, 4, 8}, 0}, eight);
  stranger.send(detail::AskHead{head(PacketKind::ask), 1, {end, 1, 8, 8}}, "");
  stranger.send(detail::GotHead{head(PacketKind::got), 1, 0}, eight);
  stranger.send(detail::MessageHead{head(PacketKind::message, detail::Then::message, kHandlers)},
                eight);
  stranger.send(detail::MessageHead{head(PacketKind::message)}, std::string(5000, 'x'));
  stranger.send(detail::SentHead{head(PacketKind::sent), 0, 4, 0}, eight);
  stranger.send(detail::NumberHead{head(PacketKind::settled), 9}, "");
  stranger.send(detail::NumberHead{head(PacketKind::lost), 9}, "");
  stranger.send(detail::NumberHead{head(PacketKind::greet), 2}, "");
  stranger.send(head(static_cast<PacketKind>(99)), eight);
  stranger.send(head(PacketKind::put), eight);
  Head foreign = put;
  foreign.world = kWorld + 1;
  stranger.send(PutHead{foreign, 0}, eight);
  foreign = put;
  foreign.from = 2;
  stranger.send(PutHead{foreign, 0}, eight);
  foreign.from = 0;  // the cell itself
  stranger.send(PutHead{foreign, 0}, eight);
  stranger.send(&put, 3, eight);
  // The last one is right, so all others have been looked at.
  stranger.send(PutHead{put, 64}, eight);
  side.wait([&] { return std::memcmp(side.at(64), eight.data(), 8) == 0; });
  std::memset(side.at(64), 0, 8);
  EXPECT_EQ(side.memory, std::vector<std::uint64_t>(side.memory.size()));
  EXPECT_TRUE(side.messages.empty());
  EXPECT_TRUE(side.pieces.empty());
}

}  // namespace
}  // namespace kinjo::comm::test
