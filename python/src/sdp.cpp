/// kinjo._kinjo._SdpProblem: what kinjo/sdp.py calls, with entries in flat arrays.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <kinjo/error.hpp>
#include <kinjo/sdp.hpp>
#include <kinjo/sdp_files.hpp>

#include "interruptible.hpp"
#include "lock.hpp"
#include "numpy.hpp"
#include "parts.hpp"
#include "team.hpp"

namespace kinjo::python {
namespace {

using sdp::Block;
using sdp::BlockKind;
using sdp::BlockMatrix;
using sdp::Problem;

template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Orders as SDPA has them: below 0 of a diagonal block.
std::vector<Block> blocks_of(const std::vector<std::int64_t>& orders) {
  std::vector<Block> blocks;
  for (const std::int64_t order : orders) {
    blocks.push_back({static_cast<std::uint32_t>(order < 0 ? -order : order),
                      order < 0 ? BlockKind::diagonal : BlockKind::symmetric});
  }
  return blocks;
}

nb::object new_array(std::initializer_list<std::size_t> shape, int type) {
  std::vector<npy_intp> sizes(shape.begin(), shape.end());
  nb::object made =
      nb::steal(PyArray_SimpleNew(static_cast<int>(sizes.size()), sizes.data(), type));
  if (!made.is_valid()) throw nb::python_error();
  return made;
}

template <class T>
nb::object to_array(std::span<const T> values, std::initializer_list<std::size_t> shape, int type) {
  nb::object made = new_array(shape, type);
  std::ranges::copy(values, static_cast<T*>(PyArray_DATA(as_numpy(made))));
  return made;
}

nb::object to_array(std::span<const double> values) {
  return to_array(values, {values.size()}, NPY_DOUBLE);
}

/// A matrix for each block, of n × n or n values. It is symmetric, so that columns may be rows.
nb::list to_list(const BlockMatrix& matrix) {
  nb::list blocks;
  for (std::size_t b = 0; b < matrix.blocks().size(); ++b) {
    const Block& block = matrix.blocks()[b];
    const std::size_t n = block.order;
    blocks.append(block.kind == BlockKind::diagonal
                      ? to_array(matrix.block(b))
                      : to_array(matrix.block(b), {n, n}, NPY_DOUBLE));
  }
  return blocks;
}

nb::list to_list(const std::vector<sdp::Iteration>& iterations) {
  nb::list rows;
  for (const sdp::Iteration& i : iterations) {
    rows.append(nb::make_tuple(i.number, i.mu, i.primal_error, i.dual_error, i.primal_objective,
                               i.dual_objective, i.primal_step, i.dual_step, i.beta));
  }
  return rows;
}

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A solution, and the seconds of its phases.
struct Timed {
  sdp::Solution solution;
  double seconds = 0;
  std::array<double, sdp::kPhases> phases{};
};

Timed solve_timed(Team& team, const Problem& problem, sdp::Options options) {
  Timed timed;
  const double start = now_seconds();
  double since = start;
  std::size_t phase = static_cast<std::size_t>(sdp::Phase::others);
  const auto enter = [&](sdp::Phase next) {
    const double now = now_seconds();
    timed.phases[phase] += now - since;
    since = now;
    phase = static_cast<std::size_t>(next);
  };
  options.enter = enter;
  timed.solution = sdp::solve(team, problem, options);
  enter(sdp::Phase::others);
  timed.seconds = now_seconds() - start;
  return timed;
}

/// What kinjo/sdp.py makes its result of.
nb::dict to_dict(const Timed& timed) {
  const sdp::Solution& s = timed.solution;
  nb::dict seconds;
  seconds["total"] = timed.seconds;
  for (std::size_t p = 0; p < sdp::kPhases; ++p) {
    seconds[sdp::to_string(static_cast<sdp::Phase>(p))] = timed.phases[p];
  }
  nb::dict found;
  found["status"] = sdp::to_string(s.status);
  found["x"] = to_array(s.x);
  found["X"] = to_list(s.X);
  found["Y"] = to_list(s.Y);
  found["primal_objective"] = s.primal_objective;
  found["dual_objective"] = s.dual_objective;
  found["dimacs_errors"] = to_array(s.dimacs_errors);
  found["iterations"] = to_list(s.iterations);
  found["extended_precision"] = s.extended_precision;
  found["seconds"] = seconds;
  return found;
}

/// Sets the option of that name. Throws `Error` for one that there is not.
void set(sdp::Options& options, const std::string& name, nb::handle value) {
  const std::pair<const char*, double*> reals[] = {{"tolerance", &options.tolerance},
                                                   {"lambda_star", &options.lambda_star},
                                                   {"beta_star", &options.beta_star},
                                                   {"beta_bar", &options.beta_bar},
                                                   {"gamma_star", &options.gamma_star}};
  for (const auto& [known, place] : reals) {
    if (name != known) continue;
    *place = nb::cast<double>(value);
    return;
  }
  if (name == "max_iteration") {
    options.max_iteration = nb::cast<std::size_t>(value);
  } else if (name == "extended_precision") {
    options.extended_precision = nb::cast<bool>(value);
  } else if (name == "memory_limit") {
    options.memory_limit = nb::cast<std::uint64_t>(value);
  } else {
    throw Error(Errc::invalid_argument, fmt::format("sdp: no option '{}'", name));
  }
}

class PythonProblem {
 public:
  explicit PythonProblem(Problem problem) : problem_(std::move(problem)) {}

