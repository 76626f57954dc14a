#include "gemm/files/output_file.hpp"

#include <fcntl.h>
#include <grp.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo::gemm {
namespace {

using test::error_of;
using test::read_file;
using test::Scratch;

/// Of a file, in the page cache; none where files have no other place than that.
std::size_t cached_pages(const std::string& path) {
  struct statfs system {};
  if (statfs(path.c_str(), &system) == 0 && system.f_type == TMPFS_MAGIC) return 0;
  const FileHandle file(open(path.c_str(), O_RDONLY));
  const std::size_t bytes = std::filesystem::file_size(path);
  void* const mapped = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.get(), 0);
  std::vector<unsigned char> is_there(bytes / kDirectBlock + 1);
  const bool is_known = mapped != MAP_FAILED && mincore(mapped, bytes, is_there.data()) == 0;
  if (mapped != MAP_FAILED) munmap(mapped, bytes);
  EXPECT_TRUE(is_known);
  return static_cast<std::size_t>(
      std::ranges::count_if(is_there, [](unsigned char page) { return (page & 1) != 0; }));
}

const ProductJournal::Fields kFields{{"A", "this"}, {"plan", "R(m=3): x"}};

const std::string kHead = "kinjo-gemm-journal/2\nA: this\nplan: R(m=3): x\n";

/// The line of a panel's record behind that head.
std::string record(std::size_t panel, const std::string& head = kHead) {
  return panel_record(panel, detail::fnv1a(head)) + "\n";
}

TEST(ProductJournal, IsReadUpToItsLastWholeLine) {
  const std::string whole = kHead + record(4) + record(0);
  const ProductJournal journal = parse_product_journal(whole + "panel 1", "J");
  EXPECT_EQ(journal.fields, kFields);
  EXPECT_EQ(journal.panels, (std::vector<Range>{{0, 1}, {4, 5}}));
  EXPECT_EQ(journal.good_bytes, whole.size());
  EXPECT_EQ(journal.seed, parse_product_journal(kHead, "J").seed);
  EXPECT_EQ(*journal.find("A"), "this");
  EXPECT_EQ(journal.find("B"), nullptr);
}

TEST(ProductJournal, RefusalsNameTheLine) {
  std::string other = record(1);
  other[6] = '2';
  const std::string not_as_written =
      "line 4 of the journal 'J': expected 'panel I SUM' as it was written";
  const struct {
    std::string text, fault;
  } cases[] = {
      {"", "line 1 of the journal 'J': expected kinjo-gemm-journal/2"},
      {"kinjo-gemm-journal/1\n", "line 1 of the journal 'J': expected kinjo-gemm-journal/2"},
      {"kinjo-gemm-journal/2\nA this\n",
       "line 2 of the journal 'J': expected 'panel I SUM', or fields before the first panel"},
      {kHead + record(1) + "A: this\n",
       "line 5 of the journal 'J': expected 'panel I SUM', or fields before the first panel"},
      {kHead + record(1) + record(1),
       "line 5 of the journal 'J': expected a panel that is not named before"},
      {kHead + "panel -1\n", not_as_written},
      {kHead + "panel 1\n", not_as_written},
      {kHead + other, not_as_written},
      {kHead + record(1, "another head\n"), not_as_written},
      {kHead + "panel 0" + record(1).substr(6), not_as_written},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(error_of([&] { parse_product_journal(c.text, "J"); }),
              std::string("bad_input: ") + c.fault);
  }
}

TEST(OutputFile, GetsItsNameWhenItIsWhole) {
  const Scratch scratch;
  scratch.write("C.npy", "old");
  OutputFile file(scratch.path("C.npy"));
  file.begin("head", 10, kFields);
  char text[] = "abcdef";
  file.write({4, 6, text});
  EXPECT_EQ(read_file(scratch.path("C.npy")), "old");
  file.finish_panel(0);
  EXPECT_EQ(read_file(file.journal_path()), kHead + record(0));
  file.commit();
  EXPECT_EQ(read_file(scratch.path("C.npy")), "headabcdef");
  EXPECT_FALSE(std::filesystem::exists(file.part_path()));
  EXPECT_FALSE(std::filesystem::exists(file.journal_path()));
}

