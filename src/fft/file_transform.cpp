#include "fft/file_transform.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>
#include <kinjo/fft.hpp>

#include "base/whole_file.hpp"
#include "fft/plan_bytes.hpp"

namespace kinjo::fft::detail {

namespace {

using namespace kinjo::detail;
using Shape = FileTransform::Shape;

constexpr std::size_t kPage = 4096;         // elements begin at one
constexpr std::uint64_t kPiece = 16 << 20;  // bytes that are read at a time

bool is_single(NpyType type) { return type == NpyType::float32 || type == NpyType::complex64; }

std::size_t product(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

Shape axes_of(const std::vector<long>& wanted, std::size_t dimensions) {
  Shape axes(wanted.size());
  if (wanted.empty()) {
    axes.resize(dimensions);
    std::iota(axes.begin(), axes.end(), std::size_t{0});
  }
  const auto most = static_cast<long>(dimensions);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] < -most || wanted[i] >= most) {
      throw Error(Errc::invalid_argument, fmt::format("there is no axis {}: expected -{} to {}",
                                                      wanted[i], most, most - 1));
    }
    axes[i] = static_cast<std::size_t>(wanted[i] < 0 ? wanted[i] + most : wanted[i]);
  }
  Shape sorted = axes;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    throw Error(Errc::invalid_argument,
                fmt::format("axis {} is named twice: expected each once", *twice));
  }
  return axes;
}

/// Which of the transforms along some axes of an array are verified: all, or of many so many, one
/// of each run of neighbouring ones.
class Checked {
 public:
  Checked(const Shape& lengths, const Shape& axes) : lengths_(lengths) {
    for (const std::size_t axis : axes) lengths_[axis] = 1;
    of_ = product(lengths_);
    count_ = std::min(of_, kMost);
  }

  std::size_t count() const { return count_; }
  std::size_t of() const { return of_; }
  double terms() const { return kTerms / static_cast<double>(std::max<std::size_t>(count_, 4)); }
  /// Of the i-th, the index of its first element.
  Shape index(std::size_t i) {
    const std::size_t begin = of_ / count_ * i + std::min(i, of_ % count_);
    const std::size_t run = of_ / count_ + (i < of_ % count_ ? 1 : 0);
    std::size_t rest = begin + random_() % run;
    Shape at(lengths_.size());
    for (std::size_t a = at.size(); a-- > 0;) {
      at[a] = rest % lengths_[a];
      rest /= lengths_[a];
    }
    return at;
  }
  /// Of the transform that begins there, for messages.
  static std::string name(const Shape& at) {
    return fmt::format("of the transform from ({}): ", fmt::join(at, ", "));
  }

 private:
  static constexpr std::size_t kMost = 4096;
  static constexpr double kTerms = 4e7;  // of all together

  Shape lengths_;
  std::size_t of_ = 1, count_ = 1;
  std::mt19937_64 random_{1};
};

/// Elements at the end of the memory that they will fill become wider ones, from the first on.
template <class From, class To>
void widen(To* to, std::size_t bytes, std::size_t count) {
  const char* const from = reinterpret_cast<const char*>(to) + bytes - count * sizeof(From);
  for (std::size_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, from + i * sizeof(From), sizeof(From));
    to[i] = static_cast<To>(value);
  }
}

/// Calls f(T{}) for an element of the type.
template <class F>
void with_integer(NpyType type, const F& f) {
  switch (type) {
    case NpyType::int8:
      return f(std::int8_t{});
    case NpyType::int16:
      return f(std::int16_t{});
    case NpyType::int32:
      return f(std::int32_t{});
    case NpyType::int64:
      return f(std::int64_t{});
    case NpyType::uint8:
    case NpyType::boolean:
      return f(std::uint8_t{});
    case NpyType::uint16:
      return f(std::uint16_t{});
    case NpyType::uint32:
      return f(std::uint32_t{});
    default:
      return f(std::uint64_t{});
  }
}

