/// kinjo._kinjo._Diagram: what a kinjo.paths.PathSet holds. Items are numbers when they come in;
/// sets go out as tuples of what their items stand for.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/operators.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <kinjo/diagram.hpp>
#include <kinjo/diagram_files.hpp>
#include <kinjo/diagram_members.hpp>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

#include "convert.hpp"
#include "interruptible.hpp"
#include "lock.hpp"
#include "parts.hpp"
#include "paths.hpp"

namespace kinjo::python {
namespace {

using paths::ByWeight;
using paths::Diagram;
using paths::Item;
using paths::Members;
using paths::NodeRef;
using paths::Sampler;
using paths::Set;
using paths::WeightedSet;

using Items = std::vector<Item>;
using Weights = std::vector<double>;

/// What the items stand for; throws unless there is one for each.
const nb::tuple& need_objects(const nb::tuple& objects, const Diagram& diagram) {
  if (objects.size() == diagram.items()) return objects;
  throw Error(Errc::invalid_argument, fmt::format("{} objects for {} items: expected as many",
                                                  objects.size(), diagram.items()));
}

nb::object to_tuple(const Set& set, const nb::tuple& objects) {
  const nb::object made = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(set.size())));
  if (!made.is_valid()) throw nb::python_error();
  for (std::size_t i = 0; i < set.size(); ++i) {
    PyTuple_SET_ITEM(made.ptr(), static_cast<Py_ssize_t>(i),
                     nb::object(objects[set[i]]).release().ptr());
  }
  return made;
}

nb::object to_pair(const std::optional<WeightedSet>& found, const nb::tuple& objects) {
  if (!found) return nb::none();
  return nb::make_tuple(to_tuple(found->set, objects), found->weight);
}

/// Walks over all sets.
class PythonMembers {
 public:
  PythonMembers(const Diagram& diagram, nb::tuple objects)
      : objects_(std::move(objects)), at_(diagram.members().begin()) {
    need_objects(objects_, diagram);
  }
  nb::object next() {
    if (begun_) ++at_;
    begun_ = true;
    if (at_ == std::default_sentinel) {
      begun_ = false;  // an iterator that has ended stays where it is
      throw nb::stop_iteration();
    }
    return to_tuple(*at_, objects_);
  }

 private:
  nb::tuple objects_;
  Members::Iterator at_;
  bool begun_ = false;
};

/// Walks over all sets from the lightest on; with the signs of weights changed, from the heaviest.
class PythonByWeight {
 public:
  PythonByWeight(const Diagram& diagram, Weights weights, double sign, nb::tuple objects)
      : objects_(std::move(objects)), sign_(sign), sets_(make(diagram, weights, sign)) {
    need_objects(objects_, diagram);
  }
  nb::object next() {
    auto found = sets_.next();
    if (!found) throw nb::stop_iteration();
    found->weight = sign_ * found->weight + 0.0;  // of no weight 0, not -0
    return to_pair(found, objects_);
  }

 private:
  static ByWeight make(const Diagram& diagram, Weights& weights, double sign) {
    const Unlocked released;
    for (double& weight : weights) weight *= sign;
    return ByWeight(diagram, weights);
  }

  nb::tuple objects_;
  double sign_;
  ByWeight sets_;
};

/// What `how()` returns, while other Python threads run.
template <class How>
auto unlocked(How&& how) {
  const Unlocked released;
  return how();
}

/// Throws `Error` (`out_of_memory`) where so many members would not fit the memory that there is.
void check_sample(std::uint64_t size, std::size_t items) {
  // Each as a tuple of pointers to at most half of all items mostly, and a pointer to it.
  const double bytes = static_cast<double>(size) * (64 + 4 * static_cast<double>(items));
  constexpr double kLittle = 16 << 20;  // to read what is available takes longer than to draw
  const std::uint64_t available = bytes <= kLittle ? 0 : available_memory_bytes();
  if (available == 0 || bytes <= static_cast<double>(available)) return;
  constexpr double kGiB = 1 << 30;
  throw Error(Errc::out_of_memory,
              fmt::format("sample: {} members take about {:.3g} GiB: {:.3g} GiB may be taken", size,
                          bytes / kGiB, static_cast<double>(available) / kGiB));
}

