#include "matrix.hpp"

#include <cstdlib>

namespace kinjo::python {
namespace {

/// Elements from one line to the next, for `count` lines of `length` elements that lie `step` bytes
/// apart; nothing if the elements are not side by side, or the lines not one behind the other.
std::optional<std::size_t> leading_dimension(std::int64_t count, std::int64_t apart,
                                             std::int64_t length, std::int64_t step,
                                             std::int64_t item) {
  if (length > 1 && step != item) return std::nullopt;
  if (count == 1) return static_cast<std::size_t>(length);
  if (apart % item != 0 || apart / item < length) return std::nullopt;
  return static_cast<std::size_t>(apart / item);
}

[[noreturn]] void refuse_types(const char* function, const Matrix& a, const char* name,
                               const Matrix& other) {
  throw Error(Errc::invalid_argument,
              fmt::format("{}: a is of {} and {} of {}: expected the same", function,
                          to_string(a.element()), name, to_string(other.element())));
}

}  // namespace

void Matrix::look_into(nb::handle object, Name name, Access access) {
  Shown shown = python::look_into(object, name, access);
  const Layout& layout = shown.layout;
  if (layout.shape.size() != 2) {
    refuse(name, "has {} dimension{}: expected 2", layout.shape.size(),
           layout.shape.size() == 1 ? "" : "s");
  }
  element_ = shown.element;
  data_ = layout.data;
  set_layout(name, layout.shape.data(), layout.strides.data());
  held_ = std::move(shown.held);
}

void Matrix::set_layout(Name name, const std::int64_t* shape, const std::int64_t* strides) {
  rows_ = static_cast<std::size_t>(shape[0]);
  columns_ = static_cast<std::size_t>(shape[1]);
  if (rows_ == 0 || columns_ == 0) return;
  const std::int64_t item = element_ == Element::float64 ? 8 : 4;
  auto ld = leading_dimension(shape[0], strides[0], shape[1], strides[1], item);
  if (!ld) {
    order_ = gemm::Order::column_major;
    ld = leading_dimension(shape[1], strides[1], shape[0], strides[0], item);
  }
  if (!ld) {
    refuse(name,
           "has strides ({}, {}) and shape ({}, {}): expected elements side by side along its rows "
           "or columns, and those one behind the other",
           strides[0], strides[1], shape[0], shape[1]);
  }
  ld_ = *ld;
}

void need_factors(const char* function, const Matrix& a, const Matrix& b) {
  if (a.element() != b.element()) refuse_types(function, a, "b", b);
  if (a.columns() == b.rows()) return;
  refuse({function, "a"},
         "has shape ({}, {}) and b ({}, {}): expected as many rows of b as columns of a", a.rows(),
         a.columns(), b.rows(), b.columns());
}

void need_product(Name name, const Matrix& product, const Matrix& a, const Matrix& b) {
  if (product.element() != a.element()) refuse_types(name.function, a, name.argument, product);
  if (product.rows() == a.rows() && product.columns() == b.columns()) return;
  refuse(name, "has shape ({}, {}): expected ({}, {}), the rows of a by the columns of b",
         product.rows(), product.columns(), a.rows(), b.columns());
}

void need_apart(Name name, const Matrix& product, const Matrix& a, const Matrix& b) {
  with_element(product.element(), [&]<class T>(T) {
    const auto refuse_shared = [&](const Matrix& other, const char* its_name) {
      if (!gemm::share_memory(product.view<const T>(), other.view<const T>())) return;
      refuse(name, "shares memory with {}: expected an array of its own", its_name);
    };
    refuse_shared(a, "a");
    refuse_shared(b, "b");
  });
}

}  // namespace kinjo::python
