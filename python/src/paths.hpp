/// What counting and diagrams hand to Python.
#pragma once

#include <vector>

#include <nanobind/nanobind.h>
#include <kinjo/count.hpp>
#include <kinjo/diagram.hpp>
#include <kinjo/network.hpp>

namespace kinjo::python {

namespace nb = nanobind;

/// A number of any size as Python's int.
nb::object to_int(const Count& count);
nb::list to_ints(const std::vector<Count>& counts);

/// Edges as the rows of an array.
nb::object ends_of(const paths::Network& network);

/// A diagram as the class `_Diagram`, which `add_diagram` makes known.
nb::object to_python(paths::Diagram diagram);

}  // namespace kinjo::python
