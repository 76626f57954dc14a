/// What plans depend on besides the transform, as text.
#include <algorithm>

#include <fmt/format.h>
#include <kinjo/cache_sizes.hpp>
#include <kinjo/fft_plan.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/simd.hpp>
#include <kinjo/topology.hpp>

#include "base/text.hpp"

namespace kinjo::fft {

namespace {

std::string model_of(const Topology& machine) {
  const std::string model = machine.packages().empty() ? "" : machine.packages().front().model;
  return model.empty() ? "unknown" : model;
}

/// What was asked for; nothing of what was left to the plan.
std::string wishes(const Options& options, Arrays arrays) {
  std::string text = arrays == Arrays::one ? ", in place" : "";
  if (options.in_cache != InCache::automatic) {
    text += fmt::format(", in cache {}", to_string(options.in_cache));
  }
  if (options.overlap != Overlap::automatic) {
    text += fmt::format(", overlap {}", to_string(options.overlap));
  }
  if (options.deal != Deal::block) text += fmt::format(", {}", to_string(options.deal));
  return text;
}

}  // namespace

std::string wisdom_place(const Topology& machine, const Mapping& mapping, const Options& options,
                         Arrays arrays) {
  using kinjo::detail::format_bytes;
  const CacheSizes& caches = cache_sizes();
  // The model alone decides little: virtual machines call different processors the same.
  std::string place = fmt::format("{}, {}, L1 {}, L2 {}, L3 {}, {} thread{}, {}", model_of(machine),
                                  to_string(simd_level()), format_bytes(caches.l1),
                                  format_bytes(caches.l2), format_bytes(caches.l3), mapping.size(),
                                  mapping.size() == 1 ? "" : "s", mapping.policy().name());
  // A colon ends the place, as in the policy cpus:0-3.
  std::ranges::replace(place, ':', ' ');
  std::ranges::replace(place, '\n', ' ');
  return place + wishes(options, arrays);
}

}  // namespace kinjo::fft
