#include "launch/ranks.hpp"

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

constexpr std::size_t kMost = 1 << 20;
constexpr const char* kWayOut = "--ranks off starts it without regard to ranks";

/// The variables of a launcher that says both numbers.
struct Names {
  const char* rank;
  const char* size;
};
constexpr Names kLaunchers[] = {
    {"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    {"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},
};

[[noreturn]] void fail(const std::string& fault) {
  throw Error(Errc::bad_input, fmt::format("{}; {}", fault, kWayOut));
}

std::size_t read_number(std::string_view text, const char* name) {
  const auto number = parse_number<std::size_t>(text);
  if (!number || *number > kMost) {
    fail(fmt::format("{} is '{}': expected a number up to {}", name, text, kMost));
  }
  return *number;
}

LaunchedRank make_rank(std::size_t rank, const char* rank_name, std::size_t size,
                       const char* size_name) {
  if (rank >= size) {
    fail(fmt::format("{} is {} and {} is {}: expected a rank below the size", rank_name, rank,
                     size_name, size));
  }
  return {{rank, size}, rank_name, false};
}

std::optional<LaunchedRank> rank_by(const Names& names, const Lookup& variable) {
  const char* rank = variable(names.rank);
  const char* size = variable(names.size);
  if (!rank && !size) return std::nullopt;
  if (!rank || !size) {
    fail(fmt::format("{} is set without {}", rank ? names.rank : names.size,
                     rank ? names.size : names.rank));
  }
  return make_rank(read_number(rank, names.rank), names.rank, read_number(size, names.size),
                   names.size);
}

/// A batch script has SLURM_LOCALID too, and is one process; only srun's steps have these.
std::optional<LaunchedRank> rank_by_slurm(const Lookup& variable) {
  constexpr const char* kRank = "SLURM_LOCALID";
  constexpr const char* kStep = "SLURM_STEP_TASKS_PER_NODE";
  constexpr const char* kJob = "SLURM_NTASKS_PER_NODE";
  const char* rank = variable(kRank);
  if (!rank) return std::nullopt;
  if (const char* list = variable(kStep)) {
    const char* node = variable("SLURM_NODEID");
    const std::size_t size = slurm_tasks(list, node ? read_number(node, "SLURM_NODEID") : 0, kStep);
    return make_rank(read_number(rank, kRank), kRank, size, kStep);
  }
  const char* tasks = variable(kJob);
  if (!tasks || !variable("SLURM_STEP_ID")) return std::nullopt;
  return make_rank(read_number(rank, kRank), kRank, read_number(tasks, kJob), kJob);
}

/// One element of Slurm's list: `2` or `2(x3)`.
struct Run {
  std::size_t tasks;
  std::size_t nodes;
};
std::optional<Run> parse_run(std::string_view text) {
  std::size_t nodes = 1;
  if (const auto open = text.find("(x"); open != text.npos) {
    if (!text.ends_with(')')) return std::nullopt;
    const auto count = parse_number<std::size_t>(text.substr(open + 2, text.size() - open - 3));
    if (!count || *count == 0 || *count > kMost) return std::nullopt;
    nodes = *count;
    text = text.substr(0, open);
  }
  const auto tasks = parse_number<std::size_t>(text);
  if (!tasks || *tasks == 0 || *tasks > kMost) return std::nullopt;
  return Run{*tasks, nodes};
}

}  // namespace

std::size_t slurm_tasks(std::string_view list, std::size_t node, std::string_view name) {
  std::optional<std::size_t> found;
  std::size_t first = 0;
  for (const std::string_view part : split(list, ',')) {
    const auto run = parse_run(part);
    if (!run) {
      fail(fmt::format("{} is '{}': expected numbers of tasks such as 2(x3),1", name, list));
    }
    if (node >= first && node < first + run->nodes) found = run->tasks;
    first += run->nodes;
  }
  if (!found) {
    fail(fmt::format("{} is '{}', which ends before node {} of SLURM_NODEID", name, list, node));
  }
  return *found;
}

std::optional<LaunchedRank> launched_rank(const Lookup& variable) {
  for (const Names& names : kLaunchers) {
    if (auto rank = rank_by(names, variable)) return rank;
  }
  return rank_by_slurm(variable);
}

std::optional<LaunchedRank> parse_ranks(std::string_view text, const Lookup& variable) {
  if (text == "auto") return launched_rank(variable);
  if (text == "off") return std::nullopt;
  const auto slash = text.find('/');
  const auto rank = parse_number<std::size_t>(text.substr(0, slash));
  const auto size =
      slash == text.npos ? std::nullopt : parse_number<std::size_t>(text.substr(slash + 1));
  if (!rank || !size || *rank >= *size || *size > kMost) {
    throw Error(Errc::invalid_argument,
                fmt::format("unknown ranks '{}': expected auto, off, or a rank and their number "
                            "such as 0/2 and 1/2",
                            text));
  }
  return LaunchedRank{{*rank, *size}, "--ranks", true};
}

}  // namespace kinjo::detail
