/// What lies behind the opaque handles of kinjo.h, and conversions to its plain structs.
#pragma once

#include <kinjo/kinjo.h>
#include <kinjo/binding.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/team.hpp>
#include <kinjo/topology.hpp>

struct kinjo_topology {
  kinjo::Topology value;
};

struct kinjo_mapping {
  kinjo::Mapping value;
};

struct kinjo_binding {
  kinjo::Binding value;
  kinjo_binding* outer;  ///< the thread's binding when this one was made
};

struct kinjo_team {
  kinjo::Team value;
};

namespace kinjo::capi {

/// What the calling thread is doing with handles, so that a call out of order is refused and not
/// carried out on things that are gone.
struct ThreadState {
  kinjo_binding* innermost = nullptr;    ///< its latest binding that stands
  const kinjo_team* running = nullptr;   ///< the team whose function it runs
  const Place* place_in_team = nullptr;  ///< its place there
};
inline constinit thread_local ThreadState thread_state;

kinjo_place to_c(const Place& place);

/// Throws if both flags are given.
BindLevel bind_level_of(unsigned flags);

/// `threads` as a size; throws unless positive.
std::size_t need_threads(int threads);

}  // namespace kinjo::capi
