#include "gemm/files/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
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
#include "base/whole_file.hpp"
#include "gemm/strips.hpp"

namespace kinjo::gemm {

namespace {

constexpr const char* kSchema = "kinjo-gemm-journal/2";
constexpr std::string_view kPanel = "panel ";
constexpr std::size_t kJournalMost = std::size_t{64} << 20;
/// Shorter runs go through the page cache as a whole: the disk takes them in one piece, where whole
/// blocks past it would leave a second one and a third.
constexpr std::size_t kLeastDirect = std::size_t{64} << 10;

/// Whether `path` is the name of an open file.
bool is_name_of(const FileHandle& file, const std::string& path) {
  struct stat ours {
  }, there{};
  const bool is_known = fstat(file.get(), &ours) == 0 && lstat(path.c_str(), &there) == 0;
  return is_known && ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
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

/// Space for so many bytes; where the file system reserves none, their number. 0 or errno.
int reserve(int file, std::uint64_t bytes) {
  int error = EINTR;
  while (error == EINTR) error = posix_fallocate(file, 0, static_cast<off_t>(bytes));
  if (error != EOPNOTSUPP && error != EINVAL) return error;
  return ftruncate(file, static_cast<off_t>(bytes)) != 0 ? errno : 0;
}

/// Until all of a range that is in the page cache is on the disk: 0 or errno. A fault that is told
/// here is not told again by fdatasync.
int flush_range(int file, std::uint64_t begin, std::uint64_t end) {
  const int done = sync_file_range(
      file, static_cast<off_t>(begin), static_cast<off_t>(end - begin),
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
  if (done == 0) return 0;
  const bool is_known = errno == EIO || errno == ENOSPC || errno == EDQUOT;
  if (is_known) return errno;
  return fdatasync(file) != 0 ? errno : 0;
}

/// The whole pages around a range leave the page cache: the system leaves those that are only
/// partly in what it is asked to drop.
void drop_pages(int file, std::uint64_t begin, std::uint64_t end) {
  begin -= begin % kDirectBlock;
  end = detail::round_up(end, kDirectBlock);
  posix_fadvise(file, static_cast<off_t>(begin), static_cast<off_t>(end - begin),
                POSIX_FADV_DONTNEED);
}

constexpr mode_t kAnybody = 0666, kOurs = S_IRUSR | S_IWUSR;

std::string directory_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

/// A file without a name; none where the file system has no such files.
FileHandle open_unnamed(const std::string& directory, int flags) {
  return FileHandle(open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | flags, 0600));
}

/// Seconds until a block that a file grows by is on the disk, the median of a few; none if it
/// cannot be written.
std::optional<double> seconds_of_sync(int file) {
  constexpr std::size_t kTimes = 5;
  alignas(kDirectBlock) static const char block[kDirectBlock] = {};
  std::vector<double> seconds;
  for (std::size_t i = 0; i < kTimes; ++i) {
    const auto start = std::chrono::steady_clock::now();
    if (write_all(file, block, sizeof(block), i * sizeof(block)) != 0) return std::nullopt;
    if (fdatasync(file) != 0) return std::nullopt;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    seconds.push_back(passed.count());
  }
  std::ranges::sort(seconds);
  return seconds[kTimes / 2];
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

std::string panel_record(std::size_t panel, std::uint64_t seed) {
  const std::string text = fmt::format("{}{}", kPanel, panel);
  return fmt::format("{} {:016x}", text, detail::fnv1a(text, seed));
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
      const std::size_t space = std::min(line.find(' ', kPanel.size()), line.size());
      const auto panel =
          detail::parse_number<std::size_t>(line.substr(kPanel.size(), space - kPanel.size()));
      if (panels.is_empty()) journal.seed = detail::fnv1a(text.substr(0, journal.good_bytes));
      if (!panel || line != panel_record(*panel, journal.seed)) {
        refuse("'panel I SUM' as it was written");
      }
      if (!panels.add(*panel)) refuse("a panel that is not named before");
    } else if (colon == std::string_view::npos || !panels.is_empty()) {
      refuse("'panel I SUM', or fields before the first panel");
    } else {
      journal.fields.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    }
    journal.good_bytes = end + 1;
  }
  if (panels.is_empty()) journal.seed = detail::fnv1a(text.substr(0, journal.good_bytes));
  journal.panels = panels.all();
  if (journal.good_bytes == 0) {
    throw Error(Errc::bad_input, fmt::format("line 1 of the journal '{}': expected {}",
                                             detail::printable(name), kSchema));
  }
  return journal;
}

OutputFile::OutputFile(const std::string& path, Access access)
    : path_(kinjo::detail::file_behind(path)),
      part_path_(path_ + ".kinjo-part"),
      journal_path_(path_ + ".kinjo-journal"),
      access_(access) {
  struct stat status {};
  if (stat(path_.c_str(), &status) != 0) {
    if (errno == ELOOP) refuse(ELOOP);
    return;
  }
  if (S_ISDIR(status.st_mode)) refuse(EISDIR);
  if (!S_ISREG(status.st_mode) || kinjo::detail::descriptor_named(path)) {
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
  return is_name_of(part_, part_path_) && !is_cut_ ? Left::part : Left::lost;
}

void OutputFile::refuse(int error) const {
  throw Error(kinjo::detail::code_of(error),
              fmt::format("cannot write '{}': {}", detail::printable(path_), std::strerror(error)));
}

void OutputFile::refuse_part(const std::string& fault) const {
  throw Error(Errc::system, fmt::format("cannot write '{}': '{}' {}", detail::printable(path_),
                                        detail::printable(part_path_), fault));
}

void OutputFile::refuse_second() const {
  throw Error(Errc::usage, fmt::format("cannot write '{}': another kinjo is writing it",
                                       detail::printable(path_)));
}

OutputFile::Trial OutputFile::try_directory() const {
  const std::string directory = directory_of(path_);
  if (access_ == Access::direct) {
    const FileHandle direct = open_unnamed(directory, O_DIRECT);
    const auto sync = direct ? seconds_of_sync(direct.get()) : std::nullopt;
    if (sync) return {Access::direct, sync};
  }
  const FileHandle cached = open_unnamed(directory, 0);
  if (cached) return {Access::cached, seconds_of_sync(cached.get())};
  // Not every file system has files without names.
  const bool has_none = errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL;
  if (!has_none || access(directory.c_str(), W_OK | X_OK) != 0) refuse(errno);
  return {Access::cached, std::nullopt};
}

ProductJournal OutputFile::interrupted() const {
  check_alone();
  const auto text = detail::read_small_file(journal_path_, kJournalMost);
  if (!text || !is_there(part_path_)) {
    throw Error(Errc::not_found,
                fmt::format("nothing to resume: expected '{}' and '{}' of an interrupted run",
                            detail::printable(part_path_), detail::printable(journal_path_)));
  }
  return parse_product_journal(*text, journal_path_);
}

/// The part is as private as the file that it is to replace, from its beginning on; `beside` is
/// what its owner may do meanwhile.
void OutputFile::take_over_access(mode_t beside) {
  struct stat old {};
  if (stat(path_.c_str(), &old) != 0) return;
  old.st_mode |= beside;
  kinjo::detail::make_as_private(part_.get(), old);
}

/// Opens the part, which nobody else may write to.
void OutputFile::open_part(int flags) {
  struct stat old {};
  const mode_t mode = stat(path_.c_str(), &old) == 0 ? (old.st_mode & kAnybody) | kOurs : kAnybody;
  part_ = FileHandle(open(part_path_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, mode));
  if (!part_) refuse(errno);
  is_mine_ = (flags & O_EXCL) != 0;
  // Where a file system has no locks nobody holds one.
  if (flock(part_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) refuse_second();
  if (access_ == Access::cached) return;
  direct_ = FileHandle(open(part_path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECT));
  if (direct_ && !is_name_of(part_, part_path_)) direct_ = FileHandle();  // of another file
}

/// Throws if somebody holds the part as `open_part` does.
void OutputFile::check_alone() const {
  if (part_) return;  // by ourselves
  const FileHandle part(open(part_path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!part || flock(part.get(), LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  refuse_second();
}

void OutputFile::check_free() const {
  check_alone();
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
  take_over_access(kOurs);
  int error = reserve(part_.get(), bytes);
  if (error == 0) error = write_all(part_.get(), header.data(), header.size(), 0);
  if (error != 0) refuse(error);
  sync(part_);
  journal_ = FileHandle(
      open(journal_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0666));
  if (!journal_) refuse(errno);
  std::string text = fmt::format("{}\n", kSchema);
  for (const auto& [name, value] : fields) text += fmt::format("{}: {}\n", name, value);
  append(text);
  seed_ = detail::fnv1a(text);
  bytes_ = bytes;
}

void OutputFile::check_length() {
  struct stat status {};
  if (fstat(part_.get(), &status) != 0) refuse(errno);
  if (static_cast<std::uint64_t>(status.st_size) == bytes_) return;
  is_cut_ = true;
  refuse_part(fmt::format("has {} bytes: expected {}", status.st_size, bytes_));
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
  seed_ = journal.seed;
  bytes_ = bytes;
  journal_bytes_ = journal.good_bytes;
  is_mine_ = true;
}

void OutputFile::write(const Run& run) {
  Piece piece(*this);
  piece.write(run);
  piece.end();
}

void OutputFile::Piece::announce(const Run& run) const {
  const auto want = [&](std::uint64_t edge) {
    if (edge % kDirectBlock == 0) return;
    posix_fadvise(file_.part_.get(), static_cast<off_t>(edge - edge % kDirectBlock), kDirectBlock,
                  POSIX_FADV_WILLNEED);
  };
  want(run.offset);
  want(run.offset + run.bytes);
}

void OutputFile::Piece::write(const Run& run) {
  file_.check_length();
  const std::size_t head = (kDirectBlock - run.offset % kDirectBlock) % kDirectBlock;
  const bool fits = file_.direct_ && reinterpret_cast<std::uintptr_t>(run.memory) % kDirectBlock ==
                                         run.offset % kDirectBlock;
  if (!fits || run.bytes < head + kLeastDirect) return write_cached(run);
  const std::size_t rest = run.bytes - head;
  const std::size_t middle = write_direct({run.offset + head, rest, run.memory + head});
  if (head > 0) write_cached({run.offset, head, run.memory});
  if (middle == rest) return;
  write_cached({run.offset + head + middle, rest - middle, run.memory + head + middle});
}

/// The whole blocks at the beginning of a run: returns their bytes, or none if the file system
/// does not take them.
std::size_t OutputFile::Piece::write_direct(const Run& run) {
  const std::size_t bytes = run.bytes / kDirectBlock * kDirectBlock;
  const int error = write_all(file_.direct_.get(), run.memory, bytes, run.offset);
  if (error == 0) return bytes;
  if (error != EINVAL) file_.refuse(error);
  return 0;
}

void OutputFile::Piece::write_cached(Run run) {
  const std::size_t most = file_.direct_ ? kEdgesMost : kCachedMost;
  while (run.bytes > 0) {
    if (cached_ + kDirectBlock > most) end();
    const std::size_t before = run.offset % kDirectBlock;
    const std::size_t bytes = std::min(run.bytes, most - cached_ - before);
    if (const int error = write_all(file_.part_.get(), run.memory, bytes, run.offset)) {
      file_.refuse(error);
    }
    begin_ = cached_ == 0 ? run.offset : std::min(begin_, run.offset);
    end_ = cached_ == 0 ? run.offset + bytes : std::max(end_, run.offset + bytes);
    cached_ += detail::round_up(before + bytes, kDirectBlock);
    run = {run.offset + bytes, run.bytes - bytes, run.memory + bytes};
  }
}

void OutputFile::Piece::end() {
  if (cached_ == 0) return;
  if (const int error = flush_range(file_.part_.get(), begin_, end_)) file_.refuse(error);
  drop_pages(file_.part_.get(), begin_, end_);
  cached_ = 0;
}

void OutputFile::append(const std::string& text) {
  const char* data = text.data();
  std::size_t left = text.size();
  while (left > 0) {
    const ssize_t wrote = ::write(journal_.get(), data, left);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) {
      const int error = errno;
      // Half a line would spoil the one of the next panel.
      static_cast<void>(ftruncate(journal_.get(), static_cast<off_t>(journal_bytes_)) == 0);
      refuse(error);
    }
    data += wrote;
    left -= static_cast<std::size_t>(wrote);
  }
  journal_bytes_ += text.size();
  sync(journal_);
}

void OutputFile::sync(const FileHandle& file) {
  if (fdatasync(file.get()) != 0) refuse(errno);
}

void OutputFile::finish_panel(std::size_t panel) {
  const std::lock_guard lock(recording_);
  sync(part_);
  check_length();
  // What two pieces shared while the first of them dropped it; all of the file costs no more than
  // what of it is there.
  posix_fadvise(part_.get(), 0, 0, POSIX_FADV_DONTNEED);
  append(panel_record(panel, seed_) + '\n');
  ++finished_;
}

void OutputFile::commit() {
  take_over_access(0);
  if (fsync(part_.get()) != 0) refuse(errno);
  if (!is_name_of(part_, part_path_)) refuse_part("is not the file that this run wrote");
  check_length();
  if (std::rename(part_path_.c_str(), path_.c_str()) != 0) refuse(errno);
  unlink(journal_path_.c_str());
  is_mine_ = false;
}

void OutputFile::discard() {
  if (!is_mine_) return;
  // Names that somebody has given to other files are theirs.
  if (is_name_of(part_, part_path_)) unlink(part_path_.c_str());
  if (journal_ && is_name_of(journal_, journal_path_)) unlink(journal_path_.c_str());
  is_mine_ = false;
}

}  // namespace kinjo::gemm
