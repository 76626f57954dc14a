#include "paths/grid_words.hpp"

namespace kinjo::paths::detail {

namespace {

constexpr Bracket kSymbols[] = {Bracket::none, Bracket::open, Bracket::close};

}  // namespace

BracketWord BracketWord::with_pair(unsigned i, Bracket a, Bracket b) const {
  BracketWord out(length_ + 1);
  const std::uint64_t low = (std::uint64_t{1} << 2 * i) - 1;
  out.bits_ = (bits_ & low) | (bits_ & ~low) << 2;
  out.set(i, a);
  out.set(i + 1, b);
  return out;
}

BracketNumbers::BracketNumbers(unsigned longest)
    : heights_(longest + 3), counts_((longest + 1) * heights_ * heights_) {
  const int top = static_cast<int>(heights_) - 1;
  for (int h = 0; h <= top; ++h) counts_[index(0, h, h)] = 1;
  for (unsigned length = 1; length <= longest; ++length) {
    for (int from = 0; from <= top; ++from) {
      for (int to = 0; to <= top; ++to) {
        std::uint64_t& sum = counts_[index(length, from, to)];
        for (const Bracket s : kSymbols) sum += count(length - 1, from + rise(s), to);
      }
    }
  }
  lesser_.reserve(counts_.size());
  for (int to = 0; to <= top; ++to) {
    for (unsigned behind = 0; behind <= longest; ++behind) {
      for (int at = 0; at <= top; ++at) {
        const std::uint64_t none = count(behind, at, to), open = count(behind, at + 1, to);
        lesser_.push_back({0, none, none + open});
      }
    }
  }
}

std::size_t BracketNumbers::index(unsigned length, int from, int to) const {
  return (length * heights_ + static_cast<std::size_t>(from)) * heights_ +
         static_cast<std::size_t>(to);
}

std::uint64_t BracketNumbers::count(unsigned length, int from, int to) const {
  const int top = static_cast<int>(heights_) - 1;
  if (from < 0 || to < 0 || from > top || to > top) return 0;
  return counts_[index(length, from, to)];
}

std::uint64_t BracketNumbers::before(const BracketWord& word, unsigned whole, int from,
                                     int to) const {
  const std::size_t lengths = counts_.size() / (heights_ * heights_);
  const Lesser* lesser = &lesser_[(static_cast<std::size_t>(to) * lengths + whole) * heights_];
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < word.length(); ++i) {
    lesser -= heights_;
    const Bracket s = word[i];
    sum += lesser[from][static_cast<std::size_t>(s)];
    from += rise(s);
  }
  return sum;
}

std::vector<BracketWord> BracketNumbers::words(unsigned length, int from, int to) const {
  std::vector<BracketWord> out;
  out.reserve(count(length, from, to));
  extend(BracketWord(length), 0, from, to, out);
  return out;
}

void BracketNumbers::extend(BracketWord word, unsigned at, int height, int to,
                            std::vector<BracketWord>& out) const {
  if (count(word.length() - at, height, to) == 0) return;
  if (at == word.length()) {
    out.push_back(word);
    return;
  }
  for (const Bracket s : kSymbols) {
    word.set(at, s);
    extend(word, at + 1, height + rise(s), to, out);
  }
}

}  // namespace kinjo::paths::detail
