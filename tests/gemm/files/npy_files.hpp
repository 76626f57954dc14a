/// Small matrices in `.npy` files.
#pragma once

#include <string>
#include <vector>

#include <kinjo/gemm.hpp>

#include "base/npy.hpp"
#include "support/scratch.hpp"

namespace kinjo::gemm::test {

/// Elements as they lie in a file.
template <class T>
std::string npy_text(std::size_t rows, std::size_t columns, const std::vector<T>& elements,
                     detail::NpyOrder order = detail::NpyOrder::c) {
  detail::NpyHeader header;
  header.type = sizeof(T) == 4 ? detail::NpyType::float32 : detail::NpyType::float64;
  header.order = order;
  header.shape = {rows, columns};
  std::string text = detail::npy_header_text(header);
  text.append(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T));
  return text;
}

/// Small numbers that follow no line.
template <class T>
std::vector<T> numbers(std::size_t count, std::size_t seed) {
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = static_cast<T>(static_cast<int>((i * 7919 + seed * 104729) % 2003) - 1001) / 1000;
  }
  return all;
}

}  // namespace kinjo::gemm::test
