#include "sdp/dense.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include <kinjo/gemm.hpp>

#include "sdp/dense_kernels.hpp"
#include "sdp/serial.hpp"

namespace kinjo::sdp::detail {

namespace {

using gemm::Order;
using gemm::View;

/// Left-looking by columns of tiles. Row of tiles r belongs to thread r mod threads, in whose
/// memory it may lie: what a thread reads besides its own rows is one row of tiles.
class TiledCholesky {
 public:
  TiledCholesky(Team& team, std::size_t n, double* a, std::size_t ld)
      : team_(team), n_(n), a_(a), ld_(ld), tiles_((n + kTile - 1) / kTile) {}

  bool run() {
    team_.run([this](const Place& me) {
      const std::size_t thread = static_cast<std::size_t>(me.thread);
      for (std::size_t k = 0; k < tiles_; ++k) {
        update(k, thread);
        team_.barrier(me);
        // Here all threads see the same.
        if (!definite_.load(std::memory_order_relaxed)) return;
        finish(k, thread);
        team_.barrier(me);
      }
    });
    return definite_.load();
  }

 private:
  std::size_t begin(std::size_t tile) const { return tile * kTile; }
  std::size_t height(std::size_t tile) const { return std::min(kTile, n_ - begin(tile)); }
  double* at(std::size_t row, std::size_t column) const { return a_ + row * ld_ + column * 1; }

  /// A(i, k) −= Σ_j L(i, j) L(k, j)ᵀ for the thread's tiles of column k, and the factor of A(k, k).
  void update(std::size_t k, std::size_t thread) {
    const std::size_t inner = begin(k), width = height(k);
    const View<const double> panel(at(begin(k), 0), width, inner, Order::row_major, ld_);
    for (std::size_t i = next_own(k, thread); i < tiles_; i += team_.size()) {
      if (inner != 0) {
        const View<const double> own(at(begin(i), 0), height(i), inner, Order::row_major, ld_);
        const View<double> tile(at(begin(i), inner), height(i), width, Order::row_major, ld_);
        if (i == k) {
          subtract_square(width, inner, panel.data, ld_, tile.data, ld_);
        } else {
          gemm::multiply(-1.0, own, panel.transposed(), 1.0, tile);
        }
      }
      if (i == k && !factorise(width, at(inner, inner), ld_)) definite_ = false;
    }
  }

  /// L(i, k) ← A(i, k) L(k, k)⁻ᵀ.
  void finish(std::size_t k, std::size_t thread) {
    for (std::size_t i = next_own(k + 1, thread); i < tiles_; i += team_.size()) {
      solve_rows(height(i), height(k), at(begin(k), begin(k)), ld_, at(begin(i), begin(k)), ld_);
    }
  }

  /// The thread's first tile row from `from` on.
  std::size_t next_own(std::size_t from, std::size_t thread) const {
    const std::size_t threads = team_.size();
    return from + (thread + threads - from % threads) % threads;
  }

