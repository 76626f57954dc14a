#include "sdp/files/file_text.hpp"

#include "base/utf8.hpp"

namespace kinjo::sdp::detail {

std::string file_text(const std::string& file) {
  const kinjo::detail::InputFile opened = kinjo::detail::open_input(file);
  std::string text = kinjo::detail::read_start(opened.handle.get(), file, opened.size());
  text.erase(0, text.size() - kinjo::detail::without_byte_order_mark(text).size());
  return text;
}

}  // namespace kinjo::sdp::detail