/// A part of an array that runs along some of its axes, at one index of the others.
template <class T>
std::vector<T> gathered(const T* data, const Shape& shape, const Shape& axes, const Shape& fixed,
                        std::size_t parts) {
  Shape strides(shape.size(), 1);
  for (std::size_t a = shape.size() - 1; a-- > 0;) strides[a] = strides[a + 1] * shape[a + 1];
  std::size_t base = 0, count = 1;
  for (std::size_t a = 0; a < shape.size(); ++a) base += fixed[a] * strides[a];
  for (const std::size_t axis : axes) count *= shape[axis];
  std::vector<T> values;
  values.reserve(count * parts);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i, at = base;
    for (std::size_t k = axes.size(); k-- > 0;) {
      at += rest % shape[axes[k]] * strides[axes[k]];
      rest /= shape[axes[k]];
    }
    for (std::size_t p = 0; p < parts; ++p) values.push_back(data[at * parts + p]);
  }
  return values;
}

double factor(Scale scale, double n) {
  return scale == Scale::one ? 1 : scale == Scale::by_n ? 1 / n : 1 / std::sqrt(n);
}

}  // namespace

FileTransform::FileTransform(const FileRequest& request)
    : request_(request), file_(request.input, NpyElements::any) {
  const NpyHeader& header = file_.header();
  const bool forward = request.direction == Direction::forward;
  if (request.real && is_complex(header.type) == forward) {
    file_.refuse(fmt::format("its elements are {}: expected {} numbers for a {} real transform",
                             to_string(header.type), forward ? "real" : "complex",
                             forward ? "forward" : "backward"));
  }
  if (header.data_bytes() == 0 || header.shape.empty()) {
    file_.refuse(fmt::format("it has shape ({}): expected elements along some axis",
                             fmt::join(header.shape, ", ")));
  }
  in_shape_.assign(header.shape.begin(), header.shape.end());
  out_shape_ = in_shape_;
  axes_ = axes_of(request.axes, in_shape_.size());
  const std::size_t half = axes_.back();
  if (request.real && forward) out_shape_[half] = in_shape_[half] / 2 + 1;
  if (request.real && !forward) {
    const std::size_t length = request.length != 0 ? request.length : 2 * (in_shape_[half] - 1);
    if (length == 0) {
      file_.refuse(
          fmt::format("axis {} has 1 number, which is half of none or of one: expected "
                      "--length 1 for one",
                      half));
    }
    if (length / 2 + 1 != in_shape_[half]) {
      const std::size_t even = 2 * (in_shape_[half] - 1);
      file_.refuse(fmt::format(
          "axis {} has {} numbers, which are no half of {}: expected --length {}", half,
          in_shape_[half], length, even == 0 ? "1" : fmt::format("{} or {}", even, even + 1)));
    }
    out_shape_[half] = length;
  }
  const bool real_out = request.real && !forward;
  out_type_ = is_single(header.type) ? (real_out ? NpyType::float32 : NpyType::complex64)
                                     : (real_out ? NpyType::float64 : NpyType::complex128);
  NpyHeader made{out_type_, header.order, {out_shape_.begin(), out_shape_.end()}};
  header_ = npy_header_text(made, kPage);
  if (header.order == NpyOrder::fortran) {
    for (std::size_t& axis : axes_) axis = in_shape_.size() - 1 - axis;
  }
  std::sort(axes_.begin(), axes_.end() - (request.real ? 1 : 0));
}

/// The axes as they lie, the last one running fastest.
Shape FileTransform::in_memory(Shape shape) const {
  if (file_.header().order == NpyOrder::fortran) std::ranges::reverse(shape);
  return shape;
}

NpyType FileTransform::number_type() const {
  return is_integer(in_type()) ? NpyType::float64 : in_type();
}
std::uint64_t FileTransform::number_bytes() const {
  return product(in_shape_) * bytes_of(number_type());
}

bool FileTransform::single() const { return is_single(out_type_); }

std::uint64_t FileTransform::out_bytes() const { return product(out_shape_) * bytes_of(out_type_); }
double FileTransform::points() const {
  return static_cast<double>(std::max(product(in_shape_), product(out_shape_)));
}
double FileTransform::transform_points() const {
  const Shape in = in_memory(in_shape_), out = in_memory(out_shape_);
  double n = 1;
  for (const std::size_t axis : axes_) n *= static_cast<double>(std::max(in[axis], out[axis]));
  return n;
}

bool FileTransform::is_whole() const {
  return axes_.size() == in_shape_.size() && std::ranges::is_sorted(axes_);
}

/// Of real numbers there is a plan for the halved axis and one for the others.
Arrays FileTransform::arrays() const { return in_place() ? Arrays::one : Arrays::two; }

