#include "array.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <kinjo/error.hpp>

namespace kinjo::python {
namespace {

using Numbers = std::vector<std::int64_t>;

template <class... Args>
[[noreturn]] void refuse(Name name, fmt::format_string<Args...> text, Args&&... args) {
  throw Error(Errc::invalid_argument, fmt::format("{}: {} ", name.function, name.argument) +
                                          fmt::format(text, std::forward<Args>(args)...));
}

std::string python_type(nb::handle object) {
  return nb::cast<std::string>(nb::handle(object.type()).attr("__name__"));
}

[[noreturn]] void refuse_element(Name name, const std::string& found) {
  refuse(name, "is an array of {}: expected float64 or float32", found);
}

Element element_of(Name name, nb::dlpack::dtype type) {
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

struct Layout {
  const char* data;
  Numbers shape, strides;
  std::int64_t item;
};

Layout layout_of(PyArrayObject* array) {
  const int n = PyArray_NDIM(array);
  return {PyArray_BYTES(array), Numbers(PyArray_DIMS(array), PyArray_DIMS(array) + n),
          Numbers(PyArray_STRIDES(array), PyArray_STRIDES(array) + n), PyArray_ITEMSIZE(array)};
}

Layout layout_of(const nb::ndarray<nb::ro>& array) {
  Layout layout{
      static_cast<const char*>(array.data()), {}, {}, static_cast<std::int64_t>(array.itemsize())};
  for (std::size_t d = 0; d < array.ndim(); ++d) {
    layout.shape.push_back(static_cast<std::int64_t>(array.shape(d)));
    layout.strides.push_back(array.stride(d) * layout.item);
  }
  return layout;
}

}  // namespace

void Vector::look_into(Name name, Access access) {
  if (as_numpy(object_)) {
    look_into_numpy(name, access);
  } else {
    look_into_other(name, access);
  }
}

void Vector::look_into_numpy(Name name, Access access) {
  PyArrayObject* array = as_numpy(object_);
  if (!PyArray_CheckExact(object_.ptr()) && nb::hasattr(object_, "mask")) {
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
  element_ = type == NPY_DOUBLE ? Element::float64 : Element::float32;
  data_ = PyArray_BYTES(array);
  const Layout layout = layout_of(array);
  set_layout(name, layout.shape, layout.strides);
}

void Vector::look_into_other(Name name, Access access) {
  nb::ndarray<nb::ro> array;
  if (!nb::try_cast(object_, array, false)) {
    refuse(name, "is a {}: expected an array of float64 or float32", python_type(object_));
  }
  if (array.device_type() != nb::device::cpu::value) {
    refuse(name, "is not in the memory of the CPU: expected it there");
  }
  element_ = element_of(name, array.dtype());
  nb::ndarray<> writable;
  if (access == Access::write && !nb::try_cast(object_, writable, false)) {
    refuse(name, "is read-only: expected an array that can be written");
  }
  held_ = std::move(array);
  data_ = static_cast<char*>(const_cast<void*>(held_.data()));
  const Layout layout = layout_of(held_);
  set_layout(name, layout.shape, layout.strides);
}

void Vector::set_layout(Name name, std::span<const std::int64_t> shape_in,
                        std::span<const std::int64_t> strides_in) {
  const Numbers shape(shape_in.begin(), shape_in.end());
  const Numbers strides(strides_in.begin(), strides_in.end());
  const std::int64_t item = element_ == Element::float64 ? 8 : 4;
  std::int64_t count = 1;
  for (std::int64_t n : shape) count *= n;
  size_ = static_cast<std::size_t>(count);
  if (shape.size() > 1) shape_ = shape;
  if (size_ > 0 && reinterpret_cast<std::uintptr_t>(data_) % static_cast<unsigned>(item) != 0) {
    refuse(name, "is not aligned: expected an address that is a multiple of {}", item);
  }
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
    if (!nb::try_cast(object, other, false)) {
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
