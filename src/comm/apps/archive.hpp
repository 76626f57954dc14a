/// Results as bytes, for their way from cell to cell and out of a process.
///
/// A structure names its members once, in a function `members(archive, value)` beside it that calls
/// `archive(member)` for each; plain data needs none. Both ends are the same program.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <kinjo/error.hpp>

namespace kinjo::comm::detail {

class Writer {
 public:
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      members(*this, value);
    }
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    std::uint64_t count = values.size();
    (*this)(count);
    for (T& value : values) (*this)(value);
  }
  void operator()(std::string& text) {
    std::uint64_t count = text.size();
    (*this)(count);
    bytes_ += text;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      std::memcpy(&value, next(sizeof value).data(), sizeof value);
    } else {
      members(*this, value);
    }
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    values.resize(count());
    for (T& value : values) (*this)(value);
  }
  void operator()(std::string& text) { text = next(count()); }

 private:
  std::size_t count() {
    std::uint64_t number = 0;
    (*this)(number);
    // Every element takes at least a byte, so a count that is larger than the rest is none.
    if (number > rest_.size()) next(rest_.size() + 1);
    return static_cast<std::size_t>(number);
  }
  std::string_view next(std::size_t bytes) {
    if (bytes > rest_.size()) throw Error(Errc::bad_input, "a cell's result ends too early");
    const std::string_view part = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return part;
  }

  std::string_view rest_;
};

template <class T>
std::string pack(T value) {
  Writer writer;
  writer(value);
  return writer.take();
}

template <class T>
T unpack(std::string_view bytes) {
  T value{};
  Reader reader(bytes);
  reader(value);
  return value;
}

}  // namespace kinjo::comm::detail
