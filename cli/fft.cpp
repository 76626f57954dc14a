/// kinjo fft: Fourier transforms, in memory (--size) or of files.
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "command.hpp"
#include "fft_files.hpp"
#include "fft_memory.hpp"

namespace kinjo::cli {

namespace {

struct FftOptions {
  FftMemoryOptions memory;  ///< and what both have
  FftFilesOptions files;
  std::vector<const CLI::Option*> memory_only, files_only;
};

[[noreturn]] void refuse(const std::string& message) {
  throw Error(Errc::invalid_argument, message);
}

/// Hands over what both have, as far as files can have it.
FftFilesOptions files_of(const FftOptions& options) {
  const FftMemoryOptions& given = options.memory;
  FftFilesOptions files = options.files;
  if (given.output.file.empty()) refuse("no file for the transform: expected -o OUT.npy");
  const std::vector<std::string>& policies = given.configurations.policies;
  if (policies.size() > 1) refuse("several policies: expected one for an array in a file");
  if (given.format == Format::csv) {
    refuse("unknown format 'csv': expected text, json for an array in a file");
  }
  files.output = given.output.file;
  files.real = given.real;
  files.verify = given.verify;
  files.format = given.format;
  if (!policies.empty()) files.placement.policy = policies.front();
  files.placement.threads = given.configurations.threads;
  files.placement.oversubscribe = given.configurations.oversubscribe;
  files.bind = given.configurations.bind;
  return files;
}

int run(const FftOptions& options) {
  const bool files = !options.files.input.empty();
  if (options.memory.sizes.empty()) {
    if (!files) {
      refuse(
          "nothing to transform: expected an array in a file, as in kinjo fft IN.npy -o OUT.npy, "
          "or --size N for transforms in memory");
    }
    need_none(options.memory_only, "is for transforms in memory: expected --size, and no file");
    return run_fft_files(files_of(options));
  }
  if (files) {
    refuse(fmt::format("--size is for transforms in memory: expected no file, and not '{}'",
                       detail::printable(options.files.input)));
  }
  need_none(options.files_only, "is for an array in a file: expected no --size, but IN.npy");
  return run_fft_memory(options.memory);
}

void add_shared(CLI::App& command, FftMemoryOptions& options) {
  command
      .add_option("-o,--output", options.output.file,
                  "where the transform of a file goes, replaced when it is whole; with --size, "
                  "where the figures go instead of standard output")
      ->type_name("FILE");
  command.add_flag("--real", options.real,
                   "real numbers before the transform, and half of their spectrum behind it");
  command.add_flag("--verify", options.verify, "check the transforms by direct sums");
  options.configurations.add_to(command);
  add_format(command, options.format, {Format::text, Format::json, Format::csv});
}

}  // namespace

void add_fft(CLI::App& app, int& status) {
  auto options = std::make_shared<FftOptions>();
  CLI::App* command =
      app.add_subcommand("fft", "Compute Fourier transforms, in memory or of arrays in files");
  options->files_only = added(*command, [&] { options->files.add_to(*command); });
  options->memory_only = added(*command, [&] { options->memory.add_to(*command); });
  add_shared(*command, options->memory);
  command->footer(
      "Example: kinjo fft in.npy -o out.npy --verify\n"
      "Example: kinjo fft --size 2^20,1000003 --threads all --verify\n"
      "Example: kinjo fft --size 2^20 --in-cache stockham --overlap off");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
