/// Whether figures can be trusted: what else goes on on the machine while it is measured.
///
/// What the system says is read by functions that begin with `read`, whose `root` is prefixed to
/// every path (`""`: the running system); what follows from it is decided by functions that begin
/// with `judge`, each of which returns clear sentences, and none where all is well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kinjo/topology.hpp>

#include "measure/load.hpp"

namespace kinjo {

/// `cpus` threads and `quota` CPUs' worth of time.
std::vector<std::string> judge_quota(std::optional<double> quota, std::size_t cpus);

/// What the system says about itself; empty where it says nothing.
struct SystemFacts {
  bool hypervisor_flag = false;             ///< among the flags in /proc/cpuinfo (x86)
  std::string hypervisor;                   ///< /sys/hypervisor/type, or the device tree's
  std::string product;                      ///< the firmware's vendor and product name
  std::map<std::string, CpuSet> governors;  ///< of the allowed CPUs' frequency
  std::vector<std::string> clock_sources;   ///< that the kernel offers
};
SystemFacts read_system_facts(const std::string& root, const CpuSet& cpus);

/// A virtual machine, and how that is known.
std::vector<std::string> judge_virtual(const SystemFacts& facts);

/// Governors other than `performance`.
std::vector<std::string> judge_governors(const SystemFacts& facts);

/// The core's frequency at the start and at the end in Hz: more than 2 % apart.
std::vector<std::string> judge_frequency(double start_hz, double end_hz);

/// A counter that does not run evenly, or that the kernel does not offer as a clock though it
/// offers others: it found it unreliable.
std::vector<std::string> judge_counter(std::string_view counter, bool invariant,
                                       const SystemFacts& facts);

/// Looks when it is made, for about a third of a second, and again when it is asked: the warnings
/// of all that is measured in between. The machine must be this one, and outlive it.
class TrustWatch {
 public:
  explicit TrustWatch(const Topology& machine);

  /// In the order of the functions above.
  std::vector<std::string> warnings() const;

 private:
  double core_hz() const;

  const Topology& machine_;
  LoadLook before_;
  LoadLook start_;
  double start_hz_ = 0;
};

}  // namespace kinjo