  static PythonProblem read(const std::string& path) {
    const Unlocked released;
    return PythonProblem(sdp::read_problem(path));
  }
  void write(const std::string& path) const {
    const Unlocked released;
    sdp::write_problem(problem_, path);
  }
  std::vector<std::int64_t> orders() const {
    std::vector<std::int64_t> orders;
    for (const Block& block : problem_.blocks()) {
      orders.push_back(block.kind == BlockKind::diagonal ? -std::int64_t{block.order}
                                                         : std::int64_t{block.order});
    }
    return orders;
  }
  nb::object costs() const { return to_array(problem_.costs()); }
  /// Block, row, column and value of each entry of F_i's upper triangle.
  nb::tuple matrix(std::size_t i) const {
    if (i > problem_.constraints()) throw nb::index_error();
    std::vector<std::uint32_t> block, row, column;
    std::vector<double> value;
    for (const sdp::Entry& entry : problem_.matrix(i)) {
      block.push_back(entry.block);
      row.push_back(entry.row);
      column.push_back(entry.column);
      value.push_back(entry.value);
    }
    const auto indices = [](const std::vector<std::uint32_t>& of) {
      return to_array(std::span<const std::uint32_t>(of), {of.size()}, NPY_UINT32);
    };
    return nb::make_tuple(indices(block), indices(row), indices(column), to_array(value));
  }
  nb::dict solve(const PythonTeam& team, const std::string& preset, const nb::dict& options) const {
    sdp::Options chosen = sdp::preset(preset);
    for (const auto& [name, value] : options) set(chosen, nb::cast<std::string>(name), value);
    const Timed timed = interruptible(team, [&](Team& working, auto go_on) {
      chosen.go_on = [go_on](const sdp::Iteration&) { return go_on(); };
      return solve_timed(working, problem_, chosen);
    });
    return to_dict(timed);
  }

 private:
  Problem problem_;
};

void make_problem(PythonProblem* self, const std::vector<std::int64_t>& orders,
                  const std::vector<double>& costs, const Column<std::int64_t>& matrix,
                  const Column<std::int64_t>& block, const Column<std::int64_t>& row,
                  const Column<std::int64_t>& column, const Column<double>& value) {
  const Unlocked released;
  sdp::ProblemBuilder builder(blocks_of(orders), costs);
  for (std::size_t i = 0; i < value.shape(0); ++i) {
    builder.add(static_cast<std::size_t>(matrix.data()[i]),
                static_cast<std::size_t>(block.data()[i]), static_cast<std::size_t>(row.data()[i]),
                static_cast<std::size_t>(column.data()[i]), value.data()[i]);
  }
  new (self) PythonProblem(builder.finish());
}

}  // namespace

void add_sdp(nb::module_& module) {
  nb::class_<PythonProblem>(module, "_SdpProblem", "A problem in SDPA's form, for ``kinjo.sdp``.")
      .def("__init__", &make_problem, nb::arg("orders"), nb::arg("costs"), nb::arg("matrix"),
           nb::arg("block"), nb::arg("row"), nb::arg("column"), nb::arg("value"))
      .def_static("read", &PythonProblem::read, nb::arg("path"))
      .def("write", &PythonProblem::write, nb::arg("path"))
      .def_prop_ro("orders", &PythonProblem::orders)
      .def_prop_ro("costs", &PythonProblem::costs)
      .def("matrix", &PythonProblem::matrix, nb::arg("i"))
      .def("solve", &PythonProblem::solve, nb::arg("team"), nb::arg("preset"), nb::arg("options"));
}

}  // namespace kinjo::python