TEST(OutputFile, LeavesNothingWithoutARecordedPanelAndAllWithOne) {
  const Scratch scratch;
  const std::string path = scratch.path("C.npy");
  { OutputFile(path).begin("head", 10, kFields); }
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
  {
    OutputFile file(path);
    file.begin("head", 10, kFields);
    file.finish_panel(3);
  }
  OutputFile again(path);
  EXPECT_EQ(error_of([&] { again.begin("head", 10, kFields); }),
            fmt::format("invalid_argument: cannot write '{0}': an interrupted run left "
                        "'{0}.kinjo-part': go on with it by --resume, or delete it and its journal",
                        path));
  EXPECT_EQ(error_of([&] { again.resume(again.interrupted(), "HEAD", 10); }),
            fmt::format("bad_input: '{}.kinjo-part' is not what its journal speaks of: delete both",
                        path));
  EXPECT_EQ(again.left(), OutputFile::Left::untouched);
  again.resume(again.interrupted(), "head", 10);
  EXPECT_EQ(again.left(), OutputFile::Left::part);
  again.finish_panel(5);
  EXPECT_EQ(again.interrupted().panels, (std::vector<Range>{{3, 4}, {5, 6}}));
}

TEST(OutputFile, WhatARunLeftThatWasKilledBeforeItsWorkBeganIsNotOfferedToGoOnWith) {
  const Scratch scratch;
  const std::string path = scratch.path("C.npy");
  {
    OutputFile file(path);
    file.begin("head", 10, kFields);
    file.finish_panel(0);
  }
  std::filesystem::remove(path + ".kinjo-journal");
  EXPECT_EQ(error_of([&] { OutputFile(path).begin("head", 10, kFields); }),
            fmt::format("invalid_argument: cannot write '{0}': an interrupted run left "
                        "'{0}.kinjo-part': there is nothing to go on with: delete it",
                        path));
}

