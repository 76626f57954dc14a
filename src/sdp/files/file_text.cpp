#include "sdp/files/file_text.hpp"

namespace kinjo::sdp::detail {

std::string file_text(const std::string& file) {
  const kinjo::detail::InputFile opened = kinjo::detail::open_input(file);
  return kinjo::detail::read_start(opened.handle.get(), file, opened.size());
}

}  // namespace kinjo::sdp::detail
