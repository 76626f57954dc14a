/// kinjo: the command-line program. Each command parses, makes one call into the library and
/// prints.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>
#include <span>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "command.hpp"
#include "help_text.hpp"
#include "launch/launch.hpp"

namespace {

std::string command_names(const CLI::App& app) {
  std::vector<std::string> names;
  const auto computes = [](const CLI::App* command) {
    return command->get_group() != kinjo::cli::kSetup;
  };
  for (const CLI::App* command : app.get_subcommands(computes)) {
    names.push_back(command->get_name());
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

bool has_command(const CLI::App& app, std::string_view name) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  return std::ranges::any_of(
      commands, [name](const CLI::App* command) { return command->get_name() == name; });
}

/// What is wrong with the values of an option: CLI11's words leave out what is expected.
std::string explain_values(std::string_view message) {
  const auto option_before = [&](std::string_view complaint) {
    return message.substr(0, std::min(message.find(complaint), message.size()));
  };
  constexpr std::string_view kTooOften = ": At Most 1 required but received ";
  constexpr std::string_view kMissing = ": 1 required ", kMissingEnd = " missing";
  constexpr std::string_view kFlag = " was given a disallowed flag override";
  if (const auto option = option_before(kTooOften); option != message) {
    return fmt::format("{}: given {} times: expected once", option,
                       message.substr(option.size() + kTooOften.size()));
  }
  if (const auto option = option_before(kMissing); option != message) {
    message.remove_prefix(option.size() + kMissing.size());
    return fmt::format("{}: no value: expected {}", option,
                       message.substr(0, message.size() - kMissingEnd.size()));
  }
  if (const auto option = option_before(kFlag); option != message) {
    return fmt::format("{}{}: a value: expected none", option.size() == 1 ? "-" : "--", option);
  }
  return std::string(message);
}

/// What is wrong with the command line, in our words where CLI11 leaves out what is accepted.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const auto commands = app.get_subcommands();
  auto unknown = app.remaining(true);
  std::erase(unknown, "--");
  if (commands.empty()) {
    return fmt::format(
        "{}: expected one of {}",
        unknown.empty() ? "no command" : fmt::format("unknown command '{}'", unknown.front()),
        command_names(app));
  }
  if (!unknown.empty()) {
    return fmt::format("unexpected argument '{}': kinjo {} --help lists what is accepted",
                       unknown.front(), commands.front()->get_name());
  }
  const CLI::App& command = *commands.front();
  if (command.get_require_subcommand_min() > 0 && command.get_subcommands().empty()) {
    return fmt::format("{}: no program: expected one of {}", command.get_name(),
                       command_names(command));
  }
  return explain_values(error.what());
}

/// Flags are there or not: CLI11 would take `--flag=no` for there, where a function is called.
void take_no_values_with_flags(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_expected_max() == 0) option->disable_flag_override();
  }
  for (CLI::App* program : command.get_subcommands({})) take_no_values_with_flags(*program);
}

/// Whether the option, or this as a value of any, stands on the command line.
bool is_written(const CLI::Option& option, std::string_view value,
                std::span<const char* const> words) {
  return std::ranges::any_of(words, [&](const std::string_view word) {
    const auto is_option = [&](const std::string& name) {
      return word == "--" + name || word.starts_with("--" + name + "=");
    };
    return word == value || std::ranges::any_of(option.get_lnames(), is_option);
  });
}

/// Behind a message that quotes a value which nobody wrote: the variable that it comes from.
/// `words` are those of the command line, without a program's.
std::string variable_of(const CLI::App& app, const std::string& message,
                        std::span<const char* const> words) {
  for (const CLI::App* command : app.get_subcommands()) {
    for (const CLI::Option* option : command->get_options()) {
      const std::string name = option->get_envname();
      const char* value = name.empty() ? nullptr : std::getenv(name.c_str());
      if (!value) continue;
      for (const std::string_view part : kinjo::detail::split(value, ',')) {
        const bool is_quoted = message.find(fmt::format("'{}'", part)) != message.npos;
        if (is_quoted && !is_written(*option, part, words)) return fmt::format(" (of {})", name);
      }
      // A list where one is expected; or a number of threads that are too many.
      const bool is_told = message.find(fmt::format("'{}'", value)) != message.npos ||
                           message.starts_with(fmt::format("{} threads ", value));
      if (is_told && !is_written(*option, value, words)) return fmt::format(" (of {})", name);
    }
  }
  return {};
}

/// One line on standard error, and the status with which the command that was asked for fails.
int complain(const CLI::App& app, const std::string& message) {
  kinjo::cli::note(message);
  const auto commands = app.get_subcommands();
  const bool launches = !commands.empty() && commands.front()->get_name() == "run";
  return launches ? kinjo::detail::kLaunchFailed : kinjo::cli::kBadUsage;
}