  Team& team_;
  std::size_t n_;
  double* a_;
  std::size_t ld_, tiles_;
  std::atomic<bool> definite_ = true;
};

}  // namespace

bool cholesky(const Crew& crew, std::size_t n, double* a, std::size_t ld) {
  if (crew.team() == nullptr || n <= 2 * kTile) return factorise(n, a, ld);
  return TiledCholesky(*crew.team(), n, a, ld).run();
}

void invert(const Crew& crew, std::size_t n, const double* factor, std::size_t ld, double* b) {
  // Not by the number of threads: where a triangle is cut decides how sums are rounded.
  const std::size_t width = n <= kTile ? n : kTile / 2;
  const std::size_t tasks = (n + width - 1) / width;
  const double cube = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  // Columns first … of the inverse from row first on: the rest is the mirror image of others.
  crew.each(tasks, cube, [&](std::size_t task, std::size_t) {
    const std::size_t first = task * width, columns = std::min(width, n - first);
    const std::size_t rows = n - first;
    double* block = b + first * n + first;
    for (std::size_t i = 0; i < rows; ++i) {
      std::fill_n(block + i * n, columns, 0.0);
      if (i < columns) block[i * n + i] = 1;
    }
    const double* l = factor + first * ld + first;
    solve_lower(rows, columns, l, ld, block, n);
    solve_lower_transposed(rows, columns, l, ld, block, n);
    // Squares, so that what is read down the columns stays in the first cache.
    constexpr std::size_t kEdge = 16;
    for (std::size_t from = 0; from < rows; from += kEdge) {
      const std::size_t end = std::min(rows, from + kEdge);
      for (std::size_t c = 0; c < columns; ++c) {
        for (std::size_t i = std::max(from, c + 1); i < end; ++i)
          block[c * n + i] = block[i * n + c];
      }
    }
  });
}

void multiply(const Crew& crew, std::size_t n, double alpha, const double* a, const double* b,
              double beta, double* c) {
  const View<const double> left(a, n, n, Order::column_major), right(b, n, n, Order::column_major);
  const View<double> result(c, n, n, Order::column_major);
  if (crew.size() > 1 && n >= 64) {
    gemm::multiply(*crew.team(), alpha, left, right, beta, result);
  } else {
    gemm::multiply(alpha, left, right, beta, result);
  }
}

namespace {

/// Rows that a triangular solution with one right-hand side does at once, where threads share it.
constexpr std::size_t kPanel = 256;

/// Whether threads share it, if there are several; sums are the same if there are not.
bool is_shared(std::size_t n) { return n >= 4 * kPanel; }

}  // namespace

void multiply_vector(const Crew& crew, std::size_t n, const double* a, const double* x, double* y) {
  if (!is_shared(n)) {
    dense_kernels().multiply_symmetric(n, a, n, x, y);
    return;
  }
  crew.ranges(n, kPanel, static_cast<double>(n * n),
              [&](std::size_t begin, std::size_t end, std::size_t) {
                std::fill(y + begin, y + end, 0.0);
                dense_kernels().multiply_rows(end - begin, n, 1, a + begin * n, n, x, y + begin);
              });
}

void solve_lower(const Crew& crew, std::size_t n, const double* factor, double* x) {
  if (!is_shared(n)) {
    solve_lower(n, factor, n, x);
    return;
  }
  for (std::size_t first = 0; first < n; first += kPanel) {
    const std::size_t width = std::min(kPanel, n - first), next = first + width;
    solve_lower(width, factor + first * n + first, n, x + first);
    crew.ranges(n - next, kPanel, static_cast<double>((n - next) * width),
                [&](std::size_t begin, std::size_t end, std::size_t) {
                  dense_kernels().multiply_rows(end - begin, width, -1,
                                                factor + (next + begin) * n + first, n, x + first,
                                                x + next + begin);
                });
  }
}

void solve_lower_transposed(const Crew& crew, std::size_t n, const double* factor, double* x) {
  if (!is_shared(n)) {
    solve_lower_transposed(n, factor, n, x);
    return;
  }
  for (std::size_t next = n; next > 0;) {
    const std::size_t first = (next - 1) / kPanel * kPanel, width = next - first;
    solve_lower_transposed(width, factor + first * n + first, n, x + first);
    crew.ranges(first, kPanel, static_cast<double>(first * width),
                [&](std::size_t begin, std::size_t end, std::size_t) {
                  dense_kernels().add_rows(width, end - begin, -1, factor + first * n + begin, n,
                                           x + first, x + begin);
                });
    next = first;
  }
}

void mirror(const Crew& crew, std::size_t n, double* a, std::size_t ld) {
  const double square = static_cast<double>(n) * static_cast<double>(n);
  const auto owner = [&](std::size_t tile) { return tile % crew.size(); };
  crew.each_near((n + kTile - 1) / kTile, square, owner, [&](std::size_t tile, std::size_t) {
    const std::size_t end = std::min(n, (tile + 1) * kTile);
    for (std::size_t other = 0; other <= tile; ++other) {
      for (std::size_t i = tile * kTile; i < end; ++i) {
        const std::size_t stop = std::min(i, (other + 1) * kTile);
        for (std::size_t j = other * kTile; j < stop; ++j) a[i * ld + j] = a[j * ld + i];
      }
    }
  });
}

}  // namespace kinjo::sdp::detail
