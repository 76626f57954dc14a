#include "gemm/files/stored_matrix.hpp"

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gemm/files/npy_files.hpp"
#include "gemm/files/runs.hpp"
#include "support/expect.hpp"

namespace kinjo::gemm {
namespace {

using kinjo::test::error_of;
using kinjo::test::Scratch;
using test::npy_text;
using test::numbers;

TEST(StoredMatrix, PartsAreReadAsTheyLieForBothWaysOfAccess) {
  const Scratch scratch;
  constexpr std::size_t kLines = 37, kLength = 1023;
  const auto elements = numbers<double>(kLines * kLength, 1);
  const std::string path = scratch.write("A.npy", npy_text(kLines, kLength, elements));
  for (const Access access : {Access::direct, Access::cached}) {
    const StoredMatrix m(path, StoredMatrix::Transposed::no, access);
    for (const LinePart& part : {LinePart{{0, 37}, {0, 1023}}, LinePart{{3, 20}, {0, 1023}},
                                 LinePart{{5, 36}, {100, 900}}, LinePart{{36, 37}, {1022, 1023}}}) {
      const SlotShape shape = slot_shape(m.layout(), part.lines.size(), part.elements.size());
      Buffer slot = alloc(shape.bytes);
      const PartRuns runs(m.layout(), part, shape, static_cast<char*>(slot.data()));
      for (std::size_t piece = 0; piece < runs.pieces(); ++piece) {
        runs.for_each_run(piece,
                          [&](const auto& run) { m.read(run.offset, run.bytes, run.memory); });
      }
      for (std::size_t i = part.lines.begin; i < part.lines.end; ++i) {
        const auto* line =
            reinterpret_cast<const double*>(runs.data() + (i - part.lines.begin) * runs.leading());
        for (std::size_t j = part.elements.begin; j < part.elements.end; ++j) {
          ASSERT_EQ(line[j - part.elements.begin], elements[i * kLength + j]) << i << ' ' << j;
        }
      }
    }
  }
}

TEST(StoredMatrix, PiecesOfWholeLinesMeetWhereHugePagesDo) {
  const FileLayout layout{128, 100, 16384, 8};
  const LinePart part{{7, 93}, {0, 16384}};
  const SlotShape shape = slot_shape(layout, 86, 16384);
  Buffer slot = alloc(shape.bytes + kLongestRun);
  for (const std::size_t skip : {std::size_t{0}, kDirectBlock, kLongestRun - kDirectBlock}) {
    const PartRuns runs(layout, part, shape, static_cast<char*>(slot.data()) + skip);
    std::uint64_t next = layout.at(7, 0);
    for (std::size_t piece = 0; piece < runs.pieces(); ++piece) {
      runs.for_each_run(piece, [&](const auto& run) {
        const auto address = reinterpret_cast<std::uintptr_t>(run.memory);
        EXPECT_EQ(run.offset, next);
        EXPECT_EQ(address % kDirectBlock, run.offset % kDirectBlock);
        EXPECT_EQ(address / kLongestRun, (address + run.bytes - 1) / kLongestRun);
        next += run.bytes;
      });
    }
    EXPECT_EQ(next, layout.at(93, 0));
    for (const std::size_t line : {std::size_t{0}, std::size_t{15}, std::size_t{85}}) {
      std::uint64_t end = 0;
      runs.for_each_run(runs.piece_of(line),
                        [&](const auto& run) { end = run.offset + run.bytes; });
      EXPECT_GE(end, layout.at(7 + line + 1, 0));
    }
  }
}

TEST(StoredMatrix, OrderAndTranspositionDecideWhatALineIs) {
  const Scratch scratch;
  const auto elements = numbers<float>(6, 1);
  for (const bool fortran : {false, true}) {
    const auto order = fortran ? detail::NpyOrder::fortran : detail::NpyOrder::c;
    const std::string path = scratch.write("A.npy", npy_text(2, 3, elements, order));
    for (const bool transposed : {false, true}) {
      const StoredMatrix m(
          path, transposed ? StoredMatrix::Transposed::yes : StoredMatrix::Transposed::no);
      EXPECT_EQ(m.rows(), transposed ? 3u : 2u);
      EXPECT_EQ(m.order(), fortran == transposed ? Order::row_major : Order::column_major);
      EXPECT_EQ(m.layout().lines, fortran ? 3u : 2u);
      EXPECT_EQ(m.layout().length, fortran ? 2u : 3u);
    }
  }
}

TEST(StoredMatrix, RefusalsNameTheFile) {
  const Scratch scratch;
  const auto six = numbers<double>(6, 1);
  const std::string whole = npy_text(2, 3, six);
  const std::string good = scratch.write("good", whole);
  mkfifo(scratch.path("pipe").c_str(), 0600);
  const struct {
    std::string path, fault;
  } cases[] = {
      {scratch.path("absent"), "not_found: cannot read '{}': No such file or directory"},
      {scratch.path(), "system: cannot read '{}': Is a directory"},
      {scratch.path("pipe"), "bad_input: cannot read '{}': expected an ordinary file"},
      {scratch.write("empty", ""),
       "bad_input: cannot read '{}': it is no .npy file: expected it to begin with \\x93NUMPY"},
      {scratch.write("short", whole.substr(0, whole.size() - 1)),
       "bad_input: cannot read '{}': it has 175 bytes: its header says 176"},
      {scratch.write("long", whole + "x"),
       "bad_input: cannot read '{}': it has 177 bytes: its header says 176"},
      {scratch.write("three", detail::npy_header_text(
                                  {detail::NpyType::float64, detail::NpyOrder::c, {1, 2, 3}, 0}) +
                                  whole.substr(128)),
       "bad_input: cannot read '{}': it has shape (1, 2, 3): expected two dimensions"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(error_of([&] { StoredMatrix m(c.path); }),
              fmt::format(fmt::runtime(c.fault), c.path));
  }
}

/// Gives a name to another file as soon as somebody has opened the one that had it.
void replace_when_opened(const Scratch& scratch, const std::string& name, const std::string& by) {
  const FileHandle watch(inotify_init1(IN_CLOEXEC));
  ASSERT_GE(inotify_add_watch(watch.get(), scratch.path(name).c_str(), IN_OPEN), 0);
  scratch.write("watched", "");
  char events[4096];
  ASSERT_GT(read(watch.get(), events, sizeof(events)), 0);
  std::filesystem::rename(scratch.path(by), scratch.path(name));
}

TEST(StoredMatrix, ReadsTheFileOfWhichItHasTheHeaderWhateverGetsItsNameMeanwhile) {
  const Scratch scratch;
  constexpr std::size_t kCount = 512;
  const std::string row = npy_text(1, kCount, std::vector<double>(kCount, 1)),
                    column = npy_text(kCount, 1, std::vector<double>(kCount, 2));
  ASSERT_EQ(row.size(), column.size());
  Buffer memory = alloc(4 * kDirectBlock);
  char* const into = static_cast<char*>(memory.data()) + kDirectBlock;
  for (int i = 0; i < 300; ++i) {
    const std::string path = scratch.write("A.npy", row);
    scratch.write("B.npy", column);
    std::filesystem::remove(scratch.path("watched"));
    const std::jthread other([&] { replace_when_opened(scratch, "A.npy", "B.npy"); });
    while (!std::filesystem::exists(scratch.path("watched"))) std::this_thread::yield();
    const StoredMatrix m(path);
    m.read(0, row.size(), into);
    double first = 0;
    std::memcpy(&first, into + m.layout().offset, sizeof(first));
    ASSERT_EQ(first, m.rows() == 1 ? 1 : 2) << i;
  }
}

TEST(StoredMatrix, WhatChangesWhileItIsReadIsToldWithoutASignal) {
  const Scratch scratch;
  const auto elements = numbers<double>(20000, 1);
  const std::string path = scratch.write("A.npy", npy_text(2, 10000, elements));
  const StoredMatrix m(path);
  m.check_unchanged();
  std::filesystem::resize_file(path, 100000);
  EXPECT_EQ(error_of([&] { m.check_unchanged(); }),
            fmt::format("bad_input: cannot read '{}': it was changed while it was read", path));
  const SlotShape shape = slot_shape(m.layout(), 2, 10000);
  Buffer slot = alloc(shape.bytes);
  const PartRuns runs(m.layout(), {{0, 2}, {0, 10000}}, shape, static_cast<char*>(slot.data()));
  // Where pieces meet depends on where the slot lies.
  EXPECT_EQ(error_of([&] {
              for (std::size_t piece = 0; piece < runs.pieces(); ++piece) {
                runs.for_each_run(
                    piece, [&](const auto& run) { m.read(run.offset, run.bytes, run.memory); });
              }
            }),
            fmt::format("bad_input: cannot read '{}': it ended at byte 100000 while it was read: "
                        "expected 160128 bytes",
                        path));
}

TEST(PartRuns, MoveWholeBlocks) {
  const FileLayout layout{128, 2, 10000, 8};
  const auto moved = [&](const LinePart& part) {
    const SlotShape shape = slot_shape(layout, part.lines.size(), part.elements.size());
    Buffer slot = alloc(shape.bytes);
    return PartRuns(layout, part, shape, static_cast<char*>(slot.data())).block_bytes();
  };
  EXPECT_EQ(moved({{0, 2}, {0, 10000}}), 40U * kDirectBlock);  // from byte 0 to 160127
  EXPECT_EQ(moved({{0, 2}, {100, 612}}), (2U + 2U) * kDirectBlock);
  EXPECT_EQ(moved({{0, 1}, {496, 1008}}), kDirectBlock);  // from byte 4096 to 8191
  EXPECT_EQ(moved({{0, 1}, {5, 5}}), 0U);
}

}  // namespace
}  // namespace kinjo::gemm
