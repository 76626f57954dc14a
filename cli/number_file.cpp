#include "number_file.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"

namespace kinjo::cli {

namespace {

template <class T>
std::string lines_of(std::span<const T> numbers) {
  fmt::memory_buffer lines;
  for (const T number : numbers) fmt::format_to(std::back_inserter(lines), "{}\n", number);
  return fmt::to_string(lines);
}

}  // namespace

NumberFile::NumberFile(detail::NpyType type, std::size_t size)
    : type_(type),
      size_(size),
      memory_(alloc(std::max<std::size_t>(size, 1) * detail::bytes_of(type),
                    {.pages = Pages::transparent})) {}

std::string NumberFile::text() const {
  return type_ == detail::NpyType::int32 ? lines_of<std::int32_t>(numbers<const std::int32_t>())
                                         : lines_of<std::int64_t>(numbers<const std::int64_t>());
}

void NumberFile::write(const std::string& path) const {
  if (path.ends_with(".txt")) return detail::write_whole_file(path, text());
  const std::string header = detail::npy_header_text({type_, detail::NpyOrder::c, {size_}, 0});
  const std::string_view pieces[] = {
      header, {static_cast<const char*>(memory_.data()), size_ * detail::bytes_of(type_)}};
  detail::write_whole_file(path, pieces);
}

void NumberFile::write(const std::string& path, std::span<const std::uint64_t> ids) const {
  std::vector<std::array<std::int64_t, 2>> rows(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    rows[i] = {static_cast<std::int64_t>(ids[i]), type_ == detail::NpyType::int32
                                                      ? numbers<const std::int32_t>()[i]
                                                      : numbers<const std::int64_t>()[i]};
  }
  if (path.ends_with(".txt")) {
    fmt::memory_buffer lines;
    for (const auto& [id, number] : rows) {
      fmt::format_to(std::back_inserter(lines), "{} {}\n", id, number);
    }
    return detail::write_whole_file(path, fmt::to_string(lines));
  }
  const std::string header =
      detail::npy_header_text({detail::NpyType::int64, detail::NpyOrder::c, {size_, 2}, 0});
  const std::string_view pieces[] = {
      header, {reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof rows[0]}};
  detail::write_whole_file(path, pieces);
}

void check_number_file(const std::string& path, const char* what) {
  if (!path.ends_with(".npy") && !path.ends_with(".txt")) {
    throw Error(Errc::invalid_argument,
                fmt::format("'{}' for {}: expected a name that ends in .npy or .txt",
                            detail::printable(path), what));
  }
  detail::check_writable(path);
}

}  // namespace kinjo::cli
