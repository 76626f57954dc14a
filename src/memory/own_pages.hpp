/// Objects on pages of their own, which lie with the thread that makes them, or that it kept there
/// (spare_pages.hpp). What `new` gives may lie on a page that another thread has touched before, on
/// another node.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "memory/growing_array.hpp"

namespace kinjo::detail {

/// So many objects, or none after a move.
template <class T>
class OwnPages {
 public:
  OwnPages() = default;
  /// Makes each of `arguments`. Throws `Error` (`out_of_memory`), and what T's constructor throws.
  template <class... Arguments>
  explicit OwnPages(std::size_t count, const Arguments&... arguments) {
    memory_.grow(count * sizeof(T));
    for (; count_ < count; ++count_) new (data() + count_) T(arguments...);
  }
  ~OwnPages() { std::destroy_n(data(), count_); }
  OwnPages(OwnPages&& other) noexcept
      : memory_(std::move(other.memory_)), count_(std::exchange(other.count_, 0)) {}
  OwnPages& operator=(OwnPages&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(count_, other.count_);
    return *this;
  }

  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) const { return data()[i]; }
  T& operator*() const { return *data(); }
  T* operator->() const { return data(); }
  std::span<T> all() const { return {data(), count_}; }

 private:
  T* data() const { return static_cast<T*>(memory_.data()); }

  GrowingMemory memory_;
  std::size_t count_ = 0;
};

}  // namespace kinjo::detail
