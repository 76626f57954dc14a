#include "support/sdplib.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include <unistd.h>

#include "support/scratch.hpp"

namespace kinjo::test {

namespace {

namespace fs = std::filesystem;

std::optional<std::string> root() {
  const char* const named = std::getenv("KINJO_TEST_SDPLIB");
  if (!named || !*named) return std::nullopt;
  return named;
}

/// Tests run beside each other, each in a process of its own: one of them renames its directory
/// into place when it is whole.
fs::path unpacked(const std::string& source) {
  const fs::path target = KINJO_SDPLIB_FILES;
  if (fs::exists(target)) return target;
  const fs::path part = target.string() + "." + std::to_string(getpid());
  fs::create_directories(part);
  for (const char* name : {"sdplib", "structural", "quantum"}) {
    const std::string command =
        "tar -xJf '" + source + "/" + name + ".tar.xz' -C '" + part.string() + "'";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("this failed: " + command);
  }
  std::error_code error;
  fs::rename(part, target, error);
  if (error) fs::remove_all(part);
  return target;
}

std::optional<double> number_or_nothing(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(std::stod(text));
}

Optimum read_line(const std::string& line) {
  std::vector<std::string> fields;
  // The last field may be empty, and the line end in Windows' manner.
  std::istringstream parts(line.substr(0, line.find('\r')) + ",");
  for (std::string field; std::getline(parts, field, ',');) fields.push_back(field);
  if (fields.size() != 8)
    throw std::runtime_error("a line of optima.csv has another form: " + line);
  return {fields[0], std::stoul(fields[1]),        std::stoul(fields[2]),       fields[3],
          fields[5], number_or_nothing(fields[6]), number_or_nothing(fields[7])};
}

}  // namespace

std::optional<std::vector<fs::path>> sdplib() {
  const auto source = root();
  if (!source) return std::nullopt;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(unpacked(*source))) {
    if (entry.path().extension() == ".dat-s") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::optional<fs::path> sdplib_problem(std::string_view name) {
  const auto source = root();
  if (!source) return std::nullopt;
  const fs::path file = unpacked(*source) / (std::string(name) + ".dat-s");
  if (!fs::exists(file)) throw std::runtime_error("there is no " + file.string());
  return file;
}

std::optional<std::vector<Optimum>> sdplib_optima() {
  const auto source = root();
  if (!source) return std::nullopt;
  std::vector<Optimum> optima;
  std::istringstream lines(read_file(*source + "/optima.csv"));
  std::string line;
  std::getline(lines, line);  // names of the columns
  while (std::getline(lines, line)) optima.push_back(read_line(line));
  return optima;
}

}  // namespace kinjo::test
