/// kinjo.sum and its kin: BLAS level 1 on NumPy arrays, and on whatever else shows its memory.
#include <kinjo/blas1.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <nanobind/stl/optional.h>

#include "argument.hpp"
#include "array.hpp"
#include "convert.hpp"
#include "lock.hpp"
#include "memory.hpp"
#include "parts.hpp"
#include "team.hpp"

namespace kinjo::python {
namespace {

using blas1::Mode;
using blas1::View;

using GivenTeam = Given<const PythonTeam*>;
using GivenMode = Given<std::string_view>;

Mode parse_mode(const char* function, GivenMode mode) {
  const std::string_view text = mode.read({function, "mode"});
  if (text == "fast") return Mode::fast;
  if (text == "reproducible") return Mode::reproducible;
  throw Error(Errc::invalid_argument,
              fmt::format("{}: mode='{}': expected fast or reproducible", function, text));
}

/// Other Python threads run meanwhile, where the work is longer than the hand-over.
class Released {
 public:
  explicit Released(std::size_t bytes) {
    if (bytes >= kLeastBytes) released_.emplace();
  }

 private:
  static constexpr std::size_t kLeastBytes = 32768;
  std::optional<Unlocked> released_;
};

/// The partitioned array that a vector is the whole of, or null.
template <class T>
PartitionedArray<T>* whole(const Vector& x) {
  Memory* memory = memory_of(x.object());
  PartitionedArray<T>* array = memory ? memory->partitioned<T>() : nullptr;
  const View<T> view = x.view<T>();
  const bool all = array && array->data() == view.data && array->size() == view.size;
  return all && view.stride == 1 ? array : nullptr;
}

void need_alike(const char* function, const Vector& x, const Vector& y) {
  const auto fail = [&](const std::string& text) {
    throw Error(Errc::invalid_argument, fmt::format("{}: {}", function, text));
  };
  if (x.element() != y.element()) {
    fail(fmt::format("x is of {} and y of {}: expected the same", to_string(x.element()),
                     to_string(y.element())));
  }
  if (x.shape().empty() && y.shape().empty()) return;
  if (!std::ranges::equal(x.shape(), y.shape())) {
    fail("x and y have different shapes: expected the same, or one dimension each");
  }
  if (x.order() != y.order()) {
    fail("one of x and y is stored by rows and the other by columns: expected the same");
  }
}

/// What a vector that is read or written has for elements.
template <Access access, class T>
using Accessed = std::conditional_t<access == Access::read, const T, T>;

/// `op(T{}, x)` or `op(T{}, team, x)`, without the interpreter's lock if it takes long.
template <Access access, class Op>
auto on_one(const Vector& x, const PythonTeam* team, Op&& op) {
  return with_element(x.element(), [&]<class T>(T type) {
    const auto view = x.view<Accessed<access, T>>();
    if (!team) {
      const Released released(x.bytes());
      return op(type, view);
    }
    PartitionedArray<T>* array = whole<T>(x);
    const std::shared_ptr<Team> working = team->get();
    const Unlocked released;
    return array ? op(type, *working, *array) : op(type, *working, view);
  });
}

/// The same for a vector that is read and one that is read or written.
template <Access access, class Op>
auto on_two(const char* function, const Vector& x, const Vector& y, const PythonTeam* team,
            Op&& op) {
  need_alike(function, x, y);
  return with_element(x.element(), [&]<class T>(T type) {
    const auto from = x.view<const T>();
    const auto to = y.view<Accessed<access, T>>();
    if (!team) {
      const Released released(x.bytes());
      return op(type, from, to);
    }
    PartitionedArray<T>*a = whole<T>(x), *b = whole<T>(y);
    const std::shared_ptr<Team> working = team->get();
    const Unlocked released;
    return a && b ? op(type, *working, *a, *b) : op(type, *working, from, to);
  });
}

// What is computed, by the name that it has in Python.
struct Sum {
  static constexpr const char* kName = "sum";
  static auto of(auto&&... x) { return blas1::sum(x...); }
};
struct SumOfSquares {
  static constexpr const char* kName = "sum_of_squares";
  static auto of(auto&&... x) { return blas1::sum_of_squares(x...); }
};
struct Asum {
  static constexpr const char* kName = "asum";
  static auto of(auto&&... x) { return blas1::asum(x...); }
};
struct Norm2 {
  static constexpr const char* kName = "norm2";
  static auto of(auto&&... x) { return blas1::norm2(x...); }
};

template <class What>
double reduce(nb::handle x_object, GivenMode mode_name, GivenTeam team) {
  const Mode mode = parse_mode(What::kName, mode_name);
  const Vector x(x_object, {What::kName, "x"}, Access::read);
  return on_one<Access::read>(
      x, team.read({What::kName, "team"}),
      [mode](auto, auto&&... of) -> double { return What::of(of..., mode); });
}

double dot(nb::handle x_object, nb::handle y_object, GivenMode mode_name, GivenTeam team) {
  const Mode mode = parse_mode("dot", mode_name);
  const Vector x(x_object, {"dot", "x"}, Access::read), y(y_object, {"dot", "y"}, Access::read);
  return on_two<Access::read>(
      "dot", x, y, team.read({"dot", "team"}),
      [mode](auto, auto&&... of) -> double { return blas1::dot(of..., mode); });
}

std::optional<std::size_t> max_abs_index(nb::handle x_object, GivenTeam team) {
  const Vector x(x_object, {"max_abs_index", "x"}, Access::read);
  if (x.order() == Order::columns) {
    throw Error(Errc::invalid_argument,
                "max_abs_index: x is stored by columns: expected rows, along which indices count");
  }
  return on_one<Access::read>(
      x, team.read({"max_abs_index", "team"}),
      [](auto, auto&&... of) -> std::optional<std::size_t> { return blas1::max_abs_index(of...); });
}

void axpy(Given<double> a_object, nb::handle x_object, nb::handle y_object, GivenMode mode_name,
          GivenTeam team) {
  const double a = a_object.read({"axpy", "a"});
  const Mode mode = parse_mode("axpy", mode_name);
  const Vector x(x_object, {"axpy", "x"}, Access::read), y(y_object, {"axpy", "y"}, Access::write);
  const auto op = [a, mode]<class T>(T, auto&&... of) {
    if constexpr (sizeof...(of) == 2) {
      blas1::axpy(static_cast<T>(a), of..., mode);
    } else {
      [a, mode](Team& in, auto&&... vectors) {
        blas1::axpy(in, static_cast<T>(a), vectors..., mode);
      }(of...);
    }
  };
  on_two<Access::write>("axpy", x, y, team.read({"axpy", "team"}), op);
}

void scale(Given<double> a_object, nb::handle x_object, GivenTeam team) {
  const double a = a_object.read({"scale", "a"});
  const Vector x(x_object, {"scale", "x"}, Access::write);
  const auto op = [a]<class T>(T, auto&&... of) {
    if constexpr (sizeof...(of) == 1) {
      blas1::scale(static_cast<T>(a), of...);
    } else {
      [a](Team& in, auto&& vector) { blas1::scale(in, static_cast<T>(a), vector); }(of...);
    }
  };
  on_one<Access::write>(x, team.read({"scale", "team"}), op);
}

void copy(nb::handle x_object, nb::handle y_object, GivenTeam team) {
  const Vector x(x_object, {"copy", "x"}, Access::read), y(y_object, {"copy", "y"}, Access::write);
  on_two<Access::write>("copy", x, y, team.read({"copy", "team"}),
                        [](auto, auto&&... of) { blas1::copy(of...); });
}

constexpr const char* kModeAndTeam =
    "mode: Literal['fast', 'reproducible'] = 'fast', team: Team | None = None";
constexpr const char* kTeam = "team: Team | None = None";

/// A signature for help texts and stubs.
std::string signature(const char* name, const char* arguments, const char* options,
                      const char* result) {
  return fmt::format("def {}({}, *, {}) -> {}", name, arguments, options, result);
}

template <class What>
void add_reduction(nb::module_& module, const char* doc) {
  module.def(What::kName, &reduce<What>, nb::arg("x"), nb::kw_only(), nb::arg("mode") = "fast",
             nb::arg("team") = nb::none(),
             nb::sig(signature(What::kName, "x: _Array", kModeAndTeam, "float").c_str()), doc);
}

void add_readers(nb::module_& module) {
  add_reduction<Sum>(module, "The sum of x.");
  add_reduction<SumOfSquares>(module, "The sum of the squares of x.");
  add_reduction<Asum>(module, "The sum of the magnitudes of x.");
  add_reduction<Norm2>(module,
                       "The root of the sum of the squares of x, without overflow or underflow.");
  module.def("dot", &dot, nb::arg("x"), nb::arg("y"), nb::kw_only(), nb::arg("mode") = "fast",
             nb::arg("team") = nb::none(),
             nb::sig(signature("dot", "x: _Array, y: _Array", kModeAndTeam, "float").c_str()),
             "The sum of the products of x and y.");
  module.def(
      "max_abs_index", &max_abs_index, nb::arg("x"), nb::kw_only(), nb::arg("team") = nb::none(),
      nb::sig(signature("max_abs_index", "x: _Array", kTeam, "int | None").c_str()),
      "The first index of the largest magnitude, or of the first NaN; None for no elements.");
}

void add_writers(nb::module_& module) {
  module.def(
      "axpy", &axpy, nb::arg("a"), nb::arg("x"), nb::arg("y"), nb::kw_only(),
      nb::arg("mode") = "fast", nb::arg("team") = nb::none(),
      nb::sig(signature("axpy", "a: float, x: _Array, y: _Array", kModeAndTeam, "None").c_str()),
      "y[:] = a * x + y");
  module.def(
      "scale", &scale, nb::arg("a"), nb::arg("x"), nb::kw_only(), nb::arg("team") = nb::none(),
      nb::sig(signature("scale", "a: float, x: _Array", kTeam, "None").c_str()), "x[:] = a * x");
  module.def("copy", &copy, nb::arg("x"), nb::arg("y"), nb::kw_only(), nb::arg("team") = nb::none(),
             nb::sig(signature("copy", "x: _Array, y: _Array", kTeam, "None").c_str()), "y[:] = x");
}

}  // namespace

void add_blas1(nb::module_& module) {
  add_readers(module);
  add_writers(module);
}

}  // namespace kinjo::python
