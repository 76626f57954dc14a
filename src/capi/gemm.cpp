#include <atomic>
#include <memory>
#include <mutex>

#include <kinjo/gemm.hpp>

#include "base/forks.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"

using namespace kinjo::capi;

namespace {

using kinjo::gemm::Order;
using kinjo::gemm::View;

/// Changed and used under `team_in_use`, which takes a tenth of the time of a product of 8 × 8 × 8;
/// that there is none can be seen without.
std::atomic<kinjo_team*> chosen_team{nullptr};

/// Held while a product is computed, so it may be copied locked into a child that is forked
/// meanwhile: that has another one, in the other's place for good.
std::mutex& team_in_use() {
  struct OfProcess {
    kinjo::detail::ForkMark made;
    std::mutex mutex;
  };
  static std::atomic<OfProcess*> ours{new OfProcess};
  OfProcess* found = ours.load();
  if (found->made.is_in_child()) {
    auto fresh = std::make_unique<OfProcess>();
    if (ours.compare_exchange_strong(found, fresh.get())) found = fresh.release();
  }
  return found->mutex;
}

/// Numbers below 0 are told as such.
int as_int(unsigned number) { return static_cast<int>(number); }

Order order_of(unsigned order) {
  if (order != KINJO_ROW_MAJOR && order != KINJO_COL_MAJOR) {
    throw kinjo::Error(
        kinjo::Errc::invalid_argument,
        fmt::format("gemm: order is {}: expected 101 (row-major) or 102 (column-major)",
                    as_int(order)));
  }
  return order == KINJO_ROW_MAJOR ? Order::row_major : Order::column_major;
}

bool is_transposed(const char* name, unsigned transpose) {
  if (transpose < KINJO_NO_TRANS || transpose > KINJO_CONJ_TRANS) {
    throw kinjo::Error(kinjo::Errc::invalid_argument,
                       fmt::format("gemm: transpose of {} is {}: expected 111 (no), 112 or 113 "
                                   "(transposed)",
                                   name, as_int(transpose)));
  }
  return transpose != KINJO_NO_TRANS;
}

std::size_t need_size(const char* name, ptrdiff_t size) {
  if (size < 0) {
    throw kinjo::Error(kinjo::Errc::invalid_argument,
                       fmt::format("gemm: {} is {}: expected 0 or more", name, size));
  }
  return static_cast<std::size_t>(size);
}

/// A matrix of `rows` × `columns` after it has been transposed.
template <class T>
View<T> view(T* data, std::size_t rows, std::size_t columns, Order order, bool transposed,
             const char* ld_name, ptrdiff_t ld) {
  View<T> v =
      transposed ? View<T>(data, columns, rows, order) : View<T>(data, rows, columns, order);
  v.ld = need_size(ld_name, ld);
  return transposed ? v.transposed() : v;
}

/// Whether the chosen team has computed the product. A team that is in use refuses (`usage`) before
/// anything is written.
template <class T>
bool multiply_over_team(T alpha, View<const T> a, View<const T> b, T beta, View<T> c) {
  if (chosen_team.load(std::memory_order_relaxed) == nullptr) return false;
  const std::unique_lock lock(team_in_use(), std::try_to_lock);
  kinjo_team* const team = chosen_team;
  if (!lock || !team || thread_state.running) return false;
  try {
    kinjo::gemm::multiply(team->value, alpha, a, b, beta, c);
  } catch (const kinjo::Error& error) {
    if (error.code() != kinjo::Errc::usage) throw;
    return false;
  }
  return true;
}

template <class T>
int multiply(unsigned order, unsigned transpose_a, unsigned transpose_b, ptrdiff_t m, ptrdiff_t n,
             ptrdiff_t k, T alpha, const T* a, ptrdiff_t lda, const T* b, ptrdiff_t ldb, T beta,
             T* c, ptrdiff_t ldc) {
  const Order o = order_of(order);
  const bool at = is_transposed("A", transpose_a), bt = is_transposed("B", transpose_b);
  const std::size_t rows = need_size("m", m), columns = need_size("n", n),
                    inner = need_size("k", k);
  const auto va = view(a, rows, inner, o, at, "lda", lda);
  const auto vb = view(b, inner, columns, o, bt, "ldb", ldb);
  const auto vc = view(c, rows, columns, o, false, "ldc", ldc);
  if (!multiply_over_team<T>(alpha, va, vb, beta, vc)) {
    kinjo::gemm::multiply(alpha, va, vb, beta, vc);
  }
  return KINJO_OK;
}

}  // namespace

int kinjo_dgemm_64(unsigned order, unsigned transpose_a, unsigned transpose_b, ptrdiff_t m,
                   ptrdiff_t n, ptrdiff_t k, double alpha, const double* a, ptrdiff_t lda,
                   const double* b, ptrdiff_t ldb, double beta, double* c, ptrdiff_t ldc) {
  return guarded([&] {
    return multiply(order, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  });
}

int kinjo_sgemm_64(unsigned order, unsigned transpose_a, unsigned transpose_b, ptrdiff_t m,
                   ptrdiff_t n, ptrdiff_t k, float alpha, const float* a, ptrdiff_t lda,
                   const float* b, ptrdiff_t ldb, float beta, float* c, ptrdiff_t ldc) {
  return guarded([&] {
    return multiply(order, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  });
}

void kinjo_dgemm(unsigned order, unsigned transpose_a, unsigned transpose_b, int m, int n, int k,
                 double alpha, const double* a, int lda, const double* b, int ldb, double beta,
                 double* c, int ldc) {
  kinjo_dgemm_64(order, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void kinjo_sgemm(unsigned order, unsigned transpose_a, unsigned transpose_b, int m, int n, int k,
                 float alpha, const float* a, int lda, const float* b, int ldb, float beta,
                 float* c, int ldc) {
  kinjo_sgemm_64(order, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

int kinjo_gemm_use_team(kinjo_team* team) {
  return guarded([&] {
    const std::lock_guard lock(team_in_use());
    chosen_team = team;
    return KINJO_OK;
  });
}
