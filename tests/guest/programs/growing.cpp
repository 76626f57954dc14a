// One thread whose array grows, under the eyes of the counter: its region goes with it.
//
//   phase "grow"   stores kBytes, a block after each of many growths
//   phase "read"   loads them
//   phase "moved"  loads them again, out of the array that they were moved to
//   phase "copied" another array goes on in pages that the thread had kept: loads and stores the
//                  144 KiB that it had room for, and stores 64 KiB more
#include <cstdint>
#include <utility>

#include <kinjo/lab.hpp>

#include "memory/growing_array.hpp"

namespace {

using Array = kinjo::detail::GrowingArray<std::uint64_t>;

constexpr std::size_t kBytes = 1 << 20, kBlock = 1 << 12;

void grow(Array& array, std::size_t bytes) {
  const std::size_t before = array.size();
  array.resize(before + bytes / sizeof(std::uint64_t));
  volatile std::uint64_t* const elements = array.data();
  for (std::size_t i = before; i < array.size(); ++i) elements[i] = i;
}

void load(const Array& array) {
  const volatile std::uint64_t* const elements = array.data();
  for (std::size_t i = 0; i < array.size(); ++i) static_cast<void>(elements[i]);
}

}  // namespace

int main() {
  Array array("growing");
  {
    KINJO_PHASE("grow");
    for (std::size_t bytes = 0; bytes < kBytes; bytes += kBlock) grow(array, kBlock);
  }
  {
    KINJO_PHASE("read");
    load(array);
  }
  const Array other(std::move(array));
  {
    KINJO_PHASE("moved");
    load(other);
  }
  Array small("growing");
  grow(small, 96 << 10);
  {
    Array kept;
    grow(kept, 256 << 10);
  }
  KINJO_PHASE("copied");
  grow(small, 64 << 10);
}
