#include "fft/scratch.hpp"

namespace kinjo::fft::detail {

Scratch& Scratch::mine() {
  static thread_local Scratch scratch;
  return scratch;
}

void* Scratch::reserve(std::size_t bytes) {
  if (buffer_.size() < bytes) {
    buffer_ = Buffer();  // not both at a time
    buffer_ = alloc(bytes, {.pages = Pages::transparent});
  }
  return buffer_.data();
}

}  // namespace kinjo::fft::detail
