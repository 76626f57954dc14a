/// Products as the public header has them: checks, what needs no product, plans.
#include <kinjo/gemm.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "gemm/arguments.hpp"
#include "gemm/blocking.hpp"
#include "gemm/executor.hpp"
#include "gemm/kernels.hpp"
#include "gemm/storage_loops.hpp"
#include "gemm/workspace.hpp"

namespace kinjo::gemm {

namespace {

/// C ← β·C, without reading C for β = 0.
template <class T>
void scale(T beta, View<T> c) {
  if (beta == 1) return;
  if (c.order == Order::column_major) c = c.transposed();
  for (std::size_t i = 0; i < c.rows; ++i) {
    T* const row = c.at(i, 0);
    if (beta == 0) {
      std::fill_n(row, c.columns, T{0});
    } else {
      for (std::size_t j = 0; j < c.columns; ++j) row[j] *= beta;
    }
  }
}

void need_plan(const Plan& plan, const Problem& problem) {
  if (const auto fault = plan.fault(problem)) {
    throw Error(Errc::invalid_argument,
                fmt::format("gemm: plan '{}': {}", plan.to_string(), *fault));
  }
}

/// By a plan with storage loops: step by step on parts of the matrices.
template <class T>
void run(Team* team, T alpha, View<const T> a, View<const T> b, T beta, View<T> c, const Plan& plan,
         const Problem& problem) {
  if (plan.loops().empty() || plan.loops().front().level != Level::storage) {
    return execute(team, alpha, a, b, beta, c, plan);
  }
  const Plan inside = plan.in_memory();
  each_storage_step(plan, problem, [&](const StorageStep& step) {
    execute(team, alpha, a.block(step.m, step.k), b.block(step.k, step.n),
            step.first_of_k ? beta : T{1}, c.block(step.m, step.n), inside);
  });
}

/// Sizes up to which one thread copies nothing but a vector side that is not contiguous.
constexpr std::size_t kSmall = 160;
constexpr std::size_t kSmallWork = std::size_t{1}
                                   << 16;  ///< multiply-adds that a team leaves to one

template <class T>
bool is_small(const Team* team, const View<const T>& a, const View<const T>& c) {
  return std::max({c.rows, c.columns, a.columns}) <= kSmall &&
         (!team || team->size() == 1 || c.rows * c.columns * a.columns < kSmallWork);
}

/// A whole operand in strips of the vector side. `name` is its copy's region in the laboratory.
template <class T>
const T* in_strips(const detail::GemmKernels<T>& kernels, const View<const T>& x,
                   const char* name) {
  const std::size_t elements = detail::round_up(x.rows, kernels.rows.unit) * x.columns;
  T* const to =
      static_cast<T*>(Workspace::mine().reserve(0, elements * sizeof(T), -1, name, false));
  kernels.pack_rows({x.data, x.ld, 1, x.rows, x.columns, to});
  return to;
}

/// What a plan of V/V, or one that copies a whole operand before, comes to, without choosing and
/// interpreting it: that takes longer than a product of 16 × 16, and a thirtieth of one of 96 × 96.
/// C is column-major.
template <class T>
void multiply_small(T alpha, const View<const T>& a, const View<const T>& b, T beta,
                    const View<T>& c, const char* name) {
  const detail::GemmKernels<T>& kernels = detail::gemm_kernels<T>();
  const bool in_place = a.order == Order::column_major;
  const bool along_inner = b.order == Order::column_major;
  kernels.multiply({.x = in_place ? a.data : in_strips(kernels, a, name),
                    .x_step = in_place ? a.ld : 0,
                    .y = b.data,
                    .y_step = along_inner ? 1 : b.ld,
                    .y_column = along_inner ? b.ld : 1,
                    .rows = c.rows,
                    .columns = c.columns,
                    .inner = a.columns,
                    .alpha = alpha,
                    .beta = beta,
                    .c = c.data,
                    .ldc = c.ld,
                    .resident = detail::Resident::columns});
}
template <class T>
void multiply_small(T alpha, const View<const T>& a, const View<const T>& b, T beta,
                    const View<T>& c) {
  if (c.order == Order::column_major) return multiply_small(alpha, a, b, beta, c, "copy of A");
  multiply_small<T>(alpha, b.transposed(), a.transposed(), beta, c.transposed(), "copy of B");
}

template <class T>
void multiply_any(Team* team, T alpha, const View<const T>& a, const View<const T>& b, T beta,
                  const View<T>& c, const Plan* plan) {
  check_arguments(a, b, c, factors_for(alpha));
  const bool empty = c.rows == 0 || c.columns == 0, nothing = alpha == 0 || a.columns == 0;
  if (!plan && !empty && !nothing && is_small<T>(team, a, c)) {
    return multiply_small(alpha, a, b, beta, c);
  }
  const Problem problem = team ? problem_of(*team, a, b, c) : problem_of(a, b, c);
  if (plan) need_plan(*plan, problem);
  if (empty) return;
  if (nothing) return scale(beta, c);
  if (plan) return run(team, alpha, a, b, beta, c, *plan, problem);
  execute(team, alpha, a, b, beta, c, Plan::choose(problem));
}

}  // namespace

void multiply(double alpha, View<const double> a, View<const double> b, double beta,
              View<double> c) {
  multiply_any<double>(nullptr, alpha, a, b, beta, c, nullptr);
}
void multiply(float alpha, View<const float> a, View<const float> b, float beta, View<float> c) {
  multiply_any<float>(nullptr, alpha, a, b, beta, c, nullptr);
}
void multiply(double alpha, View<const double> a, View<const double> b, double beta, View<double> c,
              const Plan& plan) {
  multiply_any<double>(nullptr, alpha, a, b, beta, c, &plan);
}
void multiply(float alpha, View<const float> a, View<const float> b, float beta, View<float> c,
              const Plan& plan) {
  multiply_any<float>(nullptr, alpha, a, b, beta, c, &plan);
}
void multiply(Team& team, double alpha, View<const double> a, View<const double> b, double beta,
              View<double> c) {
  multiply_any<double>(&team, alpha, a, b, beta, c, nullptr);
}
void multiply(Team& team, float alpha, View<const float> a, View<const float> b, float beta,
              View<float> c) {
  multiply_any<float>(&team, alpha, a, b, beta, c, nullptr);
}
void multiply(Team& team, double alpha, View<const double> a, View<const double> b, double beta,
              View<double> c, const Plan& plan) {
  multiply_any<double>(&team, alpha, a, b, beta, c, &plan);
}
void multiply(Team& team, float alpha, View<const float> a, View<const float> b, float beta,
              View<float> c, const Plan& plan) {
  multiply_any<float>(&team, alpha, a, b, beta, c, &plan);
}

}  // namespace kinjo::gemm
