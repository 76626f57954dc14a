/// Products as the public header has them: checks, what needs no product, plans.
#include <kinjo/gemm.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "gemm/arguments.hpp"
#include "gemm/blocking.hpp"
#include "gemm/executor.hpp"

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
  for (const StorageStep& step : plan.storage_steps(problem)) {
    execute(team, alpha, a.block(step.m, step.k), b.block(step.k, step.n),
            step.first_of_k ? beta : T{1}, c.block(step.m, step.n), inside);
  }
}

template <class T>
void multiply_any(Team* team, T alpha, View<const T> a, View<const T> b, T beta, View<T> c,
                  const Plan* plan) {
  check_arguments(a, b, c);
  const Problem problem = team ? problem_of(*team, a, b, c) : problem_of(a, b, c);
  if (plan) need_plan(*plan, problem);
  if (c.rows == 0 || c.columns == 0) return;
  if (alpha == 0 || a.columns == 0) return scale(beta, c);
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
