#include <kinjo/partition.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <kinjo/error.hpp>

namespace kinjo {

namespace {

std::size_t divide_up(std::size_t value, std::size_t unit) {
  return value / unit + (value % unit != 0);
}

/// A place of no thread has the number −1 for a part.
void need_part(std::size_t part, std::size_t parts) {
  if (part < parts) [[likely]]
    return;
  throw Error(Errc::invalid_argument,
              fmt::format("part {} of a partition over {} parts: expected 0 to {}",
                          static_cast<std::ptrdiff_t>(part), parts, parts - 1));
}

}  // namespace

const char* to_string(Layout layout) noexcept {
  switch (layout) {
    case Layout::block:
      return "block";
    case Layout::cyclic:
      return "cyclic";
    case Layout::block_cyclic:
      return "block_cyclic";
  }
  return "unknown";
}

Partition::Partition(Layout layout, std::size_t size, std::size_t parts, std::size_t chunk,
                     std::size_t granule)
    : layout_(layout), size_(size), parts_(parts), chunk_(chunk), granule_(granule) {
  if (parts == 0 || granule == 0) {
    throw Error(Errc::invalid_argument,
                fmt::format("a partition over {} parts in granules of {}: expected at least 1 each",
                            parts, granule));
  }
}

Partition Partition::block(std::size_t size, std::size_t parts, std::size_t granule) {
  return {Layout::block, size, parts, 0, granule};
}

Partition Partition::cyclic(std::size_t size, std::size_t parts, std::size_t granule) {
  return {Layout::cyclic, size, parts, granule, granule};
}

Partition Partition::block_cyclic(std::size_t size, std::size_t parts, std::size_t chunk,
                                  std::size_t granule) {
  if (chunk == 0) {
    throw Error(Errc::invalid_argument,
                "a block_cyclic partition in chunks of 0: expected at least 1");
  }
  std::size_t whole = chunk;
  if (granule != 0 && __builtin_mul_overflow(divide_up(chunk, granule), granule, &whole)) {
    whole = std::numeric_limits<std::size_t>::max() / granule * granule;  // more than there can be
  }
  return {Layout::block_cyclic, size, parts, whole, granule};
}

std::size_t Partition::owner(std::size_t index) const {
  if (layout_ != Layout::block) return index / chunk_ % parts_;
  const std::size_t granules = divide_up(size_, granule_);
  const std::size_t least = granules / parts_;
  const std::size_t larger = granules % parts_;  // so many parts own one granule more
  const std::size_t g = index / granule_;
  const std::size_t in_larger = larger * (least + 1);
  return g < in_larger ? g / (least + 1) : larger + (g - in_larger) / least;
}

std::size_t Partition::pieces(std::size_t part) const {
  need_part(part, parts_);
  if (layout_ == Layout::block) return 1;
  const std::size_t chunks = divide_up(size_, chunk_);
  return chunks / parts_ + (part < chunks % parts_);
}

Range Partition::piece(std::size_t part, std::size_t k) const {
  need_part(part, parts_);
  if (layout_ != Layout::block) {
    const std::size_t begin = std::min(size_, (k * parts_ + part) * chunk_);
    return {begin, begin + std::min(chunk_, size_ - begin)};
  }
  const std::size_t granules = divide_up(size_, granule_);
  const std::size_t least = granules / parts_;
  const std::size_t larger = granules % parts_;
  const std::size_t first = part * least + std::min(part, larger);
  const std::size_t last = first + least + (part < larger);
  // The end of an incomplete granule may lie beyond all numbers.
  const auto at = [&](std::size_t g) { return g < granules ? g * granule_ : size_; };
  return {at(first), at(last)};
}

std::size_t Partition::count(std::size_t part) const {
  if (layout_ == Layout::block) return piece(part, 0).size();
  const std::size_t n = pieces(part);
  return n == 0 ? 0 : (n - 1) * chunk_ + piece(part, n - 1).size();
}

std::string Partition::rounding() const {
  std::size_t least = size_;
  std::size_t most = 0;
  for (std::size_t part = 0; part < parts_; ++part) {
    least = std::min(least, count(part));
    most = std::max(most, count(part));
  }
  const std::string chunks =
      layout_ == Layout::block_cyclic ? fmt::format(" in chunks of {}", chunk_) : std::string();
  return fmt::format("{} over {} parts{} in granules of {}: {} to {} elements each (even: {:.1f})",
                     to_string(layout_), parts_, chunks, granule_, least, most,
                     static_cast<double>(size_) / static_cast<double>(parts_));
}

}  // namespace kinjo
