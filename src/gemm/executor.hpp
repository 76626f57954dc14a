/// Runs a plan's loops down to the register tiles.
#pragma once

#include <kinjo/gemm.hpp>

namespace kinjo::gemm {

/// C ← α·A·B + β·C by a plan without storage loops; everything has been checked, and there is
/// something to compute. `team` may be null for one task, which then runs in the calling thread.
template <class T>
void execute(Team* team, T alpha, View<const T> a, View<const T> b, T beta, View<T> c,
             const Plan& plan);

}  // namespace kinjo::gemm
