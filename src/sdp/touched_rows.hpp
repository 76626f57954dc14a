/// The rows of a problem that its entries touch, numbered in ascending order. Takes memory for
/// these and next to none for others, of which a file's header may promise any number.
///
/// Rows lie in pages of 64 words of 64 bits, made as they are touched; a row's number is how many
/// come before its word and in it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kinjo::sdp::detail {

class TouchedRows {
 public:
  explicit TouchedRows(std::uint64_t rows) : pages_of_((rows + kPage - 1) / kPage, kNone) {}

  void touch(std::uint64_t row) {
    std::uint32_t& page = pages_of_[row / kPage];
    if (page == kNone) {
      page = static_cast<std::uint32_t>(pages_.size());
      pages_.emplace_back();
    }
    pages_[page].words[row % kPage / kWord] |= bit(row);
  }

  /// Once all are touched. Returns how many there are.
  std::size_t count() {
    std::size_t sum = 0;
    for (const std::uint32_t page : pages_of_) {
      if (page == kNone) continue;
      for (std::size_t w = 0; w < kWords; ++w) {
        pages_[page].before[w] = static_cast<std::uint32_t>(sum);
        sum += static_cast<std::size_t>(std::popcount(pages_[page].words[w]));
      }
    }
    return sum;
  }

  /// Of a touched one, after `count`.
  std::uint32_t number(std::uint64_t row) const {
    const Page& page = pages_[pages_of_[row / kPage]];
    const std::size_t w = row % kPage / kWord;
    const std::uint64_t below = page.words[w] & (bit(row) - 1);
    return page.before[w] + static_cast<std::uint32_t>(std::popcount(below));
  }

  /// Calls f(row) for all of them, ascending.
  template <class F>
  void each(F&& f) const {
    for (std::size_t p = 0; p < pages_of_.size(); ++p) {
      if (pages_of_[p] == kNone) continue;
      for (std::size_t w = 0; w < kWords; ++w) {
        for (std::uint64_t word = pages_[pages_of_[p]].words[w]; word != 0; word &= word - 1) {
          f(p * kPage + w * kWord + static_cast<std::uint64_t>(std::countr_zero(word)));
        }
      }
    }
  }

 private:
  static constexpr std::uint64_t kWord = 64, kWords = 64, kPage = kWord * kWords;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Page {
    std::array<std::uint64_t, kWords> words{};
    std::array<std::uint32_t, kWords> before{};
  };
  static std::uint64_t bit(std::uint64_t row) { return std::uint64_t{1} << row % kWord; }

  std::vector<std::uint32_t> pages_of_;
  std::vector<Page> pages_;
};

}  // namespace kinjo::sdp::detail
