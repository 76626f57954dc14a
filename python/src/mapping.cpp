/// kinjo.mapping(), kinjo.Place and kinjo.where().
#include "mapping.hpp"

#include <charconv>

#include <nanobind/make_iterator.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "argument.hpp"
#include "convert.hpp"
#include "parts.hpp"

namespace kinjo::python {
namespace {

Policy policy_of(const std::optional<std::string>& policy) {
  return parse_or_environment(policy, "KINJO_POLICY", Policy::parse, Policy::scatter());
}

std::size_t parse_threads(const std::string& text) {
  int threads = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, threads);
  if (error != std::errc{} || rest != end || threads < 1) {
    throw Error(Errc::bad_input,
                fmt::format("'{}' is no number of threads: expected 1 or more", text));
  }
  return static_cast<std::size_t>(threads);
}

std::size_t need_threads(long long threads) {
  if (threads < 1) {
    throw Error(Errc::invalid_argument, fmt::format("{} threads: expected 1 or more", threads));
  }
  return static_cast<std::size_t>(threads);
}

std::size_t count_threads(const Topology& machine, const Policy& policy) {
  return kinjo::detail::from_environment("KINJO_THREADS", parse_threads,
                                         default_threads(machine, policy));
}

SharedMapping mapping(const std::optional<std::string>& policy, std::optional<long long> threads,
                      const Topology* machine, bool oversubscribe) {
  const Topology& on = machine ? *machine : Topology::this_machine();
  const Policy dealt = policy_of(policy);
  const std::size_t wanted = threads ? need_threads(*threads) : 0;
  try {
    return std::make_shared<const Mapping>(
        on, dealt, threads ? wanted : count_threads(on, dealt),
        oversubscribe ? Oversubscribe::wrap : Oversubscribe::refuse);
  } catch (const Error& error) {
    if (error.code() != Errc::invalid_argument) throw;
    throw kinjo::detail::explain_refusal(
        error, {.policy = policy.has_value(), .threads = threads.has_value()}, on.origin());
  }
}

SharedMapping given_mapping(Given<std::optional<std::string>> policy,
                            Given<std::optional<long long>> threads, Given<const Topology*> machine,
                            Given<bool> oversubscribe) {
  constexpr const char* kName = "mapping";
  return mapping(policy.read({kName, "policy"}), threads.read({kName, "threads"}),
                 machine.read({kName, "topology"}), oversubscribe.read({kName, "oversubscribe"}));
}

MappedPlace row(const SharedMapping& table, nb::handle number) {
  const Py_ssize_t thread = PyNumber_AsSsize_t(number.ptr(), PyExc_IndexError);
  if (thread == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  const auto size = static_cast<Py_ssize_t>(table->size());
  if (thread < -size || thread >= size) throw nb::index_error("no such thread in the mapping");
  return {(*table)[static_cast<std::size_t>(thread < 0 ? thread + size : thread)], table};
}

nb::iterator iterate(const SharedMapping& table) {
  nb::list places;
  for (const Place& place : *table) places.append(MappedPlace{place, table});
  return nb::iter(places);
}

std::string repr(const Mapping& table) {
  return fmt::format("<kinjo.Mapping {}: {} thread{} on {} node{}>", table.policy().name(),
                     table.size(), table.size() == 1 ? "" : "s", table.nodes().size(),
                     table.nodes().size() == 1 ? "" : "s");
}

std::string repr(const MappedPlace& at) {
  const Place& p = at.place;
  return fmt::format(
      "Place(thread={}, cpu={}, node={}, package={}, core={}, smt={}, rank_in_node={}, "
      "node_threads={})",
      p.thread, p.cpu, p.node, p.package, p.core, p.smt, p.rank_in_node, p.node_threads);
}

/// The calling thread's row, else the CPU that it runs on at this moment.
MappedPlace where() {
  if (here().cpu >= 0) return {here(), nullptr};
  Place at = here();
  at.cpu = current_cpu();
  if (const Cpu* cpu = Topology::this_machine().find_cpu(at.cpu)) {
    at.node = cpu->node;
    at.package = cpu->package;
    at.core = cpu->core;
    at.smt = cpu->smt;
  }
  return {at, nullptr};
}

template <class Number>
auto number(Number Place::*member) {
  return [member](const MappedPlace& at) { return at.place.*member; };
}

void add_place(nb::module_& module) {
  nb::class_<MappedPlace>(module, "Place",
                          "The place of one thread, a row of a mapping. Numbers\n"
                          "are -1 where they are unknown.")
      .def_prop_ro("thread", number(&Place::thread))
      .def_prop_ro("cpu", number(&Place::cpu), "the operating system's number")
      .def_prop_ro("node", number(&Place::node), "the operating system's number")
      .def_prop_ro("package", number(&Place::package), "the operating system's number")
      .def_prop_ro("core", number(&Place::core), "rank in the package")
      .def_prop_ro("smt", number(&Place::smt), "rank in the core")
      .def_prop_ro("rank_in_node", number(&Place::rank_in_node))
      .def_prop_ro("node_threads", number(&Place::node_threads), "threads on this node")
      .def(
          "__eq__",
          [](const MappedPlace& a, nb::handle other) {
            const MappedPlace* b = nullptr;
            return nb::try_cast(other, b, false) && b && a.place == b->place;
          },
          nb::arg("other").none())
      .def("__hash__", [](const MappedPlace& a) { return a.place.cpu * 4096 + a.place.thread; })
      .def("__repr__", [](const MappedPlace& at) { return repr(at); });
}

}  // namespace

SharedMapping make_mapping(const std::optional<std::string>& policy) {
  return mapping(policy, std::nullopt, nullptr, false);
}

BindLevel bind_level(const std::optional<std::string>& level) {
  return parse_or_environment(level, "KINJO_BIND", parse_bind_level, BindLevel::cpu);
}

void add_mapping(nb::module_& module) {
  add_place(module);
  nb::class_<Mapping>(module, "Mapping", "The table thread -> place.")
      .def("__len__", &Mapping::size)
      .def("__getitem__", &row, nb::arg("thread"),
           nb::sig("def __getitem__(self, thread: SupportsIndex, /) -> Place"))
      .def("__iter__", &iterate, nb::sig("def __iter__(self) -> Iterator[Place]"))
      .def_prop_ro("policy", [](const Mapping& m) { return m.policy().name(); })
      .def_prop_ro("rounds", &Mapping::rounds,
                   "how many times the CPUs were dealt: 1, or more if oversubscribed")
      .def_prop_ro(
          "nodes", [](const Mapping& m) { return to_list(m.nodes()); },
          "nodes with threads, in the order in which threads first reach them")
      .def(
          "threads_on",
          [](const Mapping& m, Given<int> node) {
            return m.threads_on(node.read({"threads_on", "node"}));
          },
          nb::arg("node"), "The threads on a node, ascending.")
      .def("__repr__", [](const Mapping& m) { return repr(m); });
  module.def("mapping", &given_mapping, nb::arg("policy") = nb::none(),
             nb::arg("threads") = nb::none(), nb::kw_only(), nb::arg("topology") = nb::none(),
             nb::arg("oversubscribe") = false,
             "Deals CPUs to threads by a policy: ``none``, ``scatter``, ``compact``,\n"
             "``compact-plus``, an order such as ``smt,core,node``, or ``cpus:0-3,8``. Without\n"
             "arguments KINJO_POLICY and KINJO_THREADS decide, else ``scatter`` and one thread\n"
             "for each CPU that may be used.");
  module.def("where", &where,
             "Where the calling thread is: its row of the mapping by which kinjo has pinned it,\n"
             "else ``thread`` -1 and the CPU on which it runs at this moment.");
}

}  // namespace kinjo::python
