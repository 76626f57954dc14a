/// Wrong arguments are refused at the caller, in exactly these words, and nothing has been sent.
#include <cstring>
#include <functional>
#include <vector>

#include "comm/cells.hpp"

namespace kinjo::comm::test {
namespace {

using Arguments = Cells;
KINJO_IN_EVERY_WORLD(Arguments);

struct Refusal {
  std::function<void()> call;
  std::string error;
};

void check(const std::vector<Refusal>& refusals, int line = __builtin_LINE()) {
  for (std::size_t i = 0; i < refusals.size(); ++i) {
    expect_equal(error_of(refusals[i].call), refusals[i].error, fmt::format("case {}", i), line);
  }
}

TEST_P(Arguments, CellsThatAreNoneAreRefused) {
  run(2, [](World& world) {
    const auto area = world.allocate_array<std::uint64_t>(4);
    const std::uint64_t value = 1;
    std::uint64_t got = 0;
    Completion done;
    const std::string error = "invalid_argument: there is no cell 2: expected 0 to 1";
    check({
        {[&] { world.put(2, area.offset, &value, 8); }, error},
        {[&] { world.put(-1, area.offset, &value, 8); },
         "invalid_argument: there is no cell -1: expected 0 to 1"},
        {[&] { world.put_signal(2, area.offset, &value, 8, {.flag = area.offset}); }, error},
        {[&] {
           const Target targets[] = {{1, area.offset, {.flag = area.at(1)}},
                                     {2, area.offset, {.flag = area.at(1)}}};
           world.put_signal_to_all(targets, &value, 8);
         },
         error},
        {[&] { world.put_short(2, area.offset, 1, 8, {.flag = area.offset}); }, error},
        {[&] { world.signal(2, {.flag = area.offset}); }, error},
        {[&] {
           world.put_rows(2, area.offset, {1, 8, 8}, &value, 8);
         },
         error},
        {[&] { world.get(2, &got, area.offset, 8, done); }, error},
        {[&] {
           world.get_rows(2, &got, 8, area.offset, {1, 8, 8}, done);
         },
         error},
        {[&] { world.broadcast(2, area.offset, 8); }, error},
        {[&] { world.send(2, 0, &value, 8); }, error},
        {[&] { world.receive(2, 0, &got, 8, std::chrono::seconds(1)); }, error},
        {[&] { world.path(2); }, error},
        {[&] { world.ptr(2, area.offset); }, error},
    });
    expect(done.done(), "nothing is under way");
    world.barrier();
    for (const std::uint64_t v : world.local(area)) expect_equal(v, 0u, "the memory");
  });
}

TEST_P(Arguments, RangesOutsideTheSymmetricMemoryAreRefused) {
  run(2, [](World& world) {
    const auto area = world.allocate_array<std::uint64_t>(8);
    const Offset end = area.at(8);
    std::vector<std::uint64_t> value(16, 5);
    Completion done;
    const auto outside = [&](std::size_t bytes, Offset offset) {
      // The text also names where the memory begins, which is the library's own affair.
      return fmt::format(
          "invalid_argument: {} bytes at offset {} of cell 1 are outside its symmetric "
          "memory: expected what `allocate` has given, from ",
          bytes, offset);
    };
    const auto refused = [&](const std::function<void()>& call, const std::string& error,
                             int line = __builtin_LINE()) {
      const std::string is = error_of(call);
      expect(is.starts_with(error) && is.ends_with(fmt::format(" to {}", end)),
             fmt::format("line {}: {}", line, is));
    };
    refused([&] { world.put(1, end - 8, value.data(), 9); }, outside(9, end - 8));
    refused([&] { world.put(1, end + 8, value.data(), 1); }, outside(1, end + 8));
    refused([&] { world.put(1, 0, value.data(), 8); }, outside(8, 0));
    refused([&] { world.put(1, ~Offset{0}, value.data(), 8); }, outside(8, ~Offset{0}));
    refused([&] { world.put(1, end - 8, value.data(), ~std::size_t{0}); },
            outside(~std::size_t{0}, end - 8));
    refused([&] { world.get(1, value.data(), end - 7, 8, done); }, outside(8, end - 7));
    refused([&] { world.put_short(1, end - 7, 1, 8, {.flag = area.offset}); }, outside(8, end - 7));
    refused([&] { world.put_signal(1, area.offset, value.data(), 8, {.flag = end}); },
            outside(8, end));
    refused(
        [&] {
          world.put_rows(1, area.offset, {3, 8, 32}, value.data(), 8);
        },
        outside(72, area.offset));
    refused(
        [&] {
          world.put_rows(1, area.offset, {~std::size_t{0}, 8, 16}, value.data(), 8);
        },
        outside(~std::size_t{0}, area.offset));
    refused([&] { world.request_long(1, 0, value.data(), 16, end - 8); }, outside(16, end - 8));
    world.barrier();
    for (const std::uint64_t v : world.local(area)) expect_equal(v, 0u, "the memory");
  });
}

TEST_P(Arguments, FlagsRowsAndShortPutsOfWrongShapeAreRefused) {
  run(2, [](World& world) {
    const auto area = world.allocate_array<std::uint64_t>(8);
    const std::uint64_t value[8] = {};
    std::uint64_t got[8] = {};
    Completion done;
    const std::string flag = fmt::format(
        "invalid_argument: the flag at offset {} is not aligned: expected a multiple of 8",
        area.offset + 4);
    const std::string rows =
        "invalid_argument: rows of 16 bytes overlap at a stride of 8: expected a stride of at "
        "least "
        "their length";
    check({
        {[&] { world.signal(1, {.flag = area.offset + 4}); }, flag},
        {[&] { world.wait_flag(area.offset + 4, Until::equal, 0); }, flag},
        {[&] { world.flag(area.offset + 4); }, flag},
        {[&] { world.put_signal(1, area.offset, value, 8, {.flag = area.offset + 4}); }, flag},
        {[&] { world.put_short(1, area.offset, 1, 0, {.flag = area.offset}); },
         "invalid_argument: put_short cannot put 0 bytes: expected 1 to 8"},
        {[&] { world.put_short(1, area.offset, 1, 9, {.flag = area.offset}); },
         "invalid_argument: put_short cannot put 9 bytes: expected 1 to 8"},
        {[&] {
           world.put_rows(1, area.offset, {2, 16, 8}, value, 16);
         },
         rows},
        {[&] {
           world.put_rows(1, area.offset, {2, 16, 16}, value, 8);
         },
         rows},
        {[&] {
           world.get_rows(1, got, 8, area.offset, {2, 16, 16}, done);
         },
         rows},
        {[&] { world.send(1, -1, value, 8); },
         "invalid_argument: a message cannot have the tag -1: expected 0 or more"},
    });
    world.barrier();
  });
}

TEST_P(Arguments, MessagesWithoutAHandlerOrTooLongAreRefused) {
  options.handlers = {{"nothing", [](Message&) {}}};
  run(2, [](World& world) {
    const auto area = world.allocate_array<std::uint8_t>(8192);
    const std::vector<std::uint8_t> data(8192);
    check({
        {[&] { world.request(1, 1, data.data(), 8); },
         "invalid_argument: there is no handler 1: 1 are registered"},
        {[&] { world.request_long(1, 9, data.data(), 8, area.offset); },
         "invalid_argument: there is no handler 9: 1 are registered"},
        {[&] { world.request(1, 0, data.data(), 4097); },
         "invalid_argument: a message brings at most 4096 bytes along, not 4097: send it as a long "
         "one"},
    });
    world.barrier();
  });
}

/// What handlers saw when they called what they may not.
thread_local std::vector<std::string> inside;
thread_local World* here = nullptr;

TEST_P(Arguments, HandlersMayOnlyReply) {
  options.handlers = {{"try all", [](Message&) {
                         const std::uint64_t value = 1;
                         std::uint64_t got = 0;
                         Completion done;
                         const std::function<void()> calls[] = {
                             [&] { here->put(0, 0, &value, 8); },
                             [&] { here->put_signal(0, 0, &value, 8, {}); },
                             [&] { here->put_signal_to_all({}, &value, 8); },
                             [&] { here->put_short(0, 0, 1, 8, {}); },
                             [&] { here->signal(0, {}); },
                             [&] { here->put_rows(0, 0, {}, &value, 8); },
                             [&] { here->get(0, &got, 0, 8, done); },
                             [&] { here->get_rows(0, &got, 8, 0, {}, done); },
                             [&] { here->fence(); },
                             [&] { here->quiet(); },
                             [&] { here->wait_flag(0, Until::equal, 0); },
                             [&] { here->wait(done); },
                             [&] { here->wait_until([] { return true; }); },
                             [&] { here->progress(); },
                             [&] { here->request(0, 0, &value, 8); },
                             [&] { here->request_long(0, 0, &value, 8, 0); },
                             [&] { here->barrier(); },
                             [&] { here->broadcast(0, 0, 8); },
                             [&] { here->all_reduce(1, ReduceOp::sum); },
                             [&] { here->send(0, 0, &value, 8); },
                             [&] { here->receive(0, 0, &got, 8); },
                             [&] { here->allocate(8); },
                         };
                         for (const auto& call : calls) inside.push_back(error_of(call));
                       }}};
  run(2, [](World& world) {
    inside.clear();
    here = &world;
    world.request(world.cell(), 0, nullptr, 0);
    world.wait_until([] { return !inside.empty(); });
    const char* const names[] = {
        "put",          "put_signal", "put_signal_to_all", "put_short",  "signal",
        "put_rows",     "get",        "get_rows",          "fence",      "quiet",
        "wait_flag",    "wait",       "wait_until",        "progress",   "request",
        "request_long", "barrier",    "broadcast",         "all_reduce", "send",
        "receive",      "allocate"};
    expect_equal(inside.size(), std::size(names), "calls");
    for (std::size_t i = 0; i < inside.size(); ++i) {
      expect_equal(
          inside[i],
          fmt::format("usage: {} was called inside a handler: a handler may only reply", names[i]),
          "the refusal");
    }
    world.barrier();
  });
}

TEST_P(Arguments, MoreValuesThanThereAreBytesAreRefused) {
  run(2, [](World& world) {
    constexpr std::size_t kMany = (std::size_t{1} << 61) + 2;  // whose bytes come to 16
    const std::string refused = error_of([&] { world.allocate_array<double>(kMany); });
    expect(refused.starts_with("out_of_memory: cannot allocate 18446744073709551615 bytes"),
           refused);
    const Symmetric<double> none{0, kMany};
    expect(error_of([&] { world.local(none); }).starts_with("invalid_argument: "), "the range");
    int got = 0;
    expect_equal(error_of([&] { world.receive(0, -2, &got, sizeof got); }),
                 "invalid_argument: no message has the tag -2: expected 0 or more, or any",
                 "the tag");
  });
}

TEST_P(Arguments, PatienceMayBeForEver) {
  options.patience = std::chrono::milliseconds::max();
  run(3, [](World& world) { world.barrier(); });
}

TEST_P(Arguments, MoreMemoryThanThereAreAddressesIsRefused) {
  options.heap_bytes = SIZE_MAX;
  EXPECT_TRUE(
      failure_of(GetParam(), cells_anywhere(2), options, [](World&) { return; })
          .starts_with(
              "a heap of 18446744073709551615 bytes for each of 2 cells: expected at most "));
}

TEST_P(Arguments, AllocationsThatCannotBeAreRefused) {
  options.heap_bytes = 10'000;
  run(2, [](World& world) {
    check({
        {[&] { world.allocate(8, 3); },
         "invalid_argument: cannot align symmetric memory to 3: expected a power of two up to "
         "4096"},
        {[&] { world.allocate(8, 8192); },
         "invalid_argument: cannot align symmetric memory to 8192: expected a power of two up to "
         "4096"},
        {[&] { world.allocate(8, 0); },
         "invalid_argument: cannot align symmetric memory to 0: expected a power of two up to "
         "4096"},
    });
    world.allocate(6000);
    const std::string error = error_of([&] { world.allocate(6000); });
    expect(error.starts_with("out_of_memory: cannot allocate 6000 bytes of symmetric memory: ") &&
               error.ends_with(" of 10000 are left (WorldOptions::heap_bytes)"),
           error);
    world.allocate(3000);
    world.barrier();
  });
}

TEST_P(Arguments, AllocationsThatDifferAreRefusedOnAllCells) {
  run(2, [](World& world) {
    const std::string error =
        error_of([&] { world.allocate(100 + 28 * static_cast<std::size_t>(world.cell())); });
    expect_equal(
        error,
        fmt::format("invalid_argument: cells allocate different things: {} bytes aligned to "
                    "64 on cell {}, up to 128 aligned to 64 elsewhere; expected the same on "
                    "every cell",
                    world.cell() == 0 ? 100 : 128, world.cell()),
        "the refusal");
    world.barrier();
  });
}

}  // namespace
}  // namespace kinjo::comm::test
