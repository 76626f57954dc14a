/// What a Fourier transform is asked to do and how it is cut into sweeps, as data.
///
/// A *sweep* takes lines through cache, `width` of them at a time: load, compute, store. A line of
/// n = n1·n2·… elements that does not fit a cache takes one sweep for each factor, and the sweeps
/// have the factors' lengths. docs/fft.md says which factors are good and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinjo {
/// Which thread runs where (kinjo/mapping.hpp).
class Mapping;
/// The machine (kinjo/topology.hpp).
class Topology;
}  // namespace kinjo

namespace kinjo::fft {

/// The lengths of an array's axes, row-major: {n0, n1, n2} has element (i, j, k) at
/// [(i·n1 + j)·n2 + k]. A number is the length of a single line.
class Shape {
 public:
  // Conversions are meant: a plan is for 1 << 20, for {480, 640}, or for the lengths of a vector.
  Shape(std::size_t n) : lengths_{n} {}
  Shape(std::initializer_list<std::size_t> lengths) : lengths_(lengths) {}
  Shape(std::vector<std::size_t> lengths) : lengths_(std::move(lengths)) {}
  const std::vector<std::size_t>& lengths() const { return lengths_; }

 private:
  std::vector<std::size_t> lengths_;
};

/// What the result is multiplied with.
enum class Scale { one, by_n, by_root_n };  ///< 1, 1/n, 1/√n

/// How lines are transformed in cache.
enum class InCache {
  automatic,
  in_place,  ///< Cooley–Tukey in one buffer, digit reversal in the load (S2)
  stockham,  ///< between two buffers, without reversal
  direct,    ///< line by line, with neighbouring elements of a line in a vector; without sweeps
};
/// `automatic`, `in_place`, `stockham` or `direct`.
const char* to_string(InCache in_cache) noexcept;

/// How the lines of a sweep are dealt to the threads of a team: each gets neighbouring ones, or
/// every T-th piece of them.
enum class Deal { block, cyclic };
/// `block` or `cyclic`.
const char* to_string(Deal deal) noexcept;

/// When the next lines of an array in memory are loaded: into a second buffer while the present
/// ones are computed (on), when those are stored (off), or as is fastest (automatic): docs/fft.md.
enum class Overlap { automatic, off, on };
/// `automatic`, `off` or `on`.
const char* to_string(Overlap overlap) noexcept;

/// The largest prime factor of a line that sweeps make; others take a convolution.
inline constexpr std::size_t kLargestPrime = 61;

/// How a line is cut into sweeps.
///
/// As text: `4096x4096 width 64 in_place overlap`; `apart` stands for `Overlap::off`, and
/// `automatic` for a cut without factors, which leaves everything to the plan. A line that is not
/// cut may be transformed directly, `1024 direct`, if its elements lie next to each other.
struct Cut {
  std::vector<std::size_t> factors;  ///< n1, n2, …: their product is the line's length
  /// Lines at a time, or all where there are fewer; 0: as many as suit the caches.
  std::size_t width = 0;
  InCache in_cache = InCache::automatic;
  Overlap overlap = Overlap::automatic;

