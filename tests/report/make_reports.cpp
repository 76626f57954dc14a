/// Writes the sample reports into a directory: `make_reports DIRECTORY`.
#include <fstream>
#include <iostream>

#include "support/report_samples.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_reports DIRECTORY\n";
    return 2;
  }
  for (const auto& [name, report] : kinjo::test::sample_reports()) {
    const std::string path = std::string(argv[1]) + "/" + name + ".html";
    std::ofstream file(path, std::ios::binary);
    if (!(file << kinjo::report_html(report) << std::flush)) {
      std::cerr << "make_reports: cannot write " << path << '\n';
      return 1;
    }
  }
}
