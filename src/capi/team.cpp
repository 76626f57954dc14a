#include "capi/guard.hpp"
#include "capi/handles.hpp"

using namespace kinjo::capi;

namespace {

/// Says in the thread's state, for one call, that it runs a function of a team.
class InsideRun {
 public:
  InsideRun(const kinjo_team& team, const kinjo::Place& me) : before_(thread_state) {
    thread_state = {.running = &team, .place_in_team = &me};
    forget_failure();  // of an earlier run, which would be told as this one's
  }
  ~InsideRun() {
    // What the function bound and left would hold the team's thread at a wrong place for ever.
    while (thread_state.innermost) kinjo_binding_undo(thread_state.innermost);
    thread_state = before_;
  }
  InsideRun(const InsideRun&) = delete;
  InsideRun& operator=(const InsideRun&) = delete;

 private:
  ThreadState before_;
};

/// A negative status is kinjo's own, most likely the function's last failure: its text is taken
/// along, since the thread that waits for the run has a last failure of its own.
std::string describe(int thread, int status) {
  if (status < 0 && status == kinjo_last_status()) {
    return fmt::format("thread {}: {}", thread, kinjo_last_error());
  }
  return fmt::format("thread {}: its function returned {}", thread, status);
}

/// The calling thread's place in the run that it is in; the barriers need it.
const kinjo::Place& need_run(const kinjo_team* team) {
  if (thread_state.running != &need(team, "team")) {
    throw kinjo::Error(kinjo::Errc::usage,
                       "a barrier is only for threads that run a function of its team");
  }
  return *thread_state.place_in_team;
}

}  // namespace

kinjo_team* kinjo_team_create(const kinjo_mapping* mapping, unsigned flags) {
  return guarded([&] {
    need_flags(flags, KINJO_BIND_CORE | KINJO_BIND_NODE);
    const kinjo::TeamOptions options{.bind = bind_level_of(flags)};
    return new kinjo_team{kinjo::Team(need(mapping, "mapping").value, options)};
  });
}

void kinjo_team_free(kinjo_team* team) { delete team; }

int kinjo_team_size(const kinjo_team* team) {
  return guarded([&] { return static_cast<int>(need(team, "team").value.size()); });
}

int kinjo_team_run(kinjo_team* team, kinjo_team_function function, void* context) {
  return guarded([&] {
    need(function, "function");
    need(team, "team").value.run([&](const kinjo::Place& me) {
      const InsideRun inside(*team, me);
      const kinjo_place place = to_c(me);
      if (const int status = function(context, &place)) {
        throw FunctionFailed{status, describe(me.thread, status)};
      }
    });
    return KINJO_OK;
  });
}

int kinjo_team_barrier(kinjo_team* team) {
  return guarded([&] {
    const kinjo::Place& me = need_run(team);
    team->value.barrier(me);
    return KINJO_OK;
  });
}

int kinjo_team_node_barrier(kinjo_team* team) {
  return guarded([&] {
    const kinjo::Place& me = need_run(team);
    team->value.node_barrier(me);
    return KINJO_OK;
  });
}
