/// Words of brackets: how the paths that a swept part of a grid holds end on its border.
///
/// A *word* has one symbol for each place: nothing crosses there, a bracket opens, or one closes.
/// Two brackets that belong together are the ends of one path; the path that begins in the first
/// corner has one end alone, a closing bracket whose partner stands before the first place. The
/// *height* is the number of open brackets; so words of a whole border go from height 1 to 0 and
/// never below 0 (Motzkin words). They are numbered in lexicographic order, without gaps:
///
///     number(w) = Σ over places i, over symbols less than wᵢ, of the words that go on from there
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kinjo::paths::detail {

enum class Bracket : std::uint8_t { none, open, close };

/// What a symbol adds to the height.
constexpr int rise(Bracket s) { return s == Bracket::open ? 1 : s == Bracket::close ? -1 : 0; }

/// The symbols of up to 32 places, two bits each. A value.
class BracketWord {
 public:
  explicit BracketWord(unsigned length = 0) : length_(length) {}

  unsigned length() const { return length_; }
  Bracket operator[](unsigned i) const { return static_cast<Bracket>(bits_ >> 2 * i & 3); }
  void set(unsigned i, Bracket s) {
    bits_ = (bits_ & ~(std::uint64_t{3} << 2 * i)) | static_cast<std::uint64_t>(s) << 2 * i;
  }
  /// This word with `a` and `b` in the place of symbol i.
  BracketWord with_pair(unsigned i, Bracket a, Bracket b) const;

 private:
  std::uint64_t bits_ = 0;
  unsigned length_;
};

/// How many words there are between heights, and so the number of each.
class BracketNumbers {
 public:
  explicit BracketNumbers(unsigned longest);

  /// Words of `length` symbols from a height to another.
  std::uint64_t count(unsigned length, int from, int to) const;
  /// How many words of `whole` symbols between the heights come before the first one that begins
  /// with `word`; with whole = word.length(), the word's number.
  /// All heights on the way must be between 0 and the longest word's length.
  std::uint64_t before(const BracketWord& word, unsigned whole, int from, int to) const;
  std::uint64_t number(const BracketWord& word, int from, int to) const {
    return before(word, word.length(), from, to);
  }
  /// All words of `length` symbols between the heights, in order.
  std::vector<BracketWord> words(unsigned length, int from, int to) const;

 private:
  void extend(BracketWord word, unsigned at, int height, int to,
              std::vector<BracketWord>& out) const;
  std::size_t index(unsigned length, int from, int to) const;

  /// By a symbol: the words that have a lesser one in its place, and go on from there.
  using Lesser = std::array<std::uint64_t, 3>;

  std::size_t heights_;
  std::vector<std::uint64_t> counts_;
  std::vector<Lesser> lesser_;  ///< by the last height, symbols behind, and the height before
};

}  // namespace kinjo::paths::detail
