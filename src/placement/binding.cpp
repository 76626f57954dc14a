#include <kinjo/binding.hpp>

#include <sched.h>

#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/initial_affinity.hpp"
#include "base/kernel.hpp"
#include "base/text.hpp"

namespace kinjo {

namespace {

Errc code_of(int error) {
  if (error == EPERM || error == EACCES) return Errc::not_permitted;
  if (error == ENOSYS) return Errc::not_supported;
  return error == EINVAL ? Errc::invalid_argument : Errc::system;
}

const char* cause_of(int error) {
  if (error == EPERM) return " (a container's seccomp profile?)";
  if (error == EINVAL) return " (no such CPU, offline, or outside the cpuset)";
  return "";
}

}  // namespace

const char* to_string(BindLevel level) noexcept {
  switch (level) {
    case BindLevel::cpu:
      return "cpu";
    case BindLevel::core:
      return "core";
    case BindLevel::node:
      return "node";
  }
  return "unknown";
}

BindLevel parse_bind_level(std::string_view text) {
  for (BindLevel level : {BindLevel::cpu, BindLevel::core, BindLevel::node}) {
    if (text == to_string(level)) return level;
  }
  throw Error(Errc::invalid_argument,
              fmt::format("unknown binding '{}': expected cpu, core or node", text));
}

CpuSet bound_cpus(const Mapping& mapping, std::size_t thread, BindLevel level) {
  switch (level) {
    case BindLevel::cpu:
      break;
    case BindLevel::core:
      return mapping.core_cpus(thread);
    case BindLevel::node:
      return mapping.node_cpus(thread);
  }
  return {mapping[thread].cpu};
}

CpuSet thread_affinity() { return detail::get_affinity(); }

void set_thread_affinity(const CpuSet& cpus) {
  if (const int error = detail::set_affinity(cpus)) {
    throw Error(code_of(error),
                fmt::format("cannot pin the thread to {}: sched_setaffinity returned {}{}",
                            cpus.empty() ? "no CPU at all" : "CPU " + cpus.to_string(),
                            detail::errno_name(error), cause_of(error)));
  }
}

const CpuSet& initial_affinity() { return detail::initial_affinity(); }

int current_cpu() { return sched_getcpu(); }

namespace {
/// The calling thread's bindings, the newest first, linked by `below_`.
thread_local Binding* tls_newest = nullptr;
}  // namespace

Binding::Binding(const Mapping& mapping, std::size_t thread, BindLevel level)
    : outer_(detail::tls_here), below_(tls_newest) {
  if (thread >= mapping.size()) {
    throw Error(Errc::invalid_argument,
                fmt::format("no thread {} in a mapping of {} threads", thread, mapping.size()));
  }
  place_ = mapping[thread];
  if (place_.cpu >= 0) {
    previous_ = thread_affinity();
    set_thread_affinity(bound_cpus(mapping, thread, level));
    pinned_ = true;
  }
  detail::tls_here = &place_;
  tls_newest = this;
}

Binding::~Binding() { undo(); }

void Binding::undo() noexcept {
  if (!std::exchange(active_, false)) return;
  if (tls_newest != this) {
    hand_over();
    return;
  }
  tls_newest = below_;
  detail::tls_here = outer_;
  // The CPUs from before may have gone offline meanwhile; the kernel then keeps its own choice.
  if (pinned_) detail::set_affinity(previous_);
}

void Binding::hand_over() noexcept {
  Binding* above = tls_newest;
  while (above && above->below_ != this) above = above->below_;
  if (!above) return;  // undone by another thread, which its declaration forbids
  above->below_ = below_;
  above->outer_ = outer_;
  if (!pinned_) return;
  above->previous_ = std::move(previous_);
  above->pinned_ = true;
}

}  // namespace kinjo
