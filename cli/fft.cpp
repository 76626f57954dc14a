/// kinjo fft: Fourier transforms, in memory (--size) or of files.
#include <memory>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "command.hpp"
#include "fft_memory.hpp"

namespace kinjo::cli {

namespace {

void add_shared(CLI::App& command, FftMemoryOptions& options) {
  command.add_option("-o,--output", options.output.file, "where the figures go")->type_name("FILE");
  command.add_flag("--real", options.real, "the input is real: only half of the spectrum is kept");
  command.add_flag("--verify", options.verify,
                   "check the transforms by direct sums: status 1 if one is wrong");
  options.configurations.add_to(command);
  add_format(command, options.format, {Format::text, Format::json, Format::csv});
}

}  // namespace

void add_fft(CLI::App& app, int& status) {
  auto options = std::make_shared<FftMemoryOptions>();
  CLI::App* command =
      app.add_subcommand("fft", "Compute Fourier transforms, in memory or of files");
  options->add_to(*command);
  add_shared(*command, *options);
  command->footer("Example: kinjo fft --size 2^20,1000003 --threads all --verify");
  command->callback([options, &status] { status = run_fft_memory(*options); });
}

}  // namespace kinjo::cli
