/// kinjo.pin(): a `Binding` that ends with a `with` statement.
#include <memory>
#include <thread>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "convert.hpp"
#include "mapping.hpp"
#include "parts.hpp"

namespace kinjo::python {
namespace {

/// A binding of the thread that made it. If Python drops it undone, which may happen in any thread,
/// it is left as it is: the thread stays pinned, which is what a bare call of `pin` asks for.
class Pin {
 public:
  Pin(const SharedMapping& mapping, std::size_t thread, BindLevel level)
      : mapping_(mapping), binding_(std::make_unique<Binding>(*mapping, thread, level)) {}
  Pin(Pin&&) = default;
  ~Pin() { static_cast<void>(binding_.release()); }

  void undo() {
    if (!binding_) return;
    if (std::this_thread::get_id() != owner_) {
      throw Error(Errc::usage, "a pin can only be undone by the thread that made it");
    }
    place_ = binding_->place();
    binding_.reset();
  }
  MappedPlace place() const { return {binding_ ? binding_->place() : place_, mapping_}; }

 private:
  SharedMapping mapping_;
  std::unique_ptr<Binding> binding_;
  Place place_;
  std::thread::id owner_ = std::this_thread::get_id();
};

using Level = std::optional<std::string>;

std::size_t row_number(long long thread) {
  if (thread < 0) {
    throw Error(Errc::invalid_argument, fmt::format("thread {}: expected 0 or more", thread));
  }
  return static_cast<std::size_t>(thread);
}

Pin pin_row(const SharedMapping& mapping, long long thread, const Level& bind) {
  return {mapping, row_number(thread), bind_level(bind)};
}

Pin pin_place(const MappedPlace& place, const Level& bind) {
  if (!place.mapping) {
    throw Error(Errc::invalid_argument,
                "this place is no row of a mapping: expected one of kinjo.mapping()");
  }
  return {place.mapping, row_number(place.place.thread), bind_level(bind)};
}

Pin pin_policy(const Level& policy, long long thread, const Level& bind) {
  return {make_mapping(policy), row_number(thread), bind_level(bind)};
}

}  // namespace

void add_pin(nb::module_& module) {
  nb::class_<Pin>(module, "Pin", "The calling thread, pinned; ``with`` undoes it at its end.")
      .def_prop_ro("place", &Pin::place)
      .def("undo", &Pin::undo, "Restores what was before; later calls do nothing.")
      .def("__enter__", &Pin::place)
      .def(
          "__exit__", [](Pin& pin, nb::handle, nb::handle, nb::handle) { pin.undo(); },
          nb::arg("type").none(), nb::arg("value").none(), nb::arg("traceback").none(),
          nb::sig("def __exit__(self, type: type[BaseException] | None, "
                  "value: BaseException | None, traceback: TracebackType | None, /) -> None"));
  const char* doc =
      "Pins the calling thread to a row of a mapping, to a place, or to a row of a policy's\n"
      "mapping of this machine. ``with`` undoes it at its end, ``undo()`` at once; without\n"
      "either the thread stays pinned. ``bind``: to its cpu (default), core or node.";
  module.def("pin", &pin_place, nb::arg("place"), nb::kw_only(), nb::arg("bind") = nb::none(), doc);
  module.def("pin", &pin_row, nb::arg("mapping"), nb::arg("thread") = 0, nb::kw_only(),
             nb::arg("bind") = nb::none(), doc);
  module.def("pin", &pin_policy, nb::arg("policy") = nb::none(), nb::arg("thread") = 0,
             nb::kw_only(), nb::arg("bind") = nb::none(), doc);
}

}  // namespace kinjo::python
