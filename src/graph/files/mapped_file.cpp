#include "graph/files/mapped_file.hpp"

#include <sys/mman.h>

#include <cerrno>

#include "base/utf8.hpp"
#include "graph/limits.hpp"

namespace kinjo::graph::detail {

template <>
void refuse_number<Vertex>(const std::string& name, const std::string& fault) {
  try {
    refuse_file(name, fault);
  } catch (const Error& error) {
    throw TooWide(error.code(), error.what());
  }
}
template <>
void refuse_number<VertexId>(const std::string& name, const std::string& fault) {
  refuse_file(name, fault);
}

MappedFile::MappedFile(const std::string& path) {
  const kinjo::detail::InputFile file = kinjo::detail::open_input(path);
  const std::size_t size = file.size();
  if (size == 0) return;
  void* const data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.handle.get(), 0);
  if (data == MAP_FAILED) kinjo::detail::refuse_errno(path, errno);
  keeper_ = std::shared_ptr<const void>(
      data, [size](const void* p) { munmap(const_cast<void*>(p), size); });
  bytes_ = {static_cast<const char*>(data), size};
}

std::string_view MappedFile::text() const { return kinjo::detail::without_byte_order_mark(bytes_); }

}  // namespace kinjo::graph::detail
