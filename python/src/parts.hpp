/// What each file of the extension adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace kinjo::python {

namespace nb = nanobind;

void add_errors(nb::module_& module);
void add_topology(nb::module_& module);
void add_mapping(nb::module_& module);
void add_pin(nb::module_& module);
void add_team(nb::module_& module);
void add_memory(nb::module_& module);
void add_blas1(nb::module_& module);
void add_fft(nb::module_& module);
void add_gemm_plan(nb::module_& module);
void add_graph(nb::module_& module);
void add_diagram(nb::module_& module);
void add_pairs(nb::module_& module);
void add_paths(nb::module_& module);
void add_sdp(nb::module_& module);
void add_matmul(nb::module_& module);

}  // namespace kinjo::python
