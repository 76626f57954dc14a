/// Files that are written whole or not at all.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kinjo::detail {

/// Replaces the file at `path` with `text`, under a temporary name beside it that is renamed when
/// all of it is on the disk; signals that would end the program wait meanwhile. What is there and
/// is no ordinary file (a device, a pipe) is written to as it is, and so is what a descriptor's
/// name stands for (/dev/stdout), behind what was written there before. A symbolic link stays one,
/// also to what is not there yet. The new file has the owner, the group and the mode of the one
/// that it replaces, as far as the system allows that; where the group cannot be had, no group has
/// access. Throws `Error` (`system`, `not_permitted`, `not_found`) that names `path` and says why.
void write_whole_file(const std::string& path, std::string_view text);
/// The same of pieces that follow each other.
void write_whole_file(const std::string& path, std::span<const std::string_view> pieces);
/// The next piece of what is written, which it need not keep longer than until it is asked again;
/// an empty one is the end.
using NextPiece = std::function<std::string_view()>;
/// The same of pieces that are made while they are written. Where `next` throws nothing is left.
void write_whole_file(const std::string& path, const NextPiece& next);
/// The same of much, in pieces of 16 MiB: `go_on` gets the bytes that are written after each, and
/// ends it by saying false. Returns whether all was written; if not, nothing is left.
bool write_whole_file(const std::string& path, std::string_view text,
                      const std::function<bool(std::size_t)>& go_on);

/// Makes an open file as private as `wanted`: its owner's and its group's, as far as the system
/// allows that; another group gets nothing. Where a file system knows neither it stays as it was
/// made.
void make_as_private(int file, const struct stat& wanted);

/// Throws what `write_whole_file` would where it can be known before there is anything to write: no
/// such directory, no permission, a directory of that name.
void check_writable(const std::string& path);

/// The descriptor of this process that a name stands for: /dev/stdout, /dev/fd/3 and the like.
std::optional<int> descriptor_named(const std::string& path);

/// The name of the file that a name leads to through links, also where it is not there yet; the
/// name itself where no link is followed, or they lead in a circle.
std::string file_behind(const std::string& path);

/// Whether both names are of one file, through links or not, be it there already or not.
bool is_same_file(const std::string& a, const std::string& b);

/// Makes a directory with all its parents; one that is there is as good. Throws `Error`.
void make_directories(const std::string& path);

}  // namespace kinjo::detail
