/// kinjo.GemmPlan: the loop nest of a product, with what it was made for.
#pragma once

#include <kinjo/gemm_plan.hpp>

#include "numpy.hpp"

namespace kinjo::python {

struct PythonPlan {
  gemm::Plan plan;
  gemm::Problem problem;
};

/// What the argument `plan=` of a product stands for: a GemmPlan, or the text of a plan.
/// Throws `Error` (`bad_input`) for a text that is no plan, and TypeError.
gemm::Plan plan_argument(nb::handle plan, const gemm::Problem& problem);

}  // namespace kinjo::python
