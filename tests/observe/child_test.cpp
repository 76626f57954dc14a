#include "observe/child.hpp"

#include <sys/resource.h>

#include <cerrno>

#include <gtest/gtest.h>

#include "support/scratch.hpp"

namespace kinjo::detail {
namespace {

ChildEnd end_of(const char* script) {
  const SignalFile signals;
  Child child("/bin/sh", {"sh", "-c", script}, signals);
  EXPECT_EQ(child.error(), 0);
  return child.wait();
}

int status_of(const char* script) { return end_of(script).status; }

TEST(Child, HandsBackItsStatus) {
  EXPECT_EQ(status_of("exit 0"), 0);
  EXPECT_EQ(status_of("exit 7"), 7);
}

TEST(Child, EndsWithAShellsStatusForASignal) { EXPECT_EQ(status_of("kill -KILL $$"), 128 + 9); }

TEST(Child, TellsASignalFromAStatusThatLooksLikeOne) {
  EXPECT_TRUE(end_of("kill -KILL $$").by_signal);
  EXPECT_FALSE(end_of("exit 137").by_signal);
}

TEST(Child, HasTheSignalMaskOfItsStarter) {
  // SIGTERM is held back in the parent; a child that inherited that would not die of it.
  EXPECT_EQ(status_of("kill -TERM $$; exit 3"), 128 + 15);
}

TEST(Child, SaysWhyItCouldNotBeStarted) {
  const SignalFile signals;
  EXPECT_EQ(Child("/no/such/program", {"x"}, signals).error(), ENOENT);
  test::Scratch folder;
  EXPECT_EQ(Child(folder.write("plain", "text"), {"x"}, signals).error(), EACCES);
  EXPECT_STREQ(Child("/no/such/program", {"x"}, signals).call(), "exec");
}

TEST(Child, NamesTheCallThatFailedBeforeExec) {
  const SignalFile signals;
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit few = before;
  few.rlim_cur = 3;
  setrlimit(RLIMIT_NOFILE, &few);
  const Child child("/bin/true", {"true"}, signals);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(child.error(), EMFILE);
  EXPECT_STREQ(child.call(), "pipe2");
}

}  // namespace
}  // namespace kinjo::detail
