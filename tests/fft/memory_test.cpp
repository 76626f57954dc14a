#include <gtest/gtest.h>
#include <kinjo/fft.hpp>

#include "fft/direct.hpp"
#include "support/expect.hpp"
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

TEST(FftMemory, IsLeftToNobodyWhereAnAllocationFails) {
  // What the process keeps (the machine, the level of vector instructions) is there already.
  const Fft<double> before({12, 40});
  const auto nothing = [](int) {};
  for (const std::size_t n : {1u, 30u, 37u, 1024u}) {
    EXPECT_GT(
        test::fail_each_allocation([&] { return made([&] { Fft<double> plan(n); }); }, nothing), 3);
    EXPECT_GT(
        test::fail_each_allocation([&] { return made([&] { RealFft<float> plan(n); }); }, nothing),
        3);
  }
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
