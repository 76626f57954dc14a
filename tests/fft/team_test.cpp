#include <cstring>

#include <gtest/gtest.h>
#include <kinjo/cache_sizes.hpp>
#include <kinjo/fft.hpp>
#include <kinjo/topology.hpp>

#include "fft/direct.hpp"

namespace kinjo {
namespace {

using Shape = std::vector<std::size_t>;

Mapping mapping_of(std::size_t threads) {
  return Mapping(Topology::this_machine(), Policy::scatter(), threads, Oversubscribe::wrap);
}

template <class T>
void expect_the_same(Team& team, const Shape& shape, const fft::Options& options) {
  const Fft<T> alone(shape, options), together(team, shape, options);
  const auto x = test::random_numbers<T>(alone.size() * alone.batch());
  auto expected = x, y = x;
  alone.forward(x.data(), expected.data());
  together.forward(x.data(), y.data());
  EXPECT_EQ(std::memcmp(y.data(), expected.data(), y.size() * sizeof(y[0])), 0)
      << together.describe();
  alone.backward(x.data(), expected.data());
  together.backward(x.data(), y.data());
  EXPECT_EQ(std::memcmp(y.data(), expected.data(), y.size() * sizeof(y[0])), 0)
      << together.describe();
}

TEST(FftTeam, GivesTheBitsOfOneThread) {
  for (const std::size_t threads : {1u, 2u, 3u}) {
    Team team(mapping_of(threads));
    for (const fft::Deal deal : {fft::Deal::block, fft::Deal::cyclic}) {
      for (const Shape& shape : {Shape{16}, Shape{4096}, Shape{10007}, Shape{64, 64},
                                 Shape{12, 10, 14}, Shape{1 << 14, 2}}) {
        expect_the_same<double>(team, shape, {.deal = deal});
        expect_the_same<float>(team, shape, {.batch = 3, .deal = deal});
      }
      expect_the_same<double>(team, {1 << 16},
                              {.deal = deal, .cuts = {fft::Cut::parse("256x256")}});
      expect_the_same<double>(team, {1 << 15},
                              {.deal = deal, .cuts = {fft::Cut::parse("32x32x32")}});
    }
  }
}

TEST(FftTeam, CountsTheBytesOfEachStep) {
  Team team(mapping_of(2));
  const std::size_t n = 1 << 18, bytes = n * sizeof(std::complex<double>);
  const Fft<double> plan(team, n, {.cuts = {fft::Cut::parse("512x512")}});
  const auto x = test::random_numbers<double>(n);
  auto expected = x, y = x;
  plan.forward(x.data(), expected.data());
  const fft::Profile profile = plan.profile(x.data(), y.data());
  EXPECT_EQ(std::memcmp(y.data(), expected.data(), bytes), 0);
  ASSERT_EQ(profile.sweeps.size(), 2u);
  for (const auto& sweep : profile.sweeps) {
    std::uint64_t loaded = 0, stored = 0;
    for (const auto& thread : sweep.threads) {
      loaded += thread.load.bytes;
      stored += thread.store.bytes;
      EXPECT_GT(thread.compute.ticks, 0u);
    }
    EXPECT_EQ(loaded, bytes);
    EXPECT_GE(stored, bytes);
  }
  EXPECT_LE(profile.bytes(), 5 * bytes);
}

/// In arrays, of what a transform moves; what it makes is right.
template <class T>
double arrays_moved(Team* team, const Shape& shape, std::size_t sweeps = 0) {
  const Fft<T> plan = team ? Fft<T>(*team, shape) : Fft<T>(shape);
  const auto x = test::random_numbers<T>(plan.size());
  auto expected = x, y = x;
  plan.forward(x.data(), expected.data());
  const fft::Profile profile = plan.profile(x.data(), y.data());
  EXPECT_EQ(y, expected) << plan.describe();
  if (sweeps != 0) {
    EXPECT_EQ(profile.sweeps.size(), sweeps) << plan.describe();
  }
  for (const auto& sweep : profile.sweeps) {
    std::uint64_t moving = 0;
    for (const auto& thread : sweep.threads) moving += thread.load.ticks + thread.store.ticks;
    EXPECT_GT(moving, 0u) << sweep.name;
  }
  return static_cast<double>(profile.bytes()) / static_cast<double>(x.size() * sizeof(x[0]));
}

/// Of three axes, too large for the last cache: what is in it moves otherwise.
Shape larger_than_cache() {
  Shape shape = {128, 128, 128};
  while (3 * shape[0] * shape[1] * shape[2] * sizeof(std::complex<double>) <= cache_sizes().l3) {
    shape[0] *= 2;
  }
  return shape;
}

TEST(FftTeam, MovesFiveArraysAtMostInAnyNumberOfAxes) {
  Team two(mapping_of(2));
  for (Team* team : {static_cast<Team*>(nullptr), &two}) {
    for (const Shape& shape :
         {Shape{1000000}, Shape{2048, 512}, larger_than_cache(), Shape{100, 4096}}) {
      const double moved = arrays_moved<double>(team, shape);
      EXPECT_GE(moved, 2) << shape.front();
      EXPECT_LE(moved, 5) << shape.front();
    }
    // Three sweeps and a filter of m ≥ 2n − 1 numbers, twice the chirp, and twiddles.
    const double moved = arrays_moved<double>(team, {300007});
    EXPECT_GE(moved, 18);
    EXPECT_LE(moved, 24);
  }
}

TEST(FftTeam, TheSweepsOfOneThreadAreCountedApart) {
  EXPECT_LE(arrays_moved<double>(nullptr, {1 << 20}, 2), 5);
  arrays_moved<double>(nullptr, {10007}, 5);
}

}  // namespace
}  // namespace kinjo
