/// Sets of CPU and node numbers as the operating system counts them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace kinjo {

namespace detail {

using Words = std::vector<std::uint64_t>;

/// Largest number that a list may hold: far above any machine, and small enough that a damaged
/// list cannot ask for gigabytes.
inline constexpr int kMaxIndex = (1 << 20) - 1;

/// Parses `0-3,8,10-14:2`. `what` names the list in the message of an `Error`.
Words parse_list(std::string_view text, std::string_view what);
std::string format_list(const Words& words);
/// Throws `Error` (`invalid_argument`) that says which numbers a set holds.
[[noreturn]] void refuse_member(int member);

}  // namespace detail

/// A set of non-negative OS numbers. `Tag` keeps CPUs and nodes apart: a `CpuSet` cannot be passed
/// for a `NodeSet`. Iteration is in ascending order. A value: copies are independent.
template <class Tag>
class IndexSet {
 public:
  /// A place among the members, or behind the last.
  class Iterator {
   public:
    using value_type = int;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    /// At the first member that is at least `at`.
    Iterator(const detail::Words* words, int at) : words_(words), at_(at) { settle(); }
    int operator*() const { return at_; }
    Iterator& operator++() {
      ++at_;
      settle();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    /// Moves on to the next member, or to the end.
    void settle() {
      const int end = static_cast<int>(words_->size()) * 64;
      while (at_ < end) {
        const std::uint64_t rest = (*words_)[static_cast<std::size_t>(at_ / 64)] >> (at_ % 64);
        if (rest != 0) {
          at_ += std::countr_zero(rest);
          return;
        }
        at_ = (at_ / 64 + 1) * 64;
      }
      at_ = end;
    }
    const detail::Words* words_ = nullptr;
    int at_ = 0;
  };

  IndexSet() = default;
  /// Of these members. Throws as `insert` does.
  IndexSet(std::initializer_list<int> members) {
    for (int m : members) insert(m);
  }

  /// Reads the kernel's list syntax: `0-3,8`, also with a stride, `0-14:2`. Throws `Error`
  /// (`bad_input`) that quotes the text; `what` names the list in it.
  static IndexSet parse(std::string_view text, std::string_view what = "list") {
    IndexSet set;
    set.words_ = detail::parse_list(text, what);
    return set;
  }

  /// The shortest list that `parse` reads back, e.g. `0-3,8`; empty for the empty set.
  std::string to_string() const { return detail::format_list(words_); }

  /// Adds a member. Throws `Error` (`invalid_argument`) unless it lies in 0 … 2²⁰ − 1, the numbers
  /// that `parse` reads: a set takes as much memory as its largest member asks for.
  void insert(int member) {
    if (member < 0 || member > detail::kMaxIndex) detail::refuse_member(member);
    const auto word = static_cast<std::size_t>(member) / 64;
    if (word >= words_.size()) words_.resize(word + 1);
    words_[word] |= std::uint64_t{1} << (member % 64);
  }
  /// Takes a member out, if it is one.
  void erase(int member) {
    if (contains(member)) {
      words_[static_cast<std::size_t>(member) / 64] &= ~(std::uint64_t{1} << (member % 64));
    }
  }
  /// Whether it is a member; a negative number never is.
  bool contains(int member) const {
    if (member < 0 || static_cast<std::size_t>(member) / 64 >= words_.size()) return false;
    return (words_[static_cast<std::size_t>(member) / 64] >> (member % 64)) & 1;
  }
  std::size_t count() const {
    std::size_t total = 0;
    for (std::uint64_t w : words_) total += static_cast<std::size_t>(std::popcount(w));
    return total;
  }
  bool empty() const { return count() == 0; }
  /// The smallest member, or −1 of the empty set.
  int first() const { return empty() ? -1 : *begin(); }
  /// The largest member, or −1 of the empty set.
  int last() const {
    for (std::size_t w = words_.size(); w-- > 0;) {
      if (words_[w] != 0) return static_cast<int>(w) * 64 + 63 - std::countl_zero(words_[w]);
    }
    return -1;
  }

  Iterator begin() const { return Iterator(&words_, 0); }
  Iterator end() const { return Iterator(&words_, static_cast<int>(words_.size()) * 64); }

  IndexSet& operator&=(const IndexSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      words_[w] &= w < other.words_.size() ? other.words_[w] : 0;
    }
    return *this;
  }
  IndexSet& operator|=(const IndexSet& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    for (std::size_t w = 0; w < other.words_.size(); ++w) words_[w] |= other.words_[w];
    return *this;
  }
  friend IndexSet operator&(IndexSet a, const IndexSet& b) { return a &= b; }
  friend IndexSet operator|(IndexSet a, const IndexSet& b) { return a |= b; }
  /// Equal when the members are, however long the storage has grown.
  bool operator==(const IndexSet& other) const {
    const std::size_t words =
        words_.size() > other.words_.size() ? words_.size() : other.words_.size();
    for (std::size_t w = 0; w < words; ++w) {
      if (word(w) != other.word(w)) return false;
    }
    return true;
  }

  /// The bits, 64 to a word, as the kernel's masks want them; trailing zero words may be there.
  const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  std::uint64_t word(std::size_t w) const { return w < words_.size() ? words_[w] : 0; }
  detail::Words words_;
};

using CpuSet = IndexSet<struct CpuTag>;    ///< OS numbers of CPUs
using NodeSet = IndexSet<struct NodeTag>;  ///< OS numbers of NUMA nodes

}  // namespace kinjo
