#include "gemm_plan.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "argument.hpp"
#include "convert.hpp"
#include "parts.hpp"
#include "team.hpp"

namespace kinjo::python {
namespace {

using gemm::Loop;

template <class... Args>
[[noreturn]] void refuse_wish(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(Errc::invalid_argument,
              "gemm_plan: " + fmt::format(text, std::forward<Args>(args)...));
}

std::size_t read_size(const char* name, Given<long long> given) {
  const long long size = given.read({"gemm_plan", name});
  if (size < 0) refuse_wish("{} is {}: expected 0 or more", name, size);
  return static_cast<std::size_t>(size);
}

std::size_t element_bytes(nb::handle dtype) {
  PyArray_Descr* type = nullptr;
  if (!PyArray_DescrConverter(dtype.ptr(), &type)) throw nb::python_error();
  const nb::object held = nb::steal(reinterpret_cast<PyObject*>(type));
  if (type->type_num == NPY_DOUBLE) return sizeof(double);
  if (type->type_num == NPY_FLOAT) return sizeof(float);
  refuse_wish("dtype is {}: expected float64 or float32", nb::str(held).c_str());
}

gemm::Order read_order(const std::string& orders, std::size_t i) {
  if (orders.size() != 3 || orders.find_first_not_of("CF") != std::string::npos) {
    refuse_wish("orders='{}': expected C or F for each of a, b and the result", orders);
  }
  return orders[i] == 'C' ? gemm::Order::row_major : gemm::Order::column_major;
}

PythonPlan make_plan(Given<long long> m, Given<long long> n, Given<long long> k, nb::handle dtype,
                     Given<std::string> orders_object, Given<const PythonTeam*> team_object,
                     Given<std::optional<std::string>> text_object) {
  const std::string orders = orders_object.read({"gemm_plan", "orders"});
  const PythonTeam* const team = team_object.read({"gemm_plan", "team"});
  const auto text = text_object.read({"gemm_plan", "text"});
  gemm::Problem p;
  p.m = read_size("m", m);
  p.n = read_size("n", n);
  p.k = read_size("k", k);
  p.element_bytes = element_bytes(dtype);
  p.a = read_order(orders, 0);
  p.b = read_order(orders, 1);
  p.c = read_order(orders, 2);
  if (team) {
    p.threads = team->mapping()->size();
    p.nodes = team->mapping()->nodes().size();
  }
  return {text ? gemm::Plan::parse(*text, p) : gemm::Plan::choose(p), p};
}

std::map<std::string, double> bytes_moved(const PythonPlan& made) {
  const gemm::BytesMoved bytes = made.plan.bytes_moved(made.problem);
  return {{"memory", bytes.memory}, {"l3", bytes.l3}, {"l2", bytes.l2}, {"packed", bytes.packed}};
}

std::vector<Loop> loops(const PythonPlan& made) {
  return {made.plan.loops().begin(), made.plan.loops().end()};
}

std::string dimension_name(const Loop& loop) { return {gemm::letter(loop.dimension)}; }

std::string loop_text(const Loop& loop) {
  return fmt::format("GemmLoop(level='{}', dimension='{}', block={})", gemm::to_string(loop.level),
                     dimension_name(loop), loop.block);
}

std::size_t hash_of(const std::string& text) { return std::hash<std::string>{}(text); }

void add_classes(nb::module_& module) {
  nb::class_<Loop>(module, "GemmLoop", "One loop of a plan.")
      .def_prop_ro(
          "level", [](const Loop& loop) { return gemm::to_string(loop.level); },
          "The level of memory that its block is to stay in, ``parallel`` or ``registers``.")
      .def_prop_ro("dimension", &dimension_name, "``m``, ``n`` or ``k``")
      .def_ro("block", &Loop::block,
              "elements; of a parallel loop its tasks, of a register loop 0: what the kernels have")
      .def(
          "__eq__", [](const Loop& a, const Loop& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Loop& loop) { return hash_of(loop_text(loop)); })
      .def("__repr__", &loop_text);
  nb::class_<PythonPlan>(module, "GemmPlan",
                         "The loop nest of a matrix product; ``str`` writes the whole notation.")
      .def_prop_ro(
          "short_form", [](const PythonPlan& made) { return made.plan.short_form(); },
          "letters and strokes, such as ``N/C/P//S``")
      .def_prop_ro("loops", &loops, "outermost first")
      .def_prop_ro(
          "tasks", [](const PythonPlan& made) { return made.plan.tasks(); },
          "that its parallel loops start together")
      .def_prop_ro(
          "bytes_moved", &bytes_moved, nb::sig("def bytes_moved(self) -> dict[str, float]"),
          "What one product moves, predicted, in bytes: between ``memory`` and L3, ``l3``\n"
          "and L2, ``l2`` and L1, and what is written to copies, ``packed``.")
      .def(
          "__eq__", [](const PythonPlan& a, const PythonPlan& b) { return a.plan == b.plan; },
          nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"),
          "Whether the loops are the same, whatever they were made for.")
      .def("__hash__", [](const PythonPlan& made) { return hash_of(made.plan.to_string()); })
      .def("__str__", [](const PythonPlan& made) { return made.plan.to_string(); })
      .def("__repr__", [](const PythonPlan& made) {
        return fmt::format("<kinjo.GemmPlan {}>", made.plan.to_string());
      });
}

constexpr const char* kDoc =
    "The loop nest for the product of an m by k and a k by n matrix, on one thread or over a "
    "team:\n"
    "the one that ``matmul`` would choose, or the one that ``text`` writes. ``orders``: C (rows\n"
    "contiguous) or F (columns) for each of a, b and the result.";

}  // namespace

gemm::Plan plan_argument(nb::handle plan, const gemm::Problem& problem) {
  const PythonPlan* made = nullptr;
  if (nb::try_cast(plan, made, false)) return made->plan;
  std::string text;
  if (nb::try_cast(plan, text, false)) return gemm::Plan::parse(text, problem);
  throw nb::type_error("matmul: plan: expected a GemmPlan, a str or None");
}

void add_gemm_plan(nb::module_& module) {
  add_classes(module);
  module.def("gemm_plan", &make_plan, nb::arg("m"), nb::arg("n"), nb::arg("k"), nb::kw_only(),
             nb::arg("dtype") = nb::none(), nb::arg("orders") = "CCC", nb::arg("team") = nb::none(),
             nb::arg("text") = nb::none(),
             nb::sig("def gemm_plan(m: SupportsIndex, n: SupportsIndex, k: SupportsIndex, *, "
                     "dtype: DTypeLike | None = None, "
                     "orders: str = 'CCC', team: Team | None = None, text: str | None = None) -> "
                     "GemmPlan"),
             kDoc);
}

}  // namespace kinjo::python
