/// NumPy's C interface, for the files of the extension that make arrays or look into them.
#pragma once

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL kinjo_numpy_api
#ifndef KINJO_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <nanobind/nanobind.h>
#include <numpy/arrayobject.h>

namespace kinjo::python {

namespace nb = nanobind;

/// Loads NumPy; before that no array may be touched.
void import_numpy();

/// The array that an object is, or null.
inline PyArrayObject* as_numpy(nb::handle object) {
  return PyArray_Check(object.ptr()) ? reinterpret_cast<PyArrayObject*>(object.ptr()) : nullptr;
}

}  // namespace kinjo::python
