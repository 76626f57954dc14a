#include "argument.hpp"

namespace kinjo::python {
namespace {

/// Whether there is an exception of that class, which is gone then; any other is thrown.
bool caught(PyObject* type) {
  if (PyErr_Occurred() == nullptr) return false;
  if (!PyErr_ExceptionMatches(type)) throw nb::python_error();
  PyErr_Clear();
  return true;
}

}  // namespace

void refuse_type(Name name, nb::handle object, const char* expected) {
  throw nb::type_error(fmt::format("{}: {} is of type {}: expected {}", name.function,
                                   name.argument, Py_TYPE(object.ptr())->tp_name, expected)
                           .c_str());
}

nb::int_ need_integer(nb::handle object, Name name) {
  nb::object number = nb::steal(PyNumber_Index(object.ptr()));
  if (caught(PyExc_TypeError)) refuse_type(name, object, "an integer");
  return nb::cast<nb::int_>(std::move(number));
}

std::string_view need_text(nb::handle object, Name name) {
  if (!PyUnicode_Check(object.ptr())) refuse_type(name, object, "a str");
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (text == nullptr) throw nb::python_error();
  return {text, static_cast<std::size_t>(size)};
}

double need_real(nb::handle object, Name name) {
  if (PyFloat_CheckExact(object.ptr())) return PyFloat_AS_DOUBLE(object.ptr());
  const double value = PyFloat_AsDouble(object.ptr());
  if (value != -1.0 || PyErr_Occurred() == nullptr) return value;
  if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
    PyErr_Clear();
    refuse(name, "is beyond all doubles: expected a number that float64 has");
  }
  if (caught(PyExc_TypeError)) refuse_type(name, object, "a number");
  return value;
}

}  // namespace kinjo::python
