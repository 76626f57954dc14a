/// kinjo._kinjo._number_pairs: a graph's edges between vertices of any kind, as numbers.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <kinjo/network.hpp>

#include "errors.hpp"
#include "numpy.hpp"
#include "parts.hpp"
#include "paths.hpp"

namespace kinjo::python {
namespace {

using paths::Edge;
using paths::Network;
using paths::Vertex;

/// Whether there is an exception that says that something is no pair of hashable objects; any other
/// is thrown.
bool is_no_pair() {
  if (PyErr_Occurred() == nullptr) return false;
  if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_ValueError)) {
    throw nb::python_error();
  }
  PyErr_Clear();
  return true;
}

/// What `a, b = pair` makes of it.
std::optional<std::array<nb::object, 2>> items_of(nb::handle pair) {
  if (PyTuple_CheckExact(pair.ptr()) && PyTuple_GET_SIZE(pair.ptr()) == 2) {
    return std::array{nb::borrow(PyTuple_GET_ITEM(pair.ptr(), 0)),
                      nb::borrow(PyTuple_GET_ITEM(pair.ptr(), 1))};
  }
  const nb::object iterator = nb::steal(PyObject_GetIter(pair.ptr()));
  std::array<nb::object, 3> items;
  if (iterator.is_valid()) {
    for (nb::object& item : items) {
      item = nb::steal(PyIter_Next(iterator.ptr()));
      if (!item.is_valid()) break;
    }
  }
  if (is_no_pair() || !items[1].is_valid() || items[2].is_valid()) return std::nullopt;
  return std::array{std::move(items[0]), std::move(items[1])};
}

/// Numbers of vertices as they first appear.
class Numbering {
 public:
  /// Nothing if it cannot be hashed.
  std::optional<Vertex> of(nb::handle vertex) {
    const nb::object next = nb::steal(PyLong_FromSsize_t(PyDict_GET_SIZE(numbers_.ptr())));
    PyObject* const number = PyDict_SetDefault(numbers_.ptr(), vertex.ptr(), next.ptr());
    if (number != nullptr) return static_cast<Vertex>(PyLong_AsUnsignedLong(number));
    nb::python_error
        error;  // of the vertex' hash, or of comparing it, which is the caller's affair
    if (PyObject_Hash(vertex.ptr()) == -1 && is_no_pair()) return std::nullopt;
    throw std::move(error);
  }
  const nb::dict& all() const { return numbers_; }

 private:
  nb::dict numbers_;
};

std::optional<Edge> edge_of(nb::handle pair, Numbering& numbering) {
  const auto items = items_of(pair);
  if (!items) return std::nullopt;
  const std::optional<Vertex> from = numbering.of((*items)[0]);
  const std::optional<Vertex> to = from ? numbering.of((*items)[1]) : std::nullopt;
  if (!to) return std::nullopt;
  return Edge{*from, *to};
}

[[noreturn]] void refuse_pair(const nb::str& function, std::size_t at, nb::handle pair) {
  PyErr_Format(error_class(Errc::invalid_argument).ptr(),
               "%U: edge %zu is %R: expected a pair of hashable vertices", function.ptr(), at,
               pair.ptr());
  throw nb::python_error();
}

/// Numbers by vertex, those of `vertices` first, and edges as rows of two; loops, and edges that
/// were there before, are left out.
nb::tuple number_pairs(const nb::str& function, const nb::iterable& pairs,
                       const nb::iterable& vertices) {
  Numbering numbering;
  for (const nb::handle vertex : vertices) numbering.of(vertex);
  Network network;
  std::size_t at = 0;
  for (const nb::handle pair : pairs) {
    const std::optional<Edge> edge = edge_of(pair, numbering);
    if (!edge) refuse_pair(function, at, pair);
    network.edges.push_back(*edge);
    ++at;
  }
  paths::tidy(network, paths::Parallel::merge);
  return nb::make_tuple(numbering.all(), ends_of(network));
}

}  // namespace

nb::object ends_of(const Network& network) {
  npy_intp shape[] = {static_cast<npy_intp>(network.edges.size()), 2};
  const nb::object made = nb::steal(PyArray_SimpleNew(2, shape, NPY_UINT32));
  if (!made.is_valid()) throw nb::python_error();
  auto* out = static_cast<Vertex*>(PyArray_DATA(as_numpy(made)));
  for (const Edge& edge : network.edges) {
    *out++ = edge.from;
    *out++ = edge.to;
  }
  return made;
}

void add_pairs(nb::module_& module) {
  module.def("_number_pairs", &number_pairs, nb::arg("function"), nb::arg("pairs"),
             nb::arg("vertices"));
}

}  // namespace kinjo::python
