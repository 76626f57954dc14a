#include "base/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/signals_later.hpp"

namespace kinjo::detail {

namespace {

Errc code_of(int error) {
  if (error == EACCES || error == EPERM || error == EROFS) return Errc::not_permitted;
  return error == ENOENT || error == ENOTDIR ? Errc::not_found : Errc::system;
}

[[noreturn]] void refuse(const std::string& path, int error) {
  throw Error(code_of(error), fmt::format("cannot write '{}': {}", path, std::strerror(error)));
}

/// The file behind links, and whether it is to be written in place: it is there and no ordinary
/// file, so that renaming would put a file where a device was.
struct Target {
  std::string path;
  bool in_place = false;
};

Target target_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {path};  // also a link to nothing, which is replaced
  if (S_ISDIR(status.st_mode)) refuse(path, EISDIR);
  if (!S_ISREG(status.st_mode)) return {path, true};
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  return {error ? path : real.string()};
}

std::string temporary_name(const std::string& path) {
  return fmt::format("{}.{}.tmp", path, getpid());
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

/// Opens, writes and closes: 0 or errno. A pipe or a device knows no fsync, and says EINVAL.
int write_to(const std::string& path, int flags, const NextPiece& next, const GoOn& go_on = {}) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (file < 0) return errno;
  int error = write_all_pieces(file, next, go_on);
  if (error == 0 && fsync(file) != 0 && errno != EINVAL && errno != EROFS) error = errno;
  if (close(file) != 0 && error == 0) error = errno;
  return error;
}

/// Writes under a temporary name, of which nothing is left unless it could be renamed: 0 or errno.
int write_and_rename(const std::string& path, const NextPiece& next, const GoOn& go_on) {
  const std::string temporary = temporary_name(path);
  try {
    int error = write_to(temporary, O_CREAT | O_TRUNC, next, go_on);
    if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
    if (error != 0) unlink(temporary.c_str());
    return error;
  } catch (...) {
    unlink(temporary.c_str());
    throw;
  }
}

/// Whether all was written.
bool write_pieces(const std::string& path, const NextPiece& next, const GoOn& go_on) {
  const Target target = target_of(path);
  const SignalsLater quiet;
  const int error = target.in_place ? write_to(target.path, 0, next, go_on)
                                    : write_and_rename(target.path, next, go_on);
  if (error == ECANCELED) return false;
  if (error != 0) refuse(path, error);
  return true;
}

}  // namespace

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
    if (access(path.c_str(), W_OK) != 0) refuse(path, errno);
    return;
  }
  const SignalsLater quiet;
  const std::string temporary = temporary_name(target.path);
  const int error = write_to(temporary, O_CREAT | O_TRUNC, next_of({}));
  unlink(temporary.c_str());
  if (error != 0) refuse(path, error);
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  if (std::filesystem::equivalent(a, b, failed)) return true;
  const auto whole = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  };
  return whole(a) == whole(b) && !failed;
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
