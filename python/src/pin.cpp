/// kinjo.pin(): a `Binding` that ends with a `with` statement.
#include "pin.hpp"

#include <memory>
#include <new>
#include <thread>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "argument.hpp"
#include "convert.hpp"
#include "mapping.hpp"
#include "parts.hpp"

namespace kinjo::python {

/// A binding of the thread that made it.
struct HeldPin {
  HeldPin(const SharedMapping& mapping, std::size_t thread, BindLevel level)
      : binding(*mapping, thread, level) {}
  void undo() {
    binding.undo();
    is_undone = true;
  }

  Binding binding;
  const std::thread::id owner = std::this_thread::get_id();
  bool is_undone = false;
};

namespace {

/// Of the team's function that the calling thread runs, if it runs one.
thread_local PinScope* tls_scope = nullptr;

/// If Python drops it undone, which may happen in any thread, the binding is left as it is: the
/// thread stays pinned, which is what a bare call of `pin` asks for, until a scope undoes it.
class Pin {
 public:
  Pin(const SharedMapping& mapping, std::size_t thread, BindLevel level)
      : mapping_(mapping),
        held_(std::make_shared<HeldPin>(mapping, thread, level)),
        is_in_scope_(tls_scope != nullptr) {
    if (tls_scope) tls_scope->add(held_);
  }
  Pin(Pin&&) = default;
  ~Pin() {
    if (!held_ || held_->is_undone || is_in_scope_) return;
    static_cast<void>(new (std::nothrow) std::shared_ptr<HeldPin>(std::move(held_)));
  }

  void undo() {
    if (held_->is_undone) return;
    if (std::this_thread::get_id() != held_->owner) {
      throw Error(Errc::usage, "a pin can only be undone by the thread that made it");
    }
    held_->undo();
    if (tls_scope) tls_scope->forget(held_.get());
  }
  MappedPlace place() const { return {held_->binding.place(), mapping_}; }

 private:
  SharedMapping mapping_;
  std::shared_ptr<HeldPin> held_;  ///< null if moved from
  bool is_in_scope_;
};

using Level = std::optional<std::string>;

std::size_t row_number(Given<long long> given) {
  const long long thread = given.read({"pin", "thread"});
  if (thread < 0) {
    throw Error(Errc::invalid_argument, fmt::format("thread {}: expected 0 or more", thread));
  }
  return static_cast<std::size_t>(thread);
}

BindLevel level_of(Given<Level> bind) { return bind_level(bind.read({"pin", "bind"})); }

Pin pin_row(const SharedMapping& mapping, Given<long long> thread, Given<Level> bind) {
  return {mapping, row_number(thread), level_of(bind)};
}

Pin pin_place(const MappedPlace& place, Given<Level> bind) {
  if (!place.mapping) {
    throw Error(Errc::invalid_argument,
                "this place is no row of a mapping: expected one of kinjo.mapping()");
  }
  return {place.mapping, static_cast<std::size_t>(place.place.thread), level_of(bind)};
}

Pin pin_policy(const Level& policy, Given<long long> thread, Given<Level> bind) {
  return {make_mapping(policy), row_number(thread), level_of(bind)};
}

}  // namespace

PinScope::PinScope() { tls_scope = this; }

PinScope::~PinScope() {
  for (auto pin = pins_.rbegin(); pin != pins_.rend(); ++pin) (*pin)->undo();
  tls_scope = nullptr;
}

void PinScope::forget(const HeldPin* pin) {
  std::erase_if(pins_, [&](const std::shared_ptr<HeldPin>& held) { return held.get() == pin; });
}

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
      "either the thread stays pinned, inside a team's ``run`` to the end of its function.\n"
      "``bind``: to its cpu (default), core or node.";
  module.def("pin", &pin_place, nb::arg("place"), nb::kw_only(), nb::arg("bind") = nb::none(), doc);
  module.def("pin", &pin_row, nb::arg("mapping"), nb::arg("thread") = 0, nb::kw_only(),
             nb::arg("bind") = nb::none(), doc);
  module.def("pin", &pin_policy, nb::arg("policy") = nb::none(), nb::arg("thread") = 0,
             nb::kw_only(), nb::arg("bind") = nb::none(), doc);
}

}  // namespace kinjo::python
