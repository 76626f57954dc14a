#include "support/zoo.hpp"

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "support/scratch.hpp"

namespace kinjo::test {

namespace {

std::string if_exists(const std::string& path) { return std::filesystem::exists(path) ? path : ""; }

/// Reads `name | classes | pkg=4 core=64 pu=64 nodes=[0,1] mem0=[] dist=[10,16] | …`.
ZooMachine read_line(const std::string& line, const std::string& root) {
  static const std::regex pattern(
      R"(^(\S+) \| [^|]* \| pkg=(\d+) core=(\d+) pu=(\d+) nodes=\[?([^\] ]*)\]? )"
      R"(mem0=\[([^\]]*)\] dist=\[([^\]]*)\].*)");
  std::smatch fields;
  if (!std::regex_match(line, fields, pattern)) {
    throw std::runtime_error("a line of the zoo's index is of another form: " + line);
  }
  ZooMachine machine;
  machine.name = fields[1];
  machine.packages = std::stoul(fields[2]);
  machine.cores = std::stoul(fields[3]);
  machine.cpus = std::stoul(fields[4]);
  machine.nodes = fields[5];
  machine.no_memory = fields[6];
  machine.distances = fields[7];
  machine.xml = root + "/xml/" + machine.name + ".xml";
  machine.disallowed = if_exists(root + "/xml/" + machine.name + ".disallowed.xml");
  if (!if_exists(root + "/sysfs/" + machine.name + ".tar.xz").empty()) {
    machine.tree = std::string(KINJO_ZOO_TREES) + "/" + machine.name;
  }
  return machine;
}

}  // namespace

std::optional<std::vector<ZooMachine>> zoo() {
  const char* root = std::getenv("KINJO_TEST_ZOO");
  if (!root || !*root) return std::nullopt;
  std::vector<ZooMachine> machines;
  std::istringstream index(read_file(std::string(root) + "/index.txt"));
  for (std::string line; std::getline(index, line);) {
    if (!line.empty() && line[0] != '#') machines.push_back(read_line(line, root));
  }
  return machines;
}

}  // namespace kinjo::test
