/// Which part owns which index range.
#pragma once

#include <cstddef>
#include <string>

namespace kinjo {

/// A half-open range of indices.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
  bool operator==(const Range&) const = default;
};

/// How indices are dealt to parts.
enum class Layout {
  block,         ///< one contiguous range for each part
  cyclic,        ///< granules dealt in turn
  block_cyclic,  ///< chunks of several granules dealt in turn
};
const char* to_string(Layout layout) noexcept;

/// `size` indices dealt to `parts` parts in whole granules, so that what must not be cut (a page,
/// a cache line) has one owner. Only the last granule may be incomplete. Pure arithmetic.
///
/// block: with G = ⌈size/granule⌉ granules, part p owns ⌊G/parts⌋ of them, and one more if
/// p < G mod parts. cyclic and block_cyclic: chunk c belongs to part c mod parts.
class Partition {
 public:
  /// Throws `Error` (`invalid_argument`) if `parts` or `granule` is 0.
  static Partition block(std::size_t size, std::size_t parts, std::size_t granule = 1);
  static Partition cyclic(std::size_t size, std::size_t parts, std::size_t granule = 1);
  /// `chunk` indices at a time, rounded up to whole granules.
  static Partition block_cyclic(std::size_t size, std::size_t parts, std::size_t chunk,
                                std::size_t granule = 1);

  Layout layout() const { return layout_; }
  std::size_t size() const { return size_; }
  std::size_t parts() const { return parts_; }
  std::size_t granule() const { return granule_; }
  std::size_t chunk() const { return chunk_; }  ///< of cyclic layouts; 0 for block

  /// The part that owns `index` (< size).
  std::size_t owner(std::size_t index) const;

  /// In how many contiguous pieces a part's indices lie, and the k-th of them. Both throw `Error`
  /// (`invalid_argument`) for a part that there is not.
  std::size_t pieces(std::size_t part) const;
  Range piece(std::size_t part, std::size_t k) const;

  /// How many indices a part owns.
  std::size_t count(std::size_t part) const;

  /// One line on how the layout was rounded to granules and what that cost in balance, e.g.
  /// `block over 3 parts in granules of 512: 464 to 1024 elements each (even: 666.7)`.
  std::string rounding() const;

 private:
  Partition(Layout layout, std::size_t size, std::size_t parts, std::size_t chunk,
            std::size_t granule);
  Layout layout_;
  std::size_t size_;
  std::size_t parts_;
  std::size_t chunk_;
  std::size_t granule_;
};

}  // namespace kinjo
