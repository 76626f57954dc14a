#include "support/scratch.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace kinjo::test {

Scratch::Scratch() {
  std::string name = (std::filesystem::temp_directory_path() / "kinjo-test-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("cannot make the directory " + name);
  root_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

std::string Scratch::write(std::string_view name, std::string_view text) const {
  const std::filesystem::path path = root_ / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace kinjo::test
