#include "base/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/input_file.hpp"
#include "base/signals_later.hpp"
#include "base/text.hpp"

namespace kinjo::detail {

namespace {

[[noreturn]] void refuse(const std::string& path, int error) {
  throw Error(code_of(error), fmt::format("cannot write '{}': {}", path, std::strerror(error)));
}

constexpr mode_t kAccess = 0777;

/// Where a name leads, also through links to what is not there yet.
std::filesystem::path end_of(const std::string& name, std::error_code& failed) {
  constexpr int kMostLinks = 40;  // as of the system
  std::error_code ignored;
  std::filesystem::path path = std::filesystem::absolute(name, failed);
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(path, ignored); ++links) {
    path = path.parent_path() / std::filesystem::read_symlink(path, ignored);
  }
  return std::filesystem::weakly_canonical(path, failed);
}

/// The file behind links, and whether it is to be written in place: it is there and no ordinary
/// file, so that renaming would put a file where a device was; or somebody has it open.
struct Target {
  std::string path;
  bool in_place = false;
  std::optional<int> descriptor = {};      ///< it is known by
  std::optional<struct stat> status = {};  ///< of the ordinary file that is there
};

Target target_of(const std::string& path) {
  if (const auto descriptor = descriptor_named(path)) return {path, true, descriptor};
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    if (errno == ELOOP) refuse(path, ELOOP);
    return {file_behind(path)};
  }
  if (S_ISDIR(status.st_mode)) refuse(path, EISDIR);
  if (!S_ISREG(status.st_mode)) return {path, true};
  return {file_behind(path), false, {}, status};
}

/// A name beside the file. It ends as all such names do, also where the file's own is so long that
/// nothing fits behind it.
std::string temporary_name(const std::string& path, int number) {
  constexpr std::size_t kLongest = 200;  // of the 255 bytes that a name may have
  const std::filesystem::path whole(path);
  const std::string name = whole.filename().string();
  const std::string behind = number == 0 ? "" : fmt::format(".{}", number);
  return (whole.parent_path() /
          fmt::format("{}.{}{}.tmp", name.size() > kLongest ? "kinjo" : name, getpid(), behind))
      .string();
}

/// A file of our own beside the target: its name and descriptor, or -1 and errno. It is as private
/// as what it will replace, before anything is in it.
struct Temporary {
  std::string name;
  int file = -1;
  int error = 0;
};

Temporary open_temporary(const Target& target) {
  constexpr int kMost = 1000;  // left by killed programs, or of threads that write to long names
  const mode_t access = target.status ? target.status->st_mode : 0666;
  Temporary made;
  for (int number = 0; number < kMost; ++number) {
    made.name = temporary_name(target.path, number);
    made.file =
        open(made.name.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, access & mode_t{0666});
    made.error = made.file < 0 ? errno : 0;
    if (made.error != EEXIST) break;
  }
  if (made.file >= 0 && target.status) make_as_private(made.file, *target.status);
  return made;
}

using GoOn = std::function<bool(std::size_t)>;

constexpr std::size_t kPiece = 16 << 20;

/// 0 or errno; ECANCELED if it was ended.
int write_all(int file, std::string_view text, const GoOn& go_on) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = write(file, text.data() + done, std::min(text.size() - done, kPiece));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    done += static_cast<std::size_t>(wrote);
    if (go_on && !go_on(done)) return ECANCELED;
  }
  return 0;
}

using Pieces = std::span<const std::string_view>;

NextPiece next_of(Pieces pieces) {
  return [pieces]() mutable {
    std::string_view piece;  // the first that has anything
    while (piece.empty() && !pieces.empty()) {
      piece = pieces.front();
      pieces = pieces.subspan(1);
    }
    return piece;
  };
}

/// 0 or errno; closes the file where `next` throws.
int write_all_pieces(int file, const NextPiece& next, const GoOn& go_on) {
  try {
    int error = 0;
    for (std::string_view piece = next(); error == 0 && !piece.empty(); piece = next()) {
      error = write_all(file, piece, go_on);
    }
    return error;
  } catch (...) {
    close(file);
    throw;
  }
}

/// Writes and closes: 0 or errno. A pipe or a device knows no fsync, and says EINVAL.
int write_to(int file, const NextPiece& next, const GoOn& go_on = {}) {
  int error = write_all_pieces(file, next, go_on);
  if (error == 0 && fsync(file) != 0 && errno != EINVAL && errno != EROFS) error = errno;
  if (close(file) != 0 && error == 0) error = errno;
  return error;
}

