#define KINJO_IMPORTS_NUMPY
#include "numpy.hpp"

namespace kinjo::python {

void import_numpy() {
  if (PyArray_ImportNumPyAPI() < 0) throw nb::python_error();
}

}  // namespace kinjo::python
