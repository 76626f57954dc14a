#include "launch/ranks.hpp"

#include <map>

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo::detail {
namespace {

using test::error_of;
using Variables = std::map<std::string, std::string>;

Lookup lookup(const Variables& variables) {
  return [&variables](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

/// `rank/size by source`, `none`, or the error.
std::string rank_of(const Variables& variables, std::string_view option = "auto") {
  std::string shown = "none";
  const std::string error = error_of([&] {
    if (const auto found = parse_ranks(option, lookup(variables))) {
      shown = std::to_string(found->rank.rank) + "/" + std::to_string(found->rank.size) + " by " +
              found->source;
    }
  });
  return error == "no error" ? shown : error;
}

constexpr const char* kOff = "; --ranks off starts it without regard to ranks";

TEST(Ranks, AreReadAsEachLauncherSaysThem) {
  EXPECT_EQ(rank_of({}), "none");
  EXPECT_EQ(rank_of({{"OMPI_COMM_WORLD_LOCAL_RANK", "1"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}),
            "1/2 by OMPI_COMM_WORLD_LOCAL_RANK");
  EXPECT_EQ(rank_of({{"MPI_LOCALRANKID", "0"}, {"MPI_LOCALNRANKS", "3"}}),
            "0/3 by MPI_LOCALRANKID");
  EXPECT_EQ(rank_of({{"MV2_COMM_WORLD_LOCAL_RANK", "3"}, {"MV2_COMM_WORLD_LOCAL_SIZE", "4"}}),
            "3/4 by MV2_COMM_WORLD_LOCAL_RANK");
  EXPECT_EQ(rank_of({{"SLURM_LOCALID", "1"},
                     {"SLURM_STEP_TASKS_PER_NODE", "4(x2),2"},
                     {"SLURM_NODEID", "2"}}),
            "1/2 by SLURM_LOCALID");
  EXPECT_EQ(rank_of({{"SLURM_LOCALID", "1"}, {"SLURM_STEP_TASKS_PER_NODE", "2"}}),
            "1/2 by SLURM_LOCALID");
  EXPECT_EQ(
      rank_of({{"SLURM_LOCALID", "5"}, {"SLURM_STEP_ID", "0"}, {"SLURM_NTASKS_PER_NODE", "8"}}),
      "5/8 by SLURM_LOCALID");
}

TEST(Ranks, AreNotReadIntoABatchScript) {
  EXPECT_EQ(rank_of({{"SLURM_LOCALID", "0"}, {"SLURM_NTASKS_PER_NODE", "8"}}), "none");
  EXPECT_EQ(rank_of({{"SLURM_NTASKS_PER_NODE", "8"}}), "none");
}

TEST(Ranks, AreThoseOfTheInnermostLauncher) {
  EXPECT_EQ(rank_of({{"SLURM_LOCALID", "0"},
                     {"SLURM_STEP_TASKS_PER_NODE", "1"},
                     {"OMPI_COMM_WORLD_LOCAL_RANK", "3"},
                     {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}}),
            "3/4 by OMPI_COMM_WORLD_LOCAL_RANK");
}

TEST(Ranks, CanBeGivenOrTurnedOff) {
  const Variables inside = {{"MPI_LOCALRANKID", "0"}, {"MPI_LOCALNRANKS", "3"}};
  EXPECT_EQ(rank_of(inside, "off"), "none");
  EXPECT_EQ(rank_of(inside, "1/2"), "1/2 by --ranks");
  for (const char* wrong : {"", "on", "1", "2/2", "1/", "/2", "-1/2", "0/9999999", "1/2/3"}) {
    EXPECT_EQ(rank_of({}, wrong), std::string("invalid_argument: unknown ranks '") + wrong +
                                      "': expected auto, off, or a rank and their number such as "
                                      "0/2 and 1/2");
  }
}

TEST(Ranks, ThatAreDamagedAreRefusedInOneLine) {
  const std::string bad = "bad_input: ";
  EXPECT_EQ(rank_of({{"OMPI_COMM_WORLD_LOCAL_RANK", "2"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}),
            bad +
                "OMPI_COMM_WORLD_LOCAL_RANK is 2 and OMPI_COMM_WORLD_LOCAL_SIZE is 2: expected a "
                "rank below the size" +
                kOff);
  EXPECT_EQ(rank_of({{"MPI_LOCALRANKID", "one"}, {"MPI_LOCALNRANKS", "2"}}),
            bad + "MPI_LOCALRANKID is 'one': expected a number up to 1048576" + kOff);
  EXPECT_EQ(rank_of({{"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "-2"}}),
            bad + "MPI_LOCALNRANKS is '-2': expected a number up to 1048576" + kOff);
  EXPECT_EQ(rank_of({{"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}),
            bad + "OMPI_COMM_WORLD_LOCAL_SIZE is set without OMPI_COMM_WORLD_LOCAL_RANK" + kOff);
  EXPECT_EQ(rank_of({{"OMPI_COMM_WORLD_LOCAL_RANK", "2"}}),
            bad + "OMPI_COMM_WORLD_LOCAL_RANK is set without OMPI_COMM_WORLD_LOCAL_SIZE" + kOff);
  EXPECT_EQ(
      rank_of({{"SLURM_LOCALID", "0"}, {"SLURM_STEP_TASKS_PER_NODE", "2(x"}}),
      bad + "SLURM_STEP_TASKS_PER_NODE is '2(x': expected numbers of tasks such as 2(x3),1" + kOff);
}

TEST(Ranks, OfANodeAreFoundInSlurmsList) {
  const struct {
    const char* list;
    std::size_t node;
    std::size_t tasks;
  } cases[] = {{"2", 0, 2},       {"2(x3),1", 0, 2}, {"2(x3),1", 2, 2},
               {"2(x3),1", 3, 1}, {"1,2,3", 1, 2},   {"4,2(x2),8(x2)", 4, 8}};
  for (const auto& c : cases) EXPECT_EQ(slurm_tasks(c.list, c.node, "S"), c.tasks) << c.list;
  EXPECT_EQ(
      error_of([] { slurm_tasks("2(x3),1", 4, "S"); }),
      std::string("bad_input: S is '2(x3),1', which ends before node 4 of SLURM_NODEID") + kOff);
  for (const char* wrong :
       {"", "0", "2,", "x", "2(3)", "2(x3", "2(x0)", "2(x99999999)", "2(x3)1"}) {
    EXPECT_EQ(error_of([&] { slurm_tasks(wrong, 0, "S"); }),
              std::string("bad_input: S is '") + wrong +
                  "': expected numbers of tasks such as 2(x3),1" + kOff);
  }
}

}  // namespace
}  // namespace kinjo::detail
