#include "observe/child.hpp"

#include <cerrno>

#include <gtest/gtest.h>

#include "support/scratch.hpp"

namespace kinjo::detail {
namespace {

int status_of(const char* script) {
  const SignalFile signals;
  Child child("/bin/sh", {"sh", "-c", script}, signals);
  EXPECT_EQ(child.error(), 0);
  return child.wait();
}

TEST(Child, HandsBackItsStatus) {
  EXPECT_EQ(status_of("exit 0"), 0);
  EXPECT_EQ(status_of("exit 7"), 7);
}

TEST(Child, EndsWithAShellsStatusForASignal) { EXPECT_EQ(status_of("kill -KILL $$"), 128 + 9); }

TEST(Child, HasTheSignalMaskOfItsStarter) {
  // SIGTERM is held back in the parent; a child that inherited that would not die of it.
  EXPECT_EQ(status_of("kill -TERM $$; exit 3"), 128 + 15);
}

TEST(Child, SaysWhyItCouldNotBeStarted) {
  const SignalFile signals;
  EXPECT_EQ(Child("/no/such/program", {"x"}, signals).error(), ENOENT);
  test::Scratch folder;
  EXPECT_EQ(Child(folder.write("plain", "text"), {"x"}, signals).error(), EACCES);
}

}  // namespace
}  // namespace kinjo::detail
