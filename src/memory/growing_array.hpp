/// An array that grows without being copied: its pages are moved by the kernel, and those that are
/// not written yet take no memory. Pages of a small array are small ones, of its thread alone,
/// which keeps some of them for its next arrays (spare_pages.hpp); a large one asks for huge pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>

#include <kinjo/lab.hpp>

#include "memory/spare_pages.hpp"

namespace kinjo::detail {

/// Pages that can become more or fewer. Movable, not copyable. They lie where they are written
/// first. A thread keeps those that it has got itself; another's go back to the system, for they
/// lie with that one.
class GrowingMemory {
 public:
  GrowingMemory() = default;
  /// The laboratory counts them as `region`, a string literal, wherever they lie.
  explicit GrowingMemory(const char* region) : region_(region) {}
  ~GrowingMemory();
  GrowingMemory(GrowingMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)),
        thread_(other.thread_),
        region_(other.region_),
        mark_(std::move(other.mark_)) {}
  GrowingMemory& operator=(GrowingMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(thread_, other.thread_);
    std::swap(region_, other.region_);
    std::swap(mark_, other.mark_);
    return *this;
  }

  void* data() const { return data_; }
  /// Room for at least so many bytes, those beyond the present ones being any. Throws `Error`
  /// (`out_of_memory`), and then everything is as it was.
  void grow(std::size_t bytes);
  /// Gives back what is beyond so many bytes, up to whole pages.
  void shrink(std::size_t bytes);
  /// Gives back whole pages of these bytes, which are any from now on: they take memory again when
  /// they are written.
  void discard(std::size_t begin, std::size_t end);
  std::size_t bytes() const { return bytes_; }

 private:
  void move_to(Pages pages);
  void mark();

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::thread::id thread_;  ///< that got the pages
  const char* region_ = nullptr;
  std::unique_ptr<RegionMark> mark_;  ///< of all pages; null without a region, or without pages
};

/// Elements that are bytes to the kernel. Movable, not copyable.
template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  GrowingArray() = default;
  /// As `GrowingMemory`.
  explicit GrowingArray(const char* region) : memory_(region) {}
  GrowingArray(GrowingArray&& other) noexcept
      : memory_(std::move(other.memory_)),
        size_(std::exchange(other.size_, 0)),
        most_(std::exchange(other.most_, 0)) {}
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    memory_ = std::move(other.memory_);
    std::swap(size_, other.size_);
    std::swap(most_, other.most_);
    return *this;
  }

  std::size_t size() const { return size_; }
  /// Bytes that it takes of memory: of the most elements that it has had since it was made, or
  /// given back what was not used.
  std::size_t bytes() const { return std::max(most_, size_) * sizeof(T); }
  T* data() { return static_cast<T*>(memory_.data()); }
  const T* data() const { return static_cast<const T*>(memory_.data()); }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  std::span<T> all() { return {data(), size_}; }
  std::span<const T> all() const { return {data(), size_}; }

  /// Room for so many; takes no memory before they are written. Throws `Error` (`out_of_memory`).
  void reserve(std::size_t count) {
    if (count * sizeof(T) > memory_.bytes()) memory_.grow(count * sizeof(T));
  }
  /// Elements that come new have any values.
  void resize(std::size_t count) {
    most_ = std::max(most_, size_);
    make_room(count);
    size_ = count;
  }
  void push_back(const T& value) {
    make_room(size_ + 1);
    data()[size_++] = value;
  }
  void clear() { resize(0); }
  /// Elements from `begin` to before `end` are any from now on, and take no memory before they are
  /// written again, though `bytes` goes on counting them.
  void discard(std::size_t begin, std::size_t end) {
    memory_.discard(begin * sizeof(T), end * sizeof(T));
  }
  /// Gives back what is not used.
  void fit() {
    memory_.shrink(size_ * sizeof(T));
    most_ = size_;
  }

 private:
  void make_room(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes > memory_.bytes()) memory_.grow(bytes + bytes / 2);
  }

  GrowingMemory memory_;
  std::size_t size_ = 0;
  std::size_t most_ = 0;  ///< the greatest size before the last `resize`
};

}  // namespace kinjo::detail