/// Help and the version are data: they go where data goes, and fail as data does.
int answer(const CLI::App& app, const CLI::Success& request) {
  std::ostringstream text;
  app.exit(request, text);
  try {
    kinjo::cli::print(text.str());
  } catch (const kinjo::Error& error) {
    return complain(app, error.what());
  }
  return kinjo::cli::kDone;
}

/// Occupies standard streams that are closed, or a file that is opened later would get their
/// number, and what is printed would go into it. Writing to them fails as before, and a program
/// that is started finds them closed.
void occupy_closed_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    const int direction = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", direction | O_CLOEXEC) != fd) return;  // it takes the lowest free number
  }
}

/// A limit on the size of files is an error of writing, not the end. By a handler, since programs
/// that are started would take over that a signal is ignored.
void outlive_size_limits() {
  struct sigaction action {};
  if (sigaction(SIGXFSZ, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
  action.sa_handler = [](int) {};
  sigaction(SIGXFSZ, &action, nullptr);
}

/// What `kinjo where` is given: a command stands behind `--`.
kinjo::cli::Target target_of(int argc, char** argv) {
  return std::find(argv, argv + argc, std::string_view("--")) == argv + argc
             ? kinjo::cli::Target::process
             : kinjo::cli::Target::command;
}

/// The command that the first word names, or all of them where there is none and for those that
/// tell of the others: options that nobody asks for take time and memory.
void add_commands(CLI::App& app, int& status, int argc, char** argv) {
  using namespace kinjo::cli;
  const Target target = target_of(argc, argv);
  struct Command {
    std::string_view name;
    std::function<void()> add;
  };
  const auto of = [&](void (*add)(CLI::App&, int&)) {
    return [=, &app, &status] { add(app, status); };
  };
  const Command commands[] = {{"topo", of(add_topo)},
                              {"map", of(add_map)},
                              {"stream", of(add_stream)},
                              {"blas1", of(add_blas1)},
                              {"gemm", of(add_gemm)},
                              {"fft", of(add_fft)},
                              {"bfs", of(add_bfs)},
                              {"graph500", of(add_graph500)},
                              {"paths", of(add_paths)},
                              {"sdp", of(add_sdp)},
                              {"cells", of(add_cells)},
                              {"run", of(add_run)},
                              {"measure", of(add_measure)},
                              {"tune", of(add_tune)},
                              {"where", [&] { add_where(app, status, target); }},
                              {"", of(add_completion)},
                              {"", of(add_man)}};
  const std::string_view asked = argc > 1 ? argv[1] : "";
  const bool is_named =
      !asked.empty() && std::ranges::find(commands, asked, &Command::name) != std::end(commands);
  for (const Command& command : commands) {
    if (!is_named || command.name == asked) command.add();
  }
}

/// Understands the command line and does what it says: the exit status. Throws what want of memory
/// throws before there is a command line.
int run(int argc, char** argv) {
  CLI::App app("kinjo keeps every thread next to its data.", "kinjo");
  app.require_subcommand(1);
  app.set_version_flag("--version", "kinjo " KINJO_VERSION);
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.formatter(kinjo::cli::help_text());
  app.footer("Example: kinjo topo     (kinjo COMMAND --help shows one for each command)");
  int status = kinjo::cli::kDone;
  add_commands(app, status, argc, argv);
  take_no_values_with_flags(app);
  // Also where --help follows, which would be taken for that of the program.
  if (const std::string_view asked = argc > 1 ? argv[1] : "-";
      !asked.starts_with('-') && !has_command(app, asked)) {
    return complain(
        app, fmt::format("unknown command '{}': expected one of {}", asked, command_names(app)));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {
    return answer(app, request);
  } catch (const CLI::ParseError& error) {
    return complain(app, explain(app, error));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    char** const end = std::find(argv, argv + argc, std::string_view("--"));
    return complain(app, error.what() + variable_of(app, error.what(), {argv, end}));
  }
  return status;
}

constexpr std::string_view kNoMemory = "kinjo: there is not enough memory\n";
int memory_status = kinjo::cli::kBadUsage;

/// Says so without allocating: the status of want of memory.
int tell_want_of_memory() {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kNoMemory.data(), kNoMemory.size());
  return memory_status;
}

/// Memory may be wanted where nothing may be thrown, as when nlohmann's JSON destroys a value.
[[noreturn]] void end_for_want_of_memory() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    _exit(tell_want_of_memory());
  } catch (...) {
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "run") memory_status = kinjo::detail::kLaunchFailed;
  std::set_terminate(end_for_want_of_memory);
  occupy_closed_streams();
  outlive_size_limits();
  try {
    return run(argc, argv);
  } catch (...) {  // nothing else gets here, also from telling what was thrown
    return tell_want_of_memory();
  }
}
