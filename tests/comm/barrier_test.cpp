/// Barriers of cells that share CPUs, which count there CPU by CPU.
#include <kinjo/topology.hpp>

#include "comm/cells.hpp"

namespace kinjo::comm::test {
namespace {

thread_local bool handled = false;

/// Where so many cells run.
struct Places {
  const char* name;
  int cells;
  Policy policy;
};

std::vector<Places> all_places() {
  const auto allowed = Topology::discover().allowed_cpus();
  const int cpus = static_cast<int>(allowed.count());
  return {
      {"more on one CPU than on another", 2 * cpus + 1, Policy::scatter()},
      {"all on one CPU", 3, Policy::cpus({*allowed.begin()})},
      {"more than CPUs, wherever the system puts them", 2 * cpus + 1, Policy::none()},
  };
}

class Barriers : public testing::TestWithParam<Kind> {
 protected:
  void run(const Places& places, const Body& body) {
    const Mapping mapping(Topology::discover(), places.policy,
                          static_cast<std::size_t>(places.cells), Oversubscribe::wrap);
    EXPECT_EQ(failure_of(GetParam(), mapping, options, body), "") << places.name;
  }
  WorldOptions options;
};
KINJO_IN_EVERY_WORLD(Barriers);

TEST_P(Barriers, OfCellsThatShareCpusLetNobodyThroughBeforeAllHaveCome) {
  for (const Places& places : all_places()) {
    run(places, meet_often);
  }
}

TEST_P(Barriers, RunHandlersInTheLongRunEvenIfAllAreThere) {
  options.handlers = {{"note", [](Message&) { handled = true; }}};
  for (const Places& places : all_places()) {
    run(places, [](World& world) {
      handled = false;
      world.barrier();
      world.request((world.cell() + 1) % world.cells(), 0, nullptr, 0);
      for (int i = 0; i < 32; ++i) world.barrier();
      expect(handled, "the neighbour's request");
    });
  }
}

}  // namespace
}  // namespace kinjo::comm::test
