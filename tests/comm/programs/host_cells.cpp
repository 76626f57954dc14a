// A cell for tests/comm/test_hosts.py, which starts several on several hosts.
//
//   host_cells ring                 every way to reach every other cell; prints "cell N: good"
//   host_cells meet                 a reduction; prints "cell N: good"
//   host_cells wait PATIENCE_MS     meets the others, prints "cell N: ready", then waits for a flag
//                                   that nobody raises; says how that ends, and when (Unix time)
//   host_cells put PATIENCE_MS      the same while putting to its right neighbour all the time
//   host_cells unwind PATIENCE_MS   as wait, but what it catches has ended its world
//   host_cells desert PATIENCE_MS   the same in a barrier to which cell 2, which has left, does not
//   come host_cells absent PATIENCE_MS   cell 1 sleeps instead of joining host_cells late
//   PATIENCE_MS     cell 1 joins when seven tenths of the patience are over host_cells leave
//   PATIENCE_MS    cell 1 leaves without a barrier; the others ask it for data host_cells refuse
//   wrong arguments, which never leave the caller
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <kinjo/comm.hpp>
#include <kinjo/comm_start.hpp>

namespace {

using namespace kinjo::comm;

// UCX puts hooks into the allocator, which a sanitizer has replaced. Only devices with registered
// memory need them.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
[[maybe_unused]] const int kNoHooks = setenv("UCX_MEM_EVENTS", "n", 1);
#endif

double unix_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

template <class... T>
void say(const char* format, T... arguments) {
  std::printf(format, arguments...);
  std::fflush(stdout);
}

void expect(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

std::vector<std::uint64_t> numbers(int cell, std::size_t count) {
  std::vector<std::uint64_t> values(count);
  std::iota(values.begin(), values.end(), static_cast<std::uint64_t>(cell) << 32);
  return values;
}

void ring_of_puts_and_gets(World& world) {
  constexpr std::size_t kCount = 50'000;
  const auto area = world.allocate_array<std::uint64_t>(kCount);
  const auto flag = world.allocate_array<std::uint64_t>(1);
  const int right = (world.cell() + 1) % world.cells();
  const int left = (world.cell() + world.cells() - 1) % world.cells();
  const auto mine = numbers(world.cell(), kCount);
  for (std::uint64_t round = 1; round <= 20; ++round) {
    Completion local;
    world.put_signal(right, area.offset, mine.data(), kCount * 8,
                     {.flag = flag.offset, .value = round}, &local);
    world.wait_flag(flag.offset, Until::equal, round);
    const auto here = world.local(area);
    expect(std::vector<std::uint64_t>(here.begin(), here.end()) == numbers(left, kCount),
           "what the left cell has put");
    std::vector<std::uint64_t> back(kCount);
    Completion done;
    world.get(right, back.data(), area.offset, kCount * 8, done);
    world.wait(done);
    expect(back == mine, "what was got back");
    world.wait(local);
    world.barrier();
  }
}

void puts_to_all(World& world) {
  constexpr std::size_t kCount = 20'000;
  const auto me = static_cast<std::size_t>(world.cell());
  const auto cells = static_cast<std::size_t>(world.cells());
  const auto area = world.allocate_array<std::uint64_t>(cells * kCount);
  const auto arrived = world.allocate_array<std::uint64_t>(1);
  const auto mine = numbers(world.cell(), kCount);
  const Signal one_more{.flag = arrived.offset, .value = 1, .op = SignalOp::add};
  std::vector<Target> targets;
  for (int cell = 0; cell < world.cells(); ++cell) {
    targets.push_back({cell, area.at(me * kCount), one_more});
  }
  Completion local;
  world.put_signal_to_all(targets, mine.data(), kCount * 8, &local);
  world.wait_flag(arrived.offset, Until::equal, cells);
  for (std::size_t from = 0; from < cells; ++from) {
    const auto here = world.local(area).subspan(from * kCount, kCount);
    expect(std::vector<std::uint64_t>(here.begin(), here.end()) ==
               numbers(static_cast<int>(from), kCount),
           "what has been put to all");
  }
  world.wait(local);
  world.barrier();
}

void collectives_and_messages(World& world, std::vector<std::string>& answers) {
  const double cells = world.cells();
  expect(world.all_reduce(world.cell() + 1.0, ReduceOp::sum) == cells * (cells + 1) / 2, "a sum");
  const auto text = world.allocate_array<std::uint64_t>(1000);
  if (world.cell() == 0) world.local(text)[999] = 4711;
  world.broadcast(0, text.offset, 8000);
  expect(world.local(text)[999] == 4711, "a broadcast");
  for (int other = 0; other < world.cells(); ++other) world.request(other, 0, "how", 3);
  world.wait_until([&] { return answers.size() == static_cast<std::size_t>(world.cells()); });
  for (const auto& answer : answers) expect(answer == "how are you", "an answer");
  const auto mine = numbers(world.cell(), 30'000);
  for (int other = 0; other < world.cells(); ++other) {
    if (other != world.cell()) world.send(other, 5, mine.data(), mine.size() * 8);
  }
  for (int other = 0; other < world.cells(); ++other) {
    if (other == world.cell()) continue;
    std::vector<std::uint64_t> theirs(30'000);
    const Received received = world.receive(other, 5, theirs.data(), theirs.size() * 8);
    expect(received.bytes == theirs.size() * 8 && theirs == numbers(other, 30'000), "a message");
  }
  world.barrier();
}

int ring() {
  std::vector<std::string> answers;
  WorldOptions options;
  options.handlers = {
      {"ask",
       [](Message& message) {
         const std::string text(static_cast<const char*>(message.data()), message.bytes());
         const std::string answer = text + " are you";
         message.reply(1, answer.data(), answer.size());
       }},
      {"answer", [&](Message& message) {
         answers.emplace_back(static_cast<const char*>(message.data()), message.bytes());
       }}};
  World world = join(options);
  ring_of_puts_and_gets(world);
  puts_to_all(world);
  collectives_and_messages(world, answers);
  say("cell %d of %d: good\n", world.cell(), world.cells());
  world.barrier();
  return 0;
}

/// Only comes, and goes in order.
int meet() {
  World world = join({.heap_bytes = 4096});
  const double cells = world.cells();
  expect(world.all_reduce(world.cell(), ReduceOp::sum) == cells * (cells - 1) / 2, "a sum");
  say("cell %d of %d: good\n", world.cell(), world.cells());
  world.barrier();
  return 0;
}

/// What a cell says that comes to its end by another's.
int end_by(const std::function<void()>& body, int cell) {
  try {
    body();
  } catch (const CellLost& error) {
    say("cell %d: %.3f: %s\n", cell, unix_time(), error.what());
    return 0;
  }
  say("cell %d: nothing was lost\n", cell);
  return 1;
}

enum class Meanwhile { nothing, puts };

void say_ready(const World& world) {
  char name[64];
  gethostname(name, sizeof(name));
  say("cell %d: ready on %s\n", world.cell(), name);
}

int wait_for_ever(World& world, Meanwhile meanwhile) {
  const auto flag = world.allocate_array<std::uint64_t>(1);
  const auto area = world.allocate_array<std::byte>(1 << 20);
  const std::vector<std::byte> data(1 << 20);
  world.barrier();
  say_ready(world);
  return end_by(
      [&] {
        // Each puts as soon as its left neighbour has.
        for (std::uint64_t round = 1; meanwhile == Meanwhile::puts; ++round) {
          Completion local;
          world.put_signal((world.cell() + 1) % world.cells(), area.offset, data.data(),
                           data.size(), {.flag = flag.offset, .value = round}, &local);
          world.wait(local);
          world.wait_flag(flag.offset, Until::at_least, round);
        }
        world.wait_flag(flag.offset, Until::equal, 1);
      },
      world.cell());
}

int unwind(const WorldOptions& options, int cell) {
  return end_by(
      [&] {
        World world = join(options);
        const auto flag = world.allocate_array<std::uint64_t>(1);
        world.barrier();
        say_ready(world);
        world.wait_flag(flag.offset, Until::equal, 1);
      },
      cell);
}

int desert(const WorldOptions& options, int cell) {
  const auto meet = [&](int times) {
    World world = join(options);
    for (int i = 0; i < times; ++i) world.barrier();
  };
  if (cell != 2) return end_by([&] { meet(2); }, cell);
  meet(1);
  return 0;
}

int leave(World& world) {
  const auto flag = world.allocate_array<std::uint64_t>(1);
  world.barrier();
  if (world.cell() == 1) return 0;
  return end_by(
      [&] {
        std::uint64_t value = 0;
        for (;;) {
          Completion done;
          world.get(1, &value, flag.offset, 8, done);
          world.wait(done);
        }
      },
      world.cell());
}

int refuse() {
  World world = join({});
  const auto area = world.allocate_array<std::uint64_t>(1);
  const int other = (world.cell() + 1) % world.cells();
  const auto refused = [&](const std::function<void()>& call) {
    try {
      call();
      say("cell %d: not refused\n", world.cell());
    } catch (const kinjo::Error& error) {
      say("cell %d: %s\n", world.cell(), error.what());
    }
  };
  const std::uint64_t value = 1;
  refused([&] { world.put(other, Offset{1} << 40, &value, 8); });
  refused([&] { world.put(other, ~Offset{0}, &value, 8); });
  refused([&] { world.put(world.cells(), area.offset, &value, 8); });
  refused([&] { world.put_signal(other, area.offset, &value, 8, {.flag = area.offset + 4}); });
  refused([&] { world.request(other, 3, &value, 8); });
  world.barrier();
  return 0;
}

int run(std::string_view mode, long patience_ms) {
  WorldOptions options;
  options.patience = std::chrono::milliseconds(patience_ms);
  if (mode == "ring") return ring();
  if (mode == "meet") return meet();
  if (mode == "refuse") return refuse();
  const char* const rank = std::getenv("PMIX_RANK");
  const int cell = rank == nullptr ? 0 : std::atoi(rank);
  if (mode == "absent") {
    if (cell == 1) std::this_thread::sleep_for(std::chrono::hours(1));
    return end_by([&] { join(options); }, cell);
  }
  if (mode == "unwind") return unwind(options, cell);
  if (mode == "desert") return desert(options, cell);
  if (mode == "late" && cell == 1) std::this_thread::sleep_for(options.patience * 7 / 10);
  World world = join(options);
  if (mode == "late") {
    world.barrier();
    say("cell %d of %d: good\n", world.cell(), world.cells());
    return 0;
  }
  if (mode == "leave") return leave(world);
  return wait_for_ever(world, mode == "put" ? Meanwhile::puts : Meanwhile::nothing);
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(count > 1 ? words[1] : "ring", count > 2 ? std::atol(words[2]) : 10'000);
  } catch (const std::exception& error) {
    say("error: %s\n", error.what());
    return 2;
  }
}