/// Members in lists of a thousand, between which the interpreter handles signals.
nb::list sample(const Diagram& diagram, std::uint64_t size, std::uint64_t seed,
                const nb::tuple& objects) {
  constexpr std::uint64_t kBetweenLooks = 1000;
  need_objects(objects, diagram);
  check_sample(size, diagram.items());
  auto sampler = unlocked([&] { return Sampler(diagram, seed); });
  nb::list drawn;
  for (std::uint64_t left = size; left > 0;) {
    std::vector<Set> sets(std::min(left, kBetweenLooks));
    unlocked([&] { std::ranges::generate(sets, [&] { return sampler.next(); }); });
    for (const Set& set : sets) drawn.append(to_tuple(set, objects));
    left -= sets.size();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return drawn;
}

void add_numbers(nb::class_<Diagram>& type) {
  type.def_prop_ro("items", &Diagram::items)
      .def_prop_ro("nodes", &Diagram::nodes)
      .def_prop_ro("nbytes", &Diagram::bytes)
      .def_prop_ro("empty", &Diagram::empty)
      .def_prop_ro("names", [](const Diagram& self) { return to_texts(self.names()); })
      .def("count",
           [](const Diagram& self) { return to_int(unlocked([&] { return self.count(); })); })
      .def("count_by_size",
           [](const Diagram& self) {
             SignalLook signals;
             const auto go_on = [&signals] { return signals.go_on(); };
             const auto counts = unlocked([&] { return self.count_by_size(0, go_on); });
             signals.rethrow();
             return to_ints(counts);
           })
      .def(
          "contains", [](const Diagram& self, const Items& set) { return self.contains(set); },
          nb::arg("set"));
}

void add_members(nb::class_<Diagram>& type) {
  type.def(
          "members",
          [](const Diagram& self, const nb::tuple& objects) {
            return PythonMembers(self, objects);
          },
          nb::arg("objects"))
      .def(
          "by_weight",
          [](const Diagram& self, const Weights& weights, double sign, const nb::tuple& objects) {
            return PythonByWeight(self, weights, sign, objects);
          },
          nb::arg("weights"), nb::arg("sign"), nb::arg("objects"))
      .def(
          "lightest",
          [](const Diagram& self, const Weights& weights, const nb::tuple& objects) {
            return to_pair(unlocked([&] { return self.lightest(weights); }),
                           need_objects(objects, self));
          },
          nb::arg("weights"), nb::arg("objects"))
      .def(
          "heaviest",
          [](const Diagram& self, const Weights& weights, const nb::tuple& objects) {
            return to_pair(unlocked([&] { return self.heaviest(weights); }),
                           need_objects(objects, self));
          },
          nb::arg("weights"), nb::arg("objects"))
      .def(
          "weighted_sum",
          [](const Diagram& self, const Weights& weights) {
            return unlocked([&] { return self.weighted_sum(weights); });
          },
          nb::arg("weights"))
      .def("sample", &sample, nb::arg("size"), nb::arg("seed"), nb::arg("objects"));
}

void add_operations(nb::class_<Diagram>& type) {
  const nb::call_guard<Unlocked> unlocking;  // other Python threads run meanwhile
  type.def(
          "including",
          [](const Diagram& self, const Items& items) { return self.including(items); },
          nb::arg("items"), unlocking)
      .def(
          "excluding",
          [](const Diagram& self, const Items& items) { return self.excluding(items); },
          nb::arg("items"), unlocking)
      .def(
          "__or__", [](const Diagram& a, const Diagram& b) { return a | b; }, unlocking)
      .def(
          "__and__", [](const Diagram& a, const Diagram& b) { return a & b; }, unlocking)
      .def(
          "__sub__", [](const Diagram& a, const Diagram& b) { return a - b; }, unlocking)
      .def(
          "__xor__", [](const Diagram& a, const Diagram& b) { return a ^ b; }, unlocking)
      .def(
          "equals", [](const Diagram& a, const Diagram& b) { return a == b; }, nb::arg("other"),
          unlocking);
}

void add_files(nb::class_<Diagram>& type) {
  type.attr("most_dot_nodes") = paths::WriteDiagramOptions{}.most_dot_nodes;
  type.def_static(
          "read",
          [](const std::string& path, std::size_t items) {
            const Unlocked released;
            return paths::read_diagram(path, {.items = items});
          },
          nb::arg("path"), nb::arg("items"))
      .def(
          "write",
          [](const Diagram& self, const std::string& path, std::vector<std::string> names) {
            const Unlocked released;
            paths::write_diagram(self.with_names(std::move(names)), path);
          },
          nb::arg("path"), nb::arg("names"));
}

template <class Iterator>
void add_iterator(nb::module_& module, const char* name) {
  nb::class_<Iterator>(module, name)
      .def("__iter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__next__", &Iterator::next);
}

}  // namespace

nb::object to_python(Diagram diagram) { return nb::cast(std::move(diagram)); }

void add_diagram(nb::module_& module) {
  add_iterator<PythonMembers>(module, "_Members");
  add_iterator<PythonByWeight>(module, "_ByWeight");
  nb::class_<Diagram> type(module, "_Diagram", "What a ``kinjo.paths.PathSet`` holds.");
  add_numbers(type);
  add_members(type);
  add_operations(type);
  add_files(type);
}

}  // namespace kinjo::python
