#include "base/whole_file.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo::detail {
namespace {

using test::error_of;
using test::read_file;
using test::Scratch;

std::size_t files_in(const std::string& directory) {
  const auto all = std::filesystem::directory_iterator(directory);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

TEST(WholeFile, IsWrittenAndReplacedWithNothingLeftBeside) {
  const Scratch scratch;
  const std::string path = scratch.path("file");
  write_whole_file(path, "first");
  EXPECT_EQ(read_file(path), "first");
  write_whole_file(path, "second, longer");
  EXPECT_EQ(read_file(path), "second, longer");
  EXPECT_EQ(files_in(scratch.path()), 1u);
}

TEST(WholeFile, IsMadeOfPiecesThatFollowEachOther) {
  const Scratch scratch;
  const std::string path = scratch.path("file");
  const std::string_view pieces[] = {"one", "", " and ", "two"};
  write_whole_file(path, pieces);
  EXPECT_EQ(read_file(path), "one and two");
  write_whole_file(path, std::span<const std::string_view>());
  EXPECT_EQ(read_file(path), "");
}

TEST(WholeFile, IsMadeOfPiecesThatAreMadeMeanwhile) {
  const Scratch scratch;
  const std::string path = scratch.path("file");
  int made = 0;
  std::string piece;
  const NextPiece next = [&]() -> std::string_view {
    piece = made < 3 ? std::to_string(made++) : "";
    return piece;
  };
  write_whole_file(path, next);
  EXPECT_EQ(read_file(path), "012");
  EXPECT_THROW(write_whole_file(path, NextPiece([&]() -> std::string_view { throw made; })), int);
  EXPECT_EQ(read_file(path), "012");
  EXPECT_EQ(files_in(scratch.path()), 1u);
}

TEST(WholeFile, TellsHowFarItIsAndLeavesNothingWhenItIsEnded) {
  const Scratch scratch;
  const std::string path = scratch.path("file"), text(33 << 20, 'x');
  std::vector<std::size_t> done;
  const auto go_on = [&](std::size_t bytes) {
    done.push_back(bytes >> 20);
    return true;
  };
  EXPECT_TRUE(write_whole_file(path, text, go_on));
  EXPECT_EQ(done, (std::vector<std::size_t>{16, 32, 33}));
  EXPECT_EQ(read_file(path).size(), text.size());
  EXPECT_FALSE(write_whole_file(path, "short", [](std::size_t) { return false; }));
  EXPECT_EQ(read_file(path).size(), text.size());
  EXPECT_EQ(files_in(scratch.path()), 1u);
}

TEST(WholeFile, KeepsALinkAndReplacesWhatItPointsTo) {
  const Scratch scratch;
  scratch.write("real", "old");
  std::filesystem::create_symlink("real", scratch.path("link"));
  write_whole_file(scratch.path("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.path("link")));
  EXPECT_EQ(read_file(scratch.path("real")), "new");
}

TEST(WholeFile, FollowsALinkToWhatIsNotThereYet) {
  const Scratch scratch;
  std::filesystem::create_symlink("second", scratch.path("first"));
  std::filesystem::create_symlink("none", scratch.path("second"));
  check_writable(scratch.path("first"));
  write_whole_file(scratch.path("first"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.path("first")));
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.path("second")));
  EXPECT_EQ(read_file(scratch.path("none")), "new");
  std::filesystem::create_symlink("round", scratch.path("round"));
  EXPECT_EQ(
      error_of([&] { write_whole_file(scratch.path("round"), "new"); }),
      "system: cannot write '" + scratch.path("round") + "': Too many levels of symbolic links");
}

TEST(WholeFile, WritesToADeviceWithoutReplacingIt) {
  write_whole_file("/dev/null", "text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(error_of([] { write_whole_file("/dev/full", "text"); }),
            "system: cannot write '/dev/full': No space left on device");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(WholeFile, GoesOnBehindWhatWasWrittenWhereADescriptorIsNamed) {
  const Scratch scratch;
  const std::string path = scratch.write("file", "");
  const int file = open(path.c_str(), O_WRONLY);
  ASSERT_GE(file, 0);
  ASSERT_EQ(write(file, "one ", 4), 4);
  const std::string name = "/dev/fd/" + std::to_string(file);
  EXPECT_EQ(descriptor_named(name), file);
  EXPECT_EQ(descriptor_named("/dev/stdout"), STDOUT_FILENO);
  EXPECT_EQ(descriptor_named("/proc/self/fd/" + std::to_string(file)), file);
  EXPECT_EQ(descriptor_named(path), std::nullopt);
  EXPECT_EQ(descriptor_named("/dev/null"), std::nullopt);
  std::filesystem::create_symlink(name, scratch.path("link"));
  for (const std::string& each : {name, scratch.path("link")}) {
    check_writable(each);
    write_whole_file(each, "two ");
  }
  ASSERT_EQ(write(file, "three", 5), 5);
  close(file);
  EXPECT_EQ(read_file(path), "one two two three");
  const int closed = open(path.c_str(), O_RDONLY);
  const std::string read_only = "/dev/fd/" + std::to_string(closed);
  EXPECT_EQ(error_of([&] { check_writable(read_only); }),
            "system: cannot write '" + read_only + "': Bad file descriptor");
  close(closed);
}

TEST(WholeFile, IsAsPrivateAsWhatItReplaces) {
  const Scratch scratch;
  const std::string path = scratch.write("file", "old");
  const mode_t before = umask(022);
  for (const mode_t mode : {0600, 0640, 0666, 0755, 0400}) {
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
    const auto mode_now = [&] {
      struct stat status {};
      EXPECT_EQ(stat(path.c_str(), &status), 0);
      return status.st_mode & 07777;
    };
    check_writable(path);
    write_whole_file(path, "new");
    EXPECT_EQ(mode_now(), mode);
  }
  write_whole_file(scratch.path("public"), "new");
  struct stat status {};
  ASSERT_EQ(stat(scratch.path("public").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, mode_t{0644});
  umask(before);
}

struct stat status_of_file(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status;
}

TEST(WholeFile, IsOfTheOwnerAndTheGroupOfWhatItReplaces) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  const Scratch scratch;
  const std::string path = scratch.write("file", "old");
  ASSERT_EQ(chown(path.c_str(), 12345, 23456), 0);
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  write_whole_file(path, "new");
  EXPECT_EQ(status_of_file(path).st_uid, 12345u);
  EXPECT_EQ(status_of_file(path).st_gid, 23456u);
  EXPECT_EQ(status_of_file(path).st_mode & 07777, mode_t{0640});
}

TEST(WholeFile, IsOpenToNoGroupWhereThatOfWhatItReplacesCannotBeHad) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may become somebody else";
  const Scratch scratch;
  const std::string path = scratch.write("file", "old");
  ASSERT_EQ(chown(path.c_str(), 12345, 23456), 0);
  ASSERT_EQ(chmod(path.c_str(), 0664), 0);
  ASSERT_EQ(chmod(scratch.path().c_str(), 0777), 0);
  const pid_t child = fork();
  if (child == 0) {
    const bool other = setgroups(0, nullptr) == 0 && setgid(34567) == 0 && setuid(12345) == 0;
    if (!other) _exit(2);
    write_whole_file(path, "new");
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(status_of_file(path).st_gid, 34567u);
  EXPECT_EQ(status_of_file(path).st_mode & 07777, mode_t{0604});
}

TEST(WholeFile, MayHaveTheLongestNameThatThereIs) {
  const Scratch scratch;
  for (const std::size_t length : {200u, 201u, 245u, 255u}) {
    const std::string path = scratch.path(std::string(length, 'n'));
    check_writable(path);
    write_whole_file(path, "text");
    EXPECT_EQ(read_file(path), "text");
  }
  EXPECT_EQ(files_in(scratch.path()), 4u);
  EXPECT_EQ(error_of([&] { write_whole_file(scratch.path(std::string(256, 'n')), "text"); }),
            fmt::format("system: cannot write '{}': File name too long",
                        scratch.path(std::string(256, 'n'))));
  EXPECT_EQ(files_in(scratch.path()), 4u);
}

TEST(WholeFile, PassesByWhatAKilledProgramLeft) {
  const Scratch scratch;
  const std::string left = fmt::format("file.{}.tmp", getpid());
  scratch.write(left, "left");
  check_writable(scratch.path("file"));
  write_whole_file(scratch.path("file"), "text");
  EXPECT_EQ(read_file(scratch.path("file")), "text");
  EXPECT_EQ(read_file(scratch.path(left)), "left");
  EXPECT_EQ(files_in(scratch.path()), 2u);
}

TEST(WholeFile, RefusalsNameThePathAndLeaveWhatWasThere) {
  const Scratch scratch;
  const std::string absent = scratch.path("absent/file");
  const std::string below_file = scratch.write("file", "kept") + "/x";
  for (const auto write : {+[](const std::string& path) { write_whole_file(path, "text"); },
                           +[](const std::string& path) { check_writable(path); }}) {
    EXPECT_EQ(error_of([&] { write(absent); }),
              fmt::format("not_found: cannot write '{}': No such file or directory", absent));
    EXPECT_EQ(error_of([&] { write(below_file); }),
              fmt::format("not_found: cannot write '{}': Not a directory", below_file));
    EXPECT_EQ(error_of([&] { write(scratch.path()); }),
              fmt::format("system: cannot write '{}': Is a directory", scratch.path()));
  }
  EXPECT_EQ(read_file(scratch.path("file")), "kept");
  EXPECT_EQ(files_in(scratch.path()), 1u);
}

TEST(WholeFile, CheckingLeavesNothingBehind) {
  const Scratch scratch;
  check_writable(scratch.path("new"));
  EXPECT_EQ(files_in(scratch.path()), 0u);
  scratch.write("old", "kept");
  check_writable(scratch.path("old"));
  EXPECT_EQ(read_file(scratch.path("old")), "kept");
  EXPECT_EQ(files_in(scratch.path()), 1u);
}

TEST(SameFile, IsOneUnderAnyName) {
  const Scratch scratch;
  scratch.write("file", "");
  scratch.write("other", "");
  std::filesystem::create_symlink(scratch.path("file"), scratch.path("link"));
  std::filesystem::create_hard_link(scratch.path("file"), scratch.path("hard"));
  for (const char* name : {"file", "./file", "link", "hard"}) {
    EXPECT_TRUE(is_same_file(scratch.path("file"), scratch.path(name))) << name;
  }
  EXPECT_FALSE(is_same_file(scratch.path("file"), scratch.path("other")));
  EXPECT_FALSE(is_same_file(scratch.path("file"), scratch.path("new")));
  EXPECT_TRUE(is_same_file(scratch.path("new"), scratch.path("./new")));
  EXPECT_TRUE(is_same_file("new", "./new"));
  std::filesystem::create_symlink("new", scratch.path("to_new"));
  EXPECT_TRUE(is_same_file(scratch.path("new"), scratch.path("to_new")));
  std::filesystem::create_symlink("endless", scratch.path("endless"));
  EXPECT_FALSE(is_same_file(scratch.path("new"), scratch.path("endless")));
  EXPECT_FALSE(is_same_file("new", "newer"));
}

TEST(MakeDirectories, MakesParentsAndIsContentWithWhatIsThere) {
  const Scratch scratch;
  make_directories(scratch.path("a/b/c"));
  make_directories(scratch.path("a/b/c"));
  EXPECT_TRUE(std::filesystem::is_directory(scratch.path("a/b/c")));
  scratch.write("file", "");
  EXPECT_EQ(error_of([&] { make_directories(scratch.path("file/d")); }),
            fmt::format("not_found: cannot make the directory '{}': Not a directory",
                        scratch.path("file/d")));
}

}  // namespace
}  // namespace kinjo::detail
