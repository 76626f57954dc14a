/// Fourier transforms of arrays in `.npy` files (docs/fft_files.md).
///
/// The array is read into memory, transformed there, in place where input and output are complex,
/// and written beside the output's name, which it takes when it is whole.
///
/// In Fortran order the first index runs fastest: in memory that is the array with its axes in the
/// reverse order, and so it is transformed and written. Of several real axes the one that is named
/// last is halved, as in NumPy, wherever it lies: it is transformed by itself, and the others as
/// complex ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/fft_plan.hpp>
#include <kinjo/memory.hpp>
#include <kinjo/team.hpp>

#include "base/npy_file.hpp"
#include "fft/verify.hpp"

namespace kinjo::fft::detail {

struct FileRequest {
  std::string input, output;
  Direction direction = Direction::forward;
  bool real = false;       ///< the side before `forward` is real, the other one half
  std::vector<long> axes;  ///< from the end if negative; empty: all
  std::size_t length = 0;  ///< of the halved axis of what `backward` makes; 0: 2(m − 1)
  Scale forward = Scale::one, backward = Scale::by_n;
};

class FileTransform {
 public:
  using Shape = std::vector<std::size_t>;
  /// Gets the bytes that are done; false ends it.
  using GoOn = std::function<bool(std::uint64_t)>;

  /// Opens the input. Throws `Error`: as `NpyFile`; `bad_input` for elements that do not go with
  /// the request, and no elements; `invalid_argument` for axes that are not there.
  explicit FileTransform(const FileRequest& request);

  const Shape& in_shape() const { return in_shape_; }
  const Shape& out_shape() const { return out_shape_; }
  kinjo::detail::NpyType in_type() const { return file_.header().type; }
  kinjo::detail::NpyType out_type() const { return out_type_; }
  std::uint64_t in_bytes() const { return file_.header().data_bytes(); }
  std::uint64_t out_bytes() const;
  /// Numbers of all transforms: the larger side's.
  double points() const;
  /// Numbers of one transform.
  double transform_points() const;
  /// What all of this takes at most over so many threads, the plan and the verifier included.
  std::uint64_t memory_bytes(bool verified, std::size_t threads = 1) const;

  /// Reads the input. Returns whether it came to the end. Throws `Error`.
  bool load(const GoOn& go_on);
  /// Whether the plan's arrays are one.
  Arrays arrays() const;
  /// What wisdom calls the transform at a place; nothing where it knows no such plans, as of some
  /// of the axes.
  std::optional<Wisdom::Key> wisdom_key(const std::string& place) const;
  /// Over a team, or by the calling thread. The input is not kept. `cuts`: what wisdom holds of the
  /// key; none leave it to the plan.
  void transform(Team* team, const Wisdom::Cuts& cuts = {});
  /// Reads the input again. Of transforms side by side a few are checked.
  Check verify() const;
  /// Writes the output, under another name until it is whole. Returns whether it came to the end.
  bool store(const GoOn& go_on) const;

 private:
  bool in_place() const { return !request_.real; }
  bool single() const;
  Shape in_memory(Shape shape) const;
  /// The input's numbers as they are transformed: integers are read as float64.
  kinjo::detail::NpyType number_type() const;
  std::uint64_t number_bytes() const;
  /// Whether all of the array is one transform, axis after axis as they lie in memory.
  bool is_whole() const;
  std::uint64_t plan_bytes(std::size_t threads) const;
  std::uint64_t verifier_bytes() const;
  std::size_t header_bytes() const { return header_.size(); }
  char* out_data() const { return static_cast<char*>(out_.data()) + header_bytes(); }
  bool read_file(char* to, const GoOn& go_on) const;
  bool read_numbers(char* to, const GoOn& go_on) const;
  template <class T>
  void transform_real(Team* team, const Wisdom::Cuts& cuts);
  template <class T>
  void transform_as(Team* team, const Wisdom::Cuts& cuts);
  template <class T>
  Check verify_as(const T* in) const;

  FileRequest request_;
  kinjo::detail::NpyFile file_;
  Shape in_shape_, out_shape_;
  /// Of the array in memory, in the order of their numbers; but of real transforms the last one is
  /// that which was named last: it is halved.
  Shape axes_;
  kinjo::detail::NpyType out_type_{};
  std::string header_;
  Buffer in_;   ///< of real transforms
  Buffer out_;  ///< header and elements as they will be written
};

}  // namespace kinjo::fft::detail