TEST(OutputFile, APartThatSomebodyRemovedIsTakenForLostWithItsJournal) {
  const Scratch scratch;
  const std::string path = scratch.path("C.npy");
  {
    OutputFile file(path);
    EXPECT_EQ(file.left(), OutputFile::Left::untouched);
    file.begin("head", 10, kFields);
    EXPECT_EQ(file.left(), OutputFile::Left::nothing);
    file.finish_panel(0);
    EXPECT_EQ(file.left(), OutputFile::Left::part);
    std::filesystem::remove(file.part_path());
    EXPECT_EQ(file.left(), OutputFile::Left::lost);
  }
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

TEST(OutputFile, APartThatSomebodyReplacedOrCutOffDoesNotGetTheName) {
  const Scratch scratch;
  const std::string path = scratch.write("C.npy", "old"), part = path + ".kinjo-part";
  {
    OutputFile file(path);
    file.begin("head", 10, kFields);
    file.finish_panel(0);
    std::filesystem::resize_file(part, 5);
    EXPECT_EQ(error_of([&] { file.commit(); }),
              fmt::format("system: cannot write '{}': '{}' has 5 bytes: expected 10", path, part));
    std::filesystem::remove(part);
    std::filesystem::remove(file.journal_path());
    scratch.write("C.npy.kinjo-part", "another's");
    scratch.write("C.npy.kinjo-journal", "another's");
    EXPECT_EQ(file.left(), OutputFile::Left::lost);
    EXPECT_EQ(error_of([&] { file.commit(); }),
              fmt::format("system: cannot write '{}': '{}' is not the file that this run wrote",
                          path, part));
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(read_file(part), "another's");
  EXPECT_EQ(read_file(path + ".kinjo-journal"), "another's");
}

TEST(OutputFile, LinksAreFollowedAlsoToFilesThatAreNotThereYet) {
  const Scratch scratch;
  std::filesystem::create_directory(scratch.path("there"));
  std::filesystem::create_symlink("there/D.npy", scratch.path("middle"));
  std::filesystem::create_symlink(scratch.path("middle"), scratch.path("C.npy"));
  for (const char* content : {"ab", "cd"}) {
    OutputFile file(scratch.path("C.npy"));
    file.begin(content, 2, kFields);
    file.commit();
    EXPECT_TRUE(std::filesystem::is_symlink(scratch.path("C.npy")));
    EXPECT_EQ(read_file(scratch.path("there/D.npy")), content);
  }
  std::filesystem::create_symlink("circle", scratch.path("circle"));
  EXPECT_NE(error_of([&] {
              OutputFile file(scratch.path("circle"));
            }).find("Too many levels of symbolic links"),
            std::string::npos);
}

TEST(OutputFile, TwoWritersAreRefused) {
  const Scratch scratch;
  const std::string path = scratch.path("C.npy");
  OutputFile first(path), second(path);
  first.begin("head", 10, kFields);
  first.finish_panel(0);
  EXPECT_EQ(error_of([&] { second.resume(second.interrupted(), "head", 10); }),
            fmt::format("usage: cannot write '{}': another kinjo is writing it", path));
  EXPECT_EQ(second.left(), OutputFile::Left::untouched);
}

/// Bounds how many bytes a file may have.
class FileLimit {
 public:
  explicit FileLimit(std::size_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit less{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less);
  }
  ~FileLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_{};
};

TEST(OutputFile, APanelOfWhichHalfARecordFitsTheDiskDoesNotSpoilTheNextOnes) {
  const Scratch scratch;
  const std::string path = scratch.path("C.npy");
  {
    OutputFile file(path);
    file.begin("head", 10, kFields);
    file.finish_panel(0);
    const std::size_t there = read_file(file.journal_path()).size();
    {
      const FileLimit limit(there + 5);
      EXPECT_EQ(error_of([&] { file.finish_panel(1); }),
                fmt::format("system: cannot write '{}': File too large", path));
    }
    file.finish_panel(2);
    EXPECT_EQ(file.finished(), 2u);
  }
  EXPECT_EQ(OutputFile(path).interrupted().panels, (std::vector<Range>{{0, 1}, {2, 3}}));
}

TEST(OutputFile, ARunThatGoesOnIsNotTakenForAnInterruptedOne) {
  const Scratch scratch;
  const std::string path = scratch.path("C.npy");
  OutputFile first(path), second(path);
  first.begin("head", 10, kFields);
  const std::string busy =
      fmt::format("usage: cannot write '{}': another kinjo is writing it", path);
  EXPECT_EQ(error_of([&] { second.check_free(); }), busy);
  EXPECT_EQ(error_of([&] { second.begin("head", 10, kFields); }), busy);
  EXPECT_EQ(error_of([&] { second.interrupted(); }), busy);
  EXPECT_EQ(second.left(), OutputFile::Left::untouched);
  first.discard();
}

TEST(OutputFile, TellsBeforehandWhereNothingCanBeWritten) {
  const Scratch scratch;
  scratch.write("file", "");
  EXPECT_EQ(OutputFile(scratch.path("C.npy"), Access::cached).try_directory().access,
            Access::cached);
  OutputFile(scratch.path("C.npy")).try_directory();
  EXPECT_EQ(error_of([&] { OutputFile(scratch.path("absent/C.npy")).try_directory(); }),
            fmt::format("not_found: cannot write '{}': No such file or directory",
                        scratch.path("absent/C.npy")));
  EXPECT_EQ(
      error_of([&] { OutputFile(scratch.path("file/C.npy")).try_directory(); }),
      fmt::format("not_found: cannot write '{}': Not a directory", scratch.path("file/C.npy")));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 1);
}

TEST(OutputFile, HasThePermissionsOfTheFileThatItReplaces) {
  using std::filesystem::perms;
  const Scratch scratch;
  const std::string path = scratch.write("C.npy", "old");
  const perms own = perms::owner_read | perms::owner_write;
  std::filesystem::permissions(path, own);
  OutputFile file(path);
  file.begin("head", 10, kFields);
  EXPECT_EQ(std::filesystem::status(file.part_path()).permissions(), own);
  std::filesystem::permissions(path, own | perms::group_read);  // meanwhile
  file.commit();
  EXPECT_EQ(std::filesystem::status(path).permissions(), own | perms::group_read);
}

/// `f` as an ordinary user, who owns the folder; as root in a process of its own.
template <class F>
void as_user(const Scratch& scratch, F&& f) {
  if (geteuid() != 0) {
    EXPECT_EQ(error_of(f), "no error");
    return;
  }
  constexpr uid_t kUser = 12345;
  ASSERT_EQ(chown(scratch.path().c_str(), kUser, kUser), 0);
  const pid_t child = fork();
  if (child == 0) {
    const bool is_other = setgroups(0, nullptr) == 0 && setgid(kUser) == 0 && setuid(kUser) == 0;
    const std::string fault = is_other ? error_of(f) : "no other user";
    fmt::print(stderr, "{}\n", fault);
    _exit(fault == "no error" ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
}

TEST(OutputFile, GivesNoOtherGroupAccess) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  const Scratch scratch;
  const std::string path = scratch.write("C.npy", "old");
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  const auto product = [&] {
    OutputFile file(path);
    file.begin("head", 10, kFields);
    file.commit();
  };
  ASSERT_EQ(chown(path.c_str(), 12345, 23456), 0);
  as_user(scratch, product);
  EXPECT_EQ(read_file(path).substr(0, 4), "head");
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0600));
}

