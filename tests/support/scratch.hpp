/// A directory of one test, gone with it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace kinjo::test {

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(std::string_view name = "") const { return (root_ / name).string(); }

  /// Writes a file, with the directories on the way to it; returns its path.
  std::string write(std::string_view name, std::string_view text) const;

 private:
  std::filesystem::path root_;
};

/// All of a file that must be there.
std::string read_file(const std::string& path);

}  // namespace kinjo::test