/// A plan for all axes as they lie is one that wisdom knows; of several real axes the halved one
/// has a plan of its own.
std::optional<Wisdom::Key> FileTransform::wisdom_key(const std::string& place) const {
  if (!is_whole() || (request_.real && axes_.size() > 1)) return std::nullopt;
  const bool backward_real = request_.real && request_.direction == Direction::backward;
  return Wisdom::Key{place, in_memory(backward_real ? out_shape_ : in_shape_),
                     single() ? sizeof(float) : sizeof(double),
                     request_.real ? Input::real : Input::complex};
}

std::uint64_t FileTransform::plan_bytes(std::size_t threads) const {
  const PlanConditions complex{bytes_of(single() ? NpyType::complex64 : NpyType::complex128),
                               threads};
  const Shape in = in_memory(in_shape_), out = in_memory(out_shape_);
  double sum = 0;
  if (!request_.real) {
    sum = detail::plan_bytes(in, {.axes = axes_}, complex);
  } else {
    const bool forward = request_.direction == Direction::forward;
    const PlanConditions real{complex.element_bytes, threads, Input::real};
    const Shape others(axes_.begin(), axes_.end() - 1);
    sum = detail::plan_bytes(forward ? in : out, {.axes = {axes_.back()}}, real);
    if (!others.empty()) sum += detail::plan_bytes(forward ? out : in, {.axes = others}, complex);
  }
  return static_cast<std::uint64_t>(sum);
}

/// The input once more, and of a part of the array copies of both sides.
std::uint64_t FileTransform::verifier_bytes() const {
  if (is_whole()) return number_bytes();
  const Shape in = in_memory(in_shape_), out = in_memory(out_shape_);
  std::uint64_t before = bytes_of(number_type()), after = bytes_of(out_type_);
  for (const std::size_t axis : axes_) {
    before *= in[axis];
    after *= out[axis];
  }
  return number_bytes() + before + after;
}

std::uint64_t FileTransform::memory_bytes(bool verified, std::size_t threads) const {
  const std::uint64_t transforming = (in_place() ? 0 : number_bytes()) + plan_bytes(threads);
  return header_bytes() + out_bytes() +
         std::max(transforming, verified ? verifier_bytes() : std::uint64_t{0});
}

bool FileTransform::read_file(char* to, const GoOn& go_on) const {
  const std::uint64_t offset = file_.header().data_offset, bytes = in_bytes();
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t next = std::min(done + kPiece, bytes);
    file_.read(offset + done, offset + next, offset + next, to + done);
    done = next;
    if (go_on && !go_on(done)) return false;
  }
  file_.check_unchanged();
  return true;
}

bool FileTransform::read_numbers(char* to, const GoOn& go_on) const {
  const std::uint64_t bytes = number_bytes();
  if (!read_file(to + (bytes - in_bytes()), go_on)) return false;
  if (!is_integer(in_type())) return true;
  with_integer(in_type(), [&]<class From>(From) {
    widen<From>(reinterpret_cast<double*>(to), bytes, product(in_shape_));
  });
  return true;
}

bool FileTransform::load(const GoOn& go_on) {
  out_ = alloc(header_bytes() + out_bytes(), {.pages = Pages::transparent});
  std::ranges::copy(header_, static_cast<char*>(out_.data()));
  if (!in_place()) {
    in_ = alloc(number_bytes(), {.pages = Pages::transparent});
    return read_numbers(static_cast<char*>(in_.data()), go_on);
  }
  if (!read_numbers(out_data() + (out_bytes() - number_bytes()), go_on)) return false;
  if (is_complex(number_type())) return true;
  const std::size_t count = product(in_shape_);
  if (single()) {
    widen<float>(reinterpret_cast<std::complex<float>*>(out_data()), out_bytes(), count);
  } else {
    widen<double>(reinterpret_cast<std::complex<double>*>(out_data()), out_bytes(), count);
  }
  return true;
}

namespace {

template <class Plan>
Plan plan_of(Team* team, const Shape& shape, const Options& options) {
  return team ? Plan(*team, shape, options) : Plan(shape, options);
}

}  // namespace

