/// The classes of exceptions that `add_errors` makes.
#pragma once

#include <nanobind/nanobind.h>
#include <kinjo/error.hpp>

namespace kinjo::python {

/// The class for a fault of that kind, which the module keeps.
nanobind::handle error_class(Errc code);

}  // namespace kinjo::python
