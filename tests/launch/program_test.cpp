#include "launch/program.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace kinjo::detail {
namespace {

/// A folder with scripts, removed at the end.
class Program : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& content, mode_t mode) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << content;
    chmod(path.c_str(), mode);
    return path;
  }
  const std::string folder_ = testing::TempDir() + "kinjo_program_" + std::to_string(getpid());
};

TEST_F(Program, IsFoundAlongThePath) {
  const FoundProgram shell = find_program("sh");
  EXPECT_EQ(shell.error, 0);
  EXPECT_TRUE(shell.path.ends_with("/sh")) << shell.path;
}

TEST_F(Program, IsNotFoundUnderAnUnknownOrEmptyName) {
  EXPECT_EQ(find_program("no-such-program-anywhere").error, ENOENT);
  EXPECT_EQ(find_program("/no/such/program").error, ENOENT);
  EXPECT_EQ(find_program("").error, ENOENT);
}

TEST_F(Program, IsNotStartedIfItIsNoExecutableFile) {
  EXPECT_EQ(find_program(write("data", "1", 0644)).error, EACCES);
  EXPECT_EQ(find_program(folder_).error, EACCES);
}

TEST_F(Program, OfAScriptIsItsInterpreter) {
  const std::string script = write("script", "#! /bin/sh -e\n", 0755);
  EXPECT_EQ(find_executable(script).path, "/bin/sh");
  const std::string second = write("second", "#!" + script + "\n", 0755);
  EXPECT_EQ(find_executable(second).path, "/bin/sh");
}

TEST_F(Program, SurvivesScriptsThatAreTheirOwnInterpreter) {
  const std::string script = write("loop", "#!" + folder_ + "/loop\n", 0755);
  EXPECT_EQ(find_executable(script).path, script);
  EXPECT_EQ(find_executable(write("empty", "#!\n", 0755)).elf.kind, ElfFile::Kind::other);
}

TEST_F(Program, NamesWhatSpeaksAgainstPreloading) {
  Executable executable{"/x", {}};
  EXPECT_EQ(preload_obstacle(find_executable("/proc/self/exe")), "");
  executable.elf.kind = ElfFile::Kind::native;
  EXPECT_EQ(preload_obstacle(executable), "is statically linked");
  executable.elf.loader = "/lib/ld-musl-x86_64.so.1";
  EXPECT_EQ(preload_obstacle(executable),
            "has the loader /lib/ld-musl-x86_64.so.1, for which kinjo's preloaded library is not "
            "made");
  executable.elf.loader = read_elf("/proc/self/exe").loader;
  executable.elf.go = true;
  EXPECT_EQ(preload_obstacle(executable),
            "is a Go program, whose goroutines wander from thread to thread");
  executable.elf.kind = ElfFile::Kind::foreign;
  EXPECT_EQ(preload_obstacle(executable), "is built for another architecture");
}

}  // namespace
}  // namespace kinjo::detail
