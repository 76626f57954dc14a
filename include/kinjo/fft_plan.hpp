/// What a Fourier transform is asked to do and how it is cut into sweeps, as data.
///
/// A *sweep* takes lines through cache, `width` of them at a time: load, compute, store. A line of
/// n = n1·n2·… elements that does not fit a cache takes one sweep for each factor, and the sweeps
/// have the factors' lengths. docs/fft.md says which factors are good and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinjo::fft {

/// What the result is multiplied with.
enum class Scale { one, by_n, by_root_n };  ///< 1, 1/n, 1/√n

/// How lines are transformed in cache.
enum class InCache {
  automatic,
  in_place,  ///< Cooley–Tukey in one buffer, digit reversal in the load (S2)
  stockham,  ///< between two buffers, without reversal
};
const char* to_string(InCache in_cache) noexcept;

/// How the lines of a sweep are dealt to the threads of a team.
enum class Deal { block, cyclic };
const char* to_string(Deal deal) noexcept;

/// Whether the next lines are loaded, into a second buffer, while the present ones are computed.
enum class Overlap { automatic, off, on };
const char* to_string(Overlap overlap) noexcept;

/// How a line is cut into sweeps.
///
/// As text: `4096x4096 width 64 in_place overlap`; `apart` stands for `Overlap::off`.
struct Cut {
  std::vector<std::size_t> factors;  ///< n1, n2, …: their product is the line's length
  std::size_t width = 0;             ///< lines at a time; 0: as many as suit the caches
  InCache in_cache = InCache::automatic;
  Overlap overlap = Overlap::automatic;

  std::string to_string() const;
  /// Reads what `to_string` writes. Throws `Error` (`bad_input`).
  static Cut parse(std::string_view text);
  bool operator==(const Cut&) const = default;
};

/// What the constructors of plans take besides a shape.
struct Options {
  /// The axes to transform, by number from 0; empty: all.
  std::vector<std::size_t> axes;
  /// Transforms side by side.
  std::size_t batch = 1;
  /// Elements from one transform of the batch to the next; 0: they lie back to back.
  std::size_t distance = 0;
  /// The same for the complex side of a real transform.
  std::size_t spectrum_distance = 0;
  Scale forward = Scale::one;
  Scale backward = Scale::by_n;
  InCache in_cache = InCache::automatic;
  Overlap overlap = Overlap::automatic;
  Deal deal = Deal::block;
  /// How to cut the line of a complex transform of one axis whose length has no prime factor above
  /// 31; absent: by the machine's caches. One that does not make the line, or has more than three
  /// factors, is refused (`invalid_argument`). Real transforms do not look at it.
  std::optional<Cut> cut;
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
  struct Sweep {
    std::string name;                   ///< e.g. "4096 columns of 4096"
    std::vector<SweepProfile> threads;  ///< by thread
  };
  std::vector<Sweep> sweeps;
  /// Bytes of all loads and stores, of all threads.
  std::uint64_t bytes() const;
};

/// The cuts of a line of n that are worth trying over `threads` threads, the one that plans choose
/// unasked first. `element_bytes` is sizeof(T).
std::vector<Cut> candidates(std::size_t n, std::size_t element_bytes, std::size_t threads = 1);

/// Cuts that were found by trying, kept as text:
///
///     kinjo-fft-wisdom 1
///     AMD EPYC 7763, 2 threads, scatter: 16777216 double = 4096x4096 width 64 in_place overlap
///
/// What stands before the colon is the key of the place: the machine, the threads, the policy.
class Wisdom {
 public:
  /// What a transform is, for looking it up.
  struct Key {
    std::string place;
    std::size_t n = 0;
    std::size_t element_bytes = sizeof(double);
    auto operator<=>(const Key&) const = default;
  };

  /// Reads what `to_string` writes; lines of one key: the last one holds. Throws `Error`
  /// (`bad_input`) with the number of the line.
  static Wisdom parse(std::string_view text);
  std::string to_string() const;

  std::optional<Cut> find(const Key& key) const;
  /// Throws `Error` (`invalid_argument`) if the place is empty or holds a colon or a line's end, or
  /// the cut is not one of n.
  void remember(const Key& key, const Cut& cut);
  std::size_t size() const { return cuts_.size(); }

 private:
  std::map<Key, Cut> cuts_;
};

}  // namespace kinjo::fft
