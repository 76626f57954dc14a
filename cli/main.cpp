/// kinjo: the command-line program. Each command parses, makes one call into the library and
/// prints.
#include <cstdio>
#include <exception>

#include <kinjo/error.hpp>

#include "command.hpp"

namespace {

/// One line on standard error, and the status of bad usage.
int complain(const char* message) {
  std::fprintf(stderr, "kinjo: %s\n", message);
  return kinjo::cli::kBadUsage;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("kinjo keeps every thread next to its data.", "kinjo");
  app.require_subcommand(1);
  app.set_version_flag("--version", "kinjo " KINJO_VERSION);
  app.set_help_flag("-h,--help", "Print this help and exit");
  int status = kinjo::cli::kDone;
  kinjo::cli::add_topo(app, status);
  kinjo::cli::add_map(app, status);
  kinjo::cli::add_stream(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    return complain(error.what());
  } catch (const std::exception& error) {
    return complain(error.what());
  }
  return status;
}
