#include "sdp/files/file_text.hpp"

namespace kinjo::sdp::detail {

std::string file_text(const std::string& file) {
  const kinjo::detail::InputFile opened = kinjo::detail::open_input(file);
  std::string text = kinjo::detail::read_start(opened.handle.get(), file, opened.size());
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return text;
}

}  // namespace kinjo::sdp::detail
