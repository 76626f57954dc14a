/// Arrays as Python hands them over, without a copy.
///
/// A NumPy array is looked into through NumPy's C structure, which costs a few nanoseconds where
/// the buffer protocol costs 50 and DLPack 140; everything else comes by those two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <nanobind/ndarray.h>
#include <kinjo/blas1.hpp>

#include "numpy.hpp"

namespace kinjo::python {

enum class Element { float64, float32 };
enum class Access { read, write };
/// How several dimensions lie in memory; one dimension, or none, is `rows`.
enum class Order { rows, columns };

/// What an argument of a BLAS function is called in messages.
struct Name {
  const char* function;
  const char* argument;
};

/// One argument of a BLAS function: a vector, or several dimensions that are contiguous.
class Vector {
 public:
  /// Throws `Error` (`invalid_argument`) in a sentence.
  Vector(nb::handle object, Name name, Access access) : object_(object) {
    PyArrayObject* array = as_numpy(object);
    if (array && PyArray_NDIM(array) == 1 && is_plain(array, access)) [[likely]] {
      element_ = PyArray_TYPE(array) == NPY_DOUBLE ? Element::float64 : Element::float32;
      data_ = PyArray_BYTES(array);
      size_ = static_cast<std::size_t>(PyArray_DIM(array, 0));
    } else {
      look_into(name, access);
    }
  }

  Element element() const { return element_; }
  Order order() const { return order_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * (element_ == Element::float64 ? 8 : 4); }
  nb::handle object() const { return object_; }
  /// Its shape, if it has more dimensions than one.
  std::span<const std::int64_t> shape() const { return shape_; }
  template <class T>
  blas1::View<T> view() const {
    return {reinterpret_cast<T*>(data_), size_, stride_};
  }

 private:
  /// Contiguous, aligned, in this machine's byte order, of an element type that the kernels have.
  static bool is_plain(PyArrayObject* array, Access access) {
    constexpr int kRead = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;
    const int needed = access == Access::write ? kRead | NPY_ARRAY_WRITEABLE : kRead;
    const int type = PyArray_TYPE(array);
    return PyArray_CheckExact(reinterpret_cast<PyObject*>(array)) &&
           (PyArray_FLAGS(array) & needed) == needed && (type == NPY_DOUBLE || type == NPY_FLOAT) &&
           PyArray_ISNOTSWAPPED(array);
  }
  void look_into(Name name, Access access);
  void look_into_numpy(Name name, Access access);
  void look_into_other(Name name, Access access);
  /// Strides are in bytes.
  void set_layout(Name name, std::span<const std::int64_t> shape,
                  std::span<const std::int64_t> strides);

  nb::handle object_;
  nb::ndarray<nb::ro> held_;  ///< what came by DLPack or the buffer protocol
  Element element_ = Element::float64;
  Order order_ = Order::rows;
  char* data_ = nullptr;  ///< the lowest address
  std::size_t size_ = 0;
  std::ptrdiff_t stride_ = 1;  ///< in elements
  std::vector<std::int64_t> shape_;
};

/// Where the elements of an array lie: [begin, end).
struct Extent {
  const std::byte* begin;
  std::size_t bytes;
};
/// Throws `Error` (`invalid_argument`) for what is no array.
Extent extent_of(nb::handle object, Name name);

}  // namespace kinjo::python
