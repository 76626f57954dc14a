#include "report/profile_json.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/identity.hpp"
#include "report/profile_file.hpp"
#include "support/expect.hpp"
#include "support/profile_sample.hpp"
#include "support/scratch.hpp"

namespace kinjo {
namespace {

using test::error_of;
using test::figure_of;
using test::full_profile;
using test::Scratch;

MachineProfile again(const MachineProfile& profile) {
  return parse_profile(json_text(profile_json(profile)), "profile.json");
}

TEST(ProfileJson, ReadsBackEveryMember) {
  const Json json = profile_json(full_profile());
  EXPECT_EQ(json["schema"], "kinjo-profile/1");
  EXPECT_EQ(profile_json(again(full_profile())), json);
}

TEST(ProfileJson, HasNoMemberForWhatWasNotMeasured) {
  const MachineProfile empty{.machine = "host", .model = "", .cpus = 2, .measured = "now"};
  const Json json = profile_json(empty);
  EXPECT_FALSE(json.contains("clock"));
  EXPECT_FALSE(json.contains("nodes"));
  EXPECT_EQ(json["caches"], Json::array());
  const MachineProfile read = again(empty);
  EXPECT_FALSE(read.clock || read.nodes);
  EXPECT_EQ(profile_json(read), json);
}

TEST(ProfileJson, KeepsTheNumbersToTheLastBit) {
  MachineProfile profile = full_profile();
  profile.clock->frequency_hz.summary = {
      .count = 1, .min = 0.1, .median = 0.1, .max = 1.0 / 3, .low = 0.1, .high = 1.0 / 3};
  EXPECT_EQ(again(profile).clock->frequency_hz.summary.median, 0.1);
  EXPECT_EQ(again(profile).clock->frequency_hz.summary.max, 1.0 / 3);
}

TEST(ProfileJson, PassesOverMembersThatItDoesNotKnow) {
  Json json = profile_json(full_profile());
  json["added_later"] = {1, 2, 3};
  json["nodes"]["pairs"][0]["added_later"] = "x";
  EXPECT_EQ(profile_json(parse_profile(json.dump(), "x")), profile_json(full_profile()));
}

/// A profile's JSON after a change, read again: what is said against it.
std::string refusal(const char* pointer, const Json& value) {
  Json json = profile_json(full_profile());
  json[Json::json_pointer(pointer)] = value;
  return error_of([&] { parse_profile(json.dump(), "p.json"); });
}

TEST(ProfileJson, NamesTheFileAndTheMemberAtFault) {
  const struct {
    const char* pointer;
    Json value;
    const char* fault;
  } cases[] = {
      {"/schema", "kinjo-map/1", "schema: expected kinjo-profile/1, not 'kinjo-map/1'"},
      {"/schema", 1, "schema: expected a string, not 1"},
      {"/machine", 7, "machine: expected a string, not 7"},
      {"/cpus", -1, "cpus: expected an integer from 0, not -1"},
      {"/cpus", 1.5, "cpus: expected an integer from 0, not 1.5"},
      {"/warnings", "none", "warnings: expected a list, not string"},
      {"/warnings/0", nullptr, "warnings[0]: expected a string, not null"},
      {"/clock", "fast", "clock: expected an object, not string"},
      {"/clock/invariant", 1, "clock.invariant: expected true or false, not 1"},
      {"/clock/frequency_hz/value", "fast",
       "clock.frequency_hz.value: expected a number, not string"},
      {"/caches/0/level", 1e99,
       "caches[0].level: expected an integer from -1 to 1048575, not 1e+99"},
      {"/caches/0/cpus/0", -1, "caches[0].cpus: expected an integer from 0 to 1048575, not -1"},
      {"/caches/0/cpus/0", 4000000000,
       "caches[0].cpus: expected an integer from 0 to 1048575, not 4000000000"},
      {"/nodes/pairs/1/one_thread/read", Json::array(),
       "nodes.pairs[1].one_thread.read: expected an object, not array"},
      {"/nodes/pairs/1/latency_ns/count", 0,
       "nodes.pairs[1].latency_ns: expected a count from 1 and min, low, value, high and max in "
       "ascending order"},
      {"/nodes/pairs/1/latency_ns/low", 1e9,
       "nodes.pairs[1].latency_ns: expected a count from 1 and min, low, value, high and max in "
       "ascending order"},
      {"/nodes/loaded/0", Json::object(), "nodes.loaded[0].delay_cycles: expected, and not there"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(refusal(c.pointer, c.value),
              fmt::format("bad_input: cannot read the profile 'p.json': {}", c.fault));
  }
}

TEST(ProfileJson, NamesTheLineOfWhatIsNoJson) {
  const auto fault = [](const char* text) {
    return error_of([&] { parse_profile(text, "p.json"); });
  };
  EXPECT_EQ(fault(""), "bad_input: cannot read the profile 'p.json': line 1: expected JSON");
  EXPECT_EQ(fault("{\n\"schema\": \n oops"),
            "bad_input: cannot read the profile 'p.json': line 3: expected JSON");
  EXPECT_EQ(
      fault("[1]"),
      "bad_input: cannot read the profile 'p.json': the whole: expected an object, not array");
  EXPECT_EQ(fault("{\"x\": 1e999}"),
            "bad_input: cannot read the profile 'p.json': a number is out of range");
  EXPECT_EQ(fault("{}"),
            "bad_input: cannot read the profile 'p.json': schema: expected, and not there");
}

/// Sets where caches are, and puts it back.
class CacheAt {
 public:
  explicit CacheAt(const std::string& path) { setenv("XDG_CACHE_HOME", path.c_str(), 1); }
  ~CacheAt() { unsetenv("XDG_CACHE_HOME"); }
};

TEST(CachedProfile, IsNothingUntilOneIsKept) {
  const Scratch scratch;
  const CacheAt cache(scratch.path("cache"));
  EXPECT_EQ(cached_profile_path(), scratch.path("cache/kinjo/profile-") + host_name() + ".json");
  EXPECT_FALSE(cached_profile(Topology::this_machine()));
  MachineProfile profile = full_profile();
  const MachineProfile here = blank_profile(Topology::this_machine());
  profile.machine = here.machine;
  profile.model = here.model;
  profile.cpus = here.cpus;
  profile.allowed_cpus = here.allowed_cpus;
  keep_profile(profile);
  EXPECT_EQ(profile_json(cached_profile(Topology::this_machine()).value()), profile_json(profile));
}

TEST(CachedProfile, OfAnotherMachineIsRefused) {
  const Scratch scratch;
  const CacheAt cache(scratch.path());
  MachineProfile profile = blank_profile(Topology::this_machine());
  profile.cpus += 1;
  keep_profile(profile);
  EXPECT_EQ(
      error_of([] { cached_profile(Topology::this_machine()); }),
      fmt::format("bad_input: the profile '{}' is of another machine: {} CPUs, not {}; `kinjo "
                  "measure` makes one of this machine",
                  cached_profile_path(), profile.cpus, profile.cpus - 1));
}

TEST(CachedProfile, OfFewerCpusThanThisProcessMayUseIsRefused) {
  const Scratch scratch;
  const CacheAt cache(scratch.path());
  MachineProfile profile = blank_profile(Topology::this_machine());
  const std::string all = profile.allowed_cpus->to_string();
  profile.allowed_cpus->erase(profile.allowed_cpus->first());
  keep_profile(profile);
  EXPECT_EQ(error_of([] { cached_profile(Topology::this_machine()); }),
            fmt::format("bad_input: the profile '{}' was measured on CPUs {}, and this process may "
                        "use {}; `kinjo measure` makes one of all of them",
                        cached_profile_path(), profile.allowed_cpus->to_string(), all));
}

TEST(CachedProfile, OfADirectoryThatCannotBeLookedIntoIsRefused) {
  const Scratch scratch;
  const std::string loop = scratch.path("loop");  // also refused to root, who may read everything
  std::filesystem::create_symlink(loop, loop);
  const CacheAt cache(loop);
  EXPECT_EQ(error_of([] { cached_profile(Topology::this_machine()); }),
            fmt::format("system: cannot look for the profile '{}': Too many levels of symbolic "
                        "links",
                        cached_profile_path()));
}

TEST(CachedProfile, LiesUnderHomeWhereTheVariableIsNoAbsolutePath) {
  const CacheAt cache("relative");
  const char* old = std::getenv("HOME");
  const std::string home = old ? old : "";
  setenv("HOME", "/home/somebody", 1);
  EXPECT_EQ(cached_profile_path(), "/home/somebody/.cache/kinjo/profile-" + host_name() + ".json");
  unsetenv("HOME");
  EXPECT_EQ(error_of([] { cached_profile_path(); }),
            "not_found: there is no directory for the machine's profile: expected an absolute path "
            "in XDG_CACHE_HOME or HOME");
  if (old) setenv("HOME", home.c_str(), 1);
}

TEST(ReadProfile, NamesAFileThatIsNotThere) {
  EXPECT_EQ(error_of([] { read_profile("/absent.json"); }),
            "not_found: cannot read the profile '/absent.json': No such file or directory");
}

}  // namespace
}  // namespace kinjo