int write_in_place(const Target& target, const NextPiece& next, const GoOn& go_on) {
  const int file = target.descriptor ? fcntl(*target.descriptor, F_DUPFD_CLOEXEC, 0)
                                     : open(target.path.c_str(), O_WRONLY | O_CLOEXEC);
  return file < 0 ? errno : write_to(file, next, go_on);
}

/// What keeps it from being written in place: 0 or errno.
int error_in_place(const Target& target) {
  if (!target.descriptor) return access(target.path.c_str(), W_OK) == 0 ? 0 : errno;
  const int flags = fcntl(*target.descriptor, F_GETFL);
  if (flags < 0) return errno;
  return (flags & O_ACCMODE) == O_RDONLY ? EBADF : 0;
}

/// Writes under a temporary name, of which nothing is left unless it could be renamed: 0 or errno.
int write_and_rename(const Target& target, const NextPiece& next, const GoOn& go_on) {
  const Temporary temporary = open_temporary(target);
  if (temporary.file < 0) return temporary.error;
  const char* const name = temporary.name.c_str();
  try {
    int error = write_to(temporary.file, next, go_on);
    if (error == 0 && std::rename(name, target.path.c_str()) != 0) error = errno;
    if (error != 0) unlink(name);
    return error;
  } catch (...) {
    unlink(name);
    throw;
  }
}

/// Whether all was written.
bool write_pieces(const std::string& path, const NextPiece& next, const GoOn& go_on) {
  const Target target = target_of(path);
  const SignalsLater quiet;
  const int error =
      target.in_place ? write_in_place(target, next, go_on) : write_and_rename(target, next, go_on);
  if (error == ECANCELED) return false;
  if (error != 0) refuse(path, error);
  return true;
}

}  // namespace

void make_as_private(int file, const struct stat& wanted) {
  mode_t mode = wanted.st_mode & kAccess;
  struct stat made {};
  if (fstat(file, &made) != 0) return;
  const bool is_ours = made.st_uid == wanted.st_uid && made.st_gid == wanted.st_gid;
  if (!is_ours && fchown(file, wanted.st_uid, wanted.st_gid) != 0) {
    if (made.st_gid != wanted.st_gid && fchown(file, made.st_uid, wanted.st_gid) != 0) {
      mode &= ~mode_t{S_IRWXG};
    }
  }
  static_cast<void>(fchmod(file, mode));
}

void write_whole_file(const std::string& path, std::string_view text) {
  write_pieces(path, next_of({&text, 1}), {});
}

void write_whole_file(const std::string& path, std::span<const std::string_view> pieces) {
  write_pieces(path, next_of(pieces), {});
}

void write_whole_file(const std::string& path, const NextPiece& next) {
  write_pieces(path, next, {});
}

bool write_whole_file(const std::string& path, std::string_view text, const GoOn& go_on) {
  return write_pieces(path, next_of({&text, 1}), go_on);
}

void check_writable(const std::string& path) {
  const Target target = target_of(path);
  if (target.in_place) {
    const int error = error_in_place(target);
    if (error != 0) refuse(path, error);
    return;
  }
  const SignalsLater quiet;
  const Temporary temporary = open_temporary(target);
  if (temporary.file < 0) refuse(path, temporary.error);
  const int error = write_to(temporary.file, next_of({}));
  unlink(temporary.name.c_str());
  if (error != 0) refuse(path, error);
}

std::optional<int> descriptor_named(const std::string& path) {
  constexpr int kMostLinks = 40;  // as of the system
  std::error_code failed;
  std::filesystem::path at = std::filesystem::absolute(path, failed);
  const std::string ours = fmt::format("/proc/{}/fd", getpid());
  for (int links = 0; links < kMostLinks && !failed; ++links) {
    if (std::filesystem::canonical(at.parent_path(), failed) == ours) {
      return parse_number<int>(at.filename().string());
    }
    at = at.parent_path() / std::filesystem::read_symlink(at, failed);
  }
  return std::nullopt;
}

std::string file_behind(const std::string& path) {
  std::error_code failed;
  const auto real = std::filesystem::canonical(path, failed);
  if (!failed) return real.string();
  if (!std::filesystem::is_symlink(path, failed)) return path;
  const auto end = end_of(path, failed);
  return failed ? path : end.string();
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  if (std::filesystem::equivalent(a, b, failed)) return true;
  return end_of(a, failed) == end_of(b, failed) && !failed;
}

void make_directories(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw Error(code_of(error.value()), fmt::format("cannot make the directory '{}': {}", path,
                                                    std::strerror(error.value())));
  }
}

}  // namespace kinjo::detail
