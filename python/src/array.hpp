/// Arrays as Python hands them over, without a copy.
///
/// A NumPy array is looked into through NumPy's C structure, which costs a few nanoseconds where
/// the buffer protocol costs 50 and DLPack 140; everything else comes by those two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <nanobind/ndarray.h>
#include <kinjo/blas1.hpp>

#include "argument.hpp"
#include "numpy.hpp"

namespace kinjo::python {

enum class Element { float64, float32 };
enum class Access { read, write };
/// How several dimensions lie in memory; one dimension, or none, is `rows`.
enum class Order { rows, columns };

const char* to_string(Element element) noexcept;

/// Calls `f(t)` with a `double` or a `float`, whatever the elements are.
template <class F>
auto with_element(Element element, F&& f) {
  return element == Element::float64 ? f(double{}) : f(float{});
}

/// Where the elements of an array lie.
struct Layout {
  char* data;  ///< element 0, which with negative strides is not the lowest address
  std::vector<std::int64_t> shape, strides;  ///< strides in bytes
  std::int64_t item;                         ///< bytes of an element
};

/// An array of elements that the kernels have, aligned and in this machine's byte order.
struct Shown {
  Element element;
  Layout layout;
  nb::ndarray<nb::ro> held;  ///< what came by DLPack or the buffer protocol
};
/// Throws `Error` (`invalid_argument`) in a sentence.
Shown look_into(nb::handle object, Name name, Access access);

/// Whether an array is NumPy's own kind, has such elements and these flags, and may be accessed so.
inline bool is_plain(PyArrayObject* array, int flags, Access access) {
  const int needed =
      NPY_ARRAY_ALIGNED | flags | (access == Access::write ? NPY_ARRAY_WRITEABLE : 0);
  const int type = PyArray_TYPE(array);
  return PyArray_CheckExact(reinterpret_cast<PyObject*>(array)) &&
         (PyArray_FLAGS(array) & needed) == needed && (type == NPY_DOUBLE || type == NPY_FLOAT) &&
         PyArray_ISNOTSWAPPED(array);
}
/// Of a plain array.
inline Element element_of(PyArrayObject* array) {
  return PyArray_TYPE(array) == NPY_DOUBLE ? Element::float64 : Element::float32;
}

/// One argument of a BLAS function: a vector, or several dimensions that are contiguous.
class Vector {
 public:
  /// Throws `Error` (`invalid_argument`) in a sentence.
  Vector(nb::handle object, Name name, Access access) : object_(object) {
    PyArrayObject* array = as_numpy(object);
    if (array && PyArray_NDIM(array) == 1 && is_plain(array, NPY_ARRAY_C_CONTIGUOUS, access))
        [[likely]] {
      element_ = element_of(array);
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
  void look_into(Name name, Access access);
  void set_layout(Name name, const Layout& layout);

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
