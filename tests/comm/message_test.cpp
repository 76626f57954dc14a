/// Active messages: what handlers see, what they may do, and in which order they come.
#include <cstring>
#include <new>
#include <numeric>
#include <vector>

#include "comm/cells.hpp"
#include "support/failing_new.hpp"

namespace kinjo::comm::test {
namespace {

/// What handlers noted in this cell: they run in its own thread, also where cells share a process.
thread_local std::vector<std::uint64_t> seen;
thread_local std::vector<std::string> refusals;

class Messages : public Cells {
 protected:
  void SetUp() override {
    options.handlers = {
        {"note", [](Message& m) { seen.push_back(m.as<std::uint64_t>()); }},
        {"double it",
         [](Message& m) {
           const std::uint64_t twice = 2 * m.as<std::uint64_t>();
           m.reply(0, &twice, sizeof twice);
         }},
        {"measure",
         [](Message& m) {
           const auto* bytes = static_cast<const std::uint8_t*>(m.data());
           seen.push_back(first_wrong({bytes, m.bytes()}, static_cast<std::uint64_t>(m.from())));
         }},
        {"answer long",
         [](Message& m) {
           const auto to = m.as<Offset>();
           std::vector<std::uint8_t> data(10'000);
           fill(data, 1);
           m.reply_long(2, data.data(), data.size(), to);
           std::fill(data.begin(), data.end(), std::uint8_t{0});
         }},
        {"twice",
         [](Message& m) {
           m.reply(0, m.data(), m.bytes());
           refusals.push_back(error_of([&] { m.reply(0, m.data(), m.bytes()); }));
         }},
        {"reply to a reply",
         [](Message& m) {
           refusals.push_back(error_of([&] { m.reply(0, m.data(), m.bytes()); }));
           seen.push_back(0);
         }},
        {"ask back", [](Message& m) { m.reply(5, m.data(), m.bytes()); }},
        {"answer at length",
         [](Message& m) {
           std::vector<std::uint8_t> data(kMediumBytes);
           fill(data, static_cast<std::uint64_t>(1 - m.from()));
           m.reply(2, data.data(), data.size());
         }},
        {"echo", [](Message& m) { m.reply(2, m.data(), m.bytes()); }},
        {"fail", [](Message&) { throw std::runtime_error("a handler's own"); }},
    };
  }

  static void wait_for(World& world, std::size_t messages) {
    world.wait_until([&] { return seen.size() >= messages; });
  }
};
KINJO_IN_EVERY_WORLD(Messages);

TEST_P(Messages, ComeInTheOrderInWhichEachSenderSentThem) {
  run(3, [](World& world) {
    constexpr std::uint64_t kEach = 3000;
    seen.clear();
    const auto me = static_cast<std::uint64_t>(world.cell());
    for (std::uint64_t i = 0; i < kEach; ++i) {
      const std::uint64_t value = me << 32 | i;
      world.request(0, 0, &value, sizeof value);
    }
    if (world.cell() == 0) {
      wait_for(world, 3 * kEach);
      std::uint64_t next[3] = {};
      for (const std::uint64_t value : seen) {
        expect_equal(value & 0xffffffff, next[value >> 32]++, "the number of a message");
      }
    }
    world.barrier();
  });
}

TEST_P(Messages, BringUpToFourKibibytesAlong) {
  run(2, [](World& world) {
    seen.clear();
    const std::size_t sizes[] = {0, 1, 8, 55, 56, 57, 63, 64, 120, 121, 1000, 4095, kMediumBytes};
    if (world.cell() == 0) {
      for (int repeat = 0; repeat < 50; ++repeat) {
        for (const std::size_t bytes : sizes) {
          std::vector<std::uint8_t> data(bytes);
          fill(data, 0);
          world.request(1, 2, data.data(), bytes);
          std::fill(data.begin(), data.end(), std::uint8_t{0});
        }
      }
    } else {
      wait_for(world, 50 * std::size(sizes));
      for (std::size_t i = 0; i < seen.size(); ++i) {
        expect_equal(seen[i], sizes[i % std::size(sizes)], "bytes that are right");
      }
    }
    world.barrier();
  });
}

TEST_P(Messages, OfAnySizeLieWhereTheSenderPutThem) {
  run(2, [](World& world) {
    seen.clear();
    const auto area = world.allocate_array<std::uint8_t>(200'000);
    if (world.cell() == 0) {
      std::vector<std::uint8_t> data(150'001);
      fill(data, 0);
      std::size_t at = 3;  // each at a place of its own: the target reads them at its leisure
      for (const std::size_t bytes : {0ul, 1ul, 65ul, 5000ul, 150'001ul}) {
        Completion sent;
        world.request_long(1, 2, data.data(), bytes, area.at(at), &sent);
        world.wait(sent);
        at += bytes;
      }
    } else {
      wait_for(world, 5);
      expect_equal(seen, std::vector<std::uint64_t>({0, 1, 65, 5000, 150'001}), "right bytes");
      expect_equal(world.local(area)[2], 0, "the byte before");
    }
    world.barrier();
  });
}

TEST_P(Messages, AreAnsweredOnceEach) {
  run(4, [](World& world) {
    constexpr std::uint64_t kEach = 500;
    seen.clear();
    for (std::uint64_t i = 0; i < kEach; ++i) {
      for (int to = 0; to < world.cells(); ++to) world.request(to, 1, &i, sizeof i);
    }
    wait_for(world, 4 * kEach);
    expect_equal(std::accumulate(seen.begin(), seen.end(), std::uint64_t{0}),
                 4 * kEach * (kEach - 1), "the sum of all answers");
    world.barrier();
    expect_equal(seen.size(), 4 * kEach, "answers");
  });
}

TEST_P(Messages, MayBeAnsweredWithDataThatGoesToAPlace) {
  run(2, [](World& world) {
    seen.clear();
    const auto area = world.allocate_array<std::uint8_t>(10'000);
    if (world.cell() == 0) {
      world.request(1, 3, &area.offset, sizeof area.offset);
      wait_for(world, 1);
      expect_equal(seen[0], 10'000u, "bytes that are right");
      expect_equal(first_wrong(world.local(area), 1), 10'000u, "bytes that are there");
    }
    world.barrier();
  });
}

TEST_P(Messages, AreNotAnsweredTwiceNorIsAReply) {
  run(2, [](World& world) {
    seen.clear();
    refusals.clear();
    const std::uint64_t value = 3;
    const std::string refused =
        "usage: a handler may reply once, and only to a request: this message has been answered or "
        "is a reply itself";
    if (world.cell() == 0) {
      world.request(1, 4, &value, sizeof value);
      world.request(1, 6, &value, sizeof value);
      wait_for(world, 2);
      expect_equal(refusals, std::vector{refused}, "of the reply to the reply");
      world.barrier();
    } else {
      world.barrier();
      expect_equal(refusals, std::vector{refused}, "of the second reply");
    }
  });
}

TEST_P(Messages, OfAFailingHandlerFailTheCallThatMadeProgress) {
  run(2, [](World& world) {
    if (world.cell() == 0) {
      world.request(1, 9, nullptr, 0);
    } else {
      std::string caught;
      try {
        world.wait_until([] { return false; }, std::chrono::seconds(20));
      } catch (const std::exception& error) {
        caught = error.what();
      }
      expect_equal(caught, "a handler's own", "what came out");
    }
    world.barrier();
  });
}

TEST_P(Messages, DoNotFillUpWhereBothSidesOnlySend) {
  run(2, [](World& world) {
    constexpr std::size_t kMessages = 2000;
    seen.clear();
    std::vector<std::uint8_t> data(kMediumBytes);
    fill(data, static_cast<std::uint64_t>(world.cell()));
    for (std::size_t i = 0; i < kMessages; ++i) {
      world.request(1 - world.cell(), 2, data.data(), data.size());
    }
    wait_for(world, kMessages);
    for (const std::uint64_t right : seen) expect_equal(right, kMediumBytes, "right bytes");
    world.barrier();
  });
}

/// Every ring is full of requests, and each of them wants an answer as long as itself.
TEST_P(Messages, AreAnsweredInFullByCellsThatAskEachOther) {
  run(3, [](World& world) {
    constexpr std::size_t kMessages = 200;
    seen.clear();
    std::vector<std::uint8_t> data(kMediumBytes);
    for (std::size_t i = 0; i < kMessages; ++i) {
      for (int to = 0; to < world.cells(); ++to) {
        // The answer says who it is from: the pattern is that of the cell that answers.
        fill(data, static_cast<std::uint64_t>(to));
        world.request(to, 8, data.data(), data.size());
      }
    }
    world.wait_until([&] { return seen.size() >= 3 * kMessages; }, std::chrono::seconds(20));
    for (const std::uint64_t right : seen) expect_equal(right, kMediumBytes, "right bytes");
    world.barrier();
  });
}

/// Both have filled the way to the other with requests before either makes progress, and every
/// answer is longer than what room there is: neither handler may wait for the other one to end.
TEST_P(Messages, AreAnsweredWhereBothWaysAreFull) {
  run(2, [](World& world) {
    constexpr std::size_t kRequests = 200;
    const auto flag = world.allocate_array<std::uint64_t>(1);
    const int other = 1 - world.cell();
    std::uint64_t step = 0;
    // Meets the other without progress.
    const auto meet = [&] {
      world.signal(other, {.flag = flag.offset, .value = ++step});
      while (world.flag(flag.offset) < step) std::this_thread::yield();
    };
    seen.clear();
    for (int round = 1; round <= 5; ++round) {
      meet();
      for (std::size_t i = 0; i < kRequests; ++i) world.request(other, 7, nullptr, 0);
      meet();
      world.wait_until([&] { return seen.size() >= static_cast<std::size_t>(round) * kRequests; },
                       std::chrono::seconds(5));
      world.barrier();
    }
    for (const std::uint64_t right : seen) expect_equal(right, kMediumBytes, "right bytes");
  });
}

/// The ring is full, so the answer must be kept, which fails at one allocation after the other.
TEST_P(Messages, ForWhichMemoryIsWantingAreNotSentInPart) {
  static thread_local int failing;
  options.handlers = {{"echo",
                       [](Message& m) {
                         kinjo::test::allocations_left = failing;
                         m.reply(1, m.data(), m.bytes());
                         kinjo::test::allocations_left = -1;
                       }},
                      {"note", [](Message& m) { seen.push_back(m.bytes()); }}};
  run(1, [](World& world) {
    int failures = 0;
    const std::vector<std::uint8_t> data(kMediumBytes);
    for (failing = 1; failing < 8; ++failing) {
      seen.clear();
      for (int i = 0; i < 3; ++i) world.request(0, 0, data.data(), data.size());
      for (int i = 0; i < 20; ++i) {
        try {
          world.progress();
        } catch (const std::bad_alloc&) {
          ++failures;
        }
      }
      for (const std::uint64_t bytes : seen) expect_equal(bytes, kMediumBytes, "bytes");
    }
    expect(failures > 0, "an answer has failed");
  });
}

TEST_P(Messages, ReadAsAnotherTypeAreRefused) {
  options.handlers = {{"as int", [](Message& m) {
                         refusals.push_back(error_of([&] { m.as<int>(); }));
                         seen.push_back(1);
                       }}};
  run(2, [](World& world) {
    seen.clear();
    refusals.clear();
    const std::uint64_t value = 1;
    world.request(world.cell(), 0, &value, sizeof value);
    wait_for(world, 1);
    expect_equal(refusals[0], "invalid_argument: a message of 8 bytes was read as a value of 4",
                 "the refusal");
    world.barrier();
  });
}

}  // namespace
}  // namespace kinjo::comm::test
