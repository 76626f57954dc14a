/// Send and receive through a receive buffer.
#include <cstring>
#include <vector>

#include "comm/cells.hpp"

namespace kinjo::comm::test {
namespace {

using TwoSided = Cells;
KINJO_IN_EVERY_WORLD(TwoSided);

TEST_P(TwoSided, MessagesOfOneCellAndTagKeepTheirOrder) {
  run(3, [](World& world) {
    constexpr int kMessages = 600;
    if (world.cell() != 0) {
      for (int i = 0; i < kMessages; ++i) world.send(0, i % 3, &i, sizeof i);
    } else {
      // The tags from the last to the first, so that all others wait in the buffer.
      for (int tag = 2; tag >= 0; --tag) {
        for (int from = 1; from <= 2; ++from) {
          for (int i = tag; i < kMessages; i += 3) {
            int got = -1;
            const Received r = world.receive(from, tag, &got, sizeof got);
            expect(r.from == from && r.tag == tag && r.bytes == sizeof got, "the envelope");
            expect_equal(got, i, "the message");
          }
        }
      }
    }
    world.barrier();
  });
}

TEST_P(TwoSided, AnySenderAndAnyTagGiveTheOldest) {
  run(3, [](World& world) {
    if (world.cell() != 0) {
      for (int i = 0; i < 100; ++i) {
        const int value = 1000 * world.cell() + i;
        world.send(0, i, &value, sizeof value);
      }
    } else {
      int next[3] = {};
      for (int i = 0; i < 200; ++i) {
        int got = 0;
        const Received r = world.receive(kAny, kAny, &got, sizeof got);
        expect_equal(got, 1000 * r.from + next[r.from], "the oldest of its sender");
        expect_equal(r.tag, next[r.from]++, "its tag");
      }
    }
    world.barrier();
  });
}

TEST_P(TwoSided, MessagesOfAnySizeArriveWhole) {
  run(2, [](World& world) {
    const std::size_t sizes[] = {0, 1, 56, 64, 4095, 4096, 4097, 8192, 100'001, 3'000'000};
    for (std::size_t k = 0; k < std::size(sizes); ++k) {
      std::vector<std::uint8_t> data(sizes[k]);
      if (world.cell() == 0) {
        fill(data, k);
        world.send(1, 7, data.data(), data.size());
      } else {
        const Received r = world.receive(0, 7, data.data(), data.size());
        expect_equal(r.bytes, sizes[k], "bytes");
        expect_equal(first_wrong(data, k), sizes[k], "bytes that are right");
      }
    }
    world.barrier();
  });
}

TEST_P(TwoSided, BothMaySendLargeMessagesFirst) {
  run(2, [](World& world) {
    std::vector<std::uint8_t> out(2'000'000), in(2'000'000);
    fill(out, static_cast<std::uint64_t>(world.cell()));
    world.send(1 - world.cell(), 0, out.data(), out.size());
    world.receive(1 - world.cell(), 0, in.data(), in.size());
    expect_equal(first_wrong(in, static_cast<std::uint64_t>(1 - world.cell())), in.size(), "right");
    world.barrier();
  });
}

TEST_P(TwoSided, AMessageLargerThanItsRoomIsRefusedAndKept) {
  run(2, [](World& world) {
    const std::uint64_t values[2] = {5, 6};
    if (world.cell() == 0) {
      world.send(1, 3, values, sizeof values);
    } else {
      std::uint64_t got[2] = {};
      expect_equal(error_of([&] { world.receive(0, 3, got, 8); }),
                   "invalid_argument: the message of cell 0 with tag 3 has 16 bytes: expected room "
                   "for them, and there is room for 8",
                   "the refusal");
      expect_equal(got[0], 0u, "the room");
      world.receive(0, 3, got, sizeof got);
      expect_equal(got[1], 6u, "the message");
    }
    world.barrier();
  });
}

}  // namespace
}  // namespace kinjo::comm::test
