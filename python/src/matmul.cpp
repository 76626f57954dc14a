/// kinjo.matmul() and its verifier.
#include <optional>
#include <string>

#include <nanobind/stl/string.h>
#include <kinjo/gemm.hpp>

#include "argument.hpp"
#include "gemm_plan.hpp"
#include "lock.hpp"
#include "matrix.hpp"
#include "parts.hpp"
#include "team.hpp"

namespace kinjo::python {
namespace {

constexpr Name kOut{"matmul", "out"};

/// Multiplications from which on other Python threads run meanwhile: below it the hand-over of the
/// interpreter's lock would cost more than the work.
constexpr double kReleasingWork = 32.0 * 32 * 32;

/// How C ← αAB + βC is to be computed.
struct Wish {
  const PythonTeam* team;
  nb::handle plan;
  double alpha, beta;
};

template <class T>
void multiply(const Wish& wish, gemm::View<const T> a, gemm::View<const T> b, gemm::View<T> c) {
  const std::shared_ptr<Team> team = wish.team ? wish.team->get() : nullptr;
  std::optional<gemm::Plan> plan;
  if (!wish.plan.is_none()) {
    plan = plan_argument(wish.plan,
                         team ? gemm::problem_of(*team, a, b, c) : gemm::problem_of(a, b, c));
  }
  const auto alpha = static_cast<T>(wish.alpha), beta = static_cast<T>(wish.beta);
  const double work = static_cast<double>(c.rows) * static_cast<double>(c.columns) *
                      (static_cast<double>(a.columns) + 1);  // of products, and with β
  std::optional<Unlocked> released;
  if (team || work >= kReleasingWork) released.emplace();
  if (team && plan) return gemm::multiply(*team, alpha, a, b, beta, c, *plan);
  if (team) return gemm::multiply(*team, alpha, a, b, beta, c);
  if (plan) return gemm::multiply(alpha, a, b, beta, c, *plan);
  gemm::multiply(alpha, a, b, beta, c);
}

nb::object new_array(Element element, std::size_t rows, std::size_t columns) {
  npy_intp shape[] = {static_cast<npy_intp>(rows), static_cast<npy_intp>(columns)};
  PyObject* made =
      PyArray_SimpleNew(2, shape, element == Element::float64 ? NPY_DOUBLE : NPY_FLOAT);
  if (!made) throw nb::python_error();
  return nb::steal(made);
}

nb::object matmul(nb::handle a_object, nb::handle b_object, Given<const PythonTeam*> team_object,
                  nb::handle plan, nb::handle out, Given<double> alpha_object,
                  Given<double> beta_object) {
  const PythonTeam* const team = team_object.read({"matmul", "team"});
  const double alpha = alpha_object.read({"matmul", "alpha"}),
               beta = beta_object.read({"matmul", "beta"});
  const Matrix a(a_object, {"matmul", "a"}, Access::read),
      b(b_object, {"matmul", "b"}, Access::read);
  need_factors("matmul", a, b);
  if (out.is_none() && beta != 0) {
    throw Error(
        Errc::invalid_argument,
        fmt::format("matmul: beta is {} without out: expected the array that it scales", beta));
  }
  const nb::object result =
      out.is_none() ? new_array(a.element(), a.rows(), b.columns()) : nb::borrow(out);
  const Matrix c(result, kOut, Access::write);
  if (!out.is_none()) {
    need_product(kOut, c, a, b);
    if (alpha != 0) need_apart(kOut, c, a, b);
  }
  with_element(a.element(), [&]<class T>(T) {
    multiply<T>({team, plan, alpha, beta}, a.view<const T>(), b.view<const T>(), c.view<T>());
  });
  return result;
}

/// Of C, whose old content `before` is a matrix of no elements for β = 0.
gemm::Check verify(nb::handle a_object, nb::handle b_object, nb::handle c_object, double alpha,
                   double beta, nb::handle before_object, const gemm::CheckOptions& options) {
  constexpr const char* kName = "verify_matmul";
  const Matrix a(a_object, {kName, "a"}, Access::read), b(b_object, {kName, "b"}, Access::read),
      c(c_object, {kName, "c"}, Access::read);
  need_factors(kName, a, b);
  need_product({kName, "c"}, c, a, b);
  if (alpha != 0) need_apart({kName, "c"}, c, a, b);
  if (options.samples == 0 && options.rounds == 0) {
    throw Error(Errc::invalid_argument,
                "verify_matmul: samples and rounds are 0: expected one of them above 0");
  }
  if (before_object.is_none() != (beta == 0)) {
    throw Error(Errc::invalid_argument,
                "verify_matmul: before= and a beta that is not 0 belong together");
  }
  std::optional<Matrix> before;
  if (beta != 0) {
    before.emplace(before_object, Name{kName, "before"}, Access::read);
    need_product({kName, "before"}, *before, a, b);
  }
  return with_element(a.element(), [&]<class T>(T) {
    const auto old = before ? before->view<const T>() : gemm::View<const T>();
    const Unlocked released;
    return gemm::verify_gemm<T>(static_cast<T>(alpha), a.view<const T>(), b.view<const T>(),
                                static_cast<T>(beta), old, c.view<const T>(), options);
  });
}

void add_check(nb::module_& module) {
  using gemm::Check;
  nb::class_<Check>(module, "MatmulCheck", "What the check of a product found.")
      .def_prop_ro("passed", &Check::passed)
      .def_ro("fault", &Check::fault, "empty, or which element or row exceeds its bound")
      .def_ro("worst_sample", &Check::worst_sample,
              "the largest error of a sample, or of an element of a row that was computed again, "
              "in units of its bound")
      .def_ro("worst_row", &Check::worst_row,
              "the largest row of Freivalds' test, in units of its bound")
      .def("__bool__", &Check::passed)
      .def("__repr__", [](const Check& check) {
        return fmt::format("<kinjo.MatmulCheck {}>", check.passed() ? "passed" : check.fault);
      });
}

constexpr const char* kMatmul =
    "alpha * a @ b, as a new array, or alpha * a @ b + beta * out in ``out``, which is returned.\n"
    "a and b are matrices of float64 or of float32, by rows or by columns, and may be slices.\n"
    "``plan``: the loop nest, a GemmPlan or its text; without one a good one is chosen.";

constexpr const char* kVerify =
    "Checks c = alpha * a @ b + beta * before against the error bound of ``matmul``: ``samples``\n"
    "elements again in higher precision, all of c by ``rounds`` of Freivalds' test, and the\n"
    "``rows`` that it finds worst element by element. Rows of a and\n"
    "columns of b that are not finite must make their elements of c NaN or infinite, too.";

}  // namespace

void add_matmul(nb::module_& module) {
  module.def(
      "matmul", &matmul, nb::arg("a"), nb::arg("b"), nb::kw_only(), nb::arg("team") = nb::none(),
      nb::arg("plan") = nb::none(), nb::arg("out") = nb::none(), nb::arg("alpha") = 1.0,
      nb::arg("beta") = 0.0,
      nb::sig("def matmul(a: _Array, b: _Array, *, team: Team | None = None, plan: GemmPlan | "
              "str | None = None, out: _Array | None = None, alpha: float = 1.0, beta: "
              "float = 0.0) -> Any"),
      kMatmul);
  add_check(module);
  module.def(
      "verify_matmul",
      [](nb::handle a, nb::handle b, nb::handle c, Given<double> alpha, Given<double> beta,
         nb::handle before, Given<std::size_t> samples, Given<std::size_t> rounds,
         Given<std::size_t> rows, Given<unsigned> seed) {
        constexpr const char* kName = "verify_matmul";
        return verify(a, b, c, alpha.read({kName, "alpha"}), beta.read({kName, "beta"}), before,
                      {.samples = samples.read({kName, "samples"}),
                       .rounds = rounds.read({kName, "rounds"}),
                       .rows = rows.read({kName, "rows"}),
                       .seed = seed.read({kName, "seed"})});
      },
      nb::arg("a"), nb::arg("b"), nb::arg("c"), nb::kw_only(), nb::arg("alpha") = 1.0,
      nb::arg("beta") = 0.0, nb::arg("before") = nb::none(), nb::arg("samples") = 1000,
      nb::arg("rounds") = 2, nb::arg("rows") = 2, nb::arg("seed") = 1,
      nb::sig(
          "def verify_matmul(a: _Array, b: _Array, c: _Array, *, alpha: float = 1.0, "
          "beta: float = 0.0, before: _Array | None = None, samples: SupportsIndex = 1000, rounds: "
          "SupportsIndex = 2, rows: SupportsIndex = 2, seed: SupportsIndex = 1) -> MatmulCheck"),
      kVerify);
}

}  // namespace kinjo::python