  /// The cut as text. What it leaves to the plan is not named.
  std::string to_string() const;
  /// Reads what `to_string` writes, and nothing else. Throws `Error` (`bad_input`).
  static Cut parse(std::string_view text);
  bool operator==(const Cut&) const = default;
};

/// What the constructors of plans take besides a shape.
struct Options {
  /// The axes to transform, by number from 0; empty: all.
  std::vector<std::size_t> axes{};
  /// Transforms side by side.
  std::size_t batch = 1;
  /// Elements from one transform of the batch to the next; 0: they lie back to back.
  std::size_t distance = 0;
  /// The same for the complex side of a real transform.
  std::size_t spectrum_distance = 0;
  /// What the results of `forward` and of `backward` are multiplied with; n is the product of the
  /// transformed axes' lengths.
  Scale forward = Scale::one;
  Scale backward = Scale::by_n;
  /// `direct` is for the lines that allow it; others are transformed as by `automatic`.
  InCache in_cache = InCache::automatic;
  /// When the next lines are loaded.
  Overlap overlap = Overlap::automatic;
  /// Which thread transforms which lines.
  Deal deal = Deal::block;
  /// How to cut the lines (`lines_of`) of each transformed axis, in the order of their numbers;
  /// empty, or one without factors: by the machine's caches. One that does not make the line, has
  /// more than three factors or one of several is 1, is for a length with a prime factor above
  /// `kLargestPrime`, or takes more than 2³⁰ numbers at a time is refused (`invalid_argument`).
  std::vector<Cut> cuts{};
};

/// What one thread spent on one step of a sweep.
struct Step {
  std::uint64_t ticks = 0;  ///< of the processor's counter (docs/measure.md)
  std::uint64_t bytes = 0;  ///< loaded from or stored to the caller's arrays and work arrays
};

/// One thread's share of a sweep.
struct SweepProfile {
  Step load, compute, store;
};

/// What the sweeps of a transform took.
struct Profile {
  /// What one of them took, thread by thread.
  struct Sweep {
    std::string name;                   ///< e.g. "4096 columns of 4096"
    std::vector<SweepProfile> threads;  ///< by thread
  };
  std::vector<Sweep> sweeps;
  /// Bytes of all loads and stores, of all threads.
  std::uint64_t bytes() const;
};

/// What is transformed.
enum class Input { complex, real };

/// The lines of an axis.
struct Line {
  std::size_t n = 1;
  std::size_t stride = 1;  ///< elements from one element of a line to the next
  std::size_t lanes = 1;   ///< lines that lie side by side
  bool operator==(const Line&) const = default;
};

/// The lines that a plan for a shape cuts, one for each transformed axis in the order of their
/// numbers. Those of real numbers are half as long on the axis that is halved, if it has an even
/// length and contiguous elements: the numbers are taken in pairs. Throws `Error` as the plan
/// would.
std::vector<Line> lines_of(const Shape& shape, const Options& options = {},
                           Input input = Input::complex);

/// The cuts of a line that are worth trying over `threads` threads, the one that plans choose
/// unasked first; none if n has a prime factor above `kLargestPrime`. `element_bytes` is
/// sizeof(T). Throws `Error` (`invalid_argument`) if that is neither 4 nor 8, or there is no
/// thread.
std::vector<Cut> candidates(const Line& line, std::size_t element_bytes, std::size_t threads = 1);

/// Cuts that were found by trying, kept as text:
///
///     kinjo-fft-wisdom 3
///     AMD EPYC 7763, avx2, 2 threads, scatter: 16777216 double = 4096x4096 width 64 overlap
///     AMD EPYC 7763, avx2, 2 threads, scatter: 512x512x512 double = 512 / 512 width 16 / automatic
///     AMD EPYC 7763, avx2, 2 threads, scatter: 1000000 double real = 500x1000
///
/// What stands before the colon is the key of the place: whatever the best cut depends on besides
/// the transform. `kinjo fft` has the machine with its vector instructions and caches there, the
/// threads, the policy, and what it was asked for. All axes are transformed, and each has its cut.
/// Versions 1 and 2, whose places were of the machine's name alone, are refused.
class Wisdom {
 public:
  /// What a transform is, for looking it up.
  struct Key {
    std::string place;
    std::vector<std::size_t> shape;
    std::size_t element_bytes = sizeof(double);
    Input input = Input::complex;
    auto operator<=>(const Key&) const = default;
  };
  using Cuts = std::vector<Cut>;

  /// Reads what `to_string` writes; lines of one key: the last one holds. Throws `Error`
  /// (`bad_input`) with the number of the line.
  static Wisdom parse(std::string_view text);
  /// All of it as text, a line for each key.
  std::string to_string() const;

  /// What was remembered of a key; nothing where nothing was.
  std::optional<Cuts> find(const Key& key) const;
  /// Replaces what was remembered of the key. Throws `Error` (`invalid_argument`) if the place is
  /// empty or holds a colon or a line's end, the elements have neither 4 nor 8 bytes, there is not
  /// a cut for each axis, or a plan would refuse one.
  void remember(const Key& key, const Cuts& cuts);
  /// All that the other one holds, which replaces what was remembered of its keys.
  void remember(const Wisdom& other);
  /// Keys of which something is remembered.
  std::size_t size() const { return cuts_.size(); }

 private:
  std::map<Key, Cuts> cuts_;
};

/// Whether a transform's result goes to a second array or takes the place of what it is of.
enum class Arrays { two, one };

/// The place of the keys under which `kinjo fft` keeps cuts: the processor's model, vector
/// instructions and caches, the threads and their policy, and those of the options that decide a
/// plan: `in_cache`, `overlap` and `deal`. A plan for all axes of one array finds there what was
/// measured of it:
///
///     const auto wisdom = fft::Wisdom::parse(text);
///     const auto place = fft::wisdom_place(machine, mapping);
///     const auto cuts = wisdom.find({place, {512, 512}, sizeof(float)});
///     Fft<float> plan(team, {512, 512}, {.cuts = cuts.value_or(fft::Wisdom::Cuts())});
///
/// A plan without a team is that of `Mapping(machine, Policy::none(), 1)`.
std::string wisdom_place(const Topology& machine, const Mapping& mapping,
                         const Options& options = {}, Arrays arrays = Arrays::two);

}  // namespace kinjo::fft
