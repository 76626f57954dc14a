#include "tune/configurations.hpp"

#include <algorithm>

namespace kinjo {

namespace {

/// Whether every thread is held to the same CPUs, or none is held in either.
bool same_places(const Mapping& a, const Mapping& b, BindLevel level) {
  if (a.size() != b.size() || a.binds() != b.binds()) return false;
  for (std::size_t t = 0; a.binds() && t < a.size(); ++t) {
    if (bound_cpus(a, t, level) != bound_cpus(b, t, level)) return false;
  }
  return true;
}

class Maker {
 public:
  Maker(const Topology& machine, const SweepSpace& space) : machine_(machine), space_(space) {}

  std::vector<Configuration> make() {
    const Policy none = Policy::none();
    found_.push_back(
        {.mapping = map(none, default_threads(machine_, none)), .own_threads = space_.own_threads});
    for (const std::string& memory : space_.memory) {
      for (const Policy& policy : policies()) {
        for (const std::size_t threads : space_.threads(default_threads(machine_, policy))) {
          add({.mapping = map(policy, threads), .memory = memory});
        }
      }
    }
    return found_;
  }

 private:
  Mapping map(const Policy& policy, std::size_t threads) const {
    return {machine_, policy, threads, space_.oversubscribe};
  }

  /// `none` first: each number of threads alone, without a placement, is what the others are more
  /// than.
  std::vector<Policy> policies() const {
    std::vector<Policy> all = {Policy::none()};
    for (const Policy& policy : space_.policies) {
      const bool known =
          std::ranges::any_of(all, [&](const Policy& p) { return p.name() == policy.name(); });
      if (!known) all.push_back(policy);
    }
    return all;
  }

  void add(Configuration added) {
    for (Configuration& known : found_) {
      if (known.own_threads || known.memory != added.memory ||
          !same_places(known.mapping, added.mapping, space_.bind)) {
        continue;
      }
      const std::string& name = added.mapping.policy().name();
      if (name != known.mapping.policy().name()) known.same_as.push_back(name);
      return;
    }
    found_.push_back(std::move(added));
  }

  const Topology& machine_;
  const SweepSpace& space_;
  std::vector<Configuration> found_;
};

}  // namespace

std::vector<Configuration> make_configurations(const Topology& machine, const SweepSpace& space) {
  return Maker(machine, space).make();
}

}  // namespace kinjo
