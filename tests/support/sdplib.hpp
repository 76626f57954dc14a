/// Semidefinite programs of SDPLIB, of structural optimisation and of quantum chemistry: the
/// archives of the directory that `KINJO_TEST_SDPLIB` names.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinjo::test {

/// The problems' files, by name, unpacked where no test has done so yet into the build tree;
/// nothing where `KINJO_TEST_SDPLIB` is not set.
std::optional<std::vector<std::filesystem::path>> sdplib();

/// The file of a problem (`"truss1"`), or nothing where `KINJO_TEST_SDPLIB` is not set. Throws
/// `std::runtime_error` for one that is not there.
std::optional<std::filesystem::path> sdplib_problem(std::string_view name);

/// A line of optima.csv.
struct Optimum {
  std::string problem;
  std::size_t constraints = 0, order = 0;  ///< m and n
  std::string readme;                      ///< SDPLIB's value, or `primal infeasible` …
  std::string status;                      ///< of a run in multiple precision; empty without one
  std::optional<double> primal, dual;      ///< its values
};
std::optional<std::vector<Optimum>> sdplib_optima();

/// What a test says when it is skipped.
inline constexpr const char* kNoSdplib =
    "KINJO_TEST_SDPLIB is not set: it names a directory with sdplib.tar.xz, structural.tar.xz, "
    "quantum.tar.xz and optima.csv";

}  // namespace kinjo::test

/// Begins a test over all problems: declares `problems`, their files, or skips.
#define KINJO_REQUIRE_SDPLIB(problems)           \
  const auto problems = ::kinjo::test::sdplib(); \
  if (!problems) GTEST_SKIP() << ::kinjo::test::kNoSdplib
