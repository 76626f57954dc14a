/// kinjo fft: Fourier transforms, in memory (--size) or of files.
#include <memory>

#include "fft_files.hpp"
#include "fft_memory.hpp"
#include "two_ways.hpp"

namespace kinjo::cli {

namespace {

using Options = BothOptions<FftMemoryOptions, FftFilesOptions>;

constexpr TwoWays kWays = {.command = "fft",
                           .verb = "transform",
                           .result = "transform",
                           .files = "an array in a file",
                           .no_files = "no file",
                           .of_files = "the transform of a file",
                           .inputs = "IN.npy",
                           .output = "OUT.npy",
                           .verifies = "check the transforms by direct sums"};

int run(const Options& options) {
  const Way way = way_of(kWays, options.memory, options.files.input, options.only);
  if (way == Way::memory) return run_fft_memory(options.memory);
  FftFilesOptions files = options.files;
  files.take_over(options.memory, kWays);
  files.real = options.memory.real;
  files.wisdom = options.memory.wisdom;
  return run_fft_files(files);
}

}  // namespace

void add_fft(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("fft", "Compute Fourier transforms, in memory or of arrays in files");
  options->add_to(*command, kWays);
  command->add_flag("--real", options->memory.real,
                    "real numbers before the transform, and half of their spectrum behind it");
  command
      ->add_option("--wisdom", options->memory.wisdom,
                   "plans found by trying: read from here, and with --measure written here")
      ->type_name("FILE");
  command->footer(
      "Example: kinjo fft in.npy -o out.npy --verify\n"
      "Example: kinjo fft --size 2^20,1000003 --threads all --verify\n"
      "Example: kinjo fft --size 2^20 --in-cache stockham --overlap off");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
