#include "array.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <nanobind/stl/string.h>

namespace kinjo::python {
namespace {

using Numbers = std::vector<std::int64_t>;

std::string python_type(nb::handle object) {
  return nb::cast<std::string>(nb::handle(object.type()).attr("__name__"));
}

[[noreturn]] void refuse_element(Name name, const std::string& found) {
  refuse(name, "is an array of {}: expected float64 or float32", found);
}

Element read_element(Name name, nb::dlpack::dtype type) {
  if (type == nb::dtype<double>()) return Element::float64;
  if (type == nb::dtype<float>()) return Element::float32;
  constexpr const char* kKinds[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  const char* kind = type.code < std::size(kKinds) ? kKinds[type.code] : "type ";
  refuse_element(name, fmt::format("{}{}", kind, type.bits));
}

/// Whether the elements fill memory without gaps, the last dimension varying fastest.
bool is_contiguous(const Numbers& shape, const Numbers& strides, std::int64_t item) {
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (shape[d] != 1 && strides[d] != item) return false;
    item *= shape[d];
  }
  return true;
}

Numbers reversed(Numbers numbers) {
  std::ranges::reverse(numbers);
  return numbers;
}

Layout layout_of(PyArrayObject* array) {
  const int n = PyArray_NDIM(array);
  return {PyArray_BYTES(array), Numbers(PyArray_DIMS(array), PyArray_DIMS(array) + n),
          Numbers(PyArray_STRIDES(array), PyArray_STRIDES(array) + n), PyArray_ITEMSIZE(array)};
}

Layout layout_of(const nb::ndarray<nb::ro>& array) {
  Layout layout{static_cast<char*>(const_cast<void*>(array.data())),
                {},
                {},
                static_cast<std::int64_t>(array.itemsize())};
  for (std::size_t d = 0; d < array.ndim(); ++d) {
    layout.shape.push_back(static_cast<std::int64_t>(array.shape(d)));
    layout.strides.push_back(array.stride(d) * layout.item);
  }
  return layout;
}

Shown look_into_numpy(PyArrayObject* array, Name name, Access access) {
  const nb::handle object(reinterpret_cast<PyObject*>(array));
  if (!PyArray_CheckExact(object.ptr()) && nb::hasattr(object, "mask")) {
    refuse(name, "is a masked array: expected a plain one, such as its filled()");
  }
  const int type = PyArray_TYPE(array);
  if (type != NPY_DOUBLE && type != NPY_FLOAT) {
    const nb::handle dtype(reinterpret_cast<PyObject*>(PyArray_DESCR(array)));
    refuse_element(name, nb::str(dtype).c_str());
  }
  if (!PyArray_ISNOTSWAPPED(array)) {
    refuse(name, "has the bytes of its elements swapped: expected this machine's order");
  }
  if (access == Access::write && !PyArray_ISWRITEABLE(array)) {
    refuse(name, "is read-only: expected an array that can be written");
  }
  return {element_of(array), layout_of(array), {}};
}

/// What nanobind looks into. It wants strides, which buffers may leave out, as those of ctypes do:
/// a memoryview has them.
nb::object with_strides(nb::handle object) {
  if (nb::hasattr(object, "__dlpack__") || !PyObject_CheckBuffer(object.ptr())) {
    return nb::borrow(object);
  }
  nb::object view = nb::steal(PyMemoryView_FromObject(object.ptr()));
  if (view.is_valid()) return view;
  PyErr_Clear();  // nanobind does not get it either, and says so
  return nb::borrow(object);
}

Shown look_into_other(nb::handle given, Name name, Access access) {
  const nb::object object = with_strides(given);
  nb::ndarray<nb::ro> array;
  if (!nb::try_cast(object, array, false)) {
    refuse(name, "is a {}: expected an array of float64 or float32", python_type(given));
  }
  if (array.device_type() != nb::device::cpu::value) {
    refuse(name, "is not in the memory of the CPU: expected it there");
  }
  const Element element = read_element(name, array.dtype());
  nb::ndarray<> writable;
  if (access == Access::write && !nb::try_cast(object, writable, false)) {
    refuse(name, "is read-only: expected an array that can be written");
  }
  return {element, layout_of(array), array};
}

}  // namespace

const char* to_string(Element element) noexcept {
  return element == Element::float64 ? "float64" : "float32";
}

Shown look_into(nb::handle object, Name name, Access access) {
  PyArrayObject* array = as_numpy(object);
  Shown shown =
      array ? look_into_numpy(array, name, access) : look_into_other(object, name, access);
  const Layout& at = shown.layout;
  const bool is_empty = std::ranges::find(at.shape, 0) != at.shape.end();
  if (!is_empty &&
      reinterpret_cast<std::uintptr_t>(at.data) % static_cast<unsigned>(at.item) != 0) {
    refuse(name, "is not aligned: expected an address that is a multiple of {}", at.item);
  }
  return shown;
}

void Vector::look_into(Name name, Access access) {
  Shown shown = python::look_into(object_, name, access);
  element_ = shown.element;
  data_ = shown.layout.data;
  held_ = std::move(shown.held);
  set_layout(name, shown.layout);
}

void Vector::set_layout(Name name, const Layout& layout) {
  const auto& [data, shape, strides, item] = layout;
  std::int64_t count = 1;
  for (std::int64_t n : shape) count *= n;
  size_ = static_cast<std::size_t>(count);
  if (shape.size() > 1) shape_ = shape;
  if (size_ <= 1 || is_contiguous(shape, strides, item)) return;
  if (shape.size() > 1) {
    order_ = Order::columns;
    if (is_contiguous(reversed(shape), reversed(strides), item)) return;
    refuse(name,
           "has shape ({}) and is not contiguous: expected one dimension, or contiguous memory",
           fmt::join(shape, ", "));
  }
  if (strides[0] % item != 0) {
    refuse(name, "has elements {} bytes apart: expected a multiple of {}", strides[0], item);
  }
  stride_ = strides[0] / item;
  if (stride_ < 0) data_ += (count - 1) * strides[0];  // NumPy points to element 0
}

Extent extent_of(nb::handle object, Name name) {
  Layout layout;
  if (PyArrayObject* array = as_numpy(object)) {
    layout = layout_of(array);
  } else {
    nb::ndarray<nb::ro> other;
    if (!nb::try_cast(with_strides(object), other, false)) {
      refuse(name, "is a {}: expected an array", python_type(object));
    }
    layout = layout_of(other);
  }
  const char* low = layout.data;
  const char* high = layout.data + layout.item;
  for (std::size_t d = 0; d < layout.shape.size(); ++d) {
    if (layout.shape[d] == 0) return {reinterpret_cast<const std::byte*>(low), 0};
    const std::int64_t reach = (layout.shape[d] - 1) * layout.strides[d];
    (reach < 0 ? low : high) += reach;
  }
  return {reinterpret_cast<const std::byte*>(low), static_cast<std::size_t>(high - low)};
}

}  // namespace kinjo::python
