/// kinjo gemm: products of matrices, in memory (--size) or in files.
#include <memory>

#include <kinjo/error.hpp>

#include "gemm_files.hpp"
#include "gemm_memory.hpp"
#include "two_ways.hpp"

namespace kinjo::cli {

namespace {

using Options = BothOptions<GemmMemoryOptions, GemmFilesOptions>;

constexpr TwoWays kWays = {.command = "gemm",
                           .verb = "multiply",
                           .result = "product",
                           .files = "matrices in files",
                           .no_files = "no files",
                           .of_files = "the product of files",
                           .inputs = "A.npy B.npy",
                           .output = "C.npy",
                           .verifies = "check the products: samples, and Freivalds' test"};

[[noreturn]] void refuse(const std::string& message) {
  throw Error(Errc::invalid_argument, message);
}

int run(const Options& options) {
  const Way way = way_of(kWays, options.memory, options.files.a, options.only);
  if (way == Way::memory) return run_gemm_memory(options.memory);
  GemmFilesOptions files = options.files;
  if (files.b.empty()) refuse("one matrix: expected two, kinjo gemm A.npy B.npy -o C.npy");
  const auto plans = parts_of(options.memory.plans);
  if (plans.size() > 1) refuse("several plans: expected one for matrices in files");
  if (!options.memory.plans.empty()) files.plan = plans.empty() ? "" : plans.front();
  files.take_over(options.memory, kWays);
  return run_gemm_files(files);
}

}  // namespace

void add_gemm(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "gemm", "Multiply matrices: in memory, or in files, also larger than memory");
  options->add_to(*command, kWays);
  command
      ->add_option("--plan", options->memory.plans,
                   "the loop nest, such as N/C/S or R(m=2048)/R(k=512)/N/C/P//S; with --size also "
                   "'chosen' and lists of plans, to be compared")
      ->type_name("PLAN")
      ->allow_extra_args(false);
  command->footer(
      "Example: kinjo gemm A.npy B.npy -o C.npy --memory-limit 2G --verify\n"
      "Example: kinjo gemm --size 1024,2048 --threads all --verify\n"
      "Example: kinjo gemm --size 2048 --plan chosen,N/C/S,S/C");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
