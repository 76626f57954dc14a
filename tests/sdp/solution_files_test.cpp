#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/sdp_files.hpp>

#include "base/npy.hpp"
#include "sdp/files/npz.hpp"
#include "sdp/solution_samples.hpp"
#include "support/expect.hpp"
#include "support/scratch.hpp"
#include "support/sdplib.hpp"

namespace kinjo::sdp {
namespace {

using test::corner_problem;
using test::corner_solution;
using test::error_of;
using test::read_file;
using test::Scratch;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Numbers that need all their digits.
Solution awkward_solution() {
  Solution solution = corner_solution();
  solution.x = {1.0 / 3, -1e-310};
  test::set(solution.X.block(0), {0.1, 0.2, 0.2, 1e300});
  test::set(solution.Y.block(1), {-2.0 / 7, 5e-324});
  solution.primal_objective = 0.1 + 0.2;
  solution.dual_objective = -1.0 / 3;
  solution.dimacs_errors = {1e-9, 2e-9, 3e-9, 4e-9, -5e-9, 6e-9};
  return solution;
}

void expect_same(const BlockMatrix& a, const BlockMatrix& b) {
  ASSERT_EQ(a.blocks().size(), b.blocks().size());
  for (std::size_t k = 0; k < a.blocks().size(); ++k) {
    EXPECT_TRUE(std::ranges::equal(a.block(k), b.block(k))) << k;
  }
}

void expect_same(const Solution& a, const Solution& b) {
  EXPECT_EQ(a.x, b.x);
  expect_same(a.X, b.X);
  expect_same(a.Y, b.Y);
  EXPECT_EQ(a.primal_objective, b.primal_objective);
  EXPECT_EQ(a.dual_objective, b.dual_objective);
}

class SolutionFile : public ::testing::Test {
 protected:
  Solution read(const std::string& name, const std::string& text) const {
    return read_solution(problem_, scratch_.write(name, text));
  }
  /// Without its beginning, which names the file.
  std::string error(const std::string& name, const std::string& text) const {
    const std::string path = scratch_.write(name, text);
    const std::string message = error_of([&] { read_solution(problem_, path); });
    const std::string start = "bad_input: cannot read '" + path;
    return message.starts_with(start) ? message.substr(start.size()) : message;
  }
  Scratch scratch_;
  Problem problem_ = corner_problem();
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST_F(SolutionFile, ResultIsAsSdpaWritesIt) {
  Solution solution = corner_solution();
  solution.x[1] = 1.25;
  solution.iterations = {{.number = 7, .mu = 1e-8, .beta = 0.1}};
  const std::string text = result_text(problem_, solution);
  EXPECT_EQ(text,
            "   mu      thetaP  thetaD  objP      objD      alphaP  alphaD  beta \n"
            " 7 1.0e-08 0.0e+00 0.0e+00 +0.00e+00 +0.00e+00 0.0e+00 0.0e+00 1.00e-01\n"
            "\n"
            "phase.value  = pdOPT     \n"
            "   Iteration = 7\n"
            "          mu = +1.0000000000000000e-08\n"
            "relative gap = +0.0000000000000000e+00\n"
            "        gap  = +0.0000000000000000e+00\n"
            "     digits  = +1.0000000000000000e+03\n"
            "objValPrimal = +2.0000000000000000e+00\n"
            "objValDual   = +2.0000000000000000e+00\n"
            "p.feas.error = +2.5000000000000000e-01\n"
            "d.feas.error = +0.0000000000000000e+00\n"
            "\n"
            "xVec = \n"
            "{+1.0000000000000000e+00,+1.2500000000000000e+00}\n"
            "xMat = \n"
            "{\n"
            "{ {+1.0000000000000000e+00,+1.0000000000000000e+00},\n"
            "  {+1.0000000000000000e+00,+1.0000000000000000e+00}   }\n"
            "{+5.0000000000000000e-01,+1.0000000000000000e+00}\n"
            "}\n"
            "yMat = \n"
            "{\n"
            "{ {+1.0000000000000000e+00,-1.0000000000000000e+00},\n"
            "  {-1.0000000000000000e+00,+1.0000000000000000e+00}   }\n"
            "{+0.0000000000000000e+00,+0.0000000000000000e+00}\n"
            "}\n");
}

TEST_F(SolutionFile, ComesBackWithEveryBit) {
  const Solution solution = awkward_solution();
  write_result(problem_, solution, scratch_.path("a.result"));
  expect_same(read_solution(problem_, scratch_.path("a.result")), solution);
  write_npz(solution, scratch_.path("a.npz"));
  const Solution again = read_solution(problem_, scratch_.path("a.npz"));
  expect_same(again, solution);
  EXPECT_EQ(again.dimacs_errors, solution.dimacs_errors);
}

TEST_F(SolutionFile, IsNotThereIfSomebodyAsksToStop) {
  int pieces = 0;
  const auto stop = [&] { return ++pieces < 2; };
  EXPECT_FALSE(write_result(problem_, corner_solution(), scratch_.path("a.result"), stop));
  EXPECT_EQ(pieces, 2);
  EXPECT_TRUE(std::filesystem::is_empty(scratch_.path()));
}

TEST_F(SolutionFile, KeepsItsStatus) {
  const struct {
    Status status, of_result;
    const char* phase;
  } kStatuses[] = {
      {Status::optimal, Status::optimal, "pdOPT"},
      {Status::near_optimal, Status::near_optimal, "pdFEAS"},
      {Status::primal_infeasible, Status::primal_infeasible, "pINF_dFEAS"},
      {Status::dual_infeasible, Status::dual_infeasible, "pFEAS_dINF"},
      {Status::limit, Status::limit, "noINFO"},
      {Status::numerical_failure, Status::limit, "noINFO"},
  };
  Solution solution = corner_solution();
  for (const auto& [status, of_result, phase] : kStatuses) {
    solution.status = status;
    const std::string text = result_text(problem_, solution);
    EXPECT_THAT(text, HasSubstr(std::string("phase.value  = ") + phase));
    EXPECT_EQ(read("a.result", text).status, of_result);
    write_npz(solution, scratch_.path("a.npz"));
    EXPECT_EQ(read_solution(problem_, scratch_.path("a.npz")).status, status);
  }
  for (const auto& [phase, status] :
       {std::pair("dUNBD", Status::primal_infeasible), std::pair("pUNBD", Status::dual_infeasible),
        std::pair("pdINF", Status::limit), std::pair("pFEAS", Status::limit)}) {
    solution.status = Status::optimal;
    const std::string text = replaced(result_text(problem_, solution), "pdOPT", phase);
    EXPECT_EQ(read("a.result", text).status, status);
  }
}

TEST_F(SolutionFile, OfAnotherShapeIsNotWritten) {
  Solution solution = corner_solution();
  solution.x.pop_back();
  EXPECT_EQ(error_of([&] { result_text(problem_, solution); }),
            "invalid_argument: the solution's shape is not the problem's");
}

TEST_F(SolutionFile, OfAnotherEndingIsRefused) {
  EXPECT_EQ(error_of([&] { read_solution(problem_, "solution.txt"); }),
            "invalid_argument: 'solution.txt' is no solution by its name: expected .result (SDPA), "
            ".npz or .sol (CSDP)");
}

TEST_F(SolutionFile, OfAProblemThatNoMemoryHoldsIsRefused) {
  const std::string file =
      scratch_.write("huge.dat-s", "1\n16\n1073741824 1073741824 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n1\n");
  const Problem huge = read_problem(file);
  const std::string solution = scratch_.write("huge.sol", "1\n");
  EXPECT_THAT(error_of([&] { read_solution(huge, solution); }),
              ::testing::MatchesRegex("out_of_memory: cannot read '.*huge.sol': X and Y take "
                                      "3.69e\\+19 bytes: the system has .*"));
}

TEST_F(SolutionFile, ResultIsRefusedWithTheLine) {
  const std::string good = result_text(problem_, corner_solution());
  const std::string half = good.substr(0, good.rfind("{+0"));
  const std::string x = "{+1.0000000000000000e+00,+1.0000000000000000e+00}\nxMat";
  const struct {
    std::string text, message;
  } kFaults[] = {
      {"", "': it has no xVec"},
      {good.substr(0, good.find("xMat")), "': it has no xMat"},
      {good.substr(0, good.find("yMat")), "': it has no yMat"},
      {half, "': line 26: the end of the file: expected value 1 of 2 of block 2 of yMat"},
      {replaced(good, x, "{+1}\nxMat"), "': line 16: 'xMat': expected value 2 of 2 of xVec"},
      {replaced(good, x, "{1,nan}\nxMat"), "': line 15: 'nan': expected a finite number"},
      {replaced(good, x, "{1,2,3}\nxMat"), "': line 15: more values of xVec than the problem has"},
      {replaced(good, "}\nyMat", "{5}}\nyMat"),
       "': line 21: more values of xMat than the problem has"},
      {replaced(good, "objValPrimal = +2.0000000000000000e+00", "objValPrimal = two"),
       "': line 9: 'two': expected a number"},
      {replaced(good, "yMat = \n{\n{ {+1", "yMat = \n{\n{ {1e999,+1"),
       "': line 24: '1e999': expected a finite number"},
  };
  for (const auto& [text, message] : kFaults) EXPECT_EQ(error("a.result", text), message);
}

TEST_F(SolutionFile, OfCsdpHasItsNames) {
  const Solution s = read("a.sol", "1 2\n1 1 1 2 0.5\n1 2 2 2 3\n2 1 1 1 4\n");
  EXPECT_THAT(s.x, ElementsAre(1, 2));
  EXPECT_THAT(s.X.block(0), ElementsAre(0, 0.5, 0.5, 0));
  EXPECT_THAT(s.X.block(1), ElementsAre(0, 3));
  EXPECT_THAT(s.Y.block(0), ElementsAre(4, 0, 0, 0));
  EXPECT_EQ(s.status, Status::optimal);
  EXPECT_EQ(s.primal_objective, 3);
  EXPECT_EQ(s.dual_objective, 0);
}

TEST_F(SolutionFile, OfCsdpIsRefusedWithTheLine) {
  const struct {
    const char *text, *message;
  } kFaults[] = {
      {"", "': line 1: the end of the file: expected value 1 of 2 of y"},
      {"1\n", "': line 2: the end of the file: expected value 2 of 2 of y"},
      {"1 x\n", "': line 1: 'x': expected value 2 of 2 of y"},
      {"1 2 3\n", "': line 1: '3': expected the end of the line behind the 2 values of y"},
      {"1 inf\n", "': line 1: 'inf': expected a finite number"},
      {"1 2\n3 1 1 1 1\n", "': line 2: matrix 3: expected 1 to 2"},
      {"1 2\n1 3 1 1 1\n", "': line 2: block 3: expected 1 to 2"},
      {"1 2\n1 1 0 1 1\n", "': line 2: row 0: expected 1 to 2"},
      {"1 2\n1 1 1 3 1\n", "': line 2: column 3: expected 1 to 2"},
      {"1 2\n1 2 1 2 1\n",
       "': line 2: row 1 and column 2: expected both the same, since block 2 is diagonal"},
      {"1 2\n1 1 1\n", "': line 2: the end of the line: expected '1|2 BLOCK ROW COLUMN VALUE'"},
      {"1 2\n1 1 1 1\n", "': line 2: the end of the line: expected '1|2 BLOCK ROW COLUMN VALUE'"},
      {"1 2\n1 1 1 1 nan\n", "': line 2: 'nan': expected a finite number"},
      {"1 2\n1 1 1 1 1 1\n", "': line 2: '1': expected the end of the line behind an entry"},
  };
  for (const auto& [text, message] : kFaults) EXPECT_EQ(error("a.sol", text), message) << text;
}

/// An archive of the members of a solution that `change` has been at.
std::string archive(const auto& change, std::uint64_t wide = 0xffffffff) {
  const Solution solution = corner_solution();
  auto members = detail::npz_members(solution);
  change(members);
  const detail::ZipArchive zip(members, wide);
  std::string bytes;
  for (const auto piece : zip.pieces()) bytes += piece;
  return bytes;
}

detail::ZipMember& member(std::vector<detail::ZipMember>& members, const std::string& name) {
  return *std::ranges::find(members, name + ".npy", &detail::ZipMember::name);
}

TEST_F(SolutionFile, NpzIsTheSameWithSizesOf64Bits) {
  for (const std::uint64_t wide : {0u, 1u, 400u, 1000u}) {
    const std::string bytes = archive([](auto&) {}, wide);
    expect_same(read("a.npz", bytes), corner_solution());
  }
}

/// CMake's Python, or Debian's, whose package of NumPy the tests name.
std::optional<std::string> python_with_numpy() {
  for (const std::string python : {KINJO_PYTHON, "/usr/bin/python3"}) {
    if (std::system((python + " -c 'import numpy' 2> /dev/null").c_str()) == 0) return python;
  }
  return std::nullopt;
}

TEST_F(SolutionFile, NpzIsReadByNumpy) {
  const auto python = python_with_numpy();
  if (!python) GTEST_SKIP() << "NumPy is not installed for " KINJO_PYTHON;
  const std::string program = scratch_.write(
      "read.py",
      "import sys, numpy\n"
      "f = numpy.load(sys.argv[1])\n"
      "assert str(f['status']) == 'optimal' and f['status'].shape == ()\n"
      "assert (f['x'] == [1, 1]).all() and (f['X_0'] == 1).all()\n"
      "assert (f['Y_0'] == [[1, -1], [-1, 1]]).all() and (f['X_1'] == [0.5, 1]).all()\n"
      "assert f['primal_objective'] == 2 and f['dual_objective'] == 2\n"
      "assert f['dimacs_errors'].shape == (6,) and len(f.files) == 9\n"
      "numpy.savez(sys.argv[2], **{k: f[k] for k in f.files})\n");
  for (const std::uint64_t wide : {0xffffffffu, 400u, 0u}) {
    const std::string file = scratch_.write("a.npz", archive([](auto&) {}, wide)),
                      again = scratch_.path("again.npz");
    EXPECT_EQ(std::system((*python + " " + program + " " + file + " " + again).c_str()), 0);
    expect_same(read_solution(problem_, again), corner_solution());
  }
}

TEST_F(SolutionFile, NpzMayLeaveOutWhatCanBeComputed) {
  const Solution s = read("a.npz", archive([](auto& members) {
                            std::erase_if(members, [](const detail::ZipMember& m) {
                              return m.name == "status.npy" || m.name.ends_with("objective.npy") ||
                                     m.name == "dimacs_errors.npy";
                            });
                          }));
  expect_same(s, corner_solution());
  EXPECT_EQ(s.status, Status::optimal);
}

TEST_F(SolutionFile, NpzIsRefusedWithTheArray) {
  using Members = std::vector<detail::ZipMember>;
  const std::string good = archive([](Members&) {});
  std::string damaged = good, compressed = good;
  damaged[damaged.find("{'descr'") + 300] ^= 1;
  compressed[compressed.rfind("PK\1\2") + 10] = 8;
  const auto head_of = [](const char* type, std::vector<std::uint64_t> shape) {
    return replaced(kinjo::detail::npy_header_text({kinjo::detail::NpyType::float64, {}, shape, 0}),
                    "<f8", type);
  };
  const struct {
    std::string text, message;
  } kFaults[] = {
      {"", "': it is no .npz file, or cut off: it has no directory at its end"},
      {"PK\3\4 and no more", "': it is no .npz file, or cut off: it has no directory at its end"},
      {good.substr(0, good.size() - 10), "': it is cut off: expected 4 bytes at byte "},
      {damaged, "': member 'primal_objective.npy': its check sum is another: it was damaged"},
      {compressed, "': member 'Y_1.npy': it is compressed: expected an archive of numpy.savez"},
      {archive([](Members& m) { m.pop_back(); }), "': it has no array 'Y_1'"},
      {archive([](Members& m) { m.resize(2); }),
       "': it has 2 arrays: expected x, and X_b and Y_b of 2 blocks"},
      {archive([&](Members& m) { member(m, "X_0").head = head_of("<f8", {4}); }),
       ":X_0.npy': its shape is (4,): expected (2, 2)"},
      {archive([&](Members& m) { member(m, "X_1").head = head_of("<f4", {2}); }),
       ":X_1.npy': its elements are float32: expected float64"},
      {archive([&](Members& m) { member(m, "x").data = member(m, "x").data.substr(8); }),
       ":x.npy': it has 136 bytes: its header says 144"},
      {archive([&](Members& m) { member(m, "x").head.resize(40); }),
       ":x.npy': its header is cut off after 56 bytes: expected at least 128"},
      {archive([](Members& m) {
         auto& text = member(m, "status").head;
         text[text.size() - 4 * 7] = 'O';
       }),
       ":status.npy': 'Optimal': expected 'optimal' or another status"},
  };
  for (const auto& [text, message] : kFaults) {
    EXPECT_THAT(error("a.npz", text), ::testing::StartsWith(message));
  }
}

}  // namespace
}  // namespace kinjo::sdp
