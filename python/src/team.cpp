#include "team.hpp"

#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <kinjo/error.hpp>

#include "argument.hpp"
#include "lock.hpp"
#include "parts.hpp"
#include "pin.hpp"

namespace kinjo::python {
namespace {

/// The team whose function the calling thread is running, and its place there, which is not
/// `here()` while the function has pinned the thread elsewhere.
struct Running {
  const PythonTeam* team = nullptr;
  const Place* me = nullptr;
};
thread_local Running tls_running;

nb::list run(const PythonTeam& team, const nb::callable& function) {
  std::vector<nb::object> results(team.mapping()->size());
  const std::shared_ptr<Team> working = team.get();
  {
    Unlocked released;
    working->run([&](const Place& me) {
      Locked acquired;
      tls_running = {&team, &me};
      struct Leave {
        ~Leave() { tls_running = {}; }
      } leave;
      const PinScope pins;
      results[static_cast<std::size_t>(me.thread)] = waiting_at_the_end([&] {
        return function(MappedPlace{me, team.mapping()});
      });
    });
  }
  nb::list all;
  for (nb::object& result : results) all.append(result);
  return all;
}

void meet(const PythonTeam& team, void (Team::*barrier)(const Place&)) {
  if (tls_running.team != &team) {
    throw Error(Errc::usage, "a team's barrier can only be met inside its run()");
  }
  const std::shared_ptr<Team> working = team.get();
  Unlocked released;
  ((*working).*barrier)(*tls_running.me);
}

}  // namespace

PythonTeam::PythonTeam(const SharedMapping& mapping, BindLevel bind)
    : mapping_(mapping), team_(std::make_shared<Team>(*mapping, TeamOptions{.bind = bind})) {}

std::shared_ptr<Team> PythonTeam::get() const {
  if (!team_) throw Error(Errc::usage, "the team is closed");
  return team_;
}

void PythonTeam::close() {
  if (tls_running.team == this)
    throw Error(Errc::usage, "a team cannot be closed inside its run()");
  team_.reset();
}

WorkingTeam::WorkingTeam(const PythonTeam& team)
    : team_(team.get()), is_caller_(team_->size() == 1 && !team_->mapping().binds()) {
  if (!is_caller_) return;
  const Mapping mapping = team_->mapping();
  team_ = std::make_shared<Team>(mapping, TeamOptions{.caller = Caller::joins});
}

namespace {

void add_making(nb::class_<PythonTeam>& type) {
  type.def(
          "__init__",
          [](PythonTeam* self, const SharedMapping& mapping,
             Given<std::optional<std::string>> bind) {
            new (self) PythonTeam(mapping, bind_level(bind.read({"Team", "bind"})));
          },
          nb::arg("mapping"), nb::kw_only(), nb::arg("bind") = nb::none())
      .def(
          "__init__",
          [](PythonTeam* self, const std::optional<std::string>& policy,
             Given<std::optional<std::string>> bind) {
            new (self) PythonTeam(make_mapping(policy), bind_level(bind.read({"Team", "bind"})));
          },
          nb::arg("policy") = nb::none(), nb::kw_only(), nb::arg("bind") = nb::none())
      .def("close", &PythonTeam::close, "Ends the threads; later calls do nothing.")
      .def(
          "__enter__", [](nb::handle team) { return nb::borrow(team); },
          nb::sig("def __enter__(self) -> Team"))
      .def(
          "__exit__", [](PythonTeam& team, nb::handle, nb::handle, nb::handle) { team.close(); },
          nb::arg("type").none(), nb::arg("value").none(), nb::arg("traceback").none(),
          nb::sig("def __exit__(self, type: type[BaseException] | None, "
                  "value: BaseException | None, traceback: TracebackType | None, /) -> None"));
}

void add_working(nb::class_<PythonTeam>& type) {
  type.def("__len__", [](const PythonTeam& team) { return team.mapping()->size(); })
      .def_prop_ro("mapping", &PythonTeam::mapping)
      .def("run", &run, nb::arg("function"),
           nb::sig("def run(self, function: Callable[[Place], _T]) -> list[_T]"),
           "Calls ``function(place)`` once in every thread and returns what they returned, by\n"
           "thread. If one raises, its exception is raised here; the team stays usable.")
      .def(
          "barrier", [](const PythonTeam& team) { meet(team, &Team::barrier); },
          "Inside ``run``: waits until all threads of the team have arrived.")
      .def(
          "node_barrier", [](const PythonTeam& team) { meet(team, &Team::node_barrier); },
          "Inside ``run``: waits until all threads on the caller's node have arrived.");
}

}  // namespace

void add_team(nb::module_& module) {
  nb::class_<PythonTeam> type(module, "Team",
                              "Threads pinned by a mapping, which run a function together;\n"
                              "``with`` ends them at its end.");
  add_making(type);
  add_working(type);
}

}  // namespace kinjo::python
