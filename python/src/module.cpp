/// The extension kinjo._kinjo: each function converts its arguments, makes one call and returns.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <kinjo/simd.hpp>

#include "numpy.hpp"
#include "parts.hpp"

namespace kinjo::python {
namespace {

std::vector<std::string> level_names() {
  std::vector<std::string> names;
  for (SimdLevel level : simd_levels()) names.emplace_back(to_string(level));
  return names;
}

}  // namespace
}  // namespace kinjo::python

NB_MODULE(_kinjo, module) {
  using namespace kinjo::python;
  // A library prints nothing, not even about objects that are alive when the interpreter ends.
  nb::set_leak_warnings(false);
  import_numpy();
  module.attr("__version__") = KINJO_VERSION;
  add_errors(module);
  add_topology(module);
  add_mapping(module);
  add_pin(module);
  add_team(module);
  add_memory(module);
  add_blas1(module);
  add_fft(module);
  add_gemm_plan(module);
  add_graph(module);
  add_diagram(module);
  add_pairs(module);
  add_paths(module);
  add_sdp(module);
  add_matmul(module);
  module.def(
      "simd_level", [] { return kinjo::to_string(kinjo::simd_level()); },
      "The level of vector instructions in use: the highest of ``simd_levels()``, or what\n"
      "the variable KINJO_SIMD names.");
  module.def("simd_levels", &level_names,
             "The levels that were compiled in and that this CPU has, lowest first.");
}
