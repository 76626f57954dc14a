/// Matrices as Python hands them over, without a copy.
#pragma once

#include <optional>

#include <kinjo/gemm.hpp>

#include "array.hpp"

namespace kinjo::python {

/// One argument of a matrix function: two dimensions, rows or columns side by side in memory.
class Matrix {
 public:
  /// Throws `Error` (`invalid_argument`) in a sentence.
  Matrix(nb::handle object, Name name, Access access) {
    PyArrayObject* array = as_numpy(object);
    if (array && PyArray_NDIM(array) == 2 && is_plain(array, 0, access)) [[likely]] {
      element_ = element_of(array);
      data_ = PyArray_BYTES(array);
      set_layout(name, PyArray_DIMS(array), PyArray_STRIDES(array));
    } else {
      look_into(object, name, access);
    }
  }

  Element element() const { return element_; }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  template <class T>
  gemm::View<T> view() const {
    return {reinterpret_cast<T*>(data_), rows_, columns_, order_, ld_};
  }

 private:
  void look_into(nb::handle object, Name name, Access access);
  /// Two numbers each; strides are in bytes.
  void set_layout(Name name, const std::int64_t* shape, const std::int64_t* strides);

  nb::ndarray<nb::ro> held_;  ///< what came by DLPack or the buffer protocol
  Element element_ = Element::float64;
  char* data_ = nullptr;
  std::size_t rows_ = 0, columns_ = 0;
  gemm::Order order_ = gemm::Order::row_major;
  std::size_t ld_ = 0;
};

/// Throws unless A·B is defined and both have the same elements.
void need_factors(const char* function, const Matrix& a, const Matrix& b);
/// Throws unless a matrix called `name` has the shape and the elements of A·B.
void need_product(Name name, const Matrix& product, const Matrix& a, const Matrix& b);
/// Throws if a matrix called `name` shares memory with A or B.
void need_apart(Name name, const Matrix& product, const Matrix& a, const Matrix& b);

}  // namespace kinjo::python
