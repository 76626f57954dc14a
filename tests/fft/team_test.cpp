#include <cstring>

#include <gtest/gtest.h>
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

}  // namespace
}  // namespace kinjo
