/// The journal of a sweep: every run as it was done, so that an interrupted sweep loses nothing.
///
/// Lines of JSON. The first is the header, `{"schema":"kinjo-tune-journal/1", …}` with whatever is
/// needed to ask for the same sweep again; each other one is a run (docs/json.md). Lines are only
/// ever appended and are on the disk before the next run begins. A last line without its newline is
/// what a crash leaves, and is dropped; every other damage is an error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tune/sweep.hpp"

namespace kinjo {

struct JournalContent {
  nlohmann::ordered_json header;
  std::vector<DoneRun> runs;
  std::size_t good_bytes = 0;  ///< of the text: up to the last whole line
};

/// Reads a journal's text; `name` is its file's, for messages. Throws `Error` (`bad_input`) that
/// names the line.
JournalContent parse_journal(std::string_view text, const std::string& name);

/// One run as a line, with its newline; text that is not UTF-8 gets U+FFFD.
std::string journal_line(const DoneRun& done);

/// A journal that is being written.
class Journal {
 public:
  /// Makes the file `path`, which must not exist yet; an empty path: a file of its own in the
  /// temporary directory. Throws `Error` (`system`, `invalid_argument`).
  Journal(const std::string& path, const nlohmann::ordered_json& header);
  /// Goes on with a file, after the first `good_bytes`.
  Journal(const std::string& path, std::size_t good_bytes);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Throws `Error` (`system`) if it cannot be written.
  void append(const DoneRun& done);
  const std::string& path() const { return path_; }
  /// Deletes the file: the sweep is over and the journal has served.
  void discard();

 private:
  void write_line(const std::string& line);
  [[noreturn]] void fail_writing() const;
  std::string path_;
  int fd_ = -1;
};

/// The runs of a journal in their order, handed out to a sweep that asks for the same again.
class Replay {
 public:
  Replay(std::vector<DoneRun> runs, std::string name)
      : runs_(std::move(runs)), name_(std::move(name)) {}

  /// What came of the run; nothing if the journal ends before it. `metrics` is how many values a
  /// good run has. Throws `Error` (`bad_input`) that names the line if the journal has another run
  /// in its place.
  std::optional<Sample> next(const SweepRun& run, std::size_t metrics);

 private:
  std::vector<DoneRun> runs_;
  std::string name_;
  std::size_t done_ = 0;
};

/// All of a journal's file. Throws `Error` (`not_found`) if it cannot be read.
std::string read_journal(const std::string& path);

}  // namespace kinjo
