#include "gemm/files/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <system_error>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::gemm {

namespace {

constexpr const char* kSchema = "kinjo-gemm-journal/1";
constexpr std::string_view kPanel = "panel ";
constexpr std::size_t kJournalMost = std::size_t{64} << 20;

Errc code_of(int error) {
  if (error == EACCES || error == EPERM || error == EROFS) return Errc::not_permitted;
  return error == ENOENT || error == ENOTDIR ? Errc::not_found : Errc::system;
}

/// The file behind links, also where it is not there yet.
std::string target_of(const std::string& path) {
  constexpr int kMostLinks = 40;  // as the kernel follows
  std::filesystem::path at = path;
  std::error_code error;
  for (int i = 0; i < kMostLinks; ++i) {
    const auto real = std::filesystem::canonical(at, error);
    if (!error) return real.string();
    const auto next = std::filesystem::read_symlink(at, error);
    if (error) break;
    at = at.parent_path() / next;
  }
  return at.string();
}

bool is_there(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

/// Numbers that come nearly in order, as ranges that do not meet.
class Ranges {
 public:
  /// False if the number is there already, or is too large for the end of a range.
  bool add(std::size_t number) {
    if (number == std::numeric_limits<std::size_t>::max()) return false;
    const auto next = ends_.upper_bound(number);
    const auto before = next == ends_.begin() ? ends_.end() : std::prev(next);
    if (before != ends_.end() && number < before->second) return false;
    std::size_t end = number + 1;
    if (next != ends_.end() && next->first == end) {
      end = next->second;
      ends_.erase(next);
    }
    const bool goes_on = before != ends_.end() && before->second == number;
    ends_[goes_on ? before->first : number] = end;
    return true;
  }
  bool is_empty() const { return ends_.empty(); }
  std::vector<Range> all() const {
    std::vector<Range> ranges;
    for (const auto& [begin, end] : ends_) ranges.push_back({begin, end});
    return ranges;
  }

 private:
  std::map<std::size_t, std::size_t> ends_;  ///< by beginnings
};

/// 0 or errno.
int write_all(int file, const char* data, std::size_t bytes, std::uint64_t offset) {
  while (bytes > 0) {
    const ssize_t wrote = pwrite(file, data, bytes, static_cast<off_t>(offset));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    data += wrote;
    offset += static_cast<std::uint64_t>(wrote);
    bytes -= static_cast<std::size_t>(wrote);
  }
  return 0;
}

/// Through the page cache, of which nothing stays behind: 0 or errno.
int write_and_drop(int file, const Run& run) {
  if (const int error = write_all(file, run.memory, run.bytes, run.offset)) return error;
  const auto offset = static_cast<off_t>(run.offset), bytes = static_cast<off_t>(run.bytes);
  // What cannot be flushed is told by fdatasync, before the panel is recorded.
  sync_file_range(file, offset, bytes,
                  SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
  posix_fadvise(file, offset, bytes, POSIX_FADV_DONTNEED);
  return 0;
}

}  // namespace

std::size_t ProductJournal::finished() const {
  std::size_t count = 0;
  for (const Range& range : panels) count += range.size();
  return count;
}

const std::string* ProductJournal::find(std::string_view name) const {
  const auto at = std::ranges::find(fields, name, &Fields::value_type::first);
  return at == fields.end() ? nullptr : &at->second;
}

ProductJournal parse_product_journal(std::string_view text, const std::string& name) {
  ProductJournal journal;
  Ranges panels;
  for (std::size_t number = 1;; ++number) {
    const std::size_t end = text.find('\n', journal.good_bytes);
    if (end == std::string_view::npos) break;
    const std::string_view line = text.substr(journal.good_bytes, end - journal.good_bytes);
    const auto refuse = [&](const std::string& expected) {
      throw Error(Errc::bad_input, fmt::format("line {} of the journal '{}': expected {}", number,
                                               detail::printable(name), expected));
    };
    const std::size_t colon = line.find(": ");
    if (number == 1) {
      if (line != kSchema) refuse(kSchema);
    } else if (line.starts_with(kPanel)) {
      const auto panel = detail::parse_number<std::size_t>(line.substr(kPanel.size()));
      if (!panel || !panels.add(*panel)) refuse("a panel that is not named before");
    } else if (colon == std::string_view::npos || !panels.is_empty()) {
      refuse("'panel I', or fields before the first panel");
    } else {
      journal.fields.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    }
    journal.good_bytes = end + 1;
  }
  journal.panels = panels.all();
  if (journal.good_bytes == 0) {
    throw Error(Errc::bad_input, fmt::format("line 1 of the journal '{}': expected {}",
                                             detail::printable(name), kSchema));
  }
  return journal;
}

OutputFile::OutputFile(const std::string& path, Access access)
    : path_(target_of(path)),
      part_path_(path_ + ".kinjo-part"),
      journal_path_(path_ + ".kinjo-journal"),
      access_(access) {
  struct stat status {};
  if (stat(path_.c_str(), &status) != 0) {
    if (errno == ELOOP) refuse(ELOOP);
    return;
  }
  if (S_ISDIR(status.st_mode)) refuse(EISDIR);
  if (!S_ISREG(status.st_mode)) {
    throw Error(Errc::bad_input, fmt::format("cannot write '{}': expected an ordinary file",
                                             detail::printable(path_)));
  }
}

OutputFile::~OutputFile() {
  if (left() != Left::part) discard();
}

OutputFile::Left OutputFile::left() const {
  if (!is_mine_) return Left::untouched;
  if (finished_ == 0) return Left::nothing;
  struct stat ours {
  }, there{};
  const bool is_there = fstat(part_.get(), &ours) == 0 && lstat(part_path_.c_str(), &there) == 0;
  return is_there && ours.st_dev == there.st_dev && ours.st_ino == there.st_ino ? Left::part
                                                                                : Left::lost;
}

void OutputFile::refuse(int error) const {
  throw Error(code_of(error),
              fmt::format("cannot write '{}': {}", detail::printable(path_), std::strerror(error)));
}

ProductJournal OutputFile::interrupted() const {
  const auto text = detail::read_small_file(journal_path_, kJournalMost);
  if (!text || !is_there(part_path_)) {
    throw Error(Errc::not_found,
                fmt::format("nothing to resume: expected '{}' and '{}' of an interrupted run",
                            detail::printable(part_path_), detail::printable(journal_path_)));
  }
  return parse_product_journal(*text, journal_path_);
}

/// Opens the part, which nobody else may write to.
void OutputFile::open_part(int flags) {
  part_ = FileHandle(open(part_path_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0666));
  if (!part_) refuse(errno);
  if (flock(part_.get(), LOCK_EX | LOCK_NB) != 0) {
    throw Error(Errc::usage, fmt::format("cannot write '{}': another kinjo is writing it",
                                         detail::printable(path_)));
  }
  is_mine_ = (flags & O_EXCL) != 0;
  if (access_ == Access::cached) return;
  direct_ = FileHandle(open(part_path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECT));
}

void OutputFile::check_free() const {
  const bool has_part = is_there(part_path_), has_journal = is_there(journal_path_);
  if (!has_part && !has_journal) return;
  // One without the other: killed before the work began, or when it was done.
  const char* const way_on = has_part && has_journal
                                 ? "go on with it by --resume, or delete it and its journal"
                                 : "there is nothing to go on with: delete it";
  throw Error(
      Errc::invalid_argument,
      fmt::format("cannot write '{}': an interrupted run left '{}': {}", detail::printable(path_),
                  detail::printable(has_part ? part_path_ : journal_path_), way_on));
}

void OutputFile::begin(const std::string& header, std::uint64_t bytes,
                       const ProductJournal::Fields& fields) {
  check_free();
  open_part(O_CREAT | O_EXCL);
  int error = posix_fallocate(part_.get(), 0, static_cast<off_t>(bytes));
  if (error == EOPNOTSUPP || error == EINVAL) {
    error = ftruncate(part_.get(), static_cast<off_t>(bytes)) != 0 ? errno : 0;
  }
  if (error == 0) error = write_all(part_.get(), header.data(), header.size(), 0);
  if (error != 0) refuse(error);
  sync(part_);
  journal_ = FileHandle(
      open(journal_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0666));
  if (!journal_) refuse(errno);
  std::string text = fmt::format("{}\n", kSchema);
  for (const auto& [name, value] : fields) text += fmt::format("{}: {}\n", name, value);
  append(text);
}

void OutputFile::resume(const ProductJournal& journal, const std::string& header,
                        std::uint64_t bytes) {
  open_part(0);
  struct stat status {};
  std::string there(header.size(), '\0');
  if (fstat(part_.get(), &status) != 0) refuse(errno);
  const bool is_whole =
      static_cast<std::uint64_t>(status.st_size) == bytes &&
      pread(part_.get(), there.data(), there.size(), 0) == static_cast<ssize_t>(there.size()) &&
      there == header;
  if (!is_whole) {
    throw Error(Errc::bad_input, fmt::format("'{}' is not what its journal speaks of: delete both",
                                             detail::printable(part_path_)));
  }
  journal_ = FileHandle(open(journal_path_.c_str(), O_WRONLY | O_CLOEXEC | O_APPEND));
  if (!journal_ || ftruncate(journal_.get(), static_cast<off_t>(journal.good_bytes)) != 0) {
    refuse(errno);
  }
  finished_ = journal.finished();
  is_mine_ = true;
}

void OutputFile::write(const Run& run) {
  const bool can_go_direct = direct_ && run.offset % kDirectBlock == 0 &&
                             reinterpret_cast<std::uintptr_t>(run.memory) % kDirectBlock == 0;
  std::size_t direct_bytes = can_go_direct ? run.bytes / kDirectBlock * kDirectBlock : 0;
  if (direct_bytes > 0) {
    const int error = write_all(direct_.get(), run.memory, direct_bytes, run.offset);
    if (error == EINVAL) {
      direct_bytes = 0;  // not on this file system
    } else if (error != 0) {
      refuse(error);
    }
  }
  if (direct_bytes == run.bytes) return;
  const Run rest{run.offset + direct_bytes, run.bytes - direct_bytes, run.memory + direct_bytes};
  if (const int error = write_and_drop(part_.get(), rest)) refuse(error);
}

void OutputFile::append(const std::string& text) {
  const char* data = text.data();
  std::size_t left = text.size();
  while (left > 0) {
    const ssize_t wrote = ::write(journal_.get(), data, left);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) refuse(errno);
    data += wrote;
    left -= static_cast<std::size_t>(wrote);
  }
  sync(journal_);
}

void OutputFile::sync(const FileHandle& file) {
  if (fdatasync(file.get()) != 0) refuse(errno);
}

void OutputFile::finish_panel(std::size_t panel) {
  const std::lock_guard lock(recording_);
  sync(part_);
  append(fmt::format("panel {}\n", panel));
  ++finished_;
}

void OutputFile::commit() {
  if (fsync(part_.get()) != 0) refuse(errno);
  if (std::rename(part_path_.c_str(), path_.c_str()) != 0) refuse(errno);
  unlink(journal_path_.c_str());
  is_mine_ = false;
}

void OutputFile::discard() {
  if (!is_mine_) return;
  if (left() != Left::lost) unlink(part_path_.c_str());  // else it is another's
  if (journal_) unlink(journal_path_.c_str());
  is_mine_ = false;
}

}  // namespace kinjo::gemm
