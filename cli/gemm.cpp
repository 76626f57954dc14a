/// kinjo gemm: products of matrices, in memory (--size) or in files.
#include <memory>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "command.hpp"
#include "gemm_files.hpp"
#include "gemm_memory.hpp"

namespace kinjo::cli {

namespace {

struct GemmOptions {
  GemmMemoryOptions memory;  ///< and what both have
  GemmFilesOptions files;
  std::vector<const CLI::Option*> memory_only, files_only;
};

[[noreturn]] void refuse(const std::string& message) {
  throw Error(Errc::invalid_argument, message);
}

/// Hands over what both have, as far as files can have it.
GemmFilesOptions files_of(const GemmOptions& options) {
  const GemmMemoryOptions& given = options.memory;
  GemmFilesOptions files = options.files;
  if (files.b.empty()) refuse("one matrix: expected two, kinjo gemm A.npy B.npy -o C.npy");
  if (given.output.file.empty()) refuse("no file for the product: expected -o C.npy");
  const std::vector<std::string>& policies = given.configurations.policies;
  if (policies.size() > 1) refuse("several policies: expected one for matrices in files");
  const auto plans = parts_of(given.plans);
  if (plans.size() > 1) refuse("several plans: expected one for matrices in files");
  if (given.format == Format::csv) {
    refuse("unknown format 'csv': expected text, json for matrices in files");
  }
  files.output = given.output.file;
  files.plan = plans.empty() ? "" : plans.front();
  files.verify = given.verify;
  files.format = given.format;
  if (!policies.empty()) files.placement.policy = policies.front();
  files.placement.threads = given.configurations.threads;
  files.placement.oversubscribe = given.configurations.oversubscribe;
  files.bind = given.configurations.bind;
  return files;
}

int run(const GemmOptions& options) {
  const bool files = !options.files.a.empty();
  if (options.memory.sizes.empty()) {
    if (!files) {
      refuse(
          "nothing to multiply: expected matrices in files, as in kinjo gemm A.npy B.npy -o C.npy, "
          "or --size N for products in memory");
    }
    need_none(options.memory_only, "is for products in memory: expected --size, and no files");
    return run_gemm_files(files_of(options));
  }
  if (files) {
    refuse(fmt::format("--size is for products in memory: expected no file, and not '{}'",
                       detail::printable(options.files.a)));
  }
  need_none(options.files_only, "is for matrices in files: expected no --size, but A.npy B.npy");
  return run_gemm_memory(options.memory);
}

void add_shared(CLI::App& command, GemmMemoryOptions& options) {
  command
      .add_option("-o,--output", options.output.file,
                  "where the product of files goes, replaced when it is whole; with --size, "
                  "where the figures go instead of standard output")
      ->type_name("FILE");
  command
      .add_option("--plan", options.plans,
                  "the loop nest, such as N/C/S or R(m=2048)/R(k=512)/N/C/P//S; with --size also "
                  "'chosen' and lists of plans, to be compared")
      ->type_name("PLAN")
      ->allow_extra_args(false);
  command.add_flag("--verify", options.verify, "check the products: samples, and Freivalds' test");
  options.configurations.add_to(command);
  add_format(command, options.format, {Format::text, Format::json, Format::csv});
}

}  // namespace

void add_gemm(CLI::App& app, int& status) {
  auto options = std::make_shared<GemmOptions>();
  CLI::App* command = app.add_subcommand(
      "gemm", "Multiply matrices: in memory, or in files, also larger than memory");
  options->files_only = added(*command, [&] { options->files.add_to(*command); });
  options->memory_only = added(*command, [&] { options->memory.add_to(*command); });
  add_shared(*command, options->memory);
  command->footer(
      "Example: kinjo gemm A.npy B.npy -o C.npy --memory-limit 2G --verify\n"
      "Example: kinjo gemm --size 1024,2048 --threads all --verify\n"
      "Example: kinjo gemm --size 2048 --plan chosen,N/C/S,S/C");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