/// The halved axis real, the others complex, on the side of the spectrum.
template <class T>
void FileTransform::transform_real(Team* team, const Wisdom::Cuts& cuts) {
  using Complex = std::complex<T>;
  const bool forward = request_.direction == Direction::forward;
  Options options{
      .axes = {axes_.back()}, .forward = request_.forward, .backward = request_.backward};
  options.cuts = cuts;
  const auto half = plan_of<RealFft<T>>(team, in_memory(forward ? in_shape_ : out_shape_), options);
  const auto others = [&](Complex* spectrum) {
    options.axes.assign(axes_.begin(), axes_.end() - 1);
    if (options.axes.empty()) return;
    options.cuts.clear();
    const auto plan = plan_of<Fft<T>>(team, half.spectrum_shape(), options);
    forward ? plan.forward(spectrum, spectrum) : plan.backward(spectrum, spectrum);
  };
  if (forward) {
    auto* const spectrum = reinterpret_cast<Complex*>(out_data());
    half.forward(static_cast<const T*>(in_.data()), spectrum);
    others(spectrum);
  } else {
    auto* const spectrum = static_cast<Complex*>(in_.data());
    others(spectrum);
    half.backward(spectrum, reinterpret_cast<T*>(out_data()));
  }
}

template <class T>
void FileTransform::transform_as(Team* team, const Wisdom::Cuts& cuts) {
  if (request_.real) return transform_real<T>(team, cuts);
  const Options options{
      .axes = axes_, .forward = request_.forward, .backward = request_.backward, .cuts = cuts};
  const auto plan = plan_of<Fft<T>>(team, in_memory(in_shape_), options);
  auto* const x = reinterpret_cast<std::complex<T>*>(out_data());
  request_.direction == Direction::forward ? plan.forward(x, x) : plan.backward(x, x);
}

void FileTransform::transform(Team* team, const Wisdom::Cuts& cuts) {
  single() ? transform_as<float>(team, cuts) : transform_as<double>(team, cuts);
  in_ = Buffer();
}

template <class T>
Check FileTransform::verify_as(const T* in) const {
  const bool forward = request_.direction == Direction::forward;
  const bool in_real = !is_complex(in_type()), out_real = !is_complex(out_type_);
  const auto* const out = reinterpret_cast<const T*>(out_data());
  const Shape in_lengths = in_memory(in_shape_), out_lengths = in_memory(out_shape_);
  const Shape& full = request_.real && !forward ? out_lengths : in_lengths;
  Shape shape;
  for (const std::size_t axis : axes_) shape.push_back(full[axis]);
  const double scale = factor(forward ? request_.forward : request_.backward, transform_points());
  const Numbers before = in_real ? Numbers::real : request_.real ? Numbers::half : Numbers::complex;
  const Numbers after = out_real ? Numbers::real : request_.real ? Numbers::half : Numbers::complex;
  Checked checked(full, axes_);
  Check all;
  for (std::size_t c = 0; c < checked.count(); ++c) {
    const Shape fixed = checked.index(c);
    std::vector<T> some_in, some_out;
    if (!is_whole()) {
      some_in = gathered(in, in_lengths, axes_, fixed, in_real ? 1 : 2);
      some_out = gathered(out, out_lengths, axes_, fixed, out_real ? 1 : 2);
    }
    const T* const x = is_whole() ? in : some_in.data();
    const T* const y = is_whole() ? out : some_out.data();
    Check one = detail::verify<T>(shape, {x, x + 1, in_real ? 1 : 2, before},
                                  {y, y + 1, out_real ? 1 : 2, after}, request_.direction, scale,
                                  {.terms = checked.terms()});
    one.elements += all.elements;
    one.columns += all.columns;
    if (!one.passed()) {
      if (checked.of() > 1) one.fault = checked.name(fixed) + one.fault;
      return one;
    }
    if (c == 0 || one.error > all.error) {
      all = one;
    } else {
      std::tie(all.elements, all.columns) = std::pair(one.elements, one.columns);
    }
  }
  return all;
}

Check FileTransform::verify() const {
  const Buffer again = alloc(number_bytes());
  read_numbers(static_cast<char*>(again.data()), {});
  return single() ? verify_as(static_cast<const float*>(again.data()))
                  : verify_as(static_cast<const double*>(again.data()));
}

bool FileTransform::store(const GoOn& go_on) const {
  const std::string_view text(static_cast<const char*>(out_.data()), header_bytes() + out_bytes());
  return kinjo::detail::write_whole_file(request_.output, text, go_on);
}

}  // namespace kinjo::fft::detail
