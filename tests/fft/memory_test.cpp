#include <gtest/gtest.h>
#include <kinjo/fft.hpp>
#include <kinjo/topology.hpp>

#include "fft/direct.hpp"
#include "support/expect.hpp"
#include "support/failing_maps.hpp"
#include "support/failing_new.hpp"

namespace kinjo {
namespace {

/// Whether a plan could be made; nothing but these two errors may come out.
template <class Make>
bool made(Make&& make) {
  try {
    make();
  } catch (const std::bad_alloc&) {
    return false;
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
void for_each_plan(Team& team, const Shape& shape, const F& f) {
  f([&] { return made([&] { Fft<double> plan(shape); }); });
  f([&] { return made([&] { RealFft<float> plan(shape); }); });
  f([&] { return made([&] { Fft<float> plan(team, shape); }); });
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
  if (test::mapped_bytes == 0) GTEST_SKIP() << "the library is shared, and maps by itself";
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
  if (test::mapped_bytes == 0) GTEST_SKIP() << "the library is shared, and maps by itself";
  test::maps_left = 1;
  EXPECT_FALSE(made([&] { again.forward(x.data(), y.data()); }));
  test::maps_left = -1;
  again.forward(x.data(), y.data());
  EXPECT_EQ(y, expected);
}

TEST(FftMemory, IsRefusedWhereThereIsNotEnough) {
  const std::size_t n = std::size_t{1} << 56;
  EXPECT_EQ(test::error_of([&] { Fft<double> plan({n, 2}); }).substr(0, 14), "out_of_memory:");
}

TEST(FftMemory, IsStated) {
  const Fft<double> small(64), large(1 << 22);
  EXPECT_GT(small.table_bytes(), 0u);
  EXPECT_GE(large.work_bytes(), (std::size_t{1} << 22) * sizeof(std::complex<double>));
}

}  // namespace
}  // namespace kinjo
