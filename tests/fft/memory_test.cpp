#include <sys/resource.h>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/fft.hpp>
#include <kinjo/memory.hpp>
#include <kinjo/topology.hpp>

#include "fft/direct.hpp"
#include "support/expect.hpp"
#include "support/failing_maps.hpp"
#include "support/failing_new.hpp"

namespace kinjo {
namespace {

/// Whether a plan could be made; nothing but this error may come out.
template <class Make>
bool made(Make&& make) {
  try {
    make();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::out_of_memory) << error.what();
    return false;
  }
  return true;
}

using Shape = std::vector<std::size_t>;

/// One sweep, two of them, convolutions of pairs and of whole lines, several axes, parts of an
/// array, and what takes a work array.
const Shape kShapes[] = {{1}, {30}, {37}, {67}, {134}, {1024}, {64, 64}, {67, 6}, {1 << 17}};

/// `attempt` with each of its allocations, or each of its maps, failing in turn; nothing may be
/// left of it in the process. Returns how many failures there were.
template <class Attempt>
int fail_each_map(Attempt attempt) {
  for (int nth = 1;; ++nth) {
    const std::size_t before = test::mapped_bytes;
    test::maps_left = nth;
    const bool succeeded = attempt();
    const bool none_failed = test::maps_left > 0;
    test::maps_left = -1;
    EXPECT_EQ(test::mapped_bytes, before);
    EXPECT_EQ(succeeded, none_failed) << "map " << nth;
    if (none_failed || testing::Test::HasFailure()) return nth - 1;
  }
}

/// Each way to make a plan of a shape.
template <class F>
void for_each_plan(Team& team, const Shape& lengths, const F& f) {
  const fft::Shape shape(lengths);  // whoever makes one sees to its memory
  f([&] { return made([&] { Fft<double> plan(shape); }); });
  f([&] { return made([&] { RealFft<float> plan(shape); }); });
  f([&] { return made([&] { Fft<float> plan(team, shape); }); });
}

/// Whether what the library maps is counted, and can be made to fail.
bool counts_maps() {
  const std::size_t before = test::mapped_bytes;
  const auto buffer = kinjo::alloc(page_bytes());
  return test::mapped_bytes != before;
}

Mapping two_threads() {
  return Mapping(Topology::this_machine(), Policy::none(), 2, Oversubscribe::wrap);
}

TEST(FftMemory, IsLeftToNobodyWhereAnAllocationFails) {
  // What the process keeps (the machine, the level of vector instructions) is there already.
  Team team(two_threads());
  const Fft<double> before(team, {12, 40});
  for (const Shape& shape : kShapes) {
    for_each_plan(team, shape, [&](const auto& make) {
      const std::size_t mapped = test::mapped_bytes;
      const auto check = [&](int) { EXPECT_EQ(test::mapped_bytes, mapped); };
      EXPECT_GT(test::fail_each_allocation(make, check), 3);
    });
  }
}

TEST(FftMemory, IsLeftToNobodyWhereAMapFails) {
  Team team(two_threads());
  const Fft<double> before(team, {12, 40});
  if (!counts_maps()) GTEST_SKIP() << "the library is shared, and maps by itself";
  int failures = 0;
  for (const Shape& shape : kShapes) {
    for_each_plan(team, shape, [&](const auto& make) { failures += fail_each_map(make); });
  }
  EXPECT_GT(failures, 40);
}

TEST(FftMemory, IsNotThereForOneTransformAndForTheNextOneItIs) {
  Team team(two_threads());
  // Both threads do a part of the line and so need a buffer, also where it would fit a cache.
  const fft::Options two_sweeps{.cuts = {fft::Cut::parse("256x512")}};
  const Fft<double> plan(team, 1 << 17, two_sweeps);
  const auto x = test::random_numbers<double>(plan.size());
  auto y = x, expected = x;
  plan.forward(x.data(), expected.data());
  // Threads keep their buffers: a new team's have none yet.
  Team others(two_threads());
  const Fft<double> again(others, 1 << 17, two_sweeps);
  if (!counts_maps()) GTEST_SKIP() << "the library is shared, and maps by itself";
  test::maps_left = 1;
  EXPECT_FALSE(made([&] { again.forward(x.data(), y.data()); }));
  test::maps_left = -1;
  again.forward(x.data(), y.data());
  EXPECT_EQ(y, expected);
}

TEST(FftMemory, IsRefusedWhereThereIsNotEnough) {
  const std::size_t n = std::size_t{1} << 56;
  EXPECT_EQ(test::error_of([&] { Fft<double> plan({n, 2}); }).substr(0, 14), "out_of_memory:");
  // Tables alone of this many would fill most machines before work arrays are asked for.
  const std::string large = test::error_of([] { Fft<double> plan(std::size_t{1} << 44); });
  EXPECT_THAT(large,
              testing::StartsWith("out_of_memory: fft: a plan of shape 17592186044416 takes "));
}

/// What `make` throws where the process may have no more than it has and `more` bytes.
template <class Make>
std::string error_within(std::size_t more, Make&& make) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  const rlimit narrow{pages * 4096 + more, before.rlim_max};
  setrlimit(RLIMIT_AS, &narrow);
  std::string error = test::error_of(std::forward<Make>(make));
  setrlimit(RLIMIT_AS, &before);
  return error;
}

/// What lacks is named by its bytes; tables, which take a sixteenth of them, would not be.
TEST(FftMemory, IsAskedForBeforeTablesAreMade) {
  const std::size_t n = std::size_t{1} << 30, prime = n - 35, more = 64 << 20;
  Team team(two_threads());
  for (const std::string& error :
       {error_within(more, [&] { Fft<double> plan(n); }),
        error_within(more, [&] { Fft<double> plan(team, n); }),
        error_within(more, [&] { Fft<double> plan(prime); }),
        error_within(more, [&] { RealFft<double> plan(n); }), error_within(more, [&] {
          RealFft<float> plan({6, n});
        })}) {
    // The latter where the machine itself is too small.
    EXPECT_THAT(error, testing::AnyOf(testing::StartsWith("out_of_memory: cannot allocate "),
                                      testing::StartsWith("out_of_memory: fft: a plan of shape ")));
  }
}

TEST(FftMemory, IsStated) {
  const Fft<double> small(64), large(1 << 22);
  EXPECT_GT(small.table_bytes(), 0u);
  EXPECT_GE(large.work_bytes(), (std::size_t{1} << 22) * sizeof(std::complex<double>));
}

}  // namespace
}  // namespace kinjo
