/// Cells as processes by fork. Each writes what it came to, a report of fixed size and then its
/// texts, into a pipe of its own; the parent reads them all and names the first that failed by
/// itself: that others then missed it is only a consequence.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <numeric>

#include <fmt/format.h>
#include <kinjo/binding.hpp>
#include <kinjo/comm_start.hpp>

#include "base/text.hpp"
#include "comm/cell_process.hpp"
#include "comm/world_impl.hpp"

namespace kinjo::comm {
namespace {

/// How a cell's process tells what it has come to: code and flag, then the two texts.
struct Report {
  std::int32_t code = 0;
  std::int32_t because_of_another = 0;
  std::int64_t lost_cell = -1;
  std::uint64_t error_bytes = 0;
  std::uint64_t output_bytes = 0;
};

bool write_all(int file, const void* data, std::size_t bytes) {
  const auto* next = static_cast<const char*>(data);
  while (bytes != 0) {
    const ssize_t written = ::write(file, next, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

int write_report(int file, const CellEnd& end) {
  const Report report{.code = static_cast<std::int32_t>(end.code),
                      .because_of_another = end.because_of_another ? 1 : 0,
                      .lost_cell = end.lost_cell,
                      .error_bytes = end.error.size(),
                      .output_bytes = end.output.size()};
  const bool written = write_all(file, &report, sizeof(report)) &&
                       write_all(file, end.error.data(), end.error.size()) &&
                       write_all(file, end.output.data(), end.output.size());
  return written && end.error.empty() ? 0 : 1;
}

/// What the process of a cell wrote, if it wrote all of it.
CellEnd read_report(const std::string& text, int cell, int status) {
  Report report;
  CellEnd end;
  if (text.size() >= sizeof(report)) std::memcpy(&report, text.data(), sizeof(report));
  if (text.size() < sizeof(report) ||
      text.size() != sizeof(report) + report.error_bytes + report.output_bytes) {
    end.code = Errc::cell_lost;
    end.lost_cell = cell;
    end.error = fmt::format("cell {} is lost: {}", cell, detail::describe_end(status));
    return end;
  }
  end.code = static_cast<Errc>(report.code);
  end.because_of_another = report.because_of_another != 0;
  end.lost_cell = static_cast<int>(report.lost_cell);
  end.error = text.substr(sizeof(report), report.error_bytes);
  end.output = text.substr(sizeof(report) + report.error_bytes);
  return end;
}

using Body = std::function<std::string(World&, const Place&)>;

/// Pinned to its place, in a world with all others.
std::string run_body(const Mapping& mapping, BindLevel bind, int cell, int file,
                     const WorldOptions& options, const Body& body) {
  const int count = static_cast<int>(mapping.size());
  detail::Cells cells{.cell = cell, .count = count, .members = {}, .leaders = {0}, .host = 0};
  cells.members.resize(mapping.size());
  std::iota(cells.members.begin(), cells.members.end(), 0);
  const auto row = static_cast<std::size_t>(cell);
  const Binding binding(mapping, row, bind);
  const Place& place = mapping[row];
  const detail::Identity identity{
      .index = cell, .cell = cell, .cpu = place.cpu, .node = place.node};
  World world(std::make_unique<detail::WorldImpl>(std::move(cells),
                                                  detail::SharedMemory::map_board(file, count),
                                                  identity, Path::shared, options));
  return body(world, place);
}

CellEnd run_cell(const Mapping& mapping, BindLevel bind, int cell, int file,
                 const WorldOptions& options, const Body& body) {
  CellEnd end;
  try {
    end.output = run_body(mapping, bind, cell, file, options, body);
    return end;
  } catch (const CellLost& lost) {
    end.because_of_another = true;
    end.lost_cell = lost.cell();
    end.code = lost.code();
    end.error = lost.what();
  } catch (const Error& error) {
    end.code = error.code();
    end.error = error.what();
  } catch (const std::bad_alloc&) {
    end.code = Errc::out_of_memory;
    end.error = "there is not enough memory";
  } catch (const std::exception& error) {
    end.error = error.what();
  } catch (...) {
    end.error = "an exception of unknown type has ended it";
  }
  // No text means that all went well.
  if (end.error.empty()) end.error = "an exception without a message has ended it";
  return end;
}

/// Reads what several processes write until each has closed its end. Who has come to an end before
/// it joined the others is noted on the board, since they wait for it there.
std::vector<std::string> read_all(const std::vector<int>& files, detail::SharedMemory& board) {
  std::vector<std::string> texts(files.size());
  std::vector<pollfd> waiting;
  for (const int file : files) waiting.push_back({.fd = file, .events = POLLIN, .revents = 0});
  std::size_t open = files.size();
  std::vector<char> buffer(std::size_t{1} << 16);
  while (open != 0) {
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) break;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].revents == 0) continue;
      waiting[i].revents = 0;
      const ssize_t got = read(waiting[i].fd, buffer.data(), buffer.size());
      if (got > 0) {
        texts[i].append(buffer.data(), static_cast<std::size_t>(got));
      } else if (got == 0 || errno != EINTR) {
        waiting[i].fd = -1;
        board.note_failure(static_cast<int>(i));
        --open;
      }
    }
  }
  return texts;
}

/// The processes of cells; those that nobody has waited for are ended.
class Processes {
 public:
  /// Room for so many: from then on nothing here asks for memory, so none is forgotten.
  explicit Processes(std::size_t count) { numbers_.reserve(count); }
  ~Processes() {
    for (; ended_ < numbers_.size(); ++ended_) {
      kill(numbers_[ended_], SIGKILL);
      detail::wait_for_end(numbers_[ended_]);
    }
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  void add(pid_t process) { numbers_.push_back(process); }
  const std::vector<pid_t>& numbers() const { return numbers_; }
  /// Waits for the first that has not been waited for, and returns its status.
  int wait_for_next() { return detail::wait_for_end(numbers_[ended_++]); }

 private:
  std::vector<pid_t> numbers_;
  std::size_t ended_ = 0;
};

}  // namespace

std::vector<CellEnd> run_processes(const Mapping& mapping, const WorldOptions& options,
                                   const Body& body,
                                   const std::function<void(const std::vector<int>&)>& started,
                                   BindLevel bind) {
  const int file = detail::create_memory_file(static_cast<int>(mapping.size()));
  const detail::Descriptors memory{{file}};
  const auto board = detail::SharedMemory::map_board(file, static_cast<int>(mapping.size()));
  detail::Descriptors reports;
  reports.files.reserve(mapping.size());
  const detail::KeptEnds kept;
  Processes processes(mapping.size());
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
      throw Error(Errc::system, fmt::format("cannot make a pipe for cell {}: {}", i,
                                            kinjo::detail::errno_name(errno)));
    }
    reports.files.push_back(ends[0]);
    // Closed here at once, so that no later child holds it open.
    const detail::Descriptors write_end{{ends[1]}};
    const int cell = static_cast<int>(i);
    processes.add(detail::fork_cell(cell, kept, [&] {
      return write_report(ends[1], run_cell(mapping, bind, cell, file, options, body));
    }));
  }
  if (started) started(processes.numbers());
  const std::vector<std::string> texts = read_all(reports.files, *board);
  std::vector<CellEnd> ended;
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    ended.push_back(read_report(texts[i], static_cast<int>(i), processes.wait_for_next()));
  }
  return ended;
}

}  // namespace kinjo::comm