TEST(OutputFile, GoesOnWithAPartThatIsToReplaceAFileThatNobodyMayWrite) {
  const Scratch scratch;
  const std::string path = scratch.write("C.npy", "old");
  std::filesystem::permissions(path, std::filesystem::perms(0444));
  if (geteuid() == 0) {
    ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
  }
  as_user(scratch, [&] {
    {
      OutputFile file(path);
      file.begin("head", 10, kFields);
      file.finish_panel(0);
    }
    OutputFile again(path);
    again.resume(again.interrupted(), "head", 10);
    again.commit();
  });
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0444));
}

/// Runs of every length and alignment that panels have, one after another, all in one piece.
TEST(OutputFile, RunsOfAnyLengthAndPlaceArriveAndLeaveNothingInThePageCache) {
  const Scratch scratch;
  constexpr std::size_t kStride = 3 * kDirectBlock + 40, kBytes = std::size_t{3} << 20, kMost = 70;
  std::vector<char> memory(kBytes + 2 * kDirectBlock);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<char>(i * 7 % 251);
  char* const slot =
      memory.data() + kDirectBlock - reinterpret_cast<std::uintptr_t>(memory.data()) % kDirectBlock;
  for (const Access access : {Access::direct, Access::cached}) {
    for (const std::size_t bytes : {std::size_t{8}, std::size_t{5000}, std::size_t{70000},
                                    std::size_t{150000}, kBytes - 2 * kDirectBlock}) {
      for (const std::size_t begin : {std::size_t{0}, std::size_t{4096}, std::size_t{5000}}) {
        const std::size_t stride = bytes < kStride ? kStride : bytes;
        const std::size_t runs = std::clamp<std::size_t>((kBytes - begin) / stride, 1, kMost);
        std::string expected = "head" + std::string(begin + kBytes, '\0');
        OutputFile file(scratch.path("C.npy"), access);
        file.begin("head", expected.size(), kFields);
        OutputFile::Piece piece(file);
        for (std::size_t i = 0; i < runs; ++i) {
          const std::size_t at = kDirectBlock + begin + i * stride, from = at % kDirectBlock;
          if (at + bytes > expected.size()) break;
          const gemm::Run run{at, bytes, slot + from};
          piece.announce(run);
          piece.write(run);
          expected.replace(at, bytes, slot + from, bytes);
        }
        piece.end();
        EXPECT_LE(cached_pages(file.part_path()), 1u) << "of the header";
        file.finish_panel(0);
        EXPECT_EQ(cached_pages(file.part_path()), 0u);
        file.commit();
        EXPECT_TRUE(read_file(scratch.path("C.npy")) == expected) << bytes << " from " << begin;
      }
    }
  }
}

TEST(OutputFile, WhatIsNoOrdinaryFileIsRefused) {
  const Scratch scratch;
  EXPECT_EQ(error_of([&] { OutputFile file(scratch.path()); }),
            fmt::format("system: cannot write '{}': Is a directory",
                        std::filesystem::canonical(scratch.path()).string()));
  EXPECT_EQ(error_of([] { OutputFile file("/dev/null"); }),
            "bad_input: cannot write '/dev/null': expected an ordinary file");
  OutputFile absent(scratch.path("absent/C.npy"));
  EXPECT_EQ(error_of([&] { absent.begin("head", 10, kFields); }),
            fmt::format("not_found: cannot write '{}': No such file or directory",
                        scratch.path("absent/C.npy")));
}

}  // namespace
}  // namespace kinjo::gemm
