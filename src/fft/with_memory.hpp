/// The one error of plans where memory lacks, whoever asked for it.
#pragma once

#include <new>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

namespace kinjo::fft::detail {

/// `make()`; its `std::bad_alloc` becomes an `Error` (`out_of_memory`) that says what for: `what`,
/// a plan or a transform, of a shape.
template <class Make>
auto with_memory(const char* what, const std::vector<std::size_t>& shape, const Make& make) {
  const auto lacking = [&] {
    return Error(Errc::out_of_memory, fmt::format("fft: there is no memory for a {} of shape {}",
                                                  what, fmt::join(shape, " × ")));
  };
  try {
    return make();
  } catch (const std::bad_alloc&) {
    throw lacking();
  } catch (const std::length_error&) {  // of a vector, whose bytes exceed the address space
    throw lacking();
  }
}

}  // namespace kinjo::fft::detail
