/// Threads pinned to their places.
#pragma once

#include <cstddef>
#include <string_view>

#include <kinjo/index_set.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/place.hpp>

namespace kinjo {

/// How tightly a thread is held.
enum class BindLevel {
  cpu,   ///< to its CPU
  core,  ///< to the CPUs of its core
  node,  ///< to the CPUs of its node
};
const char* to_string(BindLevel level) noexcept;
/// Reads `cpu`, `core` or `node`; throws `Error` that says so.
BindLevel parse_bind_level(std::string_view text);

/// The CPUs that a thread of a mapping is held to; the mapping must bind.
CpuSet bound_cpus(const Mapping& mapping, std::size_t thread, BindLevel level);

/// Pins the calling thread to a row of a mapping, sets `here()`, and undoes both on destruction.
/// Bindings nest: the last one undone restores what the first one found, in whatever order they are
/// undone. Must be destroyed by the thread that made it.
/// A row without a CPU (policy `none`) sets `here()` and leaves the thread free.
class Binding {
 public:
  /// Throws `Error` (`not_permitted`, `invalid_argument`, `system`) if the kernel refuses; the
  /// thread is then as it was.
  Binding(const Mapping& mapping, std::size_t thread, BindLevel level = BindLevel::cpu);
  ~Binding();
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;

  const Place& place() const { return place_; }

  /// Restores the mask and the place from before; later calls do nothing.
  void undo() noexcept;

 private:
  Place place_;
  const Place* outer_;
  Binding* below_;  ///< the binding that this one was made on top of, in its thread
  /// Leaves what this binding would restore to the one that was made on top of it.
  void hand_over() noexcept;

  CpuSet previous_;
  bool pinned_ = false;
  bool active_ = true;
};

/// CPUs that the calling thread may run on now.
CpuSet thread_affinity();

/// Pins the calling thread to `cpus`. Throws `Error` as `Binding` does.
void set_thread_affinity(const CpuSet& cpus);

/// The mask that the process had when the library was loaded.
const CpuSet& initial_affinity();

/// The CPU that the calling thread runs on at this moment (`getcpu`), which is stale at once unless
/// the thread is pinned.
int current_cpu();

}  // namespace kinjo
