#include "workload/fft.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/cache_sizes.hpp>
#include <kinjo/simd.hpp>

#include "base/text.hpp"
#include "fft/plan_bytes.hpp"
#include "support/expect.hpp"
#include "workload/registry.hpp"
#include "workload/run_records.hpp"

namespace kinjo {
namespace {

using test::error_of, test::machine, test::text_of;
using testing::ElementsAre;

FftRequest request_of(std::vector<FftSize> sizes) {
  FftRequest request;
  request.configurations = {Mapping(machine(), Policy::none(), 1)};
  request.sizes = std::move(sizes);
  request.settings.verify = true;
  request.rounds = 1;
  return request;
}

double value_of(const Record& record, const char* metric) {
  return find_metric(record, metric).samples.at(0);
}

TEST(FftSizes, AreReadAndWritten) {
  EXPECT_EQ(parse_fft_size("2^20").shape, (std::vector<std::size_t>{1 << 20}));
  EXPECT_EQ(to_string(parse_fft_size("1000003")), "1000003");
  EXPECT_EQ(to_string(parse_fft_size("4Kx2x3")), "4096x2x3");
  for (const char* wrong : {"", "0", "4x", "x4", "4X4", "-4", "2^99"}) {
    EXPECT_EQ(error_of([&] { parse_fft_size(wrong); }),
              fmt::format("invalid_argument: '{}' as the size of a transform: expected N, AxB or "
                          "AxBxC, each from 1 to 2^62, such as 2^24, 1000003 or 512x512",
                          wrong));
  }
}

TEST(FftSizes, CountWhatEverybodyCounts) {
  EXPECT_DOUBLE_EQ(FftSize{{1024}}.flops(false), 5.0 * 1024 * 10);
  EXPECT_DOUBLE_EQ((FftSize{{32, 32}}).flops(true), 2.5 * 1024 * 10);
}

TEST(FftSizes, CountArraysAndPlans) {
  const double plan = fft::detail::plan_bytes({1000}, {}, {});
  EXPECT_DOUBLE_EQ(fft_bytes({{1000}}, {}), 2 * 16000 + plan);
  EXPECT_DOUBLE_EQ(fft_bytes({{1000}}, {.in_place = true, .copy = true}), 2.5 * 16000 + plan);
  EXPECT_DOUBLE_EQ(fft_bytes({{1000}}, {.number_bytes = 8, .real = true, .threads = 2}),
                   8000 + fft::detail::plan_bytes({1000}, {}, {8, 2, fft::Input::real}));
  EXPECT_GT(fft_bytes({{1000003}}, {}), 2 * 16e6 + 100e6);
}

TEST(RunFft, GivesAVerifiedRecordForEverySizeAndSetting) {
  for (const Precision precision : {Precision::single_, Precision::double_}) {
    for (const auto& [real, in_place] : {std::pair{false, false}, {false, true}, {true, false}}) {
      for (const FftPlacement placement :
           {FftPlacement::block, FftPlacement::cyclic, FftPlacement::none}) {
        FftRequest request = request_of({{{360}}, {{6, 10, 7}}});
        request.configurations = {Mapping(machine(), Policy::none(), 2, Oversubscribe::wrap)};
        request.settings.precision = precision;
        request.settings.real = real;
        request.settings.in_place = in_place;
        request.settings.placement = placement;
        const auto records = run_fft(machine(), request, {});
        ASSERT_EQ(records.size(), 2u);
        for (const Record& record : records) {
          EXPECT_EQ(record.verified, true) << text_of(record.result, "fault");
          EXPECT_EQ(record.metrics.size(), real ? 4u : 6u);
          EXPECT_GT(value_of(record, "mflops"), 0);
        }
      }
    }
  }
}

TEST(RunFft, SaysWhatItsStepsTakeAndMove) {
  FftRequest request = request_of({{{1 << 12}}});
  const Record record = run_fft(machine(), request, {}).front();
  EXPECT_GT(value_of(record, "memory_ms"), 0);
  EXPECT_GT(value_of(record, "compute_ms"), 0);
  for (const char* name : {"load_1_ms", "compute_1_ms", "store_1_ms"}) {
    EXPECT_NE(text_of(record.result, name), "absent") << name;
  }
  EXPECT_GE(std::stoul(text_of(record.result, "load_1_bytes")), 16u << 12);
  EXPECT_NE(text_of(record.result, "plan"), "");
  EXPECT_EQ(text_of(record.parameters, "place"), "out");
}

TEST(RunFft, RemembersTheFastestCutAndUsesIt) {
  FftRequest request = request_of({{{1}}, {{1 << 12}}});
  request.measure = true;
  const auto records = run_fft(machine(), request, {});
  EXPECT_EQ(request.wisdom.size(), 2u);
  for (const Record& record : records) EXPECT_EQ(record.verified, true);
  const auto key =
      fft_wisdom_key(machine(), request.settings, request.configurations[0], request.sizes[0]);
  EXPECT_TRUE(request.wisdom.find(key).has_value()) << request.wisdom.to_string();
  fft::Wisdom again = fft::Wisdom::parse(request.wisdom.to_string());
  FftRequest wise = request_of({{{1}}});
  wise.wisdom = again;
  EXPECT_EQ(run_fft(machine(), wise, {}).front().verified, true);
}

TEST(RunFft, UsesWhatIsRememberedOfJustThatTransform) {
  FftRequest request = request_of({{{1000}}});
  const auto key = [&](const FftSettings& settings) {
    return fft_wisdom_key(machine(), settings, request.configurations[0], request.sizes[0]);
  };
  request.wisdom.remember(key(request.settings), {{{10, 100}}});
  const auto plan_with = [&](const FftSettings& settings) {
    request.settings = settings;
    return text_of(run_fft(machine(), request, {}).front().result, "plan");
  };
  EXPECT_THAT(plan_with({}), testing::HasSubstr("100 lines of 10, "));
  for (const FftSettings& other :
       {FftSettings{.in_place = true}, FftSettings{.deal = fft::Deal::cyclic},
        FftSettings{.in_cache = fft::InCache::stockham}, FftSettings{.overlap = fft::Overlap::on},
        FftSettings{.precision = Precision::single_}}) {
    EXPECT_NE(key(other), key({}));
    EXPECT_THAT(plan_with(other), testing::Not(testing::HasSubstr("100 lines of 10, ")));
  }
}

TEST(RunFft, RemembersForTheseCachesAndVectorInstructions) {
  const FftRequest request = request_of({{{1000}}});
  const auto key =
      fft_wisdom_key(machine(), request.settings, request.configurations[0], request.sizes[0]);
  const CacheSizes& caches = cache_sizes();
  EXPECT_THAT(key.place, testing::EndsWith(fmt::format(
                             ", {}, L1 {}, L2 {}, L3 {}, 1 thread, none", to_string(simd_level()),
                             detail::format_bytes(caches.l1), detail::format_bytes(caches.l2),
                             detail::format_bytes(caches.l3))));
}

TEST(RunFft, TriesEachAxisAndRealNumbersToo) {
  FftRequest request = request_of({{{1 << 10}}, {{48, 20, 6}}});
  request.measure = true;
  request.settings.real = true;
  for (const Record& record : run_fft(machine(), request, {})) EXPECT_EQ(record.verified, true);
  const auto key =
      fft_wisdom_key(machine(), request.settings, request.configurations[0], request.sizes[1]);
  EXPECT_EQ(key.input, fft::Input::real);
  ASSERT_TRUE(request.wisdom.find(key).has_value()) << request.wisdom.to_string();
  EXPECT_EQ(request.wisdom.find(key)->size(), 3u);
}

TEST(RunFft, TellsWhatItDoes) {
  FftRequest request = request_of({{{32}}, {{4, 8}}});
  std::vector<std::string> steps;
  run_fft(machine(), request, [&](const Progress& p) {
    steps.push_back(fmt::format("{}/{} {}", p.done, p.total, p.now));
  });
  EXPECT_THAT(steps, ElementsAre("0/2 32, none, 1 thread", "1/2 4x8, none, 1 thread"));
}

TEST(RunFft, RefusesWhatDoesNotFitBeforeAnythingIsAllocated) {
  FftRequest request = request_of({{{64}}, {{std::size_t{1} << 40}}});
  EXPECT_THAT(error_of([&] { fft_memory(request); }),
              testing::StartsWith("out_of_memory: a transform of 1099511627776 takes 50 TiB: "
                                  "expected at most "));
  EXPECT_THAT(error_of([&] { run_fft(machine(), request, {}); }),
              testing::StartsWith("out_of_memory: "));
}

TEST(FftWorkload, IsFoundByNameAndReadsItsParameters) {
  const auto make = [](std::vector<std::pair<std::string, std::string>> parameters) {
    return find_workload("fft").make(machine(), {.parameters = std::move(parameters)});
  };
  const auto subject = make({{"size", "16x8"}, {"precision", "float"}, {"in_cache", "stockham"}});
  EXPECT_EQ(text_of(subject->parameters(), "size"), "16x8");
  EXPECT_EQ(text_of(subject->parameters(), "in_cache"), "stockham");
  EXPECT_EQ(error_of([&] {
              make({{"overlap", "yes"}});
            }),
            "invalid_argument: unknown overlap 'yes': expected one of automatic, on, off");
  EXPECT_EQ(error_of([&] {
              make({{"plan", "x"}});
            }),
            "invalid_argument: fft has no parameter 'plan': expected size, precision, numbers, "
            "place, data, deal, in_cache, overlap, pages");
  const auto sample = subject->run({Mapping(machine(), Policy::none(), 1)});
  EXPECT_EQ(sample->fault, "");
  EXPECT_EQ(sample->values.size(), subject->metrics().size());
}

}  // namespace
}  // namespace kinjo
