#include <memory>

#include "command.hpp"
#include "gemm_files.hpp"

namespace kinjo::cli {

void add_gemm(CLI::App& app, int& status) {
  auto files = std::make_shared<GemmFilesOptions>();
  CLI::App* command =
      app.add_subcommand("gemm", "Multiply matrices in files, also larger than memory");
  files->add_to(*command);
  command->footer("Example: kinjo gemm A.npy B.npy -o C.npy --memory-limit 2G --verify");
  command->callback([files, &status] { status = run_gemm_files(*files); });
}

}  // namespace kinjo::cli
