#include <gtest/gtest.h>
#include <kinjo/fft_plan.hpp>

#include "support/expect.hpp"

namespace kinjo::fft {
namespace {

TEST(FftCut, IsTheSameAfterWritingAndReading) {
  const Cut cuts[] = {
      {{16}, 0, InCache::automatic, Overlap::automatic},
      {{4096, 4096}, 64, InCache::in_place, Overlap::on},
      {{256, 256, 256}, 128, InCache::stockham, Overlap::off},
      {{1024}, 0, InCache::direct, Overlap::automatic},
      {},
  };
  for (const Cut& cut : cuts) EXPECT_EQ(Cut::parse(cut.to_string()), cut) << cut.to_string();
  EXPECT_EQ(cuts[1].to_string(), "4096x4096 width 64 in_place overlap");
  EXPECT_EQ(cuts[3].to_string(), "1024 direct");
}

TEST(FftCut, IsRefusedWithTheWordThatIsWrong) {
  const struct {
    const char *text, *what;
  } refusals[] = {
      {"", "'' is not a positive number"},
      {"16x", "'' is not a positive number"},
      {"16x0", "'0' is not a positive number"},
      {"16 width", "'' is not a positive number"},
      {"16 width 4 width 4", "'width' is not expected there"},
      {"16 in_place stockham", "'stockham' is not expected there"},
      {"16 sideways", "'sideways' is not expected there"},
      {"4x4  garbage here", "'' is not expected there"},
      {"10x100  width 16", "'' is not expected there"},
      {"4x4 ", "'' is not expected there"},
      {" 4x4", "'' is not a positive number"},
      {"4x4 width 8 ", "'' is not expected there"},
      {"automatic ", "'automatic' is not a positive number"},
      {"9223372036854775807x2", "the line exceeds the address space"},
  };
  for (const auto& r : refusals) {
    EXPECT_EQ(test::error_of([&] { (void)Cut::parse(r.text); }),
              std::string("bad_input: fft: cut '") + r.text + "': " + r.what +
                  ": expected e.g. '4096x4096 width 64 in_place overlap'");
  }
}

TEST(FftCut, IsRefusedInALineToRead) {
  EXPECT_EQ(test::error_of([] { (void)Cut::parse("4x4 \033[31m\xff"); }),
            "bad_input: fft: cut '4x4 ?[31m?': '?[31m?' is not expected there: expected e.g. "
            "'4096x4096 width 64 in_place overlap'");
}

}  // namespace
}  // namespace kinjo::fft
