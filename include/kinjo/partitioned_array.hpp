/// Memory whose pages lie where a partition says.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <kinjo/error.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/memory.hpp>
#include <kinjo/partition.hpp>

namespace kinjo {

/// What runs a function once on each place of a mapping; `Team` is one.
template <class R>
concept PlaceRunner = requires(R& r, void (*f)(const Place&)) {
  { r.mapping() } -> std::convertible_to<const Mapping&>;
  r.run(f);
};

/// How an array is dealt to the threads of a team.
struct ArrayOptions {
  Layout layout = Layout::block;
  std::size_t chunk = 0;  ///< elements, for `Layout::block_cyclic`
  Pages pages = Pages::normal;
};

/// Pages of an array by the node that they were asked for.
struct ArrayAudit {
  std::map<int, Audit> by_owner_node;  ///< node asked for (−1: none) → where its pages are
  /// Pages on the node that they were asked for.
  std::size_t as_asked() const;
  /// All pages.
  std::size_t pages() const;
  /// Everything, whatever was asked.
  Audit total() const;
};

namespace detail {

/// Elements in the smallest run that is a whole number of pages.
inline std::size_t page_granule(std::size_t element_bytes, std::size_t page) {
  return std::lcm(element_bytes, page) / element_bytes;
}
Partition make_partition(const ArrayOptions& options, std::size_t size, std::size_t parts,
                         std::size_t granule);

/// The granule of an array in `pages` that were had: whole pages of the system's pool; whole huge
/// pages where transparent ones were asked for and leave each part so many that the parts stay
/// even; else whole pages.
std::size_t array_granule(std::size_t element_bytes, std::size_t size, std::size_t parts,
                          Pages pages);

/// Adds to the message of a placement how many pages lie where they were asked to be.
void add_counts(PlacementReport& report, const ArrayAudit& audit);

/// Binds every piece to its owner's node, as far as the kernel's limit on mappings allows.
PlacementReport bind_partition(Buffer& buffer, const Partition& partition, const Mapping& mapping,
                               std::size_t element_bytes);
ArrayAudit audit_partition(const Buffer& buffer, const Partition& partition, const Mapping& mapping,
                           std::size_t element_bytes);

}  // namespace detail

/// `size` elements, value-initialised by the threads that own them.
///
/// Each page has one owner: the partition is rounded to pages (`partition().rounding()` says how).
/// A page is bound to the node of its owner and touched first by its owner, so that it lies right
/// even where the kernel refuses `mbind`; under policy `none` it is only touched.
///
/// The array keeps no reference to the team. Element access needs no synchronisation beyond what
/// the elements themselves need. One that was moved from has no elements.
template <class T>
class PartitionedArray {
  static_assert(std::is_trivially_destructible_v<T>, "elements are dropped with their pages");

 public:
  /// Throws `Error` (`invalid_argument` for 0 elements, `out_of_memory`).
  template <PlaceRunner R>
  PartitionedArray(R& runner, std::size_t size, const ArrayOptions& options = {})
      : mapping_(std::make_shared<const Mapping>(runner.mapping())),
        buffer_(alloc_elements(size, options.pages)),
        partition_(detail::make_partition(
            options, size, mapping_->size(),
            detail::array_granule(sizeof(T), size, mapping_->size(), buffer_.pages().pages))),
        report_(detail::bind_partition(buffer_, partition_, *mapping_, sizeof(T))) {
    runner.run([this](const Place& me) {
      for (std::size_t k = 0; k < pieces(me); ++k) {
        const std::span<T> mine = piece(me, k);
        std::uninitialized_value_construct(mine.begin(), mine.end());
      }
    });
    if (report_.rung == Rung::first_touch) detail::add_counts(report_, audit());
  }

  PartitionedArray(PartitionedArray&& other) noexcept
      : mapping_(other.mapping_),
        buffer_(std::move(other.buffer_)),
        partition_(std::exchange(other.partition_, Partition::block(0, mapping_->size()))),
        report_(std::exchange(other.report_, {})) {}
  PartitionedArray& operator=(PartitionedArray&& other) noexcept {
    PartitionedArray taken(std::move(other));  // so that the memory from before is freed here
    std::swap(mapping_, taken.mapping_);
    std::swap(buffer_, taken.buffer_);
    std::swap(partition_, taken.partition_);
    std::swap(report_, taken.report_);
    return *this;
  }

  std::size_t size() const { return partition_.size(); }
  /// All elements, in order, whoever owns them.
  T* data() { return static_cast<T*>(buffer_.data()); }
  const T* data() const { return static_cast<const T*>(buffer_.data()); }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  std::span<T> all() { return {data(), size()}; }
  std::span<const T> all() const { return {data(), size()}; }

  /// What `me` owns in a block layout; throws `Error` (`usage`) in the others, whose parts are not
  /// contiguous: use `piece` there. A place that is none of the team's, such as that of a thread
  /// that nobody has bound, is refused here and below (`invalid_argument`).
  std::span<T> local(const Place& me) {
    if (partition_.layout() != Layout::block) {
      throw Error(Errc::usage, "local() needs a block layout; use pieces() and piece()");
    }
    return piece(me, 0);
  }
  /// How many contiguous pieces `me` owns, and the k-th of them.
  std::size_t pieces(const Place& me) const { return partition_.pieces(part(me)); }
  std::span<T> piece(const Place& me, std::size_t k) {
    const Range r = partition_.piece(part(me), k);
    return {data() + r.begin, r.size()};
  }

  const Partition& partition() const { return partition_; }
  const Mapping& mapping() const { return *mapping_; }
  /// What the kernel said to the binding of its pages.
  const PlacementReport& placement() const { return report_; }
  /// What size of pages was had.
  const PagesReport& pages() const { return buffer_.pages(); }
  /// Where its pages are, beside where they were asked to be.
  ArrayAudit audit() const {
    return detail::audit_partition(buffer_, partition_, *mapping_, sizeof(T));
  }

 private:
  static std::size_t part(const Place& me) { return static_cast<std::size_t>(me.thread); }
  static std::size_t bytes_of(std::size_t size) {
    if (size > static_cast<std::size_t>(-1) / 2 / sizeof(T)) {
      throw Error(Errc::out_of_memory, "an array of that many elements exceeds the address space");
    }
    return size * sizeof(T);
  }
  /// All of them are going to be written. Pages of the pool are reserved, and what the system has
  /// available does not count them; the others are not there yet, and are given back if too many.
  static Buffer alloc_elements(std::size_t size, Pages pages) {
    const std::size_t bytes = bytes_of(size);
    if (pages != Pages::huge) detail::check_room(bytes);
    Buffer buffer = alloc(bytes, {.alignment = alignof(T), .pages = pages});
    if (pages == Pages::huge && buffer.pages().pages != Pages::huge) detail::check_room(bytes);
    return buffer;
  }

  std::shared_ptr<const Mapping> mapping_;
  Buffer buffer_;
  Partition partition_;  ///< cut by the pages that were had
  PlacementReport report_;
};

}  // namespace kinjo
