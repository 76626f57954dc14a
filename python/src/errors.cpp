/// kinjo.Error, and below it one class for each `Errc`, which is also the builtin exception that
/// programs catch for such a fault.
#include <algorithm>
#include <iterator>
#include <new>
#include <string>

#include <kinjo/barrier.hpp>
#include <kinjo/error.hpp>

#include "errors.hpp"
#include "parts.hpp"

namespace kinjo::python {
namespace {

struct ErrorClass {
  Errc code;
  const char* name;
  PyObject* const* builtin;
  const char* doc;
  PyObject* type = nullptr;
};

ErrorClass classes[] = {
    {Errc::invalid_argument, "InvalidArgumentError", &PyExc_ValueError,
     "A value that the caller passed is not acceptable."},
    {Errc::bad_input, "BadInputError", &PyExc_ValueError, "A file or a string is malformed."},
    {Errc::not_found, "NotFoundError", &PyExc_LookupError, "A file, node or CPU does not exist."},
    {Errc::not_permitted, "NotPermittedError", &PyExc_PermissionError, "The system refused."},
    {Errc::not_supported, "NotSupportedError", &PyExc_OSError, "The system cannot do this."},
    {Errc::out_of_memory, "OutOfMemoryError", &PyExc_MemoryError,
     "Not enough memory, or a limit on it."},
    {Errc::system, "SystemCallError", &PyExc_OSError, "Another system call failed."},
    {Errc::usage, "UsageError", &PyExc_RuntimeError, "A call at a moment when it is not allowed."},
    {Errc::timed_out, "WaitTimeoutError", &PyExc_TimeoutError,
     "A wait has lasted longer than its caller allowed."},
    {Errc::cell_lost, "CellLostError", &PyExc_ConnectionError,
     "Another cell has died or cannot be reached."},
};

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    PyErr_SetString(error_class(error.code()).ptr(), error.what());
  } catch (const BarrierBroken&) {
    PyErr_SetString(error_class(Errc::usage).ptr(),
                    "the barrier is broken: another thread of the team has failed");
  } catch (const std::bad_alloc&) {
    PyErr_SetString(error_class(Errc::out_of_memory).ptr(),
                    "not enough memory for kinjo's own tables");
  }
}

nb::object make_class(const char* name, const char* doc, nb::handle bases, nb::dict members) {
  const std::string qualified = std::string("kinjo.") + name;
  return nb::steal(PyErr_NewExceptionWithDoc(qualified.c_str(), doc, bases.ptr(), members.ptr()));
}

}  // namespace

nb::handle error_class(Errc code) {
  const auto* const found = std::ranges::find(classes, code, &ErrorClass::code);
  return found == std::end(classes) ? PyExc_SystemError : found->type;
}

void add_errors(nb::module_& module) {
  const nb::object base = make_class(
      "Error", "What kinjo raises; ``code`` names the kind of fault.", PyExc_Exception, {});
  module.attr("Error") = base;
  for (ErrorClass& each : classes) {
    nb::dict members;
    members["code"] = to_string(each.code);
    const nb::object type =
        make_class(each.name, each.doc, nb::make_tuple(base, nb::handle(*each.builtin)), members);
    module.attr(each.name) = type;
    each.type = type.ptr();  // the module keeps it
    type.inc_ref();
  }
  nb::register_exception_translator(translate);
}

}  // namespace kinjo::python
