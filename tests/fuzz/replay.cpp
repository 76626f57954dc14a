/// Stands in for libFuzzer where that is not available: runs every file of a corpus, and damaged
/// copies of them, the same in every run.
///
///   replay CORPUS [MUTATIONS [SEED]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/target.hpp"
#include "support/mutate.hpp"

namespace {

std::vector<std::string> read_corpus(const char* directory) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

void try_input(const std::string& text) {
  // Left behind by a crash, and the input to look at then.
  if (const char* keep = std::getenv("KINJO_FUZZ_KEEP")) {
    std::ofstream(keep, std::ios::binary) << text;
  }
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s CORPUS [MUTATIONS [SEED]]\n", argv[0]);
    return 2;
  }
  const std::vector<std::string> corpus = read_corpus(argv[1]);
  if (corpus.empty()) {
    std::fprintf(stderr, "%s holds no file\n", argv[1]);
    return 2;
  }
  const unsigned long mutations = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 0;
  kinjo::test::Mutator mutator(argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1);
  for (const std::string& text : corpus) try_input(text);
  for (unsigned long m = 0; m < mutations; ++m) {
    try_input(mutator.damage(corpus[mutator.below(corpus.size())]));
  }
  std::printf("%zu inputs and %lu mutations\n", corpus.size(), mutations);
}
