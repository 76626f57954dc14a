#include "fft/plan_bytes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <kinjo/fft.hpp>

namespace kinjo::fft::detail {
namespace {

/// Of one sweep, of two, over the team, in parts; and convolutions: small ones, of pairs, apart.
const std::vector<std::size_t> kShapes[] = {
    {1},       {1000},       {4096},        {1 << 17},  {1 << 19},   {1 << 21},     {510510},
    {67},      {1009},       {20011},       {100003},   {2 * 50021}, {300007},      {512, 512},
    {64, 300}, {3, 1 << 18}, {128, 64, 96}, {1009, 67}, {64, 2003},  {4, 20011, 3}, {7, 300007}};

constexpr std::size_t kBuffers = 1 << 20;  ///< that are said too small by no more

template <class Plan>
void expect_enough(const Plan& plan, const std::vector<std::size_t>& shape,
                   const PlanConditions& conditions, const Options& options = {}) {
  const double said = plan_bytes(shape, options, conditions);
  const auto taken = static_cast<double>(plan.table_bytes() + plan.work_bytes());
  const std::string what =
      fmt::format("{} × {} bytes, {} threads{}", fmt::join(shape, " × "), conditions.element_bytes,
                  conditions.threads, conditions.input == Input::real ? ", real" : "");
  EXPECT_GE(said + kBuffers, taken) << what;
  EXPECT_LE(said, 3 * taken + kBuffers) << what;
}

TEST(PlanBytes, AreWhatAPlanTakes) {
  for (const auto& shape : kShapes) {
    expect_enough(Fft<double>(shape), shape, {16, 1});
    expect_enough(Fft<float>(shape), shape, {8, 1});
    expect_enough(RealFft<double>(shape), shape, {16, 1, Input::real});
  }
}

TEST(PlanBytes, AreWhatAPlanOfRealColumnsTakes) {
  const Options columns{.axes = {0}};
  for (const auto& shape : std::vector<std::vector<std::size_t>>{
           {64, 300}, {4096, 24}, {1 << 17, 8}, {1 << 17, 7}, {20011, 16}, {510510, 4}}) {
    expect_enough(RealFft<double>(shape, columns), shape, {16, 1, Input::real}, columns);
  }
}

TEST(PlanBytes, AreWhatAPlanOverATeamTakes) {
  Team team(Mapping(Topology::this_machine(), Policy::none(), 2, Oversubscribe::wrap));
  for (const auto& shape : kShapes) {
    expect_enough(Fft<double>(team, shape), shape, {16, 2});
    expect_enough(Fft<float>(team, shape), shape, {8, 2});
  }
}

}  // namespace
}  // namespace kinjo::fft::detail
